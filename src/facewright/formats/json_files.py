"""JSON files beside a rig: bindings, regions, and pairs of landmarks."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import msgspec

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.files import read_text, write_atomically
from facewright.formats.schema.binding import BindingEntry
from facewright.formats.schema.json import decode
from facewright.formats.schema.regions import encode_regions, regions_from
from facewright.formats.sources import naming
from facewright.rig.binding import Binding
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig

End = int | str
_LIKE = 'such a file is {"pairs": [[12, 340], ...]}: vertices of the source and of the target, or names of landmarks'


class LandmarksFile(msgspec.Struct, forbid_unknown_fields=True):
    """Pairs of corresponding points of two meshes, the source and the target."""

    pairs: list[tuple[End, End]]
    names: list[str] = []  # of the pairs, for the reader of the file


def load_landmarks(path: str | PathLike[str]) -> list[tuple[End, End]]:
    """The pairs in a JSON file; whether the vertices exist is not checked here."""
    where = Path(path)
    with naming(where, like=f"; {_LIKE}"):
        return msgspec.json.decode(read_text(where, limits.JSON), type=LandmarksFile).pairs


def load_binding(path: str | PathLike[str]) -> Binding:
    """The binding in a JSON file."""
    where = Path(path)
    with naming(where, like="; `facewright solve ... --save-bind` writes such a file"):
        return msgspec.json.decode(read_text(where, limits.JSON), type=BindingEntry).value()


def save_binding(binding: Binding, path: str | PathLike[str]) -> None:
    """Write a binding."""
    write_atomically(Path(path), msgspec.json.format(msgspec.json.encode(BindingEntry.of(binding)), indent=1))


def save_regions(regions: Regions, path: Path) -> None:
    """Write a file of regions."""
    write_atomically(path, encode_regions(regions))


def load_regions(path: Path, rig: Rig | None = None) -> Regions:
    """The regions in a file; with a rig, they must be for as many vertices as it has."""
    with naming(path):
        regions = regions_from(decode(read_text(path, limits.JSON)))
    if rig is not None and regions.vertex_count != rig.vertex_count:
        raise BadFile(f"{path}: regions for {regions.vertex_count} vertices; the rig has {rig.vertex_count}")
    return regions
