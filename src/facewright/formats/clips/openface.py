"""Tables of OpenFace: intensities of action units (AU12_r, from 0 to 5) of the first face, over a `timestamp`.

Columns of gaze, head, landmarks and presence (AU12_c) are left out, and so are rows in which no face was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facewright.rig.names import is_intensity

_CLOCK, _FOUND, _FACE = "timestamp", "success", "face_id"


def is_openface(header: Sequence[str]) -> bool:
    """Whether a header row is that of an OpenFace table with action units."""
    return _CLOCK in _bare(header) and bool(is_intensity(header))


def selected(header: Sequence[str]) -> list[int]:
    """The column of the time, then those of the intensities."""
    intense = is_intensity(header)
    return [_bare(header).index(_CLOCK), *(i for i, name in enumerate(header) if name in intense)]


def with_face(header: Sequence[str], rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """The rows in which the first face of the table was found."""
    bare = _bare(header)
    found = bare.index(_FOUND) if _FOUND in bare else None
    face = bare.index(_FACE) if _FACE in bare else None
    first: str | None = None
    for number, cells in rows:
        if len(cells) == len(header):
            if found is not None and cells[found].strip() in ("0", "0.0"):
                continue
            if face is not None:
                first = first if first is not None else cells[face].strip()
                if cells[face].strip() != first:
                    continue
        yield number, cells


def _bare(header: Sequence[str]) -> list[str]:
    return [name.strip().lower() for name in header]
