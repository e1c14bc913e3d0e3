"""How a head lies, found by laying the template over it in every quarter turn; for heads without open eyes and mouth.

The template and the head are compared as points that are spread evenly over their surfaces, with their centres together
and at the same size, so that neither the topology nor the unit matters.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats
from facewright.mesh.align import align
from facewright.mesh.normals import triangle_normals
from facewright.rig.rig import Rig

_POINTS = 3000, 600  # of the template, and of the head
_STEPS = 8  # of closest points, from each quarter turn
_NEAR = 0.1  # of the size: points that are further from the template count less (weights of Geman and McClure)
_ALIKE = 0.07  # of the size: mean distance of a head that is like the template
_CLEARLY = 0.5  # of the distance in any other turn
_OTHER = 30.0  # degrees between turns that are not the same


def turn_by_likeness(template: Rig, face: Rig) -> Floats | None:
    """The orthogonal matrix (3, 3) that turns a face as the template lies; None where no turn is clearly the best."""
    if not len(face.triangles) or not len(template.triangles):
        return None
    mirrored = (_volume(face) < 0) != (_volume(template) < 0)
    flip = np.diag([-1.0 if mirrored else 1.0, 1.0, 1.0])
    wanted, points = _spread(template, _POINTS[0]), _spread(face, _POINTS[1]) @ flip
    if not (np.ptp(wanted, axis=0).all() and np.ptp(points, axis=0).all()):
        return None
    tree = cKDTree(wanted)
    found = sorted(
        (_settled(points @ turn.T, wanted, tree, turn) for turn in quarter_turns(True)), key=lambda one: one[0]
    )
    least, turn = found[0]
    others = [distance for distance, other in found if angle_between(turn, other) > _OTHER]
    if least > _ALIKE or least > _CLEARLY * min(others, default=np.inf):
        return None
    return np.asarray(turn @ flip)


def quarter_turns(proper: bool) -> list[Floats]:
    """The 24 turns by quarters, or the mirror images of these."""
    orders, signs = permutations(range(3)), tuple(product((1.0, -1.0), repeat=3))
    made = [np.eye(3)[list(order)] * sign for order in orders for sign in signs]
    return [one for one in made if (np.linalg.det(one) > 0) == proper]


def angle_between(one: Floats, other: Floats) -> float:
    """Degrees between two orthogonal matrices; 180 where only one of them is a mirror image."""
    between = one @ other.T
    if np.linalg.det(between) < 0:
        return 180.0
    return float(np.degrees(np.arccos(np.clip((np.trace(between) - 1) / 2, -1, 1))))


def _settled(points: Floats, wanted: Floats, tree: cKDTree, turn: Floats) -> tuple[float, Floats]:
    """The mean distance of points (k, 3) from the template after they were brought near to it, and their whole turn."""
    now, rotation = points, np.eye(3)
    for _ in range(_STEPS):
        far, at = tree.query(now)
        found = align(points, wanted[at], 1 / (1 + (far / _NEAR) ** 2) ** 2, scaled=True)
        now, rotation = found(points), found.rotation
    return float(np.mean(tree.query(now)[0])), np.asarray(rotation @ turn)


def _spread(rig: Rig, count: int) -> Floats:
    """Points (k, 3) at equal distances of area over a surface, about their centre, with a mean square of 1."""
    areas = np.cumsum(np.linalg.norm(triangle_normals(rig.neutral, rig.triangles), axis=1))
    at = np.searchsorted(areas, (np.arange(count) + 0.5) / count * areas[-1])
    points = rig.neutral[rig.triangles[np.minimum(at, len(areas) - 1)]].mean(axis=1)
    points = points - points.mean(axis=0)
    return np.asarray(points / (np.sqrt((points**2).sum(axis=1).mean()) or 1.0))


def _volume(rig: Rig) -> float:
    """Six times the volume within a surface; below 0 where its polygons face inwards, as in a mirror image."""
    centred = rig.neutral - rig.neutral.mean(axis=0)
    return float((centred[rig.triangles[:, 0]] * triangle_normals(centred, rig.triangles)).sum())
