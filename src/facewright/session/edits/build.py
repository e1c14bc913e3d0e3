"""Decisions about a rig that is built from examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from facewright.build.upright import UpAxis, Uprighting, find_uprighting
from facewright.document import Document, with_materials_of
from facewright.errors import BadFile, BadValue
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.session.context import Context
from facewright.session.edits.edit import PlanEdit
from facewright.session.fields import Index, Label, Name, Number, some
from facewright.session.files import Arrival, role
from facewright.workflow.build import plan as plans
from facewright.workflow.build.names import guess_by_name
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, RegisteredTemplate


def fresh_plan() -> BuildPlan:
    """A plan with nothing but the embedded head as template."""
    return BuildPlan(GivenFace("embedded head", sample(), "sample"))


class ChooseTemplate(PlanEdit, frozen=True, kw_only=True):
    """The rig whose shapes to make: the embedded head, or the face that is open."""

    source: Literal["sample", "open"]

    @property
    def label(self) -> str:
        return f"Template: {'embedded head' if self.source == 'sample' else 'open face'}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        if self.source == "sample":
            return plans.with_template(plan, fresh_plan().template)
        return plans.with_template(plan, GivenFace(context.name, context.document.value.rig, "open"))


class RemoveNeutral(PlanEdit, frozen=True, kw_only=True):
    """No face to rig; poses stay."""

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_neutral(plan, None)


class RemovePoses(PlanEdit, frozen=True, kw_only=True):
    """Remove poses."""

    poses: list[Name]

    @property
    def label(self) -> str:
        return f"Remove {_poses(self.poses)}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.without_poses(plan, self.poses)


class GuessPose(PlanEdit, frozen=True, kw_only=True):
    """Which sliders make a pose, and about how much: null for one that has no part in it, others stay.

    null for all of them: let the pose be guessed by what the face does.
    """

    pose: Name
    weights: dict[str, Number | None] | None

    @property
    def label(self) -> str:
        return f"Weights of {self.pose}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.guess_pose(plan, self.pose, self.weights)


class GuessPosesBy(PlanEdit, frozen=True, kw_only=True):
    """Guess the weights of poses by the names of the sliders, or by what was learned for the open face."""

    source: Literal["names", "learned"]

    @property
    def label(self) -> str:
        return "Guess poses by names" if self.source == "names" else "Guess poses by what was learned"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        prior = context.document.value.prior
        if self.source == "learned" and prior is None:
            raise BadValue(
                "nothing was learned for the open face: learn from its clips or open a prior in the tab Pose"
            )
        return plans.guessing_by(plan, prior if self.source == "learned" else None)


class GuessAnew(PlanEdit, frozen=True, kw_only=True):
    """Guess the weights of all poses by what their faces do, in place of those that they have."""

    @property
    def label(self) -> str:
        return "Guess all poses anew"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.guess_anew(plan)


class AlignPose(PlanEdit, frozen=True, kw_only=True):
    """Turn, move and scale a pose onto the neutral, or use it as it is."""

    pose: Name
    aligned: bool

    @property
    def label(self) -> str:
        return f"{'Align' if self.aligned else 'Do not align'} {self.pose}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.change_pose(plan, self.pose, aligned=self.aligned)


class AddMissing(PlanEdit, frozen=True, kw_only=True):
    """Give the rig the shape that a pose out of reach lacks, or not."""

    pose: Name
    added: bool

    @property
    def label(self) -> str:
        return f"{'Add' if self.added else 'Leave out'} missing shape of {self.pose}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.change_pose(plan, self.pose, add_missing=self.added)


class TrustExamples(PlanEdit, frozen=True, kw_only=True):
    """From 0, trust the template, to 1, trust the examples."""

    trust: Annotated[float, Meta(ge=0, le=1)]

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.trusting(plan, self.trust)


class PointPair(Struct, forbid_unknown_fields=True):
    """A vertex of the template and one of the neutral that belong together."""

    source: Index
    target: Index
    name: Label = ""


class PairPoints(PlanEdit, frozen=True, kw_only=True):
    """All points that belong together, for registering the template to a neutral of another topology."""

    pairs: list[PointPair]

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_pairs(plan, [plans.Pair(pair.source, pair.target, pair.name) for pair in self.pairs])


class ChooseMesh(PlanEdit, frozen=True, kw_only=True):
    """Whose polygons the rig gets where they differ; auto: the neutral's own, the template's for scans."""

    mesh: plans.Mesh

    @property
    def label(self) -> str:
        return "Mesh of the rig"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.on_mesh(plan, self.mesh)


class LayUpright(PlanEdit, frozen=True, kw_only=True):
    """Which axis of the neutral's file is up, for the neutral and all poses; auto: as its landmarks say."""

    up: UpAxis

    @property
    def label(self) -> str:
        return "Lay the face upright" if self.up == "auto" else f"Up is {self.up}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plan if plan.upright.up == self.up else plans.lay_upright(plan, self.up)


