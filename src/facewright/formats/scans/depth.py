"""Depth sequences: a folder of 16-bit PNG files with intrinsics beside them, or arrays in an NPZ file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.formats import limits
from facewright.formats.arrays_zip import reading_zip
from facewright.formats.files import read_text, read_up_to
from facewright.formats.sources import naming
from facewright.motion.depth import DepthImage, Pinhole, ScanSequence
from facewright.motion.frames_on_demand import FramesOnDemand

INTRINSICS = ("intrinsics.json", "camera.json")
_LIKE = (
    '; such a file is {"fx": 300, "fy": 300, "cx": 159.5, "cy": 119.5, "width": 320, "height": 240,'
    ' "depth_scale": 0.001, "rate": 30}'
)
_PICTURE = 64 << 20  # bytes of one PNG file
_SIDE = 16_384  # pixels
_FAR = 100.0  # metres: larger depths mean that nothing was seen, where the numbers are metres
_MILLIMETRE = 0.001


class IntrinsicsFile(msgspec.Struct):
    """A lens, and what a depth of 1 is; either fx to cy, or a matrix (3, 3)."""

    fx: float = 0.0
    fy: float = 0.0
    cx: float = 0.0
    cy: float = 0.0
    matrix: list[list[float]] | None = None
    width: int = 0  # of the pictures that the numbers are for; 0: those that are there
    height: int = 0
    depth_scale: float = _MILLIMETRE  # metres of a depth of 1
    rate: float = 30.0  # frames a second
    times: list[float] | None = None  # seconds, one a picture, instead

    def lens(self, size: tuple[int, int]) -> Pinhole:
        """The lens for pictures of a size (width, height)."""
        if (self.width or size[0], self.height or size[1]) != size:
            raise BadFile(
                f"the intrinsics are for {self.width} x {self.height} pixels, but the pictures have"
                f" {size[0]} x {size[1]}"
            )
        if self.matrix is not None:
            return Pinhole.of(np.array(self.matrix), size)
        return Pinhole(self.fx, self.fy or self.fx, self.cx, self.cy, *size)


@dataclass(frozen=True, eq=False)
class _Pictures(FramesOnDemand[Path]):
    """Depth images of a folder, read when they are asked for; one that cannot be read is a dropped frame."""

    lens: Pinhole
    scale: float  # metres

    def frame(self, part: Path) -> DepthImage | None:
        with naming(part):
            depth = read_depth_png(read_up_to(part, _PICTURE)) * np.float32(self.scale)
            return DepthImage(depth, self.lens) if depth.size else None


def read_depth_png(data: bytes) -> NDArray[np.float32]:
    """The numbers (height, width) of a 16-bit PNG file; (0, 0) for an empty file."""
    if not data:
        return np.zeros((0, 0), np.float32)
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("Reading depth images", "pillow", "texture") from None
    with Image.open(BytesIO(data), formats=["PNG"]) as opened:
        if opened.mode not in ("I;16", "I;16B", "I"):
            raise BadFile(f"depth is in 16-bit grey PNG files; this one has the mode {opened.mode}, 8 bits or colours")
        if max(opened.size) > _SIDE:
            raise BadFile(f"the picture has {opened.size[0]} x {opened.size[1]} pixels; {_SIDE} are the most")
        return np.asarray(opened).astype(np.float32)


def load_depth_folder(folder: Path, pictures: Sequence[Path], unit: float | None) -> ScanSequence:
    """The PNG files of a folder in the order of their names; unit: metres of a depth of 1, if not as the file says."""
    beside = next((folder / name for name in INTRINSICS if (folder / name).is_file()), None)
    if beside is None:
        raise BadFile(f"{folder}: depth images need the camera's intrinsics beside them: {INTRINSICS[0]}{_LIKE}")
    with naming(beside, like=_LIKE):
        about = msgspec.json.decode(read_text(beside, limits.JSON), type=IntrinsicsFile)
        first = next((read for path in pictures if (read := read_depth_png(read_up_to(path, _PICTURE))).size), None)
        if first is None:
            raise BadFile(f"{folder}: all {len(pictures)} pictures are empty files")
        lens = about.lens((first.shape[1], first.shape[0]))
        times = _times(about.times, len(pictures), about.rate)
    return ScanSequence(_Pictures(tuple(pictures), lens, unit or about.depth_scale), times, folder.name)


def load_depth_npz(path: Path, unit: float | None) -> ScanSequence:
    """The arrays `depth` (frames, height, width), `intrinsics` (3, 3), and `time` (frames,) if there is one."""
    with naming(path), reading_zip(path) as file:
        for name in ("depth", "intrinsics"):
            if f"{name}.npy" not in file.names:
                raise BadFile(
                    f"there is no array {name!r}; a depth sequence has depth (frames, height, width) and"
                    " intrinsics (3, 3), and time (frames,) if frames do not come at 30 a second"
                )
        depth, matrix = file.array("depth.npy", "fiu"), file.array("intrinsics.npy", "f")
        if depth.ndim != 3 or matrix.shape != (3, 3):
            raise BadFile(
                f"depth must have shape (frames, height, width), not {depth.shape}, and intrinsics (3, 3), not"
                f" {matrix.shape}"
            )
        given = file.array("time.npy", "f").tolist() if "time.npy" in file.names else None
        scale = unit or (1.0 if depth.dtype.kind == "f" else _MILLIMETRE)
        lens = Pinhole.of(matrix, (depth.shape[2], depth.shape[1]))
        frames = [DepthImage(_plausible(each, scale), lens) for each in depth]
        return ScanSequence(frames, _times(given, len(frames), 30.0), path.stem)


def _plausible(depth: NDArray[np.generic], scale: float) -> NDArray[np.float32]:
    """Metres; 0 where nothing was seen, whichever way the file says it."""
    metres = np.asarray(depth, np.float32) * np.float32(scale)
    known = np.isfinite(metres) & (metres > 0)
    beyond = known & (metres > _FAR)
    return np.where(known & ~beyond if (known & ~beyond).any() else known, metres, 0).astype(np.float32)


def _times(given: list[float] | None, frames: int, rate: float) -> Floats:
    if given is None:
        if not (np.isfinite(rate) and rate > 0):
            raise BadValue(f"a sequence has a positive number of frames a second, not {rate}")
        return np.arange(frames) / rate
    if len(given) != frames:
        raise BadFile(f"there are {len(given)} times for {frames} frames")
    return np.array(given, np.float64)
