"""Pins set on a posed face: one row for each axis of each pin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.pose.motion import Motion
from facewright.pose.pin import Pin, points_of


class Pinned:
    """k pins with q axes in all, at the pose `start` (n,)."""

    def __init__(self, motion: Motion, pins: Sequence[Pin], start: Floats) -> None:
        self.pins = tuple(pins)
        self.points = points_of(motion.rig, pins)
        by_point = motion.rows(self.points)  # (k, 3, s)
        directions = [pin.directions() for pin in pins]
        self.pin = np.repeat(np.arange(len(pins)), [len(each) for each in directions])  # (q,) which pin a row is of
        self.directions = np.concatenate([np.zeros((0, 3)), *directions])  # (q, 3)
        self.rows = np.einsum("qc,qcs->qs", self.directions, by_point[self.pin])  # motion per shape along the axis
        self.strength = np.array([pin.strength for pin in pins])[self.pin]  # (q,)
        self.hold = np.array([pin.hold for pin in pins], bool)[self.pin]  # (q,)
        self._motion = motion
        self.places = self.points.of(motion.rig.neutral) + by_point @ motion.combine(start)  # (k, 3)

    def targets(self) -> Floats:
        """The pins' own targets (k, 3); a hold pin's is its place."""
        own = [place if pin.hold else pin.target for pin, place in zip(self.pins, self.places, strict=True)]
        return np.array(own, np.float64).reshape(-1, 3)

    def wanted(self, targets: Floats) -> Floats:
        """Motion (q,) along each axis that brings the pins to targets (k, 3); 0 for hold pins."""
        motion = np.einsum("qc,qc->q", self.directions, (targets - self.places)[self.pin])
        return np.where(self.hold, 0.0, motion)

    def moved(self, start: Floats, change: Floats) -> Floats:
        """Motion (q,) along the axes when the sliders go from `start` by `change`, both (n,)."""
        combine = self._motion.combine
        return np.asarray(self.rows @ (combine(start + change) - combine(start)))

    def lengths(self, along: Floats) -> Floats:
        """Length (k,) per pin of a motion (q,) along the axes."""
        return np.sqrt(np.bincount(self.pin, along**2, len(self.pins)))
