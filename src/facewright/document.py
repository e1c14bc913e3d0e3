"""What is opened, worked on, saved and undone: a rig with its clips, and what came along in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from facewright.arrays import Floats, floats
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class Document:
    """Replaced, never edited."""

    rig: Rig
    clips: tuple[Clip, ...] = ()
    pose: Floats = None  # type: ignore[assignment]  # (n,) slider values; not given: all zero
    # What is not ours but must survive: an opened glTF file's bytes, unknown members and keys of a .fwface.
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)  # plain JSON values

    def __post_init__(self) -> None:
        pose = self.rig.weights(None) if self.pose is None else self.pose
        names = [clip.name for clip in self.clips]
        if len(set(names)) != len(names):
            raise BadValue(f"two clips have the same name: {', '.join(names)}")
        object.__setattr__(self, "pose", floats("pose", pose, (len(self.rig.sliders),)))
        object.__setattr__(self, "clips", tuple(self.clips))
        object.__setattr__(self, "attachments", MappingProxyType(dict(self.attachments)))
        object.__setattr__(self, "extra", MappingProxyType(dict(self.extra)))
