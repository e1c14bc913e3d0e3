"""Landmarks of the frames of a sequence, as a detector found them: one JSON file for all frames, or one for each.

A file for all frames has `frames`, and perhaps `numbering`, `units` (pixels or normalised) and the `width` and `height`
of the pictures that the detector saw. A frame is null where no face was found, a list of points, an object by names, or
what MediaPipe's tasks give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.files import read_text
from facewright.formats.sources import naming
from facewright.motion.depth import DepthImage, Pinhole, PointCloud, ScanFrame, ScanSequence
from facewright.motion.frames_on_demand import FramesOnDemand
from facewright.rig.landmark_numbering import check_names, named_landmarks

LANDMARKS = "landmarks.json"
_LIKE = (
    '; such a file is {"frames": [[[x, y], ...], null, ...]}: for each frame a list of 68 points in iBUG\'s numbering,'
    ' of 468 or 478 in MediaPipe\'s, or {"nose tip": [x, y], ...}'
)
_LISTS = ("face_landmarks", "faceLandmarks", "multi_face_landmarks", "landmarks", "landmark", "points")
_UNITS = ("pixels", "normalised")
_NORMALISED = 2.0  # numbers up to this are shares of the picture, if nothing is said
_LARGEST = 1 << 16  # pixels of a side
_FURTHEST = 1e9  # pixels, or units of a scan: what is further off is nowhere
_NUMBERS = (int, float, type(None))
_SHAPE = 0.02  # how much the shape of the detector's picture may differ from that of the depth


class LandmarkFrames(msgspec.Struct):
    """Landmarks of all frames."""

    frames: list[Any]
    numbering: str = ""
    units: str = ""
    width: Annotated[int, Meta(ge=0, le=_LARGEST)] = (
        0  # of the pictures that the numbers are for; 0: those of the depth
    )
    height: Annotated[int, Meta(ge=0, le=_LARGEST)] = 0


@dataclass(frozen=True, eq=False)
class _WithLandmarks(FramesOnDemand[int]):
    """Frames by their places in a sequence, which are given landmarks."""

    frames: Sequence[ScanFrame | None]
    landmarks: tuple[Mapping[str, Floats], ...]
    about: LandmarkFrames
    metres: float  # in a unit of landmarks in space

    def frame(self, part: int) -> ScanFrame | None:
        frame, found = self.frames[part], self.landmarks[part]
        if frame is None or not found:
            return frame
        if isinstance(frame, PointCloud):
            return replace(frame, landmarks={name: self.metres * each for name, each in found.items()})
        return replace(frame, landmarks=_in_pixels(found, self.about, frame.lens))


def with_landmarks(sequence: ScanSequence, where: Path, names: Sequence[str], metres: float) -> ScanSequence:
    """The sequence with the landmarks of a file, or of the files of a folder that are named like the frames' own.

    names: of the frames' files, without their endings. metres: in a unit of the frames' points.
    """
    about = _beside(where, names) if where.is_dir() else _of_all(where, len(sequence))
    with naming(where):
        found = tuple(_named(each, i, about.numbering) for i, each in enumerate(about.frames))
        first = next((i for i, each in enumerate(found) if each and sequence.frames[i] is not None), None)
        if first is None:
            raise BadFile("there are no landmarks in any frame that was measured")
        _check(sequence.frames[first], found[first:], about)
    return replace(sequence, frames=_WithLandmarks(range(len(found)), sequence.frames, found, about, metres))


def has_frames(path: Path) -> bool:
    """Whether a file named as landmarks are is of frames, and not the landmarks of one face, or of something else."""
    with naming(path):
        text = read_text(path, limits.JSON)
    try:
        told = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(told, dict) and "frames" in told


def _of_all(path: Path, count: int) -> LandmarkFrames:
    with naming(path, like=_LIKE):
        about = msgspec.json.decode(read_text(path, limits.JSON), type=LandmarkFrames)
        if about.units not in ("", *_UNITS):
            raise BadFile(f"the units of landmarks are {' or '.join(_UNITS)}, not {about.units!r}")
        if len(about.frames) != count:
            raise BadFile(f"there are landmarks of {len(about.frames)} frames for {count} frames; null stands for none")
        return about


def _beside(folder: Path, names: Sequence[str]) -> LandmarkFrames:
    paths = [folder / f"{name}.json" for name in names]
    if not any(path.is_file() for path in paths):
        raise BadFile(f"{folder}: there is no file of landmarks named like a frame, such as {paths[0].name}")
    return LandmarkFrames([_read(path) if path.is_file() else None for path in paths])


def _read(path: Path) -> object:
    with naming(path, like=_LIKE):
        text = read_text(path, limits.JSON)
        return msgspec.json.decode(text) if text.strip() else None


def _named(given: object, frame: int, numbering: str) -> dict[str, Floats]:
    """The landmarks of a frame by name."""
    try:
        inner = _first_face(given)
        if not inner:
            return {}
        if isinstance(inner, dict):
            check_names(list(inner))
            places = {name: _point(each) for name, each in inner.items()}
            return {name: at for name, at in places.items() if np.isfinite(at).all()}
        return named_landmarks(_points(inner), numbering)
    except (TypeError, ValueError, KeyError, OverflowError) as problem:
        raise BadFile(f"landmarks of frame {frame}: {problem}") from problem


def _first_face(given: Any) -> Any:
    """What is inside of the lists and objects that detectors put around the points of the first face."""
    while True:
        if isinstance(given, dict) and (key := next((key for key in _LISTS if key in given), None)):
            given = given[key]
        elif isinstance(given, list) and given and _is_face(given[0]):
            given = given[0]
        else:
            return given


def _is_face(given: object) -> bool:
    """Whether a member of a list is a whole face, not a point."""
    if isinstance(given, dict):
        return any(key in given for key in _LISTS)
    return isinstance(given, list) and bool(given) and isinstance(given[0], list | dict)


def _points(given: object) -> Floats:
    """Points (k, 2), or (k, 3) if all that are there have three numbers."""
    if not isinstance(given, list):
        raise ValueError("a frame is null, a list of landmarks, or an object of landmarks by name")
    found = [_point(each) for each in given]
    width = min((len(each) for each in found if np.isfinite(each).all()), default=2)
    return np.array([each[:width] if len(each) >= width else np.full(width, np.nan) for each in found])


def _point(given: Any) -> Floats:
    """Two or three numbers; NaN where there is nothing."""
    if given is None:
        return np.full(2, np.nan)
    is_object = isinstance(given, dict) and {"x", "y"} <= given.keys()
    numbers = [given[key] for key in "xyz" if key in given] if is_object else given
    if (
        not isinstance(numbers, list)
        or len(numbers) not in (2, 3)
        or not all(type(each) in _NUMBERS for each in numbers)
    ):
        raise ValueError("a landmark has two or three numbers, such as [160, 120]")
    found = np.array([np.nan if each is None else float(each) for each in numbers])
    return np.where(np.abs(found) < _FURTHEST, found, np.nan)


def _check(frame: ScanFrame | None, found: Sequence[Mapping[str, Floats]], about: LandmarkFrames) -> None:
    """Raise an error where the landmarks of a frame cannot be of it, or those that follow of such frames."""
    if isinstance(frame, PointCloud):
        if any(len(at) != 3 for each in found for at in each.values()):
            raise BadFile("landmarks of points in space have three numbers: [x, y, z], in the points' unit")
    elif isinstance(frame, DepthImage):
        at = np.array(list(_in_pixels(found[0], about, frame.lens).values()))
        width, height = frame.lens.width, frame.lens.height
        inside = ((at > -1) & (at < (width, height))).all(axis=1)
        if not inside.any():
            raise BadFile(
                f"the landmarks lie outside of the depth image of {width} x {height} pixels; give the `width` and"
                " `height` of the pictures that they are for"
            )


def _in_pixels(found: Mapping[str, Floats], about: LandmarkFrames, lens: Pinhole) -> dict[str, Floats]:
    """Columns and rows in the depth image; the middle of the first pixel is 0."""
    size = np.array([lens.width, lens.height], float)
    at = np.array([each[:2] for each in found.values()])
    if about.units == "normalised" or (not about.units and np.abs(at).max() <= _NORMALISED):
        return dict(zip(found, at * size - 0.5, strict=True))
    given = np.array([about.width or lens.width, about.height or lens.height], float)
    if abs(np.log(given[0] / given[1] * size[1] / size[0])) > _SHAPE:
        raise BadFile(
            f"the landmarks are for pictures of {given[0]:.0f} x {given[1]:.0f}, of another shape than the depth images"
            f" of {lens.width} x {lens.height}; give columns and rows of the depth images"
        )
    return dict(zip(found, (at + 0.5) * size / given - 0.5, strict=True))
