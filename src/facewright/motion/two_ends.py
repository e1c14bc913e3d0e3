"""Curves of sliders that go both ways: the difference of two curves, and the parts of one above and below 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.motion.curve import Curve
from facewright.motion.spline import slopes_at, without_steps


def difference(positive: Curve | None, negative: Curve | None) -> Curve | None:
    """The curve that is one minus the other at every time; None stands for 0.

    A step beside a curve that is none becomes a ramp of a millisecond at most.
    """
    if negative is None:
        return positive
    if positive is None:
        return _times(negative, -1.0)
    kinds = {positive.interpolation, negative.interpolation}
    if kinds != {"step"}:
        positive, negative = without_steps(positive), without_steps(negative)
    times = np.union1d(positive.times, negative.times)
    values = positive(times) - negative(times)
    if len(kinds) == 1 and "cubic" not in kinds:
        return Curve(times, values, positive.interpolation)
    if "cubic" not in kinds:
        return Curve(times, values)
    return Curve(times, values, "cubic", slopes_at(positive, times) - slopes_at(negative, times))


def above_0(curve: Curve) -> Curve:
    """The curve where it is above 0, and 0 elsewhere."""
    if curve.interpolation == "step":
        return replace(curve, values=np.maximum(curve.values, 0.0))
    curve = without_steps(curve)
    times = np.union1d(curve.times, crossings(curve))
    values = np.where(np.isin(times, curve.times), curve(times), 0.0)
    if curve.interpolation == "linear":
        return Curve(times, np.maximum(values, 0.0))
    slopes = slopes_at(curve, times)
    on = curve((times[1:] + times[:-1]) / 2) > 0  # in each segment, which has one sign
    slopes[1:, 0] *= on
    slopes[:-1, 1] *= on
    return Curve(times, np.maximum(values, 0.0), "cubic", slopes)


def below_0(curve: Curve) -> Curve:
    """How far the curve is below 0, and 0 where it is not."""
    return above_0(_times(curve, -1.0))


def crossings(curve: Curve) -> Floats:
    """The times (c,) between the keys at which a curve passes through 0."""
    found = []
    slopes = slopes_at(curve, curve.times)
    for i in range(len(curve.times) - 1):
        start, span = curve.times[i], curve.times[i + 1] - curve.times[i]
        a, b = curve.values[i : i + 2]
        leave, arrive = slopes[i, 1] * span, slopes[i + 1, 0] * span
        controls = np.array([a, a + leave / 3, b - arrive / 3, b])  # the segment stays between the least and the most
        if controls.min() < 0 < controls.max():
            roots = np.roots([2 * (a - b) + leave + arrive, 3 * (b - a) - 2 * leave - arrive, leave, a])
            real = roots.real[np.abs(roots.imag) < 1e-9]
            found += [start + u * span for u in real if 1e-9 < u < 1 - 1e-9]
    return np.array(sorted(found))


def _times(curve: Curve, factor: float) -> Curve:
    slopes = None if curve.slopes is None else factor * curve.slopes
    return replace(curve, values=factor * curve.values, slopes=slopes)
