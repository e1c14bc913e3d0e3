"""Motion damping (Joshi 2003, sec. 4): ask less of points that the model can hardly move.

As printed, the factor is inverse to the largest displacement at the point, which would increase the motion of points
that hardly move. The reverse is meant: a small motion of the mouse there must not change the whole face. The factor
here is the share of a shape's largest motion that arrives at the point along the drag, of the shape for which it is
largest. So the face moves about as far as the hand, and not a multiple of that.

On a rig with in-betweens and combinations a shape is taken with its sliders: what they do from 0 to where the shape is
fully on, the others being at the pose of the start.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.pose.pin_rows import PinRows
from facewright.terms.delta_matrix import DeltaMatrix

_TINY = float(np.finfo(np.float64).tiny)


class Damping:
    """Factors of the wanted motion of pins, from 0 (no shape moves the pin that way) to 1 (one moves no point more)."""

    def __init__(self, deltas: DeltaMatrix, pins: PinRows, start: Floats) -> None:
        self._pin, self._count = pins.pin, len(pins.pins)
        rows, peaks = pins.rows, deltas.peaks
        if not deltas.is_linear:
            on = _fully_on(deltas, start)  # (s, s)
            rows, peaks = rows @ on.T, (np.abs(on) * peaks).max(axis=1, initial=0.0)
        self._rows = rows / np.where(peaks > 0, peaks, 1.0)  # (q, s)
        # A shape moves points backwards where it is on, or where its slider goes below 0.
        below = np.asarray(deltas.alone @ (deltas.rig.bounds[:, 0] < 0).astype(np.int64)) > 0
        self._back = ((deltas.combine(start) > 0) | below).astype(np.float64)  # (s,)

    def factors(self, wanted: Floats) -> Floats:
        """Factors (q,) of wanted motion (q,) along the pins' axes."""
        rows_of = self._pin == np.arange(self._count)[:, None]  # (k, q)
        length = np.sqrt(np.where(rows_of, wanted**2, 0.0).sum(axis=1))
        along = (rows_of * wanted) @ self._rows / np.maximum(length, _TINY)[:, None]  # (k, s)
        share = np.maximum(along, -along * self._back).max(axis=1, initial=0.0)
        return np.asarray(np.minimum(share, 1.0)[self._pin])


def _fully_on(deltas: DeltaMatrix, start: Floats) -> Floats:
    """How the values of all shapes change (s, s) when the sliders of one shape go from 0 to where it is fully on."""
    shapes, number = deltas.rig.shapes, {name: i for i, name in enumerate(deltas.rig.sliders)}
    off, on = np.tile(start, (len(shapes), 1)), np.tile(start, (len(shapes), 1))
    for row, shape in enumerate(shapes):
        for slider, at, _ in shape.factors:
            off[row, number[slider]], on[row, number[slider]] = 0.0, at
    return deltas.combine(on) - deltas.combine(off)
