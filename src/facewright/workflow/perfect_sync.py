"""The 52 expressions of ARKit on any avatar ("perfect sync"): shapes by transfer, and an expression for each."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.attached_pieces import AttachedPieces, WithParts
from facewright.build.cross_topology import transfer_shapes
from facewright.build.laid_over import laid_over
from facewright.build.likeness_pairs import likeness_pairs
from facewright.build.register import register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmark_pairs import LandmarkEnd, LandmarkPairs, Landmarks, landmark_pairs
from facewright.build.registration.nonrigid import RegistrationListener
from facewright.document import Document
from facewright.errors import BadValue, FacewrightWarning
from facewright.options import suggests_options
from facewright.rig.edit.parts import extract_vertices
from facewright.rig.edit.shapes import add_shape
from facewright.rig.evaluate import evaluate
from facewright.rig.expression import Expression, ExpressionBind, pose_of_expressions
from facewright.rig.name_tables import ARKIT
from facewright.rig.names import match_names
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples import sample
from facewright.workflow.edited_rig import with_edited_rig

if TYPE_CHECKING:
    from facewright.formats.file_joints import FileJoints

_HEAD = 0.5  # share of the head's joint in a vertex that belongs to the head
_STILL = 1e-5  # of the head's size: a shape that moves nothing further is as good as empty
_PEAK = 0.7  # of a blink's largest motion: vertices that move at least as far are where the eye is
_POINTED = 0.12  # of the head's size: their mean distance from their centre, at most
_BLINKS = {"eyeBlinkLeft": "blinkLeft", "eyeBlinkRight": "blinkRight"}  # presets that an artist made for the same


@dataclass(frozen=True, eq=False)
class Addition:
    """What an avatar is given."""

    joined: tuple[int, ...]  # nodes of its file whose meshes, such as lashes and brows, become parts of the face
    shapes: tuple[Shape, ...]  # of these and the face; one that it has already gains what it moves of these
    expressions: tuple[Expression, ...]

    def onto(self, document: Document) -> Document:
        """The document with all that it does not have yet."""
        from facewright.formats.joined_parts import with_joined  # loads what reads glTF, which few need

        whole, before = with_joined(document, self.joined), document.rig.vertex_count
        rig = whole.rig
        if any(shape.vertices.max(initial=-1) >= rig.vertex_count for shape in self.shapes):
            raise BadValue("the face has other vertices now; make the expressions once more")
        for shape in self.shapes:
            if shape.name in rig.shape_names:
                rig = _with_rows(rig, shape, before)
            elif shape.name not in rig.sliders:
                rig = add_shape(rig, shape)
        there = {one.name for one in document.expressions}
        new = (one for one in self.expressions if one.name not in there)
        return replace(with_edited_rig(whole, rig), expressions=(*document.expressions, *new))


def _with_rows(rig: Rig, shape: Shape, first: int) -> Rig:
    """The rig with what a shape moves from a vertex on."""
    old, new = rig.shape(shape.name), shape.vertices >= first
    both = replace(
        old,
        vertices=np.concatenate([old.vertices, shape.vertices[new]]),
        offsets=np.concatenate([old.offsets, shape.offsets[new]]),
    )
    return replace(rig, shapes=tuple(both if one is old else one for one in rig.shapes))


@dataclass(frozen=True, eq=False)
class PerfectSync:
    """An avatar with the expressions of ARKit, and how it came to them."""

    document: Document
    added: Addition
    made: tuple[str, ...]  # shapes that were transferred
    own: tuple[str, ...]  # of ARKit's names, those that the avatar had shapes or expressions for
    still: tuple[str, ...]  # transferred ones that move next to nothing on this head
    words: str  # how the template was laid onto the head; "" where nothing was transferred

    def __str__(self) -> str:
        said = [f"{len(self.made)} shapes of ARKit were made, {len(self.own)} were there"]
        said += [self.words] if self.words else []
        parts = [part.name for part in self.document.rig.parts[-len(self.added.joined) :]] if self.added.joined else []
        said += [f"meshes that had no shapes follow the face now: {', '.join(parts)}"] if parts else []
        said += [f"next to nothing moves in {', '.join(self.still)}"] if self.still else []
        return "; ".join(said)


@suggests_options
def perfect_sync(
    document: Document,
    *,
    template: Rig | None = None,
    landmarks: Landmarks | None = None,
    progress: RegistrationListener | None = None,
) -> PerfectSync:
    """Give an avatar the 52 shapes of ARKit, and an expression named like each (`BrowInnerUp`) that drives it.

    What it has already stays: shapes that mean the same by their names, and the blinks of its own expressions. Others
    are transferred from a template, by default the embedded head, to the vertices that follow the joint of the head;
    eyes that have joints of their own are left to these.
    landmarks: pairs of vertices of the template and of the avatar; by default they are found from open eyes and mouth,
    or from the eyes (joints, balls, blinks) and the form of the head. A head that is not like the template gets rough
    shapes, by its size alone.
    """
    given = sample() if template is None else template
    names = {name: own for name, own in match_names(ARKIT, given.shape_names).pairs.items() if name in ARKIT}
    own = _own_binds(document)
    wanted = [name for name in ARKIT if name in names and name not in own]
    head = _Head(document)
    rows: dict[str, Floats] = {}  # (v, 3), with those of the meshes that may be joined
    words, still = "", []
    if wanted:
        offsets, words = head.transferred(_only(given, [names[name] for name in wanted]), landmarks, progress)
        rows = {name: head.spread(offsets[names[name]], is_gaze=name.startswith("eyeLook")) for name in wanted}
        least = _STILL * head.rig.size
        still = [name for name, dense in rows.items() if np.linalg.norm(dense, axis=1).max() < least]
    rows |= head.followed()
    joined, kept = head.joined(rows)
    binds = own | {name: (ExpressionBind(name, 1.0),) for name in wanted}
    taken = {one.name.lower() for one in document.expressions}
    new = [Expression(_title(name), binds[name]) for name in ARKIT if name in binds and name.lower() not in taken]
    found = Addition(joined, tuple(Shape.from_dense(name, dense[kept]) for name, dense in rows.items()), tuple(new))
    there = tuple(name for name in ARKIT if name in own)
    return PerfectSync(found.onto(document), found, tuple(wanted), there, tuple(still), words)


def _title(name: str) -> str:
    """As programs for perfect sync spell it: BrowInnerUp."""
    return name[0].upper() + name[1:]


def _own_binds(document: Document) -> dict[str, tuple[ExpressionBind, ...]]:
    """What an avatar has for names of ARKit: shapes by their names, and blinks by its expressions."""
    pairs = match_names(ARKIT, document.rig.shape_names).pairs
    found: dict[str, tuple[ExpressionBind, ...]] = {
        name: (ExpressionBind(shape, 1.0),) for name, shape in pairs.items()
    }
    blinks = {one.preset: one.binds for one in document.expressions if one.binds}
    moving = {shape.name for shape in document.rig.shapes if np.abs(shape.offsets).max(initial=0.0) > 0}
    for name, preset in _BLINKS.items():
        if name not in found and any(bind.shape in moving for bind in blinks.get(preset, ())):
            found[name] = blinks[preset]
    return found


def _only(rig: Rig, names: list[str]) -> Rig:
    """A rig with some of its shapes, and those that they are closed over."""
    kept = [shape for shape in rig.shapes if shape.name in {*names, "jawOpen"} and len(shape.sliders) == 1]
    return Rig(rig.neutral, rig.polygons, [Shape(one.name, one.vertices, one.offsets) for one in kept], parts=rig.parts)


def _bare(rig: Rig) -> Rig:
    return Rig(rig.neutral, rig.polygons, parts=rig.parts)


def _eyes_of(joints: FileJoints) -> tuple[Floats, Floats] | None:
    """Where the joints of the eyes are, left and right."""
    names = [joints.roles.get(role, "") for role in ("leftEye", "rightEye")]
    places = joints.places(names)
    return (places[names[0]], places[names[1]]) if len(places) == len(set(names)) == 2 else None


class _Head:
    """The vertices of an avatar that follow its head: those of the face, then those of meshes without shapes."""

    def __init__(self, document: Document) -> None:
        from facewright.formats.file_joints import file_joints  # loads what reads glTF, which few need
        from facewright.formats.joined_parts import joinable_meshes, with_joined

        self._nodes = joinable_meshes(document)
        whole = with_joined(document, self._nodes)
        if whole is document:
            self._nodes = ()
        self._document, joints = whole, file_joints(whole)
        self._face, count = document.rig.vertex_count, whole.rig.vertex_count
        shares = self._shares(joints, "head")
        self._share = np.ones(count) if shares is None else np.clip(shares, 0.0, 1.0)
        chosen = np.flatnonzero(self._share > _HEAD)
        self.vertices: Ints = chosen[chosen < self._face]
        self._others: Ints = chosen[chosen >= self._face]
        if shares is None or not len(self.vertices):  # the joint that is called head moves something else
            self._share = np.ones(count)
            self.vertices, self._others = np.arange(self._face), chosen[:0]
        eyes = self._shares(joints, "leftEye", "rightEye")
        self._eye_places = None if joints is None else _eyes_of(joints)
        self._eyes = np.zeros(count, bool) if eyes is None else eyes > _HEAD
        self.rig = extract_vertices(document.rig, self.vertices)
        self._parts = _bare(extract_vertices(whole.rig, self._others)) if len(self._others) else None

    def _shares(self, joints: FileJoints | None, *roles: str) -> Floats | None:
        found = None if joints is None else joints.shares(*roles)  # type: ignore[arg-type]
        return found if found is not None and len(found) == self._document.rig.vertex_count else None

    def transferred(
        self, template: Rig, landmarks: Landmarks | None, progress: RegistrationListener | None
    ) -> tuple[Mapping[str, Floats], str]:
        """Offsets (k, 3) of the head's vertices by shape, and in words how the template was laid onto it."""
        bare = _bare(self.rig)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FacewrightWarning)  # of triangles without an area
            pairs = self._found(template, bare) if landmarks is None else self._given(landmarks)
            why = "nothing shows where its eyes and mouth are"
            if pairs is not None:
                try:
                    found = register(template, bare, pairs, progress=progress).require()
                    made = transfer_shapes(found, parts=self._parts)
                    return {one.name: one.dense(made.vertex_count) for one in made.shapes}, found.pairs.origin
                except BadValue as problem:
                    if landmarks is not None:
                        raise
                    why = str(problem)
            words = f"the template was laid over the head by its size alone, which is rough, since {why}"
            laid = {name: self._attached(dense) for name, dense in laid_over(template, bare).items()}
            return laid, f"{words}; pairs of landmarks would help"

    def followed(self) -> dict[str, Floats]:
        """Offsets (v, 3) by shape of what lies on the skin, for the shapes that the face has."""
        if self._parts is None:
            return {}
        found = {}
        for shape in self.rig.shapes:
            dense = np.zeros((self._document.rig.vertex_count, 3))
            moved = self._attached(shape.dense(len(self.vertices)))[len(self.vertices) :]
            if moved.any():
                dense[self._others] = moved * self._share[self._others, None]
                found[shape.name] = dense
        return found

    def joined(self, rows: Mapping[str, Floats]) -> tuple[tuple[int, ...], Ints]:
        """The nodes whose meshes some shape moves, and the vertices (k,) of the face and of these."""
        furthest = np.zeros(self._document.rig.vertex_count)
        for dense in rows.values():
            furthest = np.maximum(furthest, np.linalg.norm(dense, axis=1))
        nodes, kept = [], [np.arange(self._face)]
        for node, part in zip(self._nodes, self._document.rig.parts[-len(self._nodes) :], strict=False):
            own = np.arange(part.start, part.stop)
            if furthest[own].max(initial=0.0) > _STILL * self.rig.size:
                nodes.append(node)
                kept.append(own)
        return tuple(nodes), np.concatenate(kept)

    def spread(self, offsets: Floats, *, is_gaze: bool) -> Floats:
        """Offsets (v, 3) of all vertices, which fade as the head's share does."""
        dense = np.zeros((self._document.rig.vertex_count, 3))
        chosen = np.concatenate([self.vertices, self._others])
        dense[chosen] = offsets * self._share[chosen, None]
        if is_gaze:
            dense[self._eyes] = 0.0
        return dense

    def _attached(self, offsets: Floats) -> Floats:
        """Offsets (k, 3) of the head's vertices with those of what lies on its skin."""
        if self._parts is None:
            return offsets
        return self._pieces.moved(np.concatenate([offsets, np.zeros((len(self._others), 3))]))

    @cached_property
    def _pieces(self) -> AttachedPieces:
        assert self._parts is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FacewrightWarning)  # of triangles without an area
            face = FaceMesh(_bare(self.rig), "the head")
            whole = WithParts(face, self._parts)
            return AttachedPieces(whole, whole.rig.neutral, face.whole, self.rig.size, len(self.vertices))

    def _found(self, template: Rig, bare: Rig) -> LandmarkPairs | None:
        """Landmarks from open eyes and mouth, or from where the eyes are and the form of the head."""
        ours, theirs = FaceMesh(template, "the template"), FaceMesh(bare, "the head")
        try:
            return landmark_pairs(ours, theirs, None)
        except BadValue:
            return likeness_pairs(ours, theirs, self._eye_places or self._blinking())

    def _blinking(self) -> tuple[Floats, Floats] | None:
        """Where the avatar's own blinks move it most, left and right; None where they do not show the eyes."""
        rig, places = self._document.rig, {}
        for one in self._document.expressions:
            if one.preset in _BLINKS.values():
                pose = pose_of_expressions(rig, [replace(one, preset="", is_binary=False)], {one.name: 1.0})
                far = np.linalg.norm((evaluate(rig, pose) - rig.neutral)[self.vertices], axis=1)
                if far.max() <= _STILL * self.rig.size:
                    continue
                most = self.rig.neutral[far >= _PEAK * far.max()]
                middle = most.mean(axis=0)
                if np.linalg.norm(most - middle, axis=1).mean() < _POINTED * self.rig.size:
                    places[one.preset] = middle
        return (places["blinkLeft"], places["blinkRight"]) if len(places) == 2 else None

    def _given(self, landmarks: Landmarks) -> Landmarks:
        """Pairs by the numbers that vertices have in the head alone."""
        row = {int(vertex): number for number, vertex in enumerate(self.vertices)}
        listed = list(landmarks.items()) if isinstance(landmarks, Mapping) else [tuple(pair) for pair in landmarks]
        found: list[tuple[LandmarkEnd, ...]] = []
        for pair in listed:
            end = pair[-1]
            if isinstance(end, int) and end not in row:
                raise BadValue(f"vertex {end} of the avatar does not follow its head; pairs are of vertices that do")
            found.append((*pair[:-1], row[end] if isinstance(end, int) else end))
        return found
