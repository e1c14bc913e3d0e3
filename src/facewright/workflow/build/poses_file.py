"""Example poses as a command line or a file names them: `smile.obj:mouthSmileLeft=1,mouthSmileRight=1`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from facewright.errors import BadValue
from facewright.formats import limits
from facewright.formats.files import read_text
from facewright.formats.sources import naming

_LIKE = (
    '. A poses file looks like {"poses": [{"file": "smile.obj",'
    ' "weights": {"mouthSmileLeft": 1, "mouthSmileRight": 1}}]}'
)


@dataclass(frozen=True)
class NamedPose:
    """A pose's file, and a guess of its weights; None: guessed from how the vertices move."""

    name: str
    file: Path
    weights: dict[str, float] | None


class PoseEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One pose in a poses file; its file is looked for in the folder of that one."""

    file: str
    weights: dict[str, float] | None = None
    name: str = ""


class PosesFile(msgspec.Struct, forbid_unknown_fields=True):
    """A poses file."""

    poses: list[PoseEntry]


def load_poses(path: Path) -> tuple[NamedPose, ...]:
    """The poses that a file lists, also those without weights."""
    with naming(path, like=_LIKE):
        found = msgspec.json.decode(read_text(path, limits.JSON), type=PosesFile)
    return tuple(NamedPose(one.name or Path(one.file).stem, path.parent / one.file, one.weights) for one in found.poses)


def pose_from(text: str) -> NamedPose:
    """A pose from a text such as `smile.obj:mouthSmileLeft=1,mouthSmileRight=1`, or `smile.obj` alone."""
    file, colon, listed = text.rpartition(":")
    if not colon or "=" not in listed:
        return NamedPose(Path(text).stem, Path(text), None)
    weights: dict[str, float] = {}
    for one in listed.split(","):
        name, _, value = one.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            raise BadValue(f"a weight is a name and a number, such as jawOpen=0.5, not {one!r}") from None
    return NamedPose(Path(file).stem, Path(file), weights)
