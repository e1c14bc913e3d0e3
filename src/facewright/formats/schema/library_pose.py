"""Poses of a library, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.formats.schema.json import encode, plain
from facewright.rig.library_pose import LibraryPose

FORMAT = "facewright pose"
LARGEST = 1 << 20  # bytes of a pose as text
_MOST = 100_000  # sliders
_LIKE = 'a pose looks like {"name": "smile", "weights": {"mouthSmileLeft": 1}}'


class LibraryPoseEntry(msgspec.Struct, omit_defaults=True):
    """A pose with its name and tags."""

    name: str
    weights: dict[str, float] = {}
    tags: list[str] = []

    @classmethod
    def of(cls, pose: LibraryPose) -> LibraryPoseEntry:
        return cls(pose.name, dict(pose.weights), list(pose.tags))

    def value(self) -> LibraryPose:
        try:
            return LibraryPose(self.name, self.weights, tuple(self.tags))
        except BadValue as problem:
            raise BadFile(str(problem)) from problem


def pose_text(pose: LibraryPose) -> str:
    """A pose as JSON text, for a file or the clipboard."""
    return encode({"format": FORMAT, **plain(LibraryPoseEntry.of(pose))}).decode()


def pose_from_text(text: str | bytes, name: str = "pose") -> LibraryPose:
    """The pose in a text that is not trusted; `name` is used where it has none.

    Accepted are poses as `pose_text` writes them, `{"weights": {...}}`, and names of sliders to values alone.
    """
    data = text.encode(errors="replace") if isinstance(text, str) else text
    if len(data) > LARGEST:
        raise BadFile(f"a pose is at most {LARGEST >> 20} MB of text, not {len(data) >> 20} MB")
    try:
        found: Any = msgspec.json.decode(data)
        if not isinstance(found, dict):
            raise BadFile(f"this is no pose; {_LIKE}")
        if "format" in found and found["format"] != FORMAT:
            raise BadFile(f"this is {str(found['format'])[:40]!r}, not a pose; {_LIKE}")
        inner = found if "weights" in found else {"weights": found}
        entry = msgspec.convert({"name": name, **inner}, LibraryPoseEntry)
    except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
        raise BadFile(f"this is no pose: {problem}; {_LIKE}") from problem
    if len(entry.weights) > _MOST:
        raise BadFile(f"a pose has at most {_MOST:,} sliders, not {len(entry.weights):,}")
    return entry.value()
