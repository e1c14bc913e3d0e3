"""Pieces of a mesh apart from its skin: eyes turn, teeth and tongue go with the template's, lashes with the skin,
and the lining of a mouth, where it is a piece of its own, with the template's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.build.counterparts import CounterpartSurface
from facewright.build.mouth_lining import MouthLining
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.skin import pieces_of
from facewright.mesh.align import align_many
from facewright.mesh.sphere import fitted_sphere, is_round
from facewright.mesh.triangle_frames import has_frame
from facewright.rig.names import group_of
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_STIFF = 0.05  # of a piece's motion: what is left of it after the best rigid one; more, and it bends
# In sizes of the template:
_TOGETHER = 0.005  # pieces of one part that are that near are one thing, as a row of teeth
_LIKE = 0.05  # how far its likeness in the template may be from a thing
_BALL = 0.02  # radius of an eye at least
_ROOT = 0.002  # lashes and brows touch the skin
_ON_SKIN = 0.015  # and do not go far from it
_CHIN = 200  # vertices of the skin that carry what hangs on the jaw
_WIDE = 0.1  # a lining is at least that wide
_JAW = ("lower", "tongue", "jaw", "bottom", "mandib")


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some pieces of the target that go together."""

    vertices: Ints  # (k,)
    model: Ints | None = None  # (m,) vertices of the template's thing that it goes with
    ball: bool = False
    roots: Ints | None = None  # (k,) the skin's vertex that each of its own hangs on
    on_jaw: bool = False
    lining: MouthLining | None = None


class NonSkinPieces:
    """All of a target that is not skin, and what moves it."""

    def __init__(self, template: Rig, fitted: Floats, mesh: FaceMesh, placed: Floats, skin: Ints) -> None:
        """For a template where it was fitted (u, 3), and a mesh with this skin (k,), placed (v, 3) where that lies."""
        self._template, self._fitted, self._placed, self._skin = template, fitted, placed, skin
        self._things = _pieces_to_move(template, fitted, mesh, placed, skin)

    def moved(self, shape: Shape, offsets: Floats, chin: Ints) -> Floats:
        """Offsets (v, 3) of a shape with those of all things; given those of the skin, some of which (c,) is sure."""
        dense = shape.dense(len(self._fitted))
        for thing in self._things:
            if thing.lining is not None:
                skin = self._skin
                offsets[thing.vertices] = thing.lining.moved(dense, self._placed[skin], offsets[skin])
            elif thing.model is not None:
                offsets[thing.vertices] = self._like(thing, thing.model, dense)
            elif thing.roots is not None:
                offsets[thing.vertices] = offsets[thing.roots]
            elif thing.on_jaw and group_of(shape.name) == "jaw":
                offsets[thing.vertices] = self._with_chin(thing, offsets, chin)
        return offsets

    def _like(self, thing: _Piece, model: Ints, dense: Floats) -> Floats:
        """As the template's thing moves: as one where that does, else place by place."""
        motion, own = dense[model], self._placed[thing.vertices]
        if not motion.any():
            return np.zeros_like(own)
        rest = self._template.neutral[model]
        turn, shift = _rigid(rest, rest + motion)
        left = np.linalg.norm(rest @ turn.T + shift - rest - motion)
        if left > _STIFF * np.linalg.norm(motion):
            return np.asarray(motion[cKDTree(self._fitted[model]).query(own)[1]])
        there = fitted_sphere(rest)[0] if thing.ball else rest.mean(axis=0)
        here = fitted_sphere(own)[0] if thing.ball else self._fitted[model].mean(axis=0)
        return np.asarray((own - here) @ (turn - np.eye(3)).T + turn @ there + shift - there)

    def _with_chin(self, thing: _Piece, offsets: Floats, chin: Ints) -> Floats:
        """As the skin nearest to it is turned and moved."""
        own = self._placed[thing.vertices]
        lengths = np.linalg.norm(offsets[chin], axis=1)
        moving = chin[lengths > 0.5 * lengths.max(initial=0.0)]
        near = moving[np.argsort(np.linalg.norm(self._placed[moving] - own.mean(axis=0), axis=1))[:_CHIN]]
        if len(near) < 3:
            return np.zeros_like(own)
        turn, shift = _rigid(self._placed[near], self._placed[near] + offsets[near])
        return np.asarray(own @ turn.T + shift - own)


