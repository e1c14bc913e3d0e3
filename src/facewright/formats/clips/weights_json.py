"""Clips as JSON: frames of named weights, as scripts for ARKit and MediaPipe write them, and tables of Audio2Face.

Frames are a list, a list under `frames`, or one JSON object a line. Weights of a frame are an object of numbers, or a
list of categories with a name and a score, as MediaPipe has it; of several faces the first is read, and a frame
without a face is a gap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.files import Source, Target, read_text, write_atomically
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

_MOST_OBJECTS = 8_000_000  # in one file: an hour of MediaPipe's categories, and about half a gigabyte
_WEIGHTS = ("blendshapes", "faceblendshapes", "weights", "values", "categories", "expressions")
_NAMES, _SCORES = ("categoryname", "name", "shape"), ("score", "value", "weight")
_RATES = ("exportfps", "fps", "rate", "framerate")
_SECONDS, _MILLISECONDS = ("time", "timestamp", "t", "seconds", "timestampseconds"), ("timestampms", "timems", "ms")
_FRAMES = ("frame", "frameindex", "frameid", "index")
_NOT_WEIGHTS = frozenset((*_SECONDS, *_MILLISECONDS, *_FRAMES))
_UNNAMED = "_neutral"  # MediaPipe's first category: how likely no other is on
_SLOWEST = 2.0  # seconds between two frames; times further apart are in thousandths, and then in millionths
_LIKE = 'such a file is [{"time": 0.0, "blendShapes": {"jawOpen": 0.2}}, ...]'


def read_clip(source: Source, *, rate: float = 30.0) -> Clip:
    """The clip in a JSON file, named like the file. It starts at 0; `rate` is that of frames without times."""
    if not rate > 0:
        raise BadValue(f"the rate is a positive number of frames a second, not {rate}")
    found = _decoded(read_text(source, limits.JSON))
    name = source.stem or "clip"
    if isinstance(found, dict):
        keys = _lowered(found)
        rate = _rate(keys, rate)
        if "weightmat" in keys:
            return _from_table(name, keys, rate)
        found = keys.get("frames", [found])
    if not isinstance(found, list) or not found:
        raise BadFile(f"there are no frames; {_LIKE}")
    return _from_frames(name, found, rate)


def write_clip(clip: Clip, target: Target) -> None:
    """Write a clip as frames, one for each of its times."""
    if not clip.curves:
        raise BadValue(f"clip {clip.name!r} has no curves, so there are no frames to write")
    names, times = list(clip.curves), clip.times()
    frames = [
        {"time": time, "blendShapes": dict(zip(names, row, strict=True))}
        for time, row in zip(times.tolist(), clip.sample(names, times).tolist(), strict=True)
    ]
    write_atomically(target, msgspec.json.encode({"fps": clip.rate, "frames": frames}) + b"\n")


def is_weights_json(data: bytes) -> bool:
    """Whether JSON text holds frames of weights, or Audio2Face's table of them."""
    try:
        found = _decoded(data)
    except BadFile:
        return False
    if isinstance(found, dict):
        keys = _lowered(found)
        if "weightmat" in keys:
            return True
        found = keys.get("frames")
    first = next((one for one in found if one), None) if isinstance(found, list) else None
    if isinstance(first, list):
        return all(isinstance(one, dict) and _value_of(_lowered(one), _SCORES) is not None for one in first[:3])
    if not isinstance(first, dict):
        return False
    keys = _lowered(first)
    timed = any(isinstance(keys.get(key), int | float) for key in _NOT_WEIGHTS)
    return isinstance(_value_of(keys, _WEIGHTS), dict | list) or (timed and "target" not in keys)


def _decoded(data: bytes) -> Any:
    """The JSON of a text, or a list of those of its lines."""
    if data.count(b"{") + data.count(b"[") > _MOST_OBJECTS:
        raise BadFile(f"the JSON has more than {_MOST_OBJECTS:,} lists and objects")
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as whole:
        try:
            lines = [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
        except (msgspec.DecodeError, RecursionError):
            lines = []
        if len(lines) < 2:
            raise BadFile(f"the JSON cannot be read: {whole}") from whole
        return lines


def _from_table(name: str, keys: Mapping[str, Any], rate: float) -> Clip:
    """Audio2Face's export: names of poses, and a row of weights for each frame."""
    names = keys.get("facsnames", keys.get("posenames", keys.get("names")))
    rows = keys["weightmat"]
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names) or not names:
        raise BadFile("weightMat has no facsNames, the list of what its columns are")
    if len(set(names)) < len(names):
        raise BadFile("facsNames has a name twice")
    if not isinstance(rows, list) or not rows:
        raise BadFile("weightMat has no rows; it has one for each frame")
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(names):
            raise BadFile(f"row {number} of weightMat does not have {len(names)} numbers, one for each of facsNames")
    table = [[_number(value, number) for value in row] for number, row in enumerate(rows)]
    return _clip(name, names, np.arange(len(rows)) / rate, np.array(table), rate)


