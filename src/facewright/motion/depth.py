"""What a depth camera or a scanner records: depth images, point clouds, and sequences of them.

A camera looks along +z; x points to the right of the picture and y down. Lengths are metres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, floats, frozen
from facewright.errors import BadValue

_VIEW = (5.0, 150.0)  # degrees across the wider side that a lens may show


@dataclass(frozen=True)
class Pinhole:
    """A lens without distortion: the point (x, y, z) is seen at column fx x / z + cx and row fy y / z + cy."""

    fx: float  # pixels
    fy: float
    cx: float  # the centre of the first pixel is 0
    cy: float
    width: int
    height: int

    def __post_init__(self) -> None:
        numbers = (self.fx, self.fy, self.cx, self.cy)
        if not all(np.isfinite(number) for number in numbers) or self.width < 1 or self.height < 1:
            raise BadValue(f"intrinsics are finite numbers and a size in pixels, not {numbers}")
        if self.fx <= 0 or self.fy <= 0:
            raise BadValue(f"focal lengths are above 0 pixels, not {self.fx:g} and {self.fy:g}")
        view = np.degrees(2 * np.arctan(max(self.width / self.fx, self.height / self.fy) / 2))
        if not _VIEW[0] <= view <= _VIEW[1]:
            raise BadValue(
                f"with a focal length of {self.fx:g} pixels, a picture of {self.width} x {self.height} shows"
                f" {view:.2g} degrees; the intrinsics seem to be for another size, or not in pixels"
            )
        if not (0 <= self.cx <= self.width - 1 and 0 <= self.cy <= self.height - 1):
            raise BadValue(
                f"the principal point ({self.cx:g}, {self.cy:g}) is outside of a picture of {self.width} x"
                f" {self.height}; the intrinsics seem to be for another size: multiply them by the pictures' ratio"
            )

    @classmethod
    def of(cls, matrix: Floats, size: tuple[int, int]) -> Pinhole:
        """From a matrix (3, 3) of intrinsics and the size (width, height) of the pictures."""
        k = floats("intrinsics", matrix, (3, 3))
        return cls(float(k[0, 0]), float(k[1, 1]), float(k[0, 2]), float(k[1, 2]), *size)

    def project(self, points: Floats) -> Floats:
        """Column and row (k, 2) of points (k, 3) in front of the camera."""
        over = 1 / points[:, 2]
        return np.stack([self.fx * points[:, 0] * over + self.cx, self.fy * points[:, 1] * over + self.cy], axis=1)

    def points(self, rows: NDArray[np.integer], columns: NDArray[np.integer], depth: Floats) -> Floats:
        """Points (k, 3) at pixels (k,) with depths (k,)."""
        return np.stack([(columns - self.cx) / self.fx * depth, (rows - self.cy) / self.fy * depth, depth], axis=1)


@dataclass(frozen=True, eq=False)
class DepthImage:
    """Distances along the view direction, row by row from the top left; 0 where nothing was seen."""

    depth: NDArray[np.float32]  # (height, width) metres
    lens: Pinhole
    landmarks: Mapping[str, Floats] = field(default_factory=dict)  # name -> (2,) column and row; see `named_landmarks`

    def __post_init__(self) -> None:
        if self.depth.shape != (self.lens.height, self.lens.width):
            raise BadValue(
                f"a depth image of {self.depth.shape[1]} x {self.depth.shape[0]} pixels does not fit intrinsics for"
                f" {self.lens.width} x {self.lens.height}"
            )
        _check_landmarks(self.landmarks, 2, "a column and a row")

    @property
    def seen(self) -> int:
        """How many pixels have a depth."""
        return int(np.count_nonzero(self.depth))


@dataclass(frozen=True, eq=False)
class PointCloud:
    """Points on a surface with its outward normals, in metres, in the coordinates of the camera or of the scanner."""

    points: Floats  # (k, 3)
    normals: Floats  # (k, 3) unit vectors
    landmarks: Mapping[str, Floats] = field(default_factory=dict)  # name -> (3,)

    def __post_init__(self) -> None:
        _check_landmarks(self.landmarks, 3, "x, y and z")

    @property
    def seen(self) -> int:
        """How many points there are."""
        return len(self.points)


ScanFrame = DepthImage | PointCloud


def _check_landmarks(landmarks: Mapping[str, Floats], width: int, words: str) -> None:
    for name, at in landmarks.items():
        if np.shape(at) != (width,):
            raise BadValue(f"the landmark {name!r} has {words}, not numbers of shape {np.shape(at)}")


@dataclass(frozen=True, eq=False)
class ScanSequence:
    """Frames over time. A frame that was dropped is None; frames may be read when they are asked for."""

    frames: Sequence[ScanFrame | None]
    times: Floats  # (frames,) seconds, increasing
    name: str = "scan"
    notes: tuple[str, ...] = ()  # repairs and guesses, in words

    def __post_init__(self) -> None:
        times = floats("times of the frames", self.times, (len(self.frames),))
        if (np.diff(times) <= 0).any():
            raise BadValue("the times of the frames increase; a frame is not later than the one before it")
        object.__setattr__(self, "times", frozen(times))

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def rate(self) -> float:
        """Frames a second, as most frames follow each other."""
        return float(1 / np.median(np.diff(self.times))) if len(self.times) > 1 else 30.0
