"""WAV files: PCM of 8, 16, 24 and 32 bits, and floating point of 32 and 64 bits. Every size is checked first."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile, BadValue

Samples = NDArray[np.float32]
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_WIDTHS = {_PCM: (8, 16, 24, 32), _FLOAT: (32, 64)}
_MOST_CHANNELS, _MOST_RATE = 64, 1_000_000
_STREAMED = (0, 0xFFFFFFFF)  # lengths that writers give who did not know how long it becomes
_BLOCK = 1 << 18  # frames that are unpacked at once


@dataclass(frozen=True)
class WavLayout:
    """Where the samples of a WAV file are, and what they are."""

    rate: int  # frames a second; a frame is one sample of each channel
    channels: int
    frames: int
    start: int  # bytes before the first sample
    bits: int  # of a sample
    is_float: bool

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.bits // 8


def is_wav(data: bytes) -> bool:
    """Whether bytes begin as a WAV file does."""
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"


def wav_layout(data: bytes) -> WavLayout:
    """What a WAV file holds; one that is damaged, or of a kind that is not read, raises BadFile."""
    if not is_wav(data):
        raise BadFile(f"this is no WAV file; it begins with {data[:12]!r}")
    kind: tuple[int, int, int, int] | None = None
    at = 12
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8
        if name == b"fmt ":
            kind = _kind(data[at : at + min(size, 40)])
        elif name == b"data":
            return _layout(kind, at, _data_size(data, at, size))
        at += size + size % 2  # chunks begin at even places
    raise BadFile("the WAV file ends before its samples begin")


def wav_blocks(data: bytes, layout: WavLayout) -> Iterator[Samples]:
    """The samples (n, channels) from -1 to 1 in blocks, one at a time in memory. What is no number is silence."""
    for first in range(0, layout.frames, _BLOCK):
        count = min(_BLOCK, layout.frames - first)
        start = layout.start + first * layout.frame_bytes
        raw = data[start : start + count * layout.frame_bytes]
        yield _unpacked(raw, layout).reshape(count, layout.channels)


def wav_samples(data: bytes) -> tuple[Samples, int]:
    """All samples (n, channels) of a WAV file, from -1 to 1, and the rate."""
    layout = wav_layout(data)
    blocks = list(wav_blocks(data, layout))
    empty = np.zeros((0, layout.channels), np.float32)
    return np.concatenate([empty, *blocks]), layout.rate


def wav_bytes(samples: NDArray[np.floating], rate: int) -> bytes:
    """A WAV file of 16 bits. Samples (n, channels) beyond -1 to 1 are cut off."""
    samples = np.asarray(samples)
    if samples.ndim != 2 or not samples.shape[1]:
        raise BadValue(f"samples have the shape (n, channels), not {samples.shape}")
    # The same steps as in reading, so that 16 bits come back as they were.
    whole: bytes = np.clip(np.round(np.nan_to_num(samples) * 32768.0), -32768, 32767).astype("<i2").tobytes()
    channels = samples.shape[1]
    head = struct.pack("<HHIIHH", _PCM, channels, rate, rate * channels * 2, channels * 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", len(whole)) + whole
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _kind(fields: bytes) -> tuple[int, int, int, int]:
    """Format, channels, rate and bits, as the chunk "fmt " says."""
    if len(fields) < 16:
        raise BadFile("the WAV file does not say what its samples are")
    code, channels, rate, _, frame, bits = struct.unpack_from("<HHIIHH", fields)
    if code == _EXTENSIBLE and len(fields) >= 26:
        (code,) = struct.unpack_from("<H", fields, 24)
    if bits not in _WIDTHS.get(code, ()):
        words = "PCM of 8, 16, 24 or 32 bits and floating point of 32 or 64 bits are read"
        raise BadFile(f"the WAV file has samples of kind {code} with {bits} bits; {words}")
    if not (0 < channels <= _MOST_CHANNELS and 0 < rate <= _MOST_RATE) or frame != channels * bits // 8:
        raise BadFile(f"the WAV file claims {channels} channels of {bits} bits in {frame} bytes, {rate} a second")
    return code, channels, rate, bits


def _data_size(data: bytes, at: int, claimed: int) -> int:
    there = len(data) - at
    if claimed in _STREAMED:
        return there
    if claimed > there:
        raise BadFile(f"the WAV file is cut off: {claimed:,} bytes of samples were announced, {there:,} are there")
    return claimed


def _layout(kind: tuple[int, int, int, int] | None, start: int, size: int) -> WavLayout:
    if kind is None:
        raise BadFile("the WAV file has samples before it says what they are")
    code, channels, rate, bits = kind
    frames = size // (channels * bits // 8)
    if not frames:
        raise BadFile("the WAV file has no samples")
    return WavLayout(rate, channels, frames, start, bits, code == _FLOAT)


def _unpacked(raw: bytes, layout: WavLayout) -> Samples:
    """Samples in a row, from -1 to 1."""
    if layout.is_float:
        found = np.frombuffer(raw, f"<f{layout.bits // 8}").astype(np.float32)
        return np.asarray(np.nan_to_num(found, posinf=1.0, neginf=-1.0), np.float32)
    if layout.bits == 8:  # the only width without a sign
        return np.asarray((np.frombuffer(raw, np.uint8).astype(np.float32) - 128) / 128, np.float32)
    if layout.bits == 24:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        return (wide.view("<i4")[:, 0] / np.float64(2**31)).astype(np.float32)
    whole = np.frombuffer(raw, f"<i{layout.bits // 8}")
    return (whole / np.float64(2 ** (layout.bits - 1))).astype(np.float32)
