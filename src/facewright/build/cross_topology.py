"""Transfer of a template's shapes to a mesh of another topology, by a registration of the template's neutral onto it.

Every triangle of the mesh takes the change of gradient of the template at the corresponding place; vertices follow by
least squares, as in deformation transfer. Triangles without a counterpart in the template (inside of the mouth, back of
the head) take the change of their neighbours, which fades with the distance. Contacts of the template are kept between
the corresponding places of the mesh. Triangles that are folded by this are unfolded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from facewright.arrays import Floats, Ints
from facewright.build.attached_pieces import AttachedPieces, WithParts
from facewright.build.contact import Contacts, contacts
from facewright.build.counterparts import CounterpartSurface
from facewright.build.edge_system import SOFTLY_CLOSED, EdgeSystem, ShapeSurface
from facewright.build.folds import Folds
from facewright.build.non_skin import NonSkinPieces
from facewright.build.register import Registration
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.skin import Skin, pieces_of
from facewright.build.shape_prior import STILL, ShapePrior, among, firmness
from facewright.build.unfold import Unfolding
from facewright.mesh.align import align
from facewright.mesh.triangle_frames import edge_pairs, gradients, has_frame
from facewright.rig.rig import Rig
from facewright.rig.rules import Rule, StaysWithin
from facewright.rig.shape import Shape
from facewright.solve.sparse import SparseSolver

_FADE = 0.15  # of the size: how far the motion of the template is continued beyond its border
_TOUCHING = 0.003  # of the size: a contact is kept where the target is this near to the template
_SEEN = 0.3  # share of its vertices: a piece of which fewer are visible is not skin
_LEAK = 0.02  # share of a change that is lost from triangle to triangle without a counterpart


def transfer_shapes(
    registration: Registration, *, closing: Mapping[str, str | None] | None = None, parts: Rig | None = None
) -> Rig:
    """The shapes of a registration's source on its target, which keeps its own vertices and polygons.

    closing: as for `transfer`. parts: what belongs to the target without being skin, such as lashes or teeth; its parts
    and vertices follow those of the target.
    """
    return _Transfer(registration, closing, parts).rig()


class _Transfer:
    def __init__(self, registration: Registration, closing: Mapping[str, str | None] | None, parts: Rig | None) -> None:
        self.template, self.mesh = registration.source, FaceMesh(registration.target, "the target")
        self.whole = self.mesh if parts is None else WithParts(self.mesh, parts)
        self.to_template = align(registration.fitted, self.template.neutral, scaled=True)
        self.fitted = self.to_template(registration.fitted)
        self.placed = self.to_template(self.whole.rig.neutral)
        self.size = self.template.size
        self.skin = _outer_skin(self.mesh)
        self.rest = self.placed[self.skin.vertices]
        self.usable = self.template.triangles[has_frame(self.template.neutral, self.template.triangles)]
        self.system = EdgeSystem(self.rest, self.skin.triangles)
        self.unfolding = Unfolding(Folds(self.rest, self.skin.triangles), self.system, self.size)
        self.closing = {one.shape: one for one in contacts(self.template, closing)}
        self.attached = AttachedPieces(self.whole, self.placed, self.skin, self.size, registration.target.vertex_count)
        self.apart = NonSkinPieces(
            self.template, self.fitted, self.whole, self.placed, self.skin.vertices, self.attached.far
        )

    def rig(self) -> Rig:
        """The target with the template's shapes."""
        template, target = self.template, self.whole.rig
        order = sorted(range(len(template.shapes)), key=lambda i: self._opener(i) is not None)
        found: list[Floats] = [np.zeros((0, 3))] * len(order)
        for i in order:
            opener = self._opener(i)
            found[i] = self._offsets(template.shapes[i], i, None if opener is None else found[opener])
        back = self.to_template.rotation / self.to_template.scale
        shapes = tuple(
            Shape.from_dense(shape.name, offsets @ back).driven_as(shape)
            for shape, offsets in zip(template.shapes, found, strict=True)
        )
        rules = tuple(self._rule(rule) for rule in template.rules)
        return replace(
            template,
            neutral=target.neutral,
            polygons=target.polygons,
            shapes=shapes,
            parts=target.parts,
            uvs=target.uvs,
            rules=tuple(rule for rule in rules if len(rule.vertices)),
        )

    def _opener(self, i: int) -> int | None:
        held = self.closing.get(i)
        return None if held is None else held.opener

    def _offsets(self, shape: Shape, i: int, opened: Floats | None) -> Floats:
        """Offsets (v, 3) of all vertices of the target, in the template's coordinates."""
        offsets = np.zeros_like(self.placed)
        prior = self._prior(shape)
        held = self._held(self.closing.get(i), prior)
        if len(prior.moved):
            surface = ShapeSurface(self.system, prior, None if held is None else held.difference, closed=SOFTLY_CLOSED)
            middles = np.zeros((len(surface.loose), 3))
            for row, piece in zip(middles, surface.loose, strict=True):
                row[:] = self._carried(shape, self.system.pieces == piece)
            gaps = None if held is None else held.gaps - held.difference @ self._before(opened)
            offsets[self.skin.vertices[prior.moved]] = surface(prior.edges, middles, gaps)
            posed = self._before(opened) + offsets[self.skin.vertices]
            apart = None if held is None else held.difference
            offsets[self.skin.vertices] += self.unfolding(posed, prior.moved, apart)
        offsets = self.attached.moved(offsets[self.whole.twins])
        return self.apart.moved(shape, offsets, self.skin.vertices[~self._unknown])

    def _before(self, opened: Floats | None) -> Floats:
        """Positions (k, 3) of the skin before a closing shape is added."""
        return self.rest if opened is None else np.asarray(self.rest + opened[self.skin.vertices])

    def _prior(self, shape: Shape) -> ShapePrior:
        """The prior of a shape on the target's skin, taken from the template."""
        template = self.template.neutral
        change = gradients(template, template + shape.dense(len(template)), self.usable) - np.eye(3)
        change[np.abs(change).max(axis=(1, 2)) < 1e-9] = 0.0
        wanted = self._filled(self._sampling @ change.reshape(-1, 9)).reshape(-1, 3, 3)
        moved = self._moved(shape)
        is_moved = np.zeros(len(self.rest), bool)
        is_moved[moved] = True
        at = np.flatnonzero(is_moved[self.skin.triangles].any(axis=1))
        corners, change = self.skin.triangles[at], wanted[at]
        edges = edge_pairs(self.rest, corners) @ change.swapaxes(1, 2)
        corners = among(moved, corners, len(self.rest))
        return ShapePrior(moved, at, corners, change, edges, firmness(np.linalg.norm(change, axis=(1, 2))))

    def _moved(self, shape: Shape) -> Ints:
        """Vertices (k,) of the skin that a shape moves: those whose counterparts move, and some beyond the template's
        border.
        """
        lengths = np.linalg.norm(shape.offsets, axis=1)
        moving = np.zeros(len(self.template.neutral))
        moving[shape.vertices[lengths > STILL * self.size]] = 1.0
        here = (self._vertices @ moving) > 0
        if here.any() and self._unknown.any():
            far = dijkstra(self._beyond, indices=np.flatnonzero(here), min_only=True, limit=_FADE * self.size)
            here |= self._unknown & np.isfinite(far)
        return np.flatnonzero(here)

    def _filled(self, changes: Floats) -> Floats:
        """Changes (t, 9) of all triangles; those without a counterpart are filled from their neighbours."""
        unknown, solver, coupling = self._filling
        if len(unknown):
            changes[unknown] = solver.solve(coupling @ changes) if solver is not None else 0.0
        return changes

    def _carried(self, shape: Shape, members: NDArray[np.bool_]) -> Floats:
        """How far (3,) the centre of a loose piece moves."""
        rows = self._vertices[np.flatnonzero(members)]
        return np.asarray((rows @ shape.dense(len(self.template.neutral))).sum(axis=0) / max(rows.sum(), 1e-300))

    def _held(self, one: Contacts | None, prior: ShapePrior) -> Contacts | None:
        """The template's contacts between the corresponding places of the target."""
        if one is None:
            return None
        touching = np.unique(one.difference.indices)
        known = self._back.sum(axis=1) > 0.5
        lost = abs(one.difference[:, touching[~known[touching]]]).sum(axis=1) > 0
        difference = sp.csr_array(one.difference @ self._back)
        moving = abs(difference[:, prior.moved]).sum(axis=1) > 0
        kept = np.flatnonzero(~lost & moving)
        return replace(one, difference=difference[kept], gaps=one.gaps[kept]) if len(kept) else None

    def _rule(self, rule: Rule) -> Rule:
        """A rule of the template for the corresponding vertices of the target."""
        marked = np.zeros(len(self.template.neutral))
        marked[rule.vertices] = 1.0
        vertices = self.skin.vertices[np.flatnonzero(self._vertices @ marked > 0.5)]
        if isinstance(rule, StaysWithin):
            return replace(rule, vertices=vertices, distance=rule.distance / self.to_template.scale)
        return replace(rule, vertices=vertices)

    @cached_property
    def _rows(self) -> Ints:
        """Usable triangles (n,) of the template's skin."""
        inside = np.zeros(len(self.fitted), bool)
        inside[FaceMesh(self.template, "the template").whole.vertices] = True
        return np.flatnonzero(inside[self.usable].all(axis=1))

    @cached_property
    def _ground(self) -> CounterpartSurface:
        """The skin of the fitted template."""
        return CounterpartSurface(self.fitted, self.usable[self._rows], self.size)

    @cached_property
    def _sampling(self) -> sp.csr_array:
        """A matrix (t, u) from the changes of the template's usable triangles to those of the target's triangles."""
        t, weights, rows, columns = len(self.skin.triangles), [], [], []
        for some in self._ground.of_triangles(self.rest, self.skin.triangles):
            at = np.flatnonzero(some.found)
            rows.append(at)
            columns.append(self._rows[some.triangles[at]])
            weights.append(np.ones(len(at)))
        pairs = (np.concatenate(rows), np.concatenate(columns))
        found = sp.csr_array((np.concatenate(weights), pairs), shape=(t, len(self.usable)))
        return sp.csr_array(sp.diags_array(1 / np.maximum(found.sum(axis=1), 1.0)) @ found)

    @cached_property
    def _vertices(self) -> sp.csr_array:
        """A matrix (k, v) from the template's vertices to the skin's; rows of vertices without a
        counterpart are empty.
        """
        ground = self._ground
        found = ground.of_vertices(self.rest, self.skin.triangles)
        return found.rows(ground.triangles, len(self.fitted))

    @cached_property
    def _back(self) -> sp.csr_array:
        """A matrix (v, k) from the skin's vertices to the template's."""
        ground = CounterpartSurface(self.rest, self.skin.triangles, self.size)
        found = ground.of_vertices(self.fitted, self.template.triangles, far=_TOUCHING)
        return found.rows(self.skin.triangles, len(self.rest))

    @cached_property
    def _unknown(self) -> NDArray[np.bool_]:
        """Vertices (k,) of the skin without a counterpart."""
        return np.asarray(self._vertices.sum(axis=1) < 0.5)

    @cached_property
    def _beyond(self) -> sp.csr_array:
        """Lengths of edges (k, k) that lead to a vertex without a counterpart."""
        graph = self.skin.graph(self.rest).tocoo()
        into = self._unknown[graph.coords[1]]
        pairs = (graph.coords[0][into], graph.coords[1][into])
        return sp.csr_array((graph.data[into], pairs), shape=graph.shape)

    @cached_property
    def _filling(self) -> tuple[Ints, SparseSolver | None, sp.csr_array]:
        """Triangles (n,) without a counterpart, the system that fills them, and the matrix (n, t) that couples them to
        the others.
        """
        unknown = np.flatnonzero(self._sampling.sum(axis=1) < 0.5)
        beside = _beside(self.skin.triangles)[unknown]
        total = np.maximum(beside.sum(axis=1), 1.0)
        known = np.setdiff1d(np.arange(len(self.skin.triangles)), unknown)
        inner = sp.diags_array((1 + _LEAK) * total) - beside[:, unknown]
        coupling = sp.csr_array(beside @ sp.diags_array(np.isin(np.arange(beside.shape[1]), known).astype(np.float64)))
        return unknown, SparseSolver(inner) if len(unknown) else None, coupling


def _outer_skin(mesh: FaceMesh) -> Skin:
    """The skin without its invisible pieces, which are linings."""
    whole, seen = mesh.whole, np.isin(mesh.whole.vertices, mesh.visible.vertices)
    pieces = pieces_of(whole.triangles, len(whole.vertices))
    shown = np.bincount(pieces, seen) > _SEEN * np.bincount(pieces)
    return whole if shown.all() or not shown.any() else whole.some(shown[pieces])


def _beside(triangles: Ints) -> sp.csr_array:
    """A matrix (t, t) with ones for triangles that share an edge."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, number = np.unique(edges, axis=0, return_inverse=True)
    owner = np.repeat(np.arange(len(triangles)), 3)
    incidence = sp.csr_array((np.ones(len(owner)), (owner, number.ravel())), shape=(len(triangles), number.max() + 1))
    shared = sp.csr_array(incidence @ incidence.T)
    shared.setdiag(0)
    shared.eliminate_zeros()
    return shared