class ClearBuild(PlanEdit, frozen=True, kw_only=True):
    """Begin anew with the embedded head."""

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return fresh_plan()


class LoadNeutral(PlanEdit, frozen=True, kw_only=True):
    """The face to rig."""

    from_page: ClassVar[bool] = False

    face: GivenFace
    upright: Uprighting | None = None

    @property
    def label(self) -> str:
        return f"Load {self.face.name}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_neutral(plan, self.face, self.upright)


class AddPoses(PlanEdit, frozen=True, kw_only=True):
    """More examples."""

    from_page: ClassVar[bool] = False

    poses: tuple[GivenPose, ...]

    @property
    def label(self) -> str:
        return f"Add {_poses([pose.name for pose in self.poses])}"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_poses(plan, self.poses)


class FindPairs(PlanEdit, frozen=True, kw_only=True):
    """Pairs that the program found, in place of those that there are."""

    from_page: ClassVar[bool] = False

    pairs: tuple[plans.Pair, ...]

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_pairs(plan, self.pairs, proposed=True)


class SetRegistration(PlanEdit, frozen=True, kw_only=True):
    """The template as it was registered to the neutral."""

    from_page: ClassVar[bool] = False

    registered: RegisteredTemplate

    @property
    def label(self) -> str:
        return "Register template"

    def apply(self, plan: BuildPlan, context: Context) -> BuildPlan:
        return plans.with_registered(plan, self.registered)


def _poses(names: Sequence[str]) -> str:
    return some(list(names)) if len(names) == 1 else f"{len(names)} poses"


@role("neutral", "face")
def neutral_of_file(context: Context, file: Arrival) -> LoadNeutral:
    """A face to rig, with the materials of its file."""
    document = _document(file)
    rig = document.rig
    if not rig.vertex_count or not len(rig.polygons):
        raise BadFile(
            f"{file.name}: there is no mesh in it, only {rig.vertex_count} points; export it with its polygons"
        )
    bare = without_shapes(rig)
    face = GivenFace(file.name, bare, "file", with_materials_of(bare, document))
    return LoadNeutral(face=face, upright=find_uprighting(context.plan.value.template.rig, bare))


@role("pose", "face")
def poses_of_file(context: Context, file: Arrival) -> AddPoses:
    """The pose in a file; where it has none, but shapes, each of those as a pose."""
    document, sliders = _document(file), context.plan.value.template.rig.sliders
    rig = document.rig
    mesh = without_shapes(rig)
    if document.pose.any() or not rig.shapes:
        face = replace(mesh, neutral=evaluate(rig, document.pose)) if rig.shapes else mesh
        return AddPoses(poses=(GivenPose(file.name, face, guess_by_name(file.name, sliders)),))
    return AddPoses(
        poses=tuple(
            GivenPose(
                shape.name,
                replace(mesh, neutral=rig.neutral + shape.dense(rig.vertex_count)),
                guess_by_name(shape.name, sliders),
            )
            for shape in rig.shapes
            if not shape.is_combination
        )
    )


def without_shapes(rig: Rig) -> Rig:
    """The mesh of a rig."""
    return Rig(rig.neutral, rig.polygons, parts=rig.parts, uvs=rig.uvs)


def _document(file: Arrival) -> Document:
    assert isinstance(file.content, Document)
    return file.content
