"""Drops offsets that are too small to be visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.errors import BadValue
from facewright.options import suggests_options
from facewright.rig.edit.shapes import drop_shape
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


@dataclass(frozen=True, eq=False)
class Pruned:
    """A rig without its smallest offsets, and the error of that."""

    rig: Rig
    dropped: int  # number of offsets, over all shapes
    kept: int
    worst: float  # length of the longest dropped offset in scene units: the largest error of a vertex at shape value 1
    shapes: tuple[str, ...]  # shapes that were dropped because all their offsets were


@suggests_options
def prune(
    rig: Rig, *, tolerance: float = 1e-6, drop_empty: bool = False, shapes: Sequence[str] | None = None
) -> Pruned:
    """Drop every offset not longer than `tolerance` times the rig's size.

    shapes: names of those to prune; by default all.
    drop_empty: also drop shapes that move nothing, except those whose slider a combination needs.
    """
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise BadValue(f"the tolerance is a share of the rig's size, 0 or more, not {tolerance}")
    chosen = set(rig.shapes) if shapes is None else {rig.shape(name) for name in shapes}
    lengths = {shape: np.linalg.norm(shape.offsets, axis=1) for shape in rig.shapes if shape in chosen}
    limit = tolerance * rig.size
    left_over = [_kept(shape, lengths[shape] > limit) if shape in lengths else shape for shape in rig.shapes]
    small = np.concatenate([np.zeros(0), *lengths.values()])
    small = small[small <= limit]
    pruned = replace(rig, shapes=tuple(left_over))
    left = _without_empty(pruned) if drop_empty else pruned
    gone = tuple(name for name in rig.shape_names if name not in set(left.shape_names))
    kept = sum(len(shape.vertices) for shape in left_over)
    return Pruned(left, len(small), kept, float(small.max(initial=0.0)), gone)


def _kept(shape: Shape, keep: np.ndarray) -> Shape:
    return shape if keep.all() else replace(shape, vertices=shape.vertices[keep], offsets=shape.offsets[keep])


def _without_empty(rig: Rig) -> Rig:
    """Drop shapes without offsets. One of several targets of a slider stays, because it keeps the
    face at rest there.
    """
    empty = [shape for shape in rig.shapes if len(shape.vertices) == 0]
    for shape in sorted(empty, key=lambda shape: not shape.is_combination):  # they may be all that needs a slider
        needed = any(shape.sliders[0] in other.sliders for other in rig.shapes if other is not shape)
        if shape.is_combination or not needed:
            rig = drop_shape(rig, shape.name)
    return rig
