"""Markers in the rig's space, and how each slider moves each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from facewright.rig.combine import Combine
from facewright.rig.point_motion import chords
from facewright.rig.rig import Rig

_HIDDEN = 30.0  # the largest value of `unseen`: no marker sees the slider


class BoundRig:
    """A rig reduced to its bound markers, k of them."""

    def __init__(self, rig: Rig, binding: Binding) -> None:
        binding.check(rig)
        self.rig, self.binding = rig, binding
        self.combine = Combine(rig)
        self.shape_rows = np.moveaxis(binding.rows(rig), 0, 2)  # (k, 3, s)
        self.surface = binding.places(rig.neutral)  # (k, 3) on the rig's neutral
        self.rest = binding.to_rig(binding.rest)  # (k, 3) the actor's neutral, in the rig's space
        self.is_linear = rig.is_linear

    def __len__(self) -> int:
        return len(self.rest)

    @cached_property
    def chords(self) -> Floats:
        """Slopes (s, n) of the shapes' values from one end of each slider to the other.

        With in-betweens the slope at rest may point elsewhere. A linear model by the slopes at rest explains a smile by
        a dimple, and no step from there finds the smile again.
        """
        if self.is_linear:
            return self.combine.jacobian(self.rig.weights())
        return chords(self.combine, self.rig.weights(), self.rig.bounds)

    @cached_property
    def rows(self) -> Floats:
        """Motion (k, 3, n) of the markers by the sliders, each from rest to its full value."""
        return np.asarray(self.shape_rows @ self.chords)

    def motion(self, weights: Floats) -> Floats:
        """Motion of the markers (frames, k, 3) for weights (frames, n)."""
        k = len(self)
        moved = self.combine(weights) @ self.shape_rows.reshape(3 * k, self.combine.shapes).T
        return np.asarray(moved.reshape(-1, k, 3))

    @cached_property
    def amount(self) -> Floats:
        """How far each slider (n,) moves the whole face; the mean is 1."""
        shapes = np.array([float((shape.offsets**2).sum()) for shape in self.rig.shapes])
        length = np.sqrt(np.maximum((self.chords**2).T @ shapes, 0.0))
        return np.asarray(length / (length.mean() or 1.0)) if len(length) else length

    @cached_property
    def unseen(self) -> Floats:
        """How far each slider (n,) moves the face, over how far it moves the markers; about 1 for most."""
        seen = np.linalg.norm(self.rows, axis=(0, 1))
        seen = seen / (seen.mean() or 1.0) if len(seen) else seen
        return np.asarray(np.minimum(self.amount / np.maximum(seen, 1e-9), _HIDDEN))

    @cached_property
    def spacing(self) -> float:
        """Median distance from a marker to the nearest other, scene units."""
        return median_spacing(self.surface)

    @cached_property
    def neighbours(self) -> Ints:
        """The three markers (k, 3) nearest to each, itself where there are no others."""
        distance = np.linalg.norm(self.surface[:, None] - self.surface[None], axis=2)
        np.fill_diagonal(distance, np.inf)
        order = np.argsort(distance, axis=1)[:, :3]
        itself = np.arange(len(self))[:, None]
        return np.hstack([np.where(np.isinf(np.take_along_axis(distance, order, 1)), itself, order), itself, itself])[
            :, :3
        ]


@dataclass(frozen=True, eq=False)
class Recording:
    """A take's bound markers in the rig's space, with head motion and gaps."""

    positions: Floats  # (frames, k, 3)
    rate: float

    @cached_property
    def seen(self) -> NDArray[np.bool_]:  # (frames, k)
        return ~np.isnan(self.positions[:, :, 0])

    def __len__(self) -> int:
        return len(self.positions)


def recording(take: Take, binding: Binding) -> Recording:
    """The markers of a take that a binding names; those that the take does not have are NaN."""
    take = take.in_unit(binding.unit)
    positions = np.full((len(take), len(binding), 3), np.nan)
    for column, marker in enumerate(binding.markers):
        if marker in take.names:
            positions[:, column] = take.positions[:, take.index(marker)]
    if binding.mirrored:
        positions[:, :, 0] *= -1
    return Recording(binding.to_rig(positions), take.rate)


def median_spacing(points: Floats) -> float:
    """Median distance from each of the points (k, 3) to the nearest other one."""
    if len(points) < 2:
        return 1.0
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    return float(np.median(distance.min(axis=1))) or 1.0
