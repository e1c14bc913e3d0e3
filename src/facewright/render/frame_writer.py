"""What writes the frames of a film, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from facewright.render.tone import Bytes


@dataclass(frozen=True, eq=False)
class FrameWriter:
    """Called with a frame (h, w, 3), it writes it. In two steps: `pack` may run on any thread, `add` in order."""

    add: Callable[[Any], None]
    pack: Callable[[Bytes], Any] = lambda frame: frame
    first: int = 0  # frames that are there from before

    def __call__(self, frame: Bytes) -> None:
        self.add(self.pack(frame))
