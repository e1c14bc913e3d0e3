"""Deformation transfer between faces of one topology (Sumner and Popović 2004), with lids and lips kept closed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.closing import ContactClosing
from facewright.build.contact import Contacts, contacts
from facewright.build.edge_system import EdgeSystem, ShapeSurface
from facewright.build.folds import Folds
from facewright.build.shape_prior import ShapePrior, ShapePriors, carried
from facewright.build.shape_step import Entries
from facewright.build.target import Face, TargetFace, target_face
from facewright.build.unfold import Unfolding
from facewright.errors import BadValue, FacewrightWarning
from facewright.mesh.triangle_frames import has_frame
from facewright.rig.rig import Rig
from facewright.rig.rules import Rule, StaysWithin
from facewright.rig.shape import Shape
from facewright.solve.threads import on_threads


@dataclass(frozen=True, eq=False)
class RemovedFolds:
    """What removed the folds of all shapes."""

    changes: Sequence[Floats]  # (k, 3) of each shape
    stuck: Sequence[Ints]  # (n,) triangles of each shape that are still folded


class DeformationTransfer:
    """A template prepared on a target of its topology: priors, factorised systems and contacts, for any examples."""

    def __init__(self, template: Rig, neutral: Face, *, closing: Mapping[str, str | None] | None = None) -> None:
        if not template.shapes:
            raise BadValue("the template has no shapes to transfer; give a rig, such as facewright.sample()")
        self.template = template
        self.target: TargetFace = target_face(template, neutral)
        rest = self.target.placed
        priors = ShapePriors(template, rest, _usable(template, self.target))
        self.triangles = priors.triangles  # (t, 3)
        self.priors = on_threads(priors, range(len(template.shapes)))
        self.entries = Entries.of(self.priors, len(self.triangles))
        self.system = EdgeSystem(rest, self.triangles)
        self.contacts = {one.shape: _held(one, self.priors[one.shape]) for one in contacts(template, closing)}
        self.surfaces = on_threads(self._surface, range(len(self.priors)))
        self.middles = [self._middles(i, surface) for i, surface in enumerate(self.surfaces)]
        self._folds_of: dict[int, Ints] = {}  # of the template's shapes, as far as they were needed
        last = {i for i, held in self.contacts.items() if held.opener is not None}
        # large shapes come first, so that no thread waits for another one's
        self._by_size = sorted(range(len(self.priors)), key=lambda i: -len(self.priors[i].moved))
        # shapes that close what another one opens come after all others
        self._rounds = [i for i in self._by_size if i not in last], [i for i in self._by_size if i in last]

    @property
    def transferred(self) -> Rig:
        """The template's shapes on the target, without examples; folded only where the template's own shapes are."""
        return self.rig(self._unfolded)

    @cached_property
    def plain(self) -> list[Floats]:
        """Offsets (k, 3) of the moved vertices of each shape, without examples and before folds are removed."""
        return self.offsets(self.entries.wanted, self.middles)

    @cached_property
    def _unfolded(self) -> list[Floats]:
        return self.unfolded(self.plain)[0]

    @cached_property
    def _folds(self) -> tuple[Folds, Folds, Unfolding]:
        """What finds folds on the target and on the template, and what removes them."""
        here = Folds(self.target.placed, self.triangles)
        there = Folds(self.template.neutral, self.triangles)
        return here, there, Unfolding(here, self.system, self.template.size)

    def _own_folds(self, i: int) -> Ints:
        """Triangles (n,) that the template itself folds in a shape, over its opener if it has one."""
        if i not in self._folds_of:
            posed = self.template.neutral.copy()
            for shape in self._with_opener(i):
                posed += self.template.shapes[shape].dense(len(posed))
            self._folds_of[i] = self._folds[1](posed)
        return self._folds_of[i]

    def _with_opener(self, i: int) -> set[int]:
        held = self.contacts.get(i)
        return {i} if held is None or held.opener is None else {i, held.opener}

    def unfolded(
        self, offsets: Sequence[Floats], before: RemovedFolds | None = None, *, thorough: bool = True
    ) -> tuple[list[Floats], RemovedFolds]:
        """Offsets (k, 3) of each shape without the folds that the template does not have, and what was done.

        before: what was done for similar shapes. Its changes are tried first, and what it could not remove is left.
        thorough: as for `Unfolding`.
        """
        found = list(offsets)
        stuck: list[Ints] = [np.zeros(0, np.int64)] * len(found)

        def unfold(i: int) -> None:
            known = None if before is None else (before.changes[i], before.stuck[i])
            change, stuck[i] = self._without_folds(i, found, known, thorough=thorough)
            found[i] = found[i] + change

        for some in self._rounds:
            on_threads(unfold, some)
        changes = [after - given for after, given in zip(found, offsets, strict=True)]
        return found, RemovedFolds(changes, stuck)

    def _without_folds(
        self, i: int, found: Sequence[Floats], before: tuple[Floats, Ints] | None, *, thorough: bool
    ) -> tuple[Floats, Ints]:
        """The change (k, 3) that removes the folds of a shape, and the triangles (n,) that are still folded.

        before: the same for a similar shape.
        """
        (here, _, unfolding), moved = self._folds, self.priors[i].moved
        posed, shapes = self.target.placed.copy(), self._with_opener(i)
        for shape in shapes:
            posed[self.priors[shape].moved] += found[shape]
        touched = np.unique(np.concatenate([self.priors[shape].triangles for shape in shapes]))
        folded = here(posed, touched)
        if not len(folded):
            return np.zeros((len(moved), 3)), folded
        may = own = self._own_folds(i)
        if before is not None:
            tried = posed.copy()
            tried[moved] += before[0]
            left = np.setdiff1d(here(tried, touched), own)
            if np.isin(left, before[1]).all():
                return before[0], left
            may = np.union1d(own, before[1])
        held = self.contacts.get(i)
        apart = None if held is None else held.difference
        change = unfolding(posed, moved, apart, may, folded=folded, thorough=thorough)
        return change[moved], np.setdiff1d(here(posed + change, touched) if change.any() else folded, own)

    def offsets(self, edges: Floats, middles: Sequence[Floats], *, closed: bool = True) -> list[Floats]:
        """Offsets (k, 3) of the moved vertices of each shape, from the edges (e, 6) of all entries and the centres of
        its loose pieces.

        closed: whether what touches in the template touches here.
        """
        found: list[Floats] = [np.zeros((0, 3))] * len(middles)

        def solve(i: int) -> None:
            own = edges.take(self.entries.of_shape[i], axis=0)
            if closed or i not in self.contacts:
                found[i] = self.surfaces[i](own, middles[i], self._gaps(i, found))
            else:
                found[i] = self._open_surfaces[i](own, middles[i])

        for some in self._rounds if closed else [self._by_size]:
            on_threads(solve, some)
        return found

    def closed(self, offsets: Sequence[Floats]) -> list[Floats]:
        """Offsets (k, 3) of each shape, with contacts closed over what their openers are now: `ContactClosing`."""
        found = list(offsets)
        for i in (i for some in self._rounds for i in some if i in self.contacts):
            found[i] = found[i] + self._closings[i](*self._openings(i, found))
        return found

    def closing(self, i: int, offsets: Sequence[Floats]) -> float:
        """The share of its openings that a shape with contacts closes; 1 closes them, more goes past."""
        travelled, needed = self._openings(i, offsets)
        return float((travelled * needed).sum() / max(float((needed**2).sum()), np.finfo(float).tiny))

    def dense(self, offsets: Sequence[Floats], out: Floats | None = None) -> Floats:
        """Offsets (s, v, 3) of all vertices in all shapes; written over an earlier result where one is given."""
        deltas = np.zeros((len(offsets), len(self.target.placed), 3)) if out is None else out

        def keep(i: int) -> None:
            deltas[i, self.priors[i].moved] = offsets[i]

        on_threads(keep, self._by_size)
        return deltas

    def rig(self, offsets: Sequence[Floats]) -> Rig:
        """The target with these shapes; sliders, groups and rules are the template's."""
        back = self.target.offsets_back
        shapes = tuple(
            Shape(shape.name, prior.moved, back(some)).driven_as(shape)
            for shape, prior, some in zip(self.template.shapes, self.priors, offsets, strict=True)
        )
        rules = tuple(_resized(rule, 1 / self.target.to_template.scale) for rule in self.template.rules)
        return replace(self.template, neutral=self.target.neutral, shapes=shapes, uvs=self.target.uvs, rules=rules)

    @cached_property
    def _closings(self) -> dict[int, ContactClosing]:
        size = self.template.size
        return {i: ContactClosing(self.system, one, self.priors[i].moved, size) for i, one in self.contacts.items()}

    @cached_property
    def _open_surfaces(self) -> dict[int, ShapeSurface]:
        """Surfaces of the shapes with contacts that close none of them."""
        return {i: ShapeSurface(self.system, self.priors[i]) for i in self.contacts}

    def _surface(self, i: int) -> ShapeSurface:
        held = self.contacts.get(i)
        return ShapeSurface(self.system, self.priors[i], None if held is None else held.difference)

    def _middles(self, i: int, surface: ShapeSurface) -> Floats:
        shape, rest = self.template.shapes[i], self.target.placed
        loose = (np.flatnonzero(self.system.pieces == piece) for piece in surface.loose)
        return np.array([carried(shape, some, self.template.neutral, rest) for some in loose]).reshape(-1, 3)

    def _gaps(self, i: int, found: Sequence[Floats]) -> Floats | None:
        """The gaps (c, 3) that the offsets of a shape have to close, or None if it has no contacts."""
        return self._openings(i, found)[1] if i in self.contacts else None

    def _openings(self, i: int, found: Sequence[Floats]) -> tuple[Floats, Floats]:
        """How far (c, 3) the contacts of a shape go by its offsets, and how far they have to go to be closed."""
        held, before, moved = self.contacts[i], self.target.placed.copy(), self.priors[i].moved
        if held.opener is not None:
            before[self.priors[held.opener].moved] += found[held.opener]
        travelled = held.difference[:, moved] @ found[i] if len(found[i]) else np.zeros_like(held.gaps)
        return np.asarray(travelled), np.asarray(held.gaps - held.difference @ before)


def _held(one: Contacts, prior: ShapePrior) -> Contacts:
    """The contacts in which the shape moves at least one of the points."""
    kept = np.flatnonzero(abs(one.difference[:, prior.moved]).sum(axis=1) > 0)
    return replace(one, difference=one.difference[kept], gaps=one.gaps[kept])


def _usable(template: Rig, target: TargetFace) -> Ints:
    """Triangles (t, 3) that have an area in the template; warns of those that have none, there or on the target."""
    good = has_frame(template.neutral, template.triangles)
    flat = ~has_frame(target.placed, template.triangles)
    unused = template.vertex_count - len(np.unique(template.triangles))
    remarks = [
        f"{count} {what}"
        for count, what in (
            (int((~good).sum()), "triangles of the template have no area and are left out"),
            (int((flat & good).sum()), "triangles of the target have no area: shapes cannot open them"),
            (unused, "vertices belong to no polygon: they move as the template's do"),
        )
        if count
    ]
    if remarks:
        warnings.warn("; ".join(remarks), FacewrightWarning, stacklevel=4)
    return np.asarray(template.triangles[good])


def _resized(rule: Rule, factor: float) -> Rule:
    return replace(rule, distance=rule.distance * factor) if isinstance(rule, StaysWithin) else rule
