"""Points to hold still in a JSON file: vertices, each group along some axes."""

from __future__ import annotations

from pathlib import Path

import msgspec

from facewright.formats import limits
from facewright.formats.files import read_text
from facewright.formats.sources import naming
from facewright.terms.selection import Selection

_LIKE = '. A file of held points looks like {"vertices": [12, 13], "axes": "y"}, or is a list of such objects'


class FileHold(msgspec.Struct, forbid_unknown_fields=True):
    """Vertices that stay along the same axes."""

    vertices: list[int]
    axes: str = "xyz"


def load_hold(path: Path) -> Selection:
    """The held coordinates of a file."""
    with naming(path, like=_LIKE):
        found = msgspec.json.decode(read_text(path, limits.JSON), type=FileHold | list[FileHold])
        chosen = Selection.of([])
        for one in [found] if isinstance(found, FileHold) else found:
            chosen |= Selection.of(one.vertices, one.axes)
        return chosen
