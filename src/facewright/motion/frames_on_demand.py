"""Frames of a sequence that are made when they are asked for: read from files, unpacked, or changed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, overload

from facewright.motion.depth import ScanFrame

Part = TypeVar("Part")


@dataclass(frozen=True, eq=False)
class FramesOnDemand(Sequence[ScanFrame | None], Generic[Part]):
    """What each frame is made of; a subclass makes it. None stands for a frame that was dropped."""

    parts: Sequence[Part]

    @abstractmethod
    def frame(self, part: Part) -> ScanFrame | None:
        """Make a frame."""

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, at: int) -> ScanFrame | None: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ScanFrame | None]: ...
    def __getitem__(self, at: int | slice) -> ScanFrame | Sequence[ScanFrame | None] | None:
        return replace(self, parts=self.parts[at]) if isinstance(at, slice) else self.frame(self.parts[at])
