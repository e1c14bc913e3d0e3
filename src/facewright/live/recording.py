"""Frames to a clip, at the times when they were taken."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from facewright.errors import BadValue
from facewright.live.frame import LiveFrame
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

MOST_VALUES = 64_000_000  # about five hours of a phone, in half a gigabyte
_AGAIN = 1.0  # seconds by which a clock goes back or on where the sender has begun anew, or was away


class LiveRecording:
    """Keeps values by name. Times are those of the sender's clock; where that jumps, this machine's says how far."""

    def __init__(self) -> None:
        self._rows: list[dict[str, float]] = []
        self._times: list[float] = []
        self._count = 0
        self._last: LiveFrame | None = None
        self.is_full = False
        self.lost = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self._times[-1] - self._times[0] if self._times else 0.0

    def add(self, frame: LiveFrame, values: Mapping[str, float] | None = None) -> bool:
        """Keep a frame, or other values in place of its own. Returns whether it is kept."""
        kept = dict(frame.values if values is None else values)
        self.is_full = self.is_full or self._count + len(kept) > MOST_VALUES
        time = self._time(frame)
        if self.is_full or (self._times and time <= self._times[-1]):
            return False
        self._rows.append(kept)
        self._times.append(time)
        self._count += len(kept)
        self.lost += frame.lost if self._last is not None else 0
        self._last = frame
        return True

    def clip(self, name: str = "live") -> Clip:
        """All that is kept, a curve for each name, from time 0. A name that a frame lacks has no key there."""
        if not self._rows:
            raise BadValue("nothing was recorded: no frame came")
        times = np.array(self._times) - self._times[0]
        names = dict.fromkeys(one for row in self._rows for one in row)
        curves = {}
        for one in names:
            at = [i for i, row in enumerate(self._rows) if one in row]
            curves[one] = Curve(times[at], np.array([self._rows[i][one] for i in at]))
        step = float(np.median(np.diff(times))) if len(times) > 1 else 1 / 30
        rate = 1 / step
        return Clip(name, curves, float(round(rate)) if abs(rate - round(rate)) < 0.05 * rate else rate)

    def _time(self, frame: LiveFrame) -> float:
        last = self._last
        if last is None:
            return 0.0
        step, passed = frame.time - last.time, frame.arrived - last.arrived
        return self._times[-1] + (step if abs(step - passed) < _AGAIN else passed)
