"""What `facewright solve` is given as text: frames, a pose, pairs of marker and vertex."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from facewright.errors import BadValue

_MOST = 100_000  # frames at rest
_FRAMES = re.compile(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?")


def frames_at_rest(text: str) -> tuple[int, ...] | Path:
    """Frames such as 12 or 3,40-60, or the path of a take; no frames of an empty text."""
    if not re.fullmatch(r"[\d,\s-]*", text):
        return Path(text)
    frames: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = _FRAMES.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if not first <= last < first + _MOST:
            raise BadValue(f"frames at rest are such as 12 or 3,40-60, or a file of markers shows them, not {text!r}")
        frames += range(first, last + 1)
    return tuple(frames)


def pose_at_rest(text: str) -> Path | Literal["solved"] | None:
    """The path of a pose, or that it is solved."""
    return "solved" if text == "solved" else Path(text) if text else None


def marker_pairs(texts: list[str]) -> dict[str, int]:
    """Marker and vertex, such as Chin=1204."""
    pairs = {}
    for text in texts:
        name, equals, vertex = text.rpartition("=")
        if not equals or not name or not vertex.isdecimal():
            raise BadValue(f"a pair is a marker and a vertex, such as Chin=1204, not {text!r}")
        pairs[name] = int(vertex)
    return pairs
