"""A plan to build a rig from example poses: a frozen value with all that a person has decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict, Unpack

from facewright.arrays import Floats
from facewright.build.upright import UpAxis, Uprighting, find_uprighting, turned
from facewright.document import Document, with_materials_of
from facewright.errors import BadValue, UnknownName
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig

# Whose polygons the rig gets where they differ. auto: the neutral's own, the template's for scans.
Mesh = Literal["auto", "own", "template"]
LANDMARKS = 200  # pairs
POSES = 500


@dataclass(frozen=True, eq=False)
class GivenFace:
    """A template or a neutral, as it was given."""

    name: str
    rig: Rig
    source: str = ""  # where it is from, such as a path, for a person
    document: Document | None = None  # of its file: materials, textures and the rest


@dataclass(frozen=True, eq=False)
class GivenPose:
    """An example pose as it was given, and what is known about it."""

    name: str
    face: Rig  # without shapes
    guess: Mapping[str, float] | None = None  # slider values, roughly; None: guessed from how the vertices move
    aligned: bool = False  # turn, move and scale it onto the neutral first
    add_missing: bool = False  # if the rig cannot reach it, add the shape that it lacks


@dataclass(frozen=True)
class Pair:
    """Corresponding points of the template and the neutral."""

    source: int  # vertex of the template
    target: int  # vertex of the neutral
    name: str = ""


@dataclass(frozen=True, eq=False)
class RegisteredTemplate:
    """The template's mesh registered to a neutral of another topology."""

    positions: Floats  # (v, 3)
    matched: Floats  # (v,) from 0 to 1: the confidence that each vertex lies where it belongs
    distances: Floats  # (v,) to the neutral; NaN where it has no counterpart there
    pairs: tuple[Pair, ...]  # that the registration used
    verdict: str
    good: bool
    carried: Rig | None = None  # the neutral with the template's shapes; None: the rig gets the template's mesh


@dataclass(frozen=True, eq=False)
class BuildPlan:
    """Everything that the build depends on."""

    template: GivenFace
    neutral: GivenFace | None = None
    pairs: tuple[Pair, ...] = ()
    proposed: bool = False  # the pairs were found by the program
    registered: RegisteredTemplate | None = None
    mesh: Mesh = "auto"
    poses: tuple[GivenPose, ...] = ()
    trust: float = 0.5  # from 0 (the template) to 1 (the examples)
    prior: Prior | None = None  # which poses are likely, for guesses; None: by the names of the sliders
    upright: Uprighting = field(
        default_factory=Uprighting
    )  # what was done to the neutral and the poses, so that they stand upright

    def same_faces(self, other: BuildPlan) -> bool:
        """Whether template, neutral and registration are the same objects."""
        return self.template is other.template and self.neutral is other.neutral and self.registered is other.registered

    def pose(self, name: str) -> GivenPose:
        for pose in self.poses:
            if pose.name == name:
                return pose
        raise UnknownName("pose", name, (pose.name for pose in self.poses))


def with_template(plan: BuildPlan, template: GivenFace) -> BuildPlan:
    """Replace the template; guesses keep those of their sliders that it has."""
    if not template.rig.shapes:
        raise BadValue(f"{template.name} has no shapes; a template is a rig, such as the embedded head")
    known = set(template.rig.sliders)
    poses = tuple(
        pose if pose.guess is None else replace(pose, guess={k: v for k, v in pose.guess.items() if k in known} or None)
        for pose in plan.poses
    )
    prior = plan.prior if plan.prior is not None and plan.prior.knows(template.rig) else None
    return replace(plan, template=template, poses=poses, pairs=(), proposed=False, registered=None, prior=prior)


def with_neutral(plan: BuildPlan, neutral: GivenFace | None, upright: Uprighting | None = None) -> BuildPlan:
    """Replace the neutral; poses stay.

    upright: what lays the neutral upright. Poses are turned with it, and turned back when it goes.
    """
    found = upright or Uprighting()
    face = None if neutral is None else _turned_face(neutral, found.turn)
    poses = _turned_poses(plan.poses, found.turn @ plan.upright.turn.T)
    return replace(plan, neutral=face, poses=poses, upright=found, pairs=(), proposed=False, registered=None)


def lay_upright(plan: BuildPlan, up: UpAxis) -> BuildPlan:
    """Lay the neutral and the poses as an axis of their files says, or (auto) as the landmarks do.

    Pairs stay; the template has to be registered again.
    """
    if plan.neutral is None:
        raise BadValue("load a neutral face first; it says how the poses lie")
    as_given = _turned_face(plan.neutral, plan.upright.turn.T)
    found = find_uprighting(plan.template.rig, as_given.rig, up)
    laid = with_neutral(plan, as_given, found)
    return replace(laid, pairs=plan.pairs, proposed=plan.proposed)


def _turned_face(face: GivenFace, turn: Floats) -> GivenFace:
    rig = turned(face.rig, turn)
    if rig is face.rig:
        return face
    return replace(face, rig=rig, document=None if face.document is None else with_materials_of(rig, face.document))


