"""The curves of channels as other programs play them: keys on every frame where lines are straight, none repeated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.formats.channels.written import WrittenChannel
from facewright.formats.write_options import Keys
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.fit import CLOSE
from facewright.motion.reduce import reduce_curve
from facewright.motion.spline import steps_of, unrolled
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

BEFORE = 1e-5  # seconds before a step at which a straight line keeps the value


def is_written_exactly(curve: Curve, keys: Keys) -> bool:
    """Whether the keys of a file say all of a curve."""
    plain = curve.tangents is None and curve.outside == "hold"
    return plain and (keys == "exact" or curve.interpolation == "linear")


def written_curve(curve: Curve, clip: Clip, keys: Keys) -> Curve:
    """A curve with its repeats as keys; straight lines where these are wanted."""
    curve = unrolled(curve, clip.start, clip.end)
    if keys == "exact" or curve.interpolation == "linear" or len(curve.times) == 1:
        return curve
    frames = clip.times()
    inside = frames[(frames > curve.times[0]) & (frames < curve.times[-1])]
    at = _distinct(np.concatenate([curve.times, inside, steps_of(curve) - BEFORE]))
    return _few(Curve(at, curve(at)), keys)


def _few(curve: Curve, keys: Keys) -> Curve:
    return reduce_curve(curve, CLOSE) if keys == "straight" else curve


def channel_curves(clip: Clip, rig: Rig, channels: Sequence[WrittenChannel], keys: Keys) -> dict[str, Curve]:
    """The curve of each channel that a clip moves: a slider's own, or values of a shape that follows from sliders."""
    found = {one.name: clip.curves[one.slider] for one in channels if one.slider in clip.curves}
    alone = [one for one in channels if not one.slider and any(name in clip.curves for name in one.shapes[0].sliders)]
    if alone:
        at = _key_times(clip)
        values = Combine(rig)(clip.sample(rig.sliders, at))
        column = {name: n for n, name in enumerate(rig.shape_names)}
        found |= {one.name: _few(Curve(at, values[:, column[one.shapes[0].name]]), keys) for one in alone}
    return found


def _key_times(clip: Clip) -> Floats:
    """All keys, all frames, and just before every step: where straight lines follow what bends and multiplies."""
    curves = list(clip.curves.values())
    return _distinct(
        np.concatenate([*(one.times for one in curves), *(steps_of(one) - BEFORE for one in curves), clip.times()])
    )


def _distinct(times: Floats) -> Floats:
    found = np.unique(times)
    return np.asarray(found[np.concatenate([[True], np.diff(found) > BEFORE / 4])])
