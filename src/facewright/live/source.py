"""One sender: how often it sends, what is lost on the way, and how much later than usual it comes."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass

from facewright.live.frame import LiveFrame, Reading

_STEPS = 60  # steps of the frame number that say which step is the usual one
_RESTARTED = 600  # frames by which a number goes on or back where the sender has begun anew
_BEHIND = 8  # frames in a row with smaller numbers, after which the sender has begun anew, too
_WINDOW = 5.0  # seconds for which the quickest packet counts, and then as long again
_RECENT = 2.0  # seconds whose packets make the rate


@dataclass(frozen=True)
class SourceStatus:
    """What is known of a sender, for a person."""

    name: str
    address: str
    received: int  # frames
    lost: int  # frames that never came
    late: int  # frames that came after a newer one, and were left out
    rate: float  # frames a second, of late
    delay: float  # seconds, the mean of late
    is_seen: bool  # whether it sees a face
    age: float  # seconds since its last packet

    @property
    def loss(self) -> float:
        """The share of frames that never came."""
        return self.lost / max(1, self.lost + self.received)


class LiveSource:
    """Makes frames of what one sender sends."""

    def __init__(self, name: str, address: str) -> None:
        self.name, self.address = name, address
        self._received = self._lost = self._late = 0
        self._number: int | None = None
        self._behind = 0  # frames in a row that came after a newer one
        self._steps: deque[int] = deque(maxlen=_STEPS)
        self._arrivals: deque[float] = deque(maxlen=1000)
        self._delay, self._is_seen = 0.0, False
        self._quickest: list[tuple[float, float]] = []  # the least difference of clocks in this window and the last
        self.heard = 0.0

    def frame(self, reading: Reading, arrived: float) -> LiveFrame | None:
        """The frame of a reading; None where a newer one came before it, or no face is seen."""
        self.heard = arrived
        self._is_seen = bool(reading.values)
        lost = 0
        if reading.number is not None:
            step = 0 if self._number is None else reading.number - self._number
            if self._number is not None and -_RESTARTED < step < 0 and self._behind < _BEHIND:
                self._late += 1
                self._behind += 1
                self._lost = max(0, self._lost - 1)  # it was counted as lost when the newer one came
                return None
            lost = self._missing(step)
            self._number, self._behind = reading.number, 0
        self._received += 1
        self._lost += lost
        self._arrivals.append(arrived)
        delay = 0.0 if reading.time is None else self._later(arrived - reading.time, arrived)
        self._delay += 0.1 * (delay - self._delay)
        if not reading.values:
            return None
        time = arrived if reading.time is None else reading.time
        return LiveFrame(self.name, reading.values, time, arrived, reading.number, lost, delay)

    def status(self, now: float) -> SourceStatus:
        recent = [at for at in self._arrivals if at > now - _RECENT]
        span = recent[-1] - recent[0] if len(recent) > 1 else 0.0
        rate = (len(recent) - 1) / span if span > 0 else 0.0
        counts = (self._received, self._lost, self._late)
        return SourceStatus(self.name, self.address, *counts, rate, self._delay, self._is_seen, now - self.heard)

    def _missing(self, step: int) -> int:
        """Frames between two numbers. Some senders count every second: the usual step is the most frequent one."""
        if not 0 < step < _RESTARTED:
            return 0
        self._steps.append(step)
        usual = max(Counter(self._steps).items(), key=lambda entry: (entry[1], -entry[0]))[0]
        return max(0, round(step / usual) - 1)

    def _later(self, difference: float, arrived: float) -> float:
        """Seconds by which a packet came later than the quickest one: clocks of two machines tell no more."""
        windows = self._quickest
        if not windows or arrived - windows[-1][0] > _WINDOW or abs(difference - windows[-1][1]) > _WINDOW:
            if windows and abs(difference - windows[-1][1]) > _WINDOW:
                windows.clear()  # the sender's clock was set, or began anew
            windows.append((arrived, difference))
            del windows[:-2]
        begun, least = windows[-1]
        windows[-1] = (begun, min(least, difference))
        return difference - min(least for _, least in windows)
