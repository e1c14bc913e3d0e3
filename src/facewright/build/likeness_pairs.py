"""Landmarks of heads without open eyes and mouth: the template's face is laid onto the head, and near points are pairs.

Both heads stand upright and look along z. The face is laid where the eyes are, if they are known, and in several sizes
into the box of the head; what lies nearest is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.build.likeness import angle_between
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmark_pairs import LandmarkPairs
from facewright.mesh.align import Similarity, align
from facewright.mesh.normals import vertex_normals
from facewright.rig.gaze import Gaze, side_of

_STEPS = 25  # searches of closest points
_TURN = 25.0  # degrees: a face that is turned further by them is laid onto something else
_NEAR = 0.06  # of the face's size: points that are further away count less (weights of Geman and McClure)
_FAR = 0.12  # of the face's size: mean distance of a face that is not like the template
_NORMAL = 0.15  # of the face's size: how much further away a point counts whose normal is opposite, half of it
_SIZES = (0.75, 0.85, 0.95, 1.05, 1.2)  # of the head's width, for the width of the template's head
_PAIRS = 24
_AHEAD = 0.1  # least part of the normal that points ahead, of what is the face


@dataclass(frozen=True, eq=False)
class _Points:
    """Points (k, 3) of a face with their normals, and the vertices that they are."""

    places: Floats
    normals: Floats
    vertices: Ints


def likeness_pairs(template: FaceMesh, head: FaceMesh, eyes: tuple[Floats, Floats] | None) -> LandmarkPairs | None:
    """Pairs of vertices that lie near each other; None where the head is not like the template.

    eyes: places (3,) of the head's left and right eye; None: found where they are balls.
    """
    ours, theirs = _face(template), _points(head, head.visible.vertices)
    known = eyes or eye_centres(head)
    mine = eye_centres(template)
    starts = [_by_eyes(mine, known)] if known is not None and mine is not None else []
    starts += _by_box(template, head)
    size = float(np.linalg.norm(np.ptp(ours.places, axis=0)))
    found = min((_settled(ours, theirs, start, size) for start in starts), key=lambda one: one[0])
    return None if found[0] > _FAR else _pairs(ours, theirs, found[1], size)


def eye_centres(mesh: FaceMesh) -> tuple[Floats, Floats] | None:
    """The centres of the left and the right eye, where they are balls."""
    centres = {side_of(eye): eye.middle for eye in Gaze(mesh.rig).eyes}
    return (centres["Left"], centres["Right"]) if {"Left", "Right"} <= centres.keys() else None


def _face(template: FaceMesh) -> _Points:
    """The face of the template: what looks ahead above the chin."""
    found = _points(template, template.visible.vertices)
    chin = template.landmarks.get("chin")
    low = -np.inf if chin is None else float(template.rig.neutral[chin, 1])
    kept = (found.normals[:, 2] > _AHEAD) & (found.places[:, 1] >= low)
    return _Points(found.places[kept], found.normals[kept], found.vertices[kept])


def _points(mesh: FaceMesh, vertices: Ints) -> _Points:
    normals = vertex_normals(mesh.rig.neutral, mesh.polygons.triangles)
    return _Points(mesh.rig.neutral[vertices], normals[vertices], vertices)


def _by_eyes(mine: tuple[Floats, Floats], known: tuple[Floats, Floats]) -> Similarity:
    scale = float(np.linalg.norm(known[0] - known[1]) / np.linalg.norm(mine[0] - mine[1]))
    return Similarity(np.eye(3), np.mean(known, axis=0) - scale * np.mean(mine, axis=0), scale)


def _by_box(template: FaceMesh, head: FaceMesh) -> list[Similarity]:
    """The tops and the fronts of both heads together, in several sizes."""
    ours, theirs = (mesh.rig.neutral[mesh.visible.vertices] for mesh in (template, head))
    chin = template.landmarks.get("chin")
    upper = ours if chin is None else ours[ours[:, 1] >= template.rig.neutral[chin, 1]]
    width = float(np.ptp(theirs[:, 0]) / np.ptp(upper[:, 0]))
    corner, wanted = (np.array([np.median(p[:, 0]), p[:, 1].max(), p[:, 2].max()]) for p in (upper, theirs))
    return [Similarity(np.eye(3), wanted - size * width * corner, size * width) for size in _SIZES]


def _settled(ours: _Points, theirs: _Points, start: Similarity, size: float) -> tuple[float, Similarity]:
    """How far the face lies from the head, as a share of its size, after it was brought near in its own size."""
    reach = _NORMAL * size * start.scale
    tree = cKDTree(np.column_stack([theirs.places, reach * theirs.normals]))
    now, near = start, _NEAR * size * start.scale
    for _ in range(_STEPS):
        turned = np.column_stack([now(ours.places), reach * ours.normals @ now.rotation.T])
        at = tree.query(turned)[1]
        far = np.linalg.norm(theirs.places[at] - turned[:, :3], axis=1)
        found = align(start.scale * ours.places, theirs.places[at], 1 / (1 + (far / near) ** 2) ** 2)
        now = Similarity(found.rotation, found.offset, start.scale)
        if angle_between(now.rotation, np.eye(3)) > _TURN:
            return np.inf, start
    far, _ = tree.query(np.column_stack([now(ours.places), reach * ours.normals @ now.rotation.T]))
    return float(np.mean(far)) / (size * start.scale), now


def _pairs(ours: _Points, theirs: _Points, placed: Similarity, size: float) -> LandmarkPairs | None:
    """Vertices far from each other, and what they lie on."""
    places = placed(ours.places)
    reach = _NORMAL * size * placed.scale
    tree = cKDTree(np.column_stack([theirs.places, reach * theirs.normals]))
    found_at = tree.query(np.column_stack([places, reach * ours.normals @ placed.rotation.T]))
    far, at = (np.asarray(one) for one in found_at)
    near = np.flatnonzero(far <= 2 * _NEAR * size * placed.scale)
    chosen: list[int] = []
    apart = np.full(len(near), np.inf)
    while len(chosen) < min(_PAIRS, len(near)):
        best = int(near[apart.argmax()]) if chosen else int(near[far[near].argmin()])
        chosen.append(best)
        apart = np.minimum(apart, np.linalg.norm(places[near] - places[best], axis=1))
    found = {int(theirs.vertices[at[row]]): int(ours.vertices[row]) for row in chosen}
    if len(found) < 3:
        return None
    names = tuple(f"vertex {vertex}" for vertex in found.values())
    words = "the template's face was laid onto the head by its form"
    return LandmarkPairs(np.array(list(found.values())), np.array(list(found)), names, words, exact=False)
