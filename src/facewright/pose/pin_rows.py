"""Pins set on a posed face: one row for each axis of each pin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.rig.point_motion import BentMatrix, PointMotion
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.pin import Pin, points_of

_FAR = 1e13  # sizes of the face: a target further away exceeds double precision


class PinRows:
    """k pins with q axes in all, at the pose `start` (n,)."""

    def __init__(self, deltas: DeltaMatrix, pins: Sequence[Pin], start: Floats) -> None:
        self.pins = tuple(pins)
        self.points = points_of(deltas.rig, pins)
        by_point = deltas.rows(self.points)  # (k, 3, s)
        directions = [pin.directions() for pin in pins]
        counts = np.array([len(each) for each in directions], np.int64)
        self.pin = np.repeat(np.arange(len(pins)), counts)  # (q,) which pin a row is of
        self.directions = np.concatenate([np.zeros((0, 3)), *directions])  # (q, 3)
        self.rows = np.einsum("qc,qcs->qs", self.directions, by_point[self.pin])  # motion per shape along the axis
        self.strength = np.array([pin.strength for pin in pins], np.float64)[self.pin]  # (q,)
        self.hold = np.array([bool(pin.hold) for pin in pins], bool)[self.pin]  # (q,) softly or not
        self.firm = np.array([pin.hold is True for pin in pins], bool)[self.pin]  # (q,)
        self.places = self.points.of(deltas.rig.neutral) + by_point @ deltas.combine(start)  # (k, 3)
        self._moving = self.directions * ~self.hold[:, None]  # (q, 3)
        # (q, n) motion along the axis, about the start
        self.by_slider = np.asarray(self.rows @ deltas.combine.slopes(start))
        self._deltas, self._start, self._size = deltas, start, deltas.rig.size or np.inf

    def targets(self) -> Floats:
        """The pins' own targets (k, 3); for a hold pin the place where it is."""
        own = [place if pin.hold else pin.target for pin, place in zip(self.pins, self.places, strict=True)]
        return np.array(own, np.float64).reshape(-1, 3)

    def wanted(self, targets: ArrayLike) -> Floats:
        """Motion (q,) along each axis that brings the pins to targets (k, 3); 0 for hold pins."""
        given = np.asarray(targets, np.float64)
        if given.shape != self.places.shape:
            raise BadValue(f"there are {len(self.pins)} pins, each with a target (3,); got shape {given.shape}")
        if not np.isfinite(given).all():
            bad = int(np.argmin(np.isfinite(given).all(axis=1)))
            raise BadValue(f"pin {bad}: the target {given[bad].tolist()} is not a place in space")
        wanted = np.asarray((self._moving * (given - self.places)[self.pin]).sum(axis=1))
        if np.abs(wanted).max(initial=0.0) > _FAR * self._size:
            row = int(np.abs(wanted).argmax())
            raise BadValue(
                f"pin {self.pin[row]}: the target {given[self.pin[row]].tolist()} is {abs(wanted[row]):.3g} away, on a "
                f"face of size {self._size:.3g}; is it in another unit?"
            )
        return wanted

    def moved(self, change: Floats) -> Floats:
        """Motion (q,) along the axes when the sliders change (n,)."""
        if self._deltas.is_linear:
            return np.asarray(self.by_slider @ change)
        return self._motion.values(self._start + change) - self._before

    @cached_property
    def _motion(self) -> PointMotion:
        """Of the rows."""
        return PointMotion.of(self._deltas.combine, BentMatrix(self._deltas.combine), self.rows)

    @cached_property
    def _before(self) -> Floats:
        """The rows' measures (q,) at the start."""
        return self._motion.values(self._start)

    def lengths(self, along: Floats) -> Floats:
        """Length (k,) per pin of a motion (q,) along the axes."""
        return np.sqrt(np.bincount(self.pin, along**2, len(self.pins)))
