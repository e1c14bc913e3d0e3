"""The poses of a document as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.library_pose import LibraryPoseEntry
from facewright.rig.library_pose import LibraryPose

MEMBER = "poses.json"


class _Poses(msgspec.Struct):
    poses: list[LibraryPoseEntry] = []


def read_poses(file: ArrayZip) -> tuple[LibraryPose, ...]:
    """The poses in a file."""
    if MEMBER not in file.names:
        return ()
    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), _Poses, "poses")
    return tuple(pose.value() for pose in entry.poses)


def pose_members(poses: Sequence[LibraryPose]) -> dict[str, bytes]:
    """The member that poses take in a file; none where there are no poses."""
    return {MEMBER: encode(plain(_Poses([LibraryPoseEntry.of(pose) for pose in poses])))} if poses else {}