def _rigid(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    turns, shifts = align_many(before[None], after[None], np.ones((1, len(before))))
    return turns[0], shifts[0]


def _pieces_to_move(template: Rig, fitted: Floats, mesh: FaceMesh, placed: Floats, skin: Ints) -> list[_Piece]:
    size, own = template.size, FaceMesh(template, "the template")
    models = _grouped_pieces(own, own.whole.vertices, fitted, size)
    ground = CounterpartSurface(fitted, template.triangles[has_frame(fitted, template.triangles)], size)
    jaw, near, part = _on_jaw(mesh.rig), cKDTree(placed[skin]), _part_of(mesh.rig, skin)
    found = []
    for vertices in _grouped_pieces(mesh, skin, placed, size):
        points, triangles = placed[vertices], _within(mesh.polygons.triangles, vertices, len(placed))
        ball = len(vertices) >= 20 and is_round(points) and fitted_sphere(points)[1] > _BALL * size
        one_piece = len(np.unique(pieces_of(triangles, len(vertices)))) == 1
        if not ball and one_piece and part[vertices].all() and _extent(points) > _WIDE * size:
            found.append(_Piece(vertices, lining=MouthLining(points, triangles, ground, size)))
            continue
        model = _counterpart(points, models, fitted, _LIKE * size)
        far, at = (np.asarray(one) for one in near.query(points))
        rooted = not ball and far.min() < _ROOT * size and far.mean() < _ON_SKIN * size
        roots = skin[at] if model is None and rooted else None
        found.append(_Piece(vertices, model, ball, roots, bool(jaw[vertices].all())))
    return found


def _part_of(rig: Rig, skin: Ints) -> NDArray[np.bool_]:
    """Vertices (v,) of the part that has most of the skin."""
    counts = [int(((skin >= part.start) & (skin < part.stop)).sum()) for part in rig.parts]
    part = rig.parts[int(np.argmax(counts))]
    found = np.zeros(rig.vertex_count, bool)
    found[part.start : part.stop] = True
    return found


def _extent(points: Floats) -> float:
    """The diagonal of the box about points (k, 3)."""
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _within(triangles: Ints, vertices: Ints, count: int) -> Ints:
    """The triangles (t, 3) between some vertices (k,), as rows of these."""
    row = np.full(count, -1)
    row[vertices] = np.arange(len(vertices))
    local = row[triangles]
    return np.asarray(local[(local >= 0).all(axis=1)])


def _grouped_pieces(mesh: FaceMesh, skin: Ints, places: Floats, size: float) -> list[Ints]:
    """Vertices of all that is not skin, in groups of pieces of one part that lie side by side."""
    pieces = pieces_of(mesh.polygons.triangles, len(places))[mesh.twins]
    others = np.flatnonzero(~np.isin(pieces, pieces[skin]))
    if not len(others):
        return []
    part = np.searchsorted([part.stop for part in mesh.rig.parts], others, side="right")
    large = _extents(places, pieces)[pieces[others]] > _WIDE * size  # linings touch teeth, and are not one
    pairs = cKDTree(places[others]).query_pairs(_TOGETHER * size, output_type="ndarray")
    alike = (part[pairs[:, 0]] == part[pairs[:, 1]]) & (large[pairs[:, 0]] == large[pairs[:, 1]])
    pairs = pairs[alike]
    same = np.unique(pieces[others], return_inverse=True)[1]
    # Pieces hang together through the vertex of their first member, neighbours through their own.
    first = np.unique(same, return_index=True)[1][same]
    links = np.concatenate([pairs, np.stack([np.arange(len(others)), first], axis=1)])
    shape = (len(others), len(others))
    graph = sp.csr_array((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=shape)
    group = connected_components(graph, directed=False)[1]
    return [others[group == one] for one in range(int(group.max()) + 1)]


def _extents(places: Floats, pieces: Ints) -> Floats:
    """The diagonal of the box about each piece, for the piece (v,) of each vertex (v, 3)."""
    low, high = (np.full((int(pieces.max()) + 1, 3), sign * np.inf) for sign in (1, -1))
    np.minimum.at(low, pieces, places)
    np.maximum.at(high, pieces, places)
    return np.asarray(np.linalg.norm(high - low, axis=1))


def _counterpart(points: Floats, models: list[Ints], fitted: Floats, within: float) -> Ints | None:
    """The template's thing that lies where these points do, if any."""
    apart = [float(np.mean(cKDTree(fitted[model]).query(points)[0])) for model in models]
    best = int(np.argmin(apart)) if apart else -1
    return models[best] if apart and apart[best] < within else None


def _on_jaw(rig: Rig) -> NDArray[np.bool_]:
    """Vertices (v,) of parts whose names place them on the jaw."""
    found = np.zeros(rig.vertex_count, bool)
    for part in rig.parts:
        found[part.start : part.stop] = any(word in part.name.lower() for word in _JAW)
    return found
