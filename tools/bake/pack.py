"""The sample as one small file of plain arrays."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tools.bake.head import PARTS, Head
from tools.bake.people import PEOPLE, Person
from tools.bake.source import EXPRESSION_UNITS, FACE_UNITS, Source

from facewright.arrays import Floats
from facewright.rig.name_tables import ARKIT, MAKEHUMAN
from facewright.rig.spelling import mirror_name

STEP = 1e-3  # centimetres; what rounding changes is at most half of it, 2e-5 of a head's height
_CENTIMETRES = 10.0  # in the base mesh's decimetre
_UV_STEPS = 2**16 - 1

Arrays = dict[str, NDArray[Any]]


def sample_arrays(source: Source, people: Sequence[Person] = PEOPLE, *, mended: bool = True) -> Arrays:
    """Every array of the file; without `mended` lids are those of the units, which close before 1."""
    head = Head.of(source)
    mesh = head.mesh()
    arrays: Arrays = {
        "step": np.array(STEP),
        "parts": np.array(PARTS),
        "starts": head.part_starts().astype(np.uint16),
        "quads": mesh.quads.astype(np.uint16),
        "uvs": np.rint(mesh.uvs * _UV_STEPS).astype(np.uint16),
        "uv_quads": mesh.uv_quads.astype(np.uint16),
        "people": np.array([person.name for person in people]),
        "arkit/names": np.array(ARKIT),
        "units/names": np.array(MAKEHUMAN),
    }
    face_units = {name: source.target(f"{FACE_UNITS}{name}.target") for name in ARKIT}
    for person in people:
        sets = {"arkit": face_units, "units": _expression_units(source, person)}
        arrays |= _person_arrays(head, person, sets, mended=mended)
    return arrays


def _expression_units(source: Source, person: Person) -> dict[str, Floats]:
    """The units of each group of origin, in the person's own shares."""

    def blend(name: str) -> Floats:
        units = (share * source.target(f"{EXPRESSION_UNITS}{g}/{name}.target.gz") for g, share in person.origin.items())
        return np.asarray(sum(units))

    return {name: blend(name) for name in MAKEHUMAN}


def _person_arrays(head: Head, person: Person, sets: Mapping[str, Mapping[str, Floats]], *, mended: bool) -> Arrays:
    place = person.place(head.source)
    found: Arrays = {f"{person.name}/neutral": _steps(head.neutral(place) - head.origin(place))}
    for name, targets in sets.items():
        lengths = {
            unit: head.delta(place, _symmetric(head.source, targets, unit), tongue_rides=name == "units")
            for unit in targets
        }
        lengths = head.with_lids_that_meet(place, lengths) if mended else lengths
        deltas = [_steps(delta) for delta in lengths.values()]
        moved = [np.flatnonzero(delta.any(axis=1)) for delta in deltas]
        found |= {
            f"{person.name}/{name}/starts": np.cumsum([0, *map(len, moved)]).astype(np.uint32),
            f"{person.name}/{name}/vertices": np.concatenate(moved).astype(np.uint16),
            f"{person.name}/{name}/offsets": np.concatenate([d[rows] for d, rows in zip(deltas, moved, strict=True)]),
        }
    return found


def _symmetric(source: Source, targets: Mapping[str, Floats], name: str) -> Floats:
    """A unit averaged with the mirror image of the other side's; one that has both sides is its own other side."""
    return np.asarray((targets[name] + source.mirrored(targets[mirror_name(name) or name])) / 2)


def _steps(lengths: Floats) -> NDArray[np.int16]:
    """Decimetres as whole steps."""
    # Rounded first to what is exact, so that both sides of a face fall to the same side of a half.
    steps = np.rint(np.round(lengths * (_CENTIMETRES / STEP), 6))
    assert abs(steps).max() < 2**15
    return steps.astype(np.int16)


def packed(arrays: Arrays) -> bytes:
    """A compressed npz, the same bytes for the same arrays: entries carry no date and stand in a fixed order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.asarray(array, order="C"), version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), entry.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return file.getvalue()
