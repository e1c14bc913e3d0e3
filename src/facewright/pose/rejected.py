"""Ways to keep posed points still that Lewis 2005, sec. 3, rejects, for comparison with attenuation.

Zeroed rows keep the points exactly and tear the surface beside them. Vectors made orthogonal to those of the sliders
that were used say little about single points. Both leave the space of the rig's faces, so they give vertices, not
weights. The null space is where attenuation goes as alpha grows: the points stay, and so does all that cannot move
without them. The rig is taken as linear about the reference, and bounds are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.terms.delta_matrix import DeltaMatrix
from facewright.terms.selection import Selection

Weights = Mapping[str, float] | ArrayLike
_WEAK = 1e-10  # of the strongest direction: a weaker one is rounding


def zeroed_rows(rig: Rig, selection: Selection, reference: Weights, weights: Weights) -> Floats:
    """The face (v, 3) at the weights, with the selected coordinates where they are at the reference."""
    selection.check(rig)
    face, before = evaluate(rig, rig.pose(weights)).copy(), evaluate(rig, rig.pose(reference))
    face.reshape(-1)[selection.coordinates] = before.reshape(-1)[selection.coordinates]
    return face


def orthogonal_to(rig: Rig, used: Sequence[str], reference: Weights, weights: Weights) -> Floats:
    """The face (v, 3) whose later motion is orthogonal to the vectors of the sliders that were used before."""
    at = rig.pose(reference)
    before = evaluate(rig, at)
    later = (evaluate(rig, rig.pose(weights)) - before).ravel()
    if not used:
        raise BadValue("name at least one slider that was used; without any nothing is orthogonal to it")
    slopes = DeltaMatrix(rig).combine.slopes(at)  # (s, n), sparse where sliders are many
    kept = np.zeros((3 * rig.vertex_count, len(used)))
    for column, name in enumerate(used):
        moved = np.zeros((rig.vertex_count, 3))
        shares = np.asarray(slopes @ np.eye(len(at))[rig.slider_index(name)]).tolist()
        for shape, share in zip(rig.shapes, shares, strict=True):
            moved[shape.vertices] += share * shape.offsets
        kept[:, column] = moved.ravel()
    U, s, _ = np.linalg.svd(kept, full_matrices=False)
    U = U[:, s > _WEAK * s.max(initial=0.0)]
    return np.asarray(before + (later - U @ (U.T @ later)).reshape(-1, 3))


def null_space(rig: Rig, selection: Selection, reference: Weights, weights: Weights) -> Floats:
    """The weights (n,) nearest to those given, slider by slider, that leave the selected coordinates where they are."""
    selection.check(rig)
    deltas, start = DeltaMatrix(rig), rig.pose(reference)
    rows = np.asarray(deltas.coordinates(selection.coordinates) @ deltas.combine.slopes(start))  # (k, n)
    _, s, Vt = np.linalg.svd(rows, full_matrices=False)
    moving = Vt[s > _WEAK * s.max(initial=0.0)]
    change = rig.pose(weights) - start
    return np.asarray(start + change - moving.T @ (moving @ change))
