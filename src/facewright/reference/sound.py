"""A sound beside a clip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import up_to
from facewright.errors import BadFile, BadValue
from facewright.reference.media_file import MediaFile
from facewright.reference.wav import wav_layout, wav_samples

FURTHEST = 1e6  # seconds


@dataclass(frozen=True)
class ReferenceSound:
    """A WAV file that plays along, from `offset` seconds on."""

    file: MediaFile
    rate: int  # frames a second: one sample of each channel
    channels: int
    frames: int
    offset: float = 0.0  # seconds of the timeline at which it begins; negative: its beginning is not heard
    volume: float = 1.0  # factor on the samples, from 0 to 1
    muted: bool = False

    def __post_init__(self) -> None:
        if not self.file.is_missing:
            layout = wav_layout(self.file.data)
            if (layout.rate, layout.channels, layout.frames) != (self.rate, self.channels, self.frames):
                raise BadFile(f"{self.file.name} holds another sound than was noted of it")
        if min(self.rate, self.channels, self.frames) < 1:
            raise BadValue(f"{self.file.name}: a sound has a rate, channels and samples")
        check_offset(self.offset)
        up_to("the volume", self.volume, 1.0)

    @classmethod
    def of_wav(cls, name: str, data: bytes) -> Self:
        """The sound in the bytes of a WAV file."""
        try:
            layout = wav_layout(data)
        except BadFile as problem:
            raise BadFile(f"{name}: {problem}") from problem
        return cls(MediaFile(name, "audio/wav", data), layout.rate, layout.channels, layout.frames)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.frames / self.rate

    def instead_of(self, other: ReferenceSound | None) -> ReferenceSound:
        """The sound to use where another one was, whose offset and volume it has."""
        if other is None:
            return self
        return replace(self, offset=other.offset, volume=other.volume, muted=other.muted)

    def heard(self, start: float, seconds: float) -> NDArray[np.float32]:
        """What is heard (n, channels) from a moment of the timeline on, silence where there is none."""
        samples, rate = wav_samples(self.file.data)
        count, first = round(seconds * rate), round((start - self.offset) * rate)
        found = np.zeros((count, self.channels), np.float32)
        begin, end = max(first, 0), min(first + count, len(samples))
        if begin < end and not self.muted:
            found[begin - first : end - first] = self.volume * samples[begin:end]
        return found


def check_offset(offset: float) -> None:
    """Raises where an offset in time is no number, or beyond all clips."""
    if not (np.isfinite(offset) and abs(offset) <= FURTHEST):
        raise BadValue(f"an offset is a number of seconds up to {FURTHEST:g} either way, not {offset}")
