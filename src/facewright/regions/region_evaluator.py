"""Independent poses of regions: in every region the shapes are blended with its own weights (Joshi 2003, sec. 4).

For weights (r, n), one row of slider values for each of the finest regions, the face is the mean of the faces of these
rows, vertex by vertex, weighted by how much of the vertex belongs to each region. These shares change smoothly and sum
to 1, so that there are no cracks; if all rows are equal, the result is the plain pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, frozen
from facewright.errors import BadValue
from facewright.rig.combine import Combine
from facewright.rig.evaluate import Evaluator
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape

RegionWeights = ArrayLike | Mapping[str, Mapping[str, float]]  # (r, n), or values by region and slider


class RegionEvaluator:
    """A rig and its regions prepared for many poses."""

    def __init__(self, rig: Rig, regions: Regions) -> None:
        check_fit(rig, regions)
        self.rig, self.regions = rig, regions
        self._combine, self._evaluate = Combine(rig), Evaluator(rig)
        self._shares = sp.csr_array(regions.weights.T)  # (v, r)

    def __call__(self, weights: RegionWeights, pose: Mapping[str, float] | ArrayLike | None = None) -> Floats:
        """Positions (v, 3) for weights (r, n), or for slider values by the names of regions, of any level.

        pose: slider values (n,), or names to values, from which the differences are counted; by default the first row.
        Where all rows equal it, the result is exactly the face in that pose.
        """
        rows = _rows(self.rig, self.regions, weights)
        base = rows[0] if pose is None else self.rig.pose(pose)
        moved = np.array(self._evaluate(base))
        more = self._combine(rows) - self._combine(base)
        used = np.flatnonzero(more.any(axis=0))
        for i, amount in zip(used, np.asarray(self._shares @ more[:, used]).T, strict=True):
            shape = self.rig.shapes[i]
            moved[shape.vertices] += amount[shape.vertices, None] * shape.offsets
        return moved


def evaluate_regions(rig: Rig, regions: Regions, weights: RegionWeights) -> Floats:
    """Positions (v, 3) for weights (r, n), or for slider values by region, once: see `RegionEvaluator`."""
    return RegionEvaluator(rig, regions)(weights)


def region_weights(
    rig: Rig,
    regions: Regions,
    pose: Mapping[str, float] | ArrayLike | None = None,
    within: Mapping[str, Mapping[str, float]] | None = None,
) -> Floats:
    """Weights (r, n): a pose everywhere, and other values of some sliders within some regions of any level.

    within: slider values by the names of regions. Of regions that contain each other, the smaller one is applied last.
    """
    check_fit(rig, regions)
    rows = np.tile(rig.pose(pose), (regions.count, 1))
    for name in sorted(within or {}, key=lambda name: -len(regions.members(name))):
        values = (within or {})[name]
        for slider, value in values.items():
            rows[regions.members(name), rig.slider_index(slider)] = value
    return frozen(rows)


def confined_rig(rig: Rig, regions: Regions, region: str, weights: RegionWeights | None = None) -> Rig:
    """A rig whose sliders move only one region, of any level, of a face at weights (r, n), or at rest.

    Every solver works on it as on any rig, so that a drag changes that region only. At `values_within` it is the given
    face; `moved_within` writes changed slider values back into the weights. Rules about distances from rest are left
    out,
    because its neutral is not the face at rest.
    """
    check_fit(rig, regions)
    rows = region_weights(rig, regions) if weights is None else _rows(rig, regions, weights)
    masked = masked_rig(rig, regions, region)
    masked = replace(masked, rules=tuple(rule for rule in rig.rules if isinstance(rule, OnlyMovedBy)))
    start = Evaluator(masked)(values_within(regions, rows, region)) - rig.neutral
    return replace(masked, neutral=evaluate_regions(rig, regions, rows) - start)


def masked_rig(rig: Rig, regions: Regions, region: str) -> Rig:
    """A rig at rest whose sliders move only one region, of any level."""
    check_fit(rig, regions)
    field = regions.field(region)
    return replace(rig, shapes=tuple(_confined(shape, field) for shape in rig.shapes))


def values_within(regions: Regions, weights: ArrayLike, region: str) -> Floats:
    """The slider values (n,) of a region of any level: the mean of its finest regions, weighted by their shares."""
    rows = floats("weights", weights, (regions.count, None))
    members = regions.members(region)
    if (rows[members] == rows[members[0]]).all():
        return np.asarray(rows[members[0]])
    size = np.asarray(regions.weights.sum(axis=1))[members]
    return np.asarray(frozen(size @ rows[members] / size.sum()))


def moved_within(
    rig: Rig, regions: Regions, weights: RegionWeights, region: str, values: Mapping[str, float] | ArrayLike
) -> Floats:
    """Weights (r, n) in which a region of any level has the slider values (n,).

    Differences between its finest regions are kept, as far as the sliders' bounds allow.
    """
    rows = np.array(_rows(rig, regions, weights))
    members = regions.members(region)
    wanted = rig.pose(values)
    change = wanted - values_within(regions, rows, region)
    if (rows[members] == rows[members[0]]).all():
        rows[members] = wanted
    else:
        low, high = rig.bounds.T
        rows[members] = np.where(change == 0, rows[members], np.clip(rows[members] + change, low, high))
    return frozen(rows)


def check_fit(rig: Rig, regions: Regions) -> None:
    """Raise `BadValue` if the regions are for another number of vertices."""
    if regions.vertex_count != rig.vertex_count:
        raise BadValue(f"the regions are for {regions.vertex_count} vertices, but the rig has {rig.vertex_count}")


def _rows(rig: Rig, regions: Regions, weights: RegionWeights) -> Floats:
    if isinstance(weights, Mapping):
        return region_weights(rig, regions, within=weights)
    return floats("weights", weights, (regions.count, len(rig.sliders)))


def _confined(shape: Shape, field: Floats) -> Shape:
    inside = field[shape.vertices] > 0
    vertices = shape.vertices[inside]
    return replace(shape, vertices=vertices, offsets=shape.offsets[inside] * field[vertices][:, None])