def _from_frames(name: str, frames: Sequence[Any], rate: float) -> Clip:
    seen = [
        (number, frame, weights) for number, frame in enumerate(frames) if (weights := frame_weights(number, frame))
    ]
    if not seen:
        raise BadFile(f"no frame has weights; {_LIKE}")
    names = list(dict.fromkeys(name for _, _, weights in seen for name in weights))
    if len(names) > limits.SHAPES:
        raise BadFile(f"there are {len(names):,} names of weights; at most {limits.SHAPES:,} are read")
    if len(names) * len(seen) > _MOST_OBJECTS * 8:
        raise BadFile(f"{len(seen):,} frames of {len(names):,} different weights are more than are read")
    times, rate = _times(seen, rate)
    column = {name: i for i, name in enumerate(names)}
    table = np.zeros((len(seen), len(names)))  # a weight that a frame does not name is off
    for row, (_, _, weights) in zip(table, seen, strict=True):
        for key, value in weights.items():
            row[column[key]] = value
    return _clip(name, names, times, table, rate)


def frame_weights(number: int, frame: Any) -> dict[str, float]:
    """The weights of a frame by name; none where no face was found."""
    if isinstance(frame, list):
        return _of_categories(number, frame)
    if not isinstance(frame, dict):
        raise BadFile(f"frame {number} is no object with weights; {_LIKE}")
    keys = _lowered(frame)
    found = _value_of(keys, _WEIGHTS)
    if isinstance(found, list):
        return _of_categories(number, found)
    if found is None and not any(key in keys for key in _WEIGHTS):
        found = {key: value for key, value in frame.items() if _lower(key) not in _NOT_WEIGHTS}
        found = {key: value for key, value in found.items() if isinstance(value, int | float)}
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise BadFile(f"frame {number}: the weights are no object and no list; {_LIKE}")
    return {key: _number(value, number, key) for key, value in found.items()}


def _of_categories(number: int, found: Sequence[Any]) -> dict[str, float]:
    """Weights of a list of categories, or of the first of several faces."""
    if not found:
        return {}
    first = found[0]
    if isinstance(first, list):
        return _of_categories(number, first)
    if isinstance(first, dict) and isinstance(listed := _lowered(first).get("categories"), list):
        return _of_categories(number, listed)
    weights = {}
    for one in found:
        keys = _lowered(one) if isinstance(one, dict) else {}
        name, score = _value_of(keys, _NAMES), _value_of(keys, _SCORES)
        if not isinstance(name, str) or not name:
            raise BadFile(f"frame {number}: a category has no name; {_LIKE}")
        if name != _UNNAMED:
            weights[name] = _number(score, number, name)
    return weights


def _times(seen: Sequence[tuple[int, Any, Any]], rate: float) -> tuple[Floats, float]:
    """Seconds of the frames from the first one, and their rate."""
    numbers = np.array([number for number, _, _ in seen])
    keys = [_lowered(frame) if isinstance(frame, dict) else {} for _, frame, _ in seen]
    for known, unit in ((_MILLISECONDS, 1e-3), (_SECONDS, 0.0), (_FRAMES, 1 / rate)):
        for key in known:
            if all(_is_number(one.get(key)) for one in keys):
                at = np.array([float(one[key]) for one in keys])
                return _counted(at, numbers, key, unit, rate)
    return numbers / rate, rate


def _counted(at: Floats, numbers: Any, key: str, unit: float, rate: float) -> tuple[Floats, float]:
    steps = np.diff(at)
    if (steps <= 0).any():
        row = int((steps <= 0).argmax())
        raise BadFile(f"frame {numbers[row + 1]}: {key} {at[row + 1]:g} does not come after {at[row]:g}")
    step = float(np.median(steps)) if len(steps) else 1 / rate
    if not unit:
        unit = 1.0 if step <= _SLOWEST else 1e-3 if step <= 1e3 * _SLOWEST else 1e-6
    times = (at - at[0]) * unit
    if key in _FRAMES:
        return times, rate
    if not step * unit:
        raise BadFile(f"{key} goes on by {step:g}, which is no time between two frames")
    found = 1 / (step * unit)
    return times, float(round(found)) if abs(found - round(found)) < 0.02 and found >= 1 else found


def _clip(name: str, names: Sequence[str], times: Floats, table: Floats, rate: float) -> Clip:
    return Clip(name, {one: Curve(times, table[:, i]) for i, one in enumerate(names)}, rate)


def _rate(keys: Mapping[str, Any], rate: float) -> float:
    found = _value_of(keys, _RATES)
    if found is None:
        return rate
    if not _is_number(found) or not 0 < found <= 1e6:
        raise BadFile(f"the file's rate is a positive number of frames a second, not {str(found)[:20]!r}")
    return float(found)


def _number(value: Any, number: int, name: str = "") -> float:
    if not _is_number(value):
        which = f" of {name[:60]!r}" if name else ""
        raise BadFile(f"frame {number}: a weight{which} is a number, not {str(value)[:20]!r}")
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e30 and math.isfinite(value)


def _value_of(keys: Mapping[str, Any], known: Sequence[str]) -> Any:
    return next((keys[key] for key in known if keys.get(key) is not None), None)


def _lowered(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An object whose keys are compared without capitals and underscores: faceBlendshapes is face_blendshapes."""
    return {_lower(key): value for key, value in entry.items()}


def _lower(key: str) -> str:
    return key.replace("_", "").lower()
