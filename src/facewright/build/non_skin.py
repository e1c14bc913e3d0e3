"""Pieces of a mesh that are not skin.

Eyes rotate, teeth and tongue move with those of the template, lashes with the skin, and the lining of a mouth, where it
is a piece of its own, with the template's lining.
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

_STIFF = 0.05  # of a piece's motion: if the best rigid motion leaves more than this, the piece bends
# As shares of the template's size:
_TOGETHER = 0.005  # pieces of one part that are nearer than this are one group, as a row of teeth
_LIKE = 0.05  # largest distance of a group from its counterpart in the template
_BALL = 0.02  # smallest radius of an eye
_ROOT = 0.002  # lashes and brows are nearer to the skin than this at one point,
_ON_SKIN = 0.015  # and nearer than this on average
_CHIN = 200  # skin vertices that move what is attached to the jaw
_WIDE = 0.1  # smallest extent of a lining
_JAW = ("lower", "tongue", "jaw", "bottom", "mandib")


@dataclass(frozen=True, eq=False)
class _PieceGroup:
    """A group of pieces that move together."""

    vertices: Ints  # (k,)
    model: Ints | None = None  # (m,) vertices of the template's counterpart
    ball: bool = False
    roots: Ints | None = None  # (k,) the skin vertex that each vertex is attached to
    on_jaw: bool = False
    lining: MouthLining | None = None


class NonSkinPieces:
    """All pieces of a target that are not skin, and what moves them."""

    def __init__(
        self, template: Rig, fitted: Floats, mesh: FaceMesh, placed: Floats, skin: Ints, lying: Floats
    ) -> None:
        """fitted: the template's vertices (u, 3) on the target. placed: the mesh's vertices (v, 3) in the same
        coordinates.
        skin: the mesh's skin vertices (k,). lying: (v,) distance from the skin of what follows it already, else
        infinite; what is nearer to the skin than to its counterpart in the template is left to it.
        """
        self._template, self._fitted, self._placed, self._skin = template, fitted, placed, skin
        self._things = _pieces_to_move(template, fitted, mesh, placed, skin, lying)

    def moved(self, shape: Shape, offsets: Floats, chin: Ints) -> Floats:
        """Offsets (v, 3) of a shape for all vertices, given those of the skin.

        chin: skin vertices (c,) with a counterpart in the template.
        """
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

    def _like(self, thing: _PieceGroup, model: Ints, dense: Floats) -> Floats:
        """Offsets of a group that follows its counterpart: rigidly if the counterpart moves rigidly, else by nearest
        vertices.
        """
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

    def _with_chin(self, thing: _PieceGroup, offsets: Floats, chin: Ints) -> Floats:
        """Offsets of a group that follows the rigid motion of the nearest moving skin."""
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


def _pieces_to_move(
    template: Rig, fitted: Floats, mesh: FaceMesh, placed: Floats, skin: Ints, lying: Floats
) -> list[_PieceGroup]:
    size, own = template.size, FaceMesh(template, "the template")
    models = _grouped_pieces(own, own.whole.vertices, fitted, size)
    ground = CounterpartSurface(fitted, template.triangles[has_frame(fitted, template.triangles)], size)
    jaw, near, part = _on_jaw(mesh.rig), cKDTree(placed[skin]), _part_of(mesh.rig, skin)
    found = []
    whole = pieces_of(mesh.polygons.triangles, len(placed))[mesh.twins]
    for vertices in _by_model(_grouped_pieces(mesh, skin, placed, size), whole, placed, models, fitted, _LIKE * size):
        points, triangles = placed[vertices], _within(mesh.polygons.triangles, vertices, len(placed))
        ball = len(vertices) >= 20 and is_round(points) and fitted_sphere(points)[1] > _BALL * size
        one_piece = len(np.unique(pieces_of(triangles, len(vertices)))) == 1
        if not ball and one_piece and part[vertices].all() and _extent(points) > _WIDE * size:
            found.append(_PieceGroup(vertices, lining=MouthLining(points, triangles, ground, size)))
            continue
        model, apart = _counterpart(points, models, fitted, _LIKE * size)
        if lying[vertices].mean() < apart:
            continue
        far, at = (np.asarray(one) for one in near.query(points))
        rooted = not ball and far.min() < _ROOT * size and far.mean() < _ON_SKIN * size
        roots = skin[at] if model is None and rooted else None
        found.append(_PieceGroup(vertices, model, ball, roots, bool(jaw[vertices].all())))
    return found


def _by_model(
    groups: list[Ints], pieces: Ints, placed: Floats, models: list[Ints], fitted: Floats, within: float
) -> list[Ints]:
    """The groups, parted where their pieces have different counterparts: teeth of one mesh are upper and lower ones."""
    found = []
    for group in groups:
        each = [group[pieces[group] == piece] for piece in np.unique(pieces[group])]
        which = [_counterpart(placed[one], models, fitted, within)[0] for one in each]
        kinds = {id(model): model for model in which}
        if len(kinds) < 2 or any(model is None for model in which):
            found.append(group)
        else:
            found += [
                np.sort(np.concatenate([one for one, model in zip(each, which, strict=True) if id(model) == kind]))
                for kind in kinds
            ]
    return found


def _part_of(rig: Rig, skin: Ints) -> NDArray[np.bool_]:
    """Vertices (v,) of the part that has most of the skin."""
    counts = [int(((skin >= part.start) & (skin < part.stop)).sum()) for part in rig.parts]
    part = rig.parts[int(np.argmax(counts))]
    found = np.zeros(rig.vertex_count, bool)
    found[part.start : part.stop] = True
    return found


def _extent(points: Floats) -> float:
    """The diagonal of the bounding box of points (k, 3)."""
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _within(triangles: Ints, vertices: Ints, count: int) -> Ints:
    """The triangles (t, 3) between some vertices (k,), as rows of these vertices."""
    row = np.full(count, -1)
    row[vertices] = np.arange(len(vertices))
    local = row[triangles]
    return np.asarray(local[(local >= 0).all(axis=1)])


def _grouped_pieces(mesh: FaceMesh, skin: Ints, places: Floats, size: float) -> list[Ints]:
    """Vertices of all that is not skin, grouped by nearness within each part."""
    pieces = pieces_of(mesh.polygons.triangles, len(places))[mesh.twins]
    others = np.flatnonzero(~np.isin(pieces, pieces[skin]))
    if not len(others):
        return []
    part = np.searchsorted([part.stop for part in mesh.rig.parts], others, side="right")
    large = _extents(places, pieces)[pieces[others]] > _WIDE * size  # linings touch teeth, but do not belong to them
    pairs = cKDTree(places[others]).query_pairs(_TOGETHER * size, output_type="ndarray")
    alike = (part[pairs[:, 0]] == part[pairs[:, 1]]) & (large[pairs[:, 0]] == large[pairs[:, 1]])
    pairs = pairs[alike]
    same = np.unique(pieces[others], return_inverse=True)[1]
    # A piece is linked through its first vertex; near pieces are linked by pairs of near vertices.
    first = np.unique(same, return_index=True)[1][same]
    links = np.concatenate([pairs, np.stack([np.arange(len(others)), first], axis=1)])
    shape = (len(others), len(others))
    graph = sp.csr_array((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=shape)
    group = connected_components(graph, directed=False)[1]
    return [others[group == one] for one in range(int(group.max()) + 1)]


def _extents(places: Floats, pieces: Ints) -> Floats:
    """The diagonal of the bounding box of each piece, for the piece (v,) of each vertex (v, 3)."""
    low, high = (np.full((int(pieces.max()) + 1, 3), sign * np.inf) for sign in (1, -1))
    np.minimum.at(low, pieces, places)
    np.maximum.at(high, pieces, places)
    return np.asarray(np.linalg.norm(high - low, axis=1))


def _counterpart(points: Floats, models: list[Ints], fitted: Floats, within: float) -> tuple[Ints | None, float]:
    """The template's group at the place of these points, if there is one, and how far it is on average."""
    apart = [float(np.mean(cKDTree(fitted[model]).query(points)[0])) for model in models]
    best = int(np.argmin(apart)) if apart else -1
    return (models[best], apart[best]) if apart and apart[best] < within else (None, np.inf)


def _on_jaw(rig: Rig) -> NDArray[np.bool_]:
    """Vertices (v,) of parts whose names place them on the jaw."""
    found = np.zeros(rig.vertex_count, bool)
    for part in rig.parts:
        found[part.start : part.stop] = any(word in part.name.lower() for word in _JAW)
    return found
