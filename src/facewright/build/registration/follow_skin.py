"""Positions of what is not skin after a fit: mouth bags, teeth and lashes deform with the space,
eyeballs stay round.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from facewright.arrays import Floats, Ints
from facewright.build.registration.skin import pieces_of
from facewright.mesh.align import align
from facewright.mesh.sphere import is_round

_CENTRES = 700  # skin points that define the deformation of space


def follow_skin(rest: Floats, triangles: Ints, skin: Ints, fitted: Floats) -> Floats:
    """All positions (v, 3) of a mesh at rest (v, 3), for the fitted positions (k, 3) of its skin vertices (k,)."""
    moved = rest.copy()
    moved[skin] = fitted
    others = np.setdiff1d(np.arange(len(rest)), skin)
    if len(others):
        centres = _centres(rest, triangles, skin, others)
        moved[others] = _bent(rest[others], rest[centres], moved[centres])
        for ball in _balls(rest, triangles, skin):
            moved[ball] = align(rest[ball], moved[ball], scaled=True)(rest[ball])
    return moved


def _centres(rest: Floats, triangles: Ints, skin: Ints, others: Ints) -> Ints:
    """Skin vertices beside what is not skin, so that no gap opens there, and some of the rest."""
    is_other = np.zeros(len(rest), bool)
    is_other[others] = True
    shared = triangles[is_other[triangles].any(axis=1)]
    rim = np.setdiff1d(shared[~is_other[shared]], others)
    return np.union1d(_thinned(rest, rim, _CENTRES), _thinned(rest, skin, _CENTRES))


def _thinned(points: Floats, chosen: Ints, most: int) -> Ints:
    """At most so many of the chosen vertices, evenly spread: one from each cell of a grid that grows until they are
    few.
    """
    if len(chosen) <= most:
        return chosen
    low = points[chosen].min(axis=0)
    cell = float(np.ptp(points[chosen], axis=0).max()) / np.sqrt(4 * most)
    while True:
        cells = np.floor((points[chosen] - low) / cell).astype(np.int64)
        first = np.unique(cells, axis=0, return_index=True)[1]
        if len(first) <= most:
            return np.asarray(chosen[np.sort(first)])
        cell *= 1.15


def _bent(points: Floats, centres: Floats, targets: Floats) -> Floats:
    """Points (k, 3) in the smoothest deformation of space that takes centres (c, 3) to targets:
    biharmonic, kernel |r|.
    """
    unit = float(np.ptp(centres, axis=0).max()) or 1.0
    middle = centres.mean(axis=0)

    def terms(some: Floats) -> tuple[Floats, Floats]:
        """The kernel and the affine terms of some points."""
        local = (some - middle) / unit
        return cdist(local, (centres - middle) / unit), np.column_stack([np.ones(len(local)), local])

    kernel, affine = terms(centres)
    system = np.block([[kernel, affine], [affine.T, np.zeros((4, 4))]])
    # the kernel is negative definite on what the affine part leaves
    system[: len(kernel), : len(kernel)] -= 1e-10 * np.eye(len(kernel))
    right = np.concatenate([targets - centres, np.zeros((4, 3))])
    try:
        solved = np.linalg.solve(system, right)
    except np.linalg.LinAlgError:  # all centres lie in a plane
        solved = np.linalg.lstsq(system, right, rcond=1e-12)[0]
    near, linear = terms(points)
    return np.asarray(points + near @ solved[: len(kernel)] + linear @ solved[len(kernel) :])


def _balls(rest: Floats, triangles: Ints, skin: Ints) -> list[Ints]:
    """Connected pieces that are not skin and lie on a sphere."""
    pieces = pieces_of(triangles, len(rest))
    of_skin = np.unique(pieces[skin])
    sizes = np.bincount(pieces)
    found = []
    for piece in np.flatnonzero(sizes >= 20):
        members = np.flatnonzero(pieces == piece)
        if piece not in of_skin and is_round(rest[members]):
            found.append(members)
    return found
