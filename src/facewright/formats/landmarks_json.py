"""Pairs of points that belong together, as JSON that a person can write."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import msgspec

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.files import read_up_to

End = int | str
_LIKE = 'such a file is {"pairs": [[12, 340], ...]}: vertices of the source and of the target, or names of landmarks'


class LandmarksFile(msgspec.Struct, forbid_unknown_fields=True):
    """Each pair: where the source has a point, and where the target has it."""

    pairs: list[tuple[End, End]]
    names: list[str] = []  # for people


def load_landmarks(path: str | PathLike[str]) -> list[tuple[End, End]]:
    """The pairs in a JSON file; that the vertices exist is checked by whoever has the meshes."""
    where = Path(path)
    try:
        return msgspec.json.decode(read_up_to(where, limits.JSON), type=LandmarksFile).pairs
    except (OSError, msgspec.DecodeError) as problem:
        raise BadFile(f"{where}: {problem}; {_LIKE}") from problem