def _turned_poses(poses: Iterable[GivenPose], turn: Floats) -> tuple[GivenPose, ...]:
    found = ((pose, turned(pose.face, turn)) for pose in poses)
    return tuple(pose if face is pose.face else replace(pose, face=face) for pose, face in found)


def with_poses(plan: BuildPlan, poses: Iterable[GivenPose]) -> BuildPlan:
    """Add example poses, turned as the neutral was; one whose name is taken gets a number."""
    found = list(plan.poses)
    for pose in _turned_poses(poses, plan.upright.turn):
        taken = {other.name for other in found}
        names = (pose.name, *(f"{pose.name} {number}" for number in range(2, len(taken) + 3)))
        found.append(replace(pose, name=next(name for name in names if name not in taken)))
    if len(found) > POSES:
        raise BadValue(f"there may be {POSES} poses, not {len(found)}")
    return replace(plan, poses=tuple(found))


def without_poses(plan: BuildPlan, names: Iterable[str]) -> BuildPlan:
    gone = {plan.pose(name).name for name in names}
    return replace(plan, poses=tuple(pose for pose in plan.poses if pose.name not in gone))


class PoseChanges(TypedDict, total=False):
    """Fields of a pose that can be changed."""

    guess: Mapping[str, float] | None
    aligned: bool
    add_missing: bool


def change_pose(plan: BuildPlan, name: str, **changes: Unpack[PoseChanges]) -> BuildPlan:
    """Replace fields of one pose."""
    old = plan.pose(name)
    new = replace(old, **changes)
    return replace(plan, poses=tuple(new if pose is old else pose for pose in plan.poses))


def guess_pose(plan: BuildPlan, name: str, weights: Mapping[str, float | None] | None) -> BuildPlan:
    """Change the guess of a pose: a slider at None is left out of it, sliders not named keep their value.

    weights: None to guess the pose from how its vertices move.
    """
    if weights is None:
        return change_pose(plan, name, guess=None)
    rig = plan.template.rig
    for slider, value in weights.items():
        low, high = rig.bounds[rig.slider_index(slider)]
        if value is not None and not low - 1e-9 <= value <= high + 1e-9:
            raise BadValue(f"{slider} goes from {low:g} to {high:g}, not to {value:g}")
    guess = {**(plan.pose(name).guess or {}), **weights}
    return change_pose(plan, name, guess={slider: value for slider, value in guess.items() if value is not None})


def guessing_by(plan: BuildPlan, prior: Prior | None) -> BuildPlan:
    """Guess poses by what was learned, or by the names of the sliders; guesses that were made stay."""
    if prior is not None:
        prior.on(plan.template.rig)  # raises where it knows none of the template's sliders
        if not prior.learned:
            raise BadValue("this prior was not learned from poses, or has no strength, so that it finds no weights")
    return plan if prior is plan.prior else replace(plan, prior=prior)


def guess_anew(plan: BuildPlan) -> BuildPlan:
    """Let all poses be guessed by what their faces do."""
    if not plan.poses:
        raise BadValue("there are no poses whose weights could be guessed; add some first")
    return replace(plan, poses=tuple(replace(pose, guess=None) for pose in plan.poses))


def trusting(plan: BuildPlan, trust: float) -> BuildPlan:
    if not 0 <= trust <= 1:
        raise BadValue(f"trust goes from 0, the template, to 1, the examples, not to {trust:g}")
    return replace(plan, trust=trust)


def with_pairs(plan: BuildPlan, pairs: Iterable[Pair], *, proposed: bool = False) -> BuildPlan:
    """Replace the pairs; the registration stays until it is made anew."""
    found = tuple(pairs)
    if plan.neutral is None:
        raise BadValue("load a neutral face first; pairs are between it and the template")
    if len(found) > LANDMARKS:
        raise BadValue(f"there may be {LANDMARKS} pairs, not {len(found)}")
    for pair in found:
        for vertex, rig in ((pair.source, plan.template.rig), (pair.target, plan.neutral.rig)):
            if not 0 <= vertex < rig.vertex_count:
                raise BadValue(f"there is no vertex {vertex}; there are {rig.vertex_count:,}")
    return replace(plan, pairs=found, proposed=proposed)


def on_mesh(plan: BuildPlan, mesh: Mesh) -> BuildPlan:
    """Choose whose polygons the rig gets; the registration stays until it is made anew."""
    return replace(plan, mesh=mesh)


def with_registered(plan: BuildPlan, registered: RegisteredTemplate | None) -> BuildPlan:
    return replace(plan, registered=registered)


def with_neutral_materials(plan: BuildPlan, rig: Rig) -> Document:
    """A rig of a plan as a document, with the materials of the neutral's file."""
    if plan.neutral is None or plan.neutral.document is None:
        return Document(rig)
    return with_materials_of(rig, plan.neutral.document)
