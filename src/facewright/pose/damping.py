"""Motion damping (Joshi 2003, sec. 4): ask less of points that the model can hardly move.

As printed, the factor is inverse to the largest displacement at the point, which would increase the motion of points
that hardly move. The reverse is meant: a small motion of the mouse there must not change the whole face. The factor
here is the share of a shape's largest motion that arrives at the point along the drag, of the shape for which it is
largest. So the face moves about as far as the hand, and not a multiple of that.
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
        peaks = _peaks(deltas)
        self._pin, self._count = pins.pin, len(pins.pins)
        self._rows = pins.rows / np.where(peaks > 0, peaks, 1.0)  # (q, s)
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


def _peaks(deltas: DeltaMatrix) -> Floats:
    """How far the face moves at most (s,) where a shape is fully on; with a combination its sliders are on as well."""
    reach = deltas.furthest * np.abs(deltas.rig.bounds).max(axis=1, initial=0.0)  # (n,)
    combined = np.array([shape.is_combination for shape in deltas.rig.shapes], bool)
    drivers = deltas.drives.multiply(reach).max(axis=1).toarray().ravel() if combined.any() else np.zeros(len(combined))
    return np.maximum(deltas.peaks, np.where(combined, drivers, 0.0))
