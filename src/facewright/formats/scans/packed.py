"""Frames of a sequence as bytes, unpacked one at a time: as a document keeps them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue
from facewright.motion.depth import DepthImage, Pinhole, PointCloud, ScanFrame, ScanSequence
from facewright.motion.frames_on_demand import FramesOnDemand

MOST_BYTES = 1 << 30  # of all frames of a sequence that is kept with a face
_MOST_POINTS = 64 << 20  # of one frame
_FAST = 1  # level of zlib: those above take several times as long for some per cent


class _FrameEntry(msgspec.Struct, array_like=True):
    """A frame: its lens (none: a cloud of points), its numbers, and its landmarks."""

    lens: tuple[float, float, float, float, int, int] | None
    count: int  # of points
    data: bytes  # single-precision numbers, all first bytes, then all second ones ..., deflated
    landmarks: dict[str, list[float]] = {}


@dataclass(frozen=True, eq=False)
class PackedFrames(FramesOnDemand[bytes]):
    """Frames, each as bytes; none for a frame that was dropped."""

    def __post_init__(self) -> None:
        size = sum(map(len, self.parts))
        if size > MOST_BYTES:
            raise BadValue(
                f"the frames have {size >> 20} MB; a face is kept with {MOST_BYTES >> 20} MB of a sequence: cut it, or"
                " let `facewright track` follow it"
            )

    def frame(self, part: bytes) -> ScanFrame | None:
        return unpack_frame(part)


def pack_sequence(sequence: ScanSequence) -> ScanSequence:
    """The same sequence with its frames packed; single precision is kept of them."""
    if isinstance(sequence.frames, PackedFrames):
        return sequence
    packed, size = [], 0
    for frame in sequence.frames:
        packed.append(pack_frame(frame))
        size += len(packed[-1])
        if size > MOST_BYTES:
            PackedFrames(tuple(packed))  # raises
    return ScanSequence(PackedFrames(tuple(packed)), sequence.times, sequence.name, sequence.notes)


def pack_frame(frame: ScanFrame | None) -> bytes:
    if frame is None:
        return b""
    if isinstance(frame, DepthImage):
        lens, numbers = frame.lens, frame.depth
        entry = _FrameEntry((lens.fx, lens.fy, lens.cx, lens.cy, lens.width, lens.height), 0, _deflated(numbers))
    else:
        both = np.concatenate([frame.points, frame.normals], axis=1)
        entry = _FrameEntry(None, len(frame.points), _deflated(both))
    entry.landmarks = {name: np.asarray(at).tolist() for name, at in frame.landmarks.items()}
    return msgspec.msgpack.encode(entry)


def unpack_frame(data: bytes) -> ScanFrame | None:
    if not data:
        return None
    try:
        entry = msgspec.msgpack.decode(data, type=_FrameEntry)
        if entry.lens is None:
            both = _inflated(entry.data, (entry.count, 6)).astype(np.float64)
            return PointCloud(both[:, :3], both[:, 3:], _landmarks(entry, 3))
        lens = Pinhole(*entry.lens)
        return DepthImage(_inflated(entry.data, (lens.height, lens.width)), lens, _landmarks(entry, 2))
    except (msgspec.MsgspecError, UnicodeDecodeError, zlib.error, BadValue) as problem:
        raise BadFile(f"a frame of the sequence is damaged: {problem}") from problem


def _landmarks(entry: _FrameEntry, width: int) -> Mapping[str, Floats]:
    if any(len(at) != width for at in entry.landmarks.values()):
        raise BadValue(f"a landmark has {width} numbers")
    return {name: np.array(at) for name, at in entry.landmarks.items()}


def _deflated(numbers: NDArray[np.floating]) -> bytes:
    rows = np.ascontiguousarray(numbers, "<f4").view(np.uint8).reshape(-1, 4)
    return zlib.compress(rows.T.tobytes(), _FAST)


def _inflated(data: bytes, shape: tuple[int, int]) -> NDArray[np.float32]:
    count = shape[0] * shape[1]
    if not 0 <= count <= _MOST_POINTS:
        raise BadValue(f"a frame of {shape[0]:,} x {shape[1]:,} numbers is too large")
    opened = zlib.decompressobj()
    found = opened.decompress(data, 4 * count + 1)
    if len(found) != 4 * count:
        raise BadValue(f"there are {len(found):,} bytes for {count:,} numbers")
    numbers = np.frombuffer(found, np.uint8).reshape(4, count).T.copy().view("<f4").reshape(shape)
    if not np.isfinite(numbers).all():
        raise BadValue("there are numbers that are not finite")
    return numbers.astype(np.float32)
