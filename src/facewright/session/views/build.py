"""The build as pages see it: the plan, what is known of it, and its faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats
from facewright.build.builder import Built
from facewright.document import Document
from facewright.mesh.normals import vertex_normals
from facewright.rig.rig import Rig
from facewright.session.context import Context
from facewright.session.edits.build import PointPair, without_shapes
from facewright.session.frames import Array, Frame
from facewright.session.tasks.build.building import Building, BuildProgress
from facewright.session.tasks.build.state import BuildState, PoseView
from facewright.session.views.geometry import geometry, rig_id
from facewright.session.views.view import Gone, Reply, resource, view
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from facewright.workflow.build.result import PoseFit

PICTURE = (112, 128)
_CHANGED = 0.01  # of a shape: smaller changes are not listed
_LIVELY = 0.05  # of the largest reach: what the shapes move less need not be in the picture


class BuildSlider(Struct):
    """A slider of the template."""

    name: str
    low: float
    high: float
    group: str


class BuildFace(Struct):
    """A face of the build. Its mesh is at `GET /api/build/face/{id}`."""

    id: str
    name: str
    vertices: int
    parts: list[str]  # their names; a range of triangles says which is its own


class RegistrationInfo(Struct):
    """The template, registered to the neutral."""

    own: bool  # the rig has the neutral's own polygons, not the template's
    verdict: str
    good: bool
    current: bool  # by the pairs that there are now


class PoseFitInfo(Struct):
    """A pose beside the rig's own version of it. Lengths are scene units of the neutral."""

    weights: dict[str, float]  # solved
    relative: float  # what is left of the pose's motion, as a share
    typical: float  # root mean square distance
    worst: float
    reached: bool  # the template can express it
    verdict: str  # expressible, with more sliders, not expressible
    reach: str  # the same in words
    more: dict[str, float]  # sliders that are on though the guess does not name them
    missing: str  # name of a shape that the template lacks, "" where it lacks none
    gain: float  # share of what the pose lacks that this shape makes
    added: bool  # the rig has it


class BuildPose(Struct):
    """An example."""

    name: str
    vertices: int
    guess: dict[str, float] | None  # null: not guessed yet
    aligned: bool  # turned, moved and scaled onto the neutral
    obstacle: str  # why it takes no part, "" where it does
    can_be_aligned: bool  # aligning it would help
    view: str  # `GET /api/build/pose/{view}` and `GET /api/build/picture/{view}`; "" where there is nothing to see
    fit: PoseFitInfo | None


class TakenShape(Struct):
    """How far a shape is from the template's because of each pose, as shares of the shape."""

    name: str
    shares: list[float]  # one for each of `BuiltInfo.taken_from`
    learned: float  # because of what all poses have in common


class BuiltInfo(Struct):
    """The rig as it was last solved."""

    shapes: int
    iterations: int
    finished: bool  # False: stopped early
    error: float  # what is left of the motion of all poses within reach, as a share
    seconds: float
    current: bool  # of what is decided now
    taken_from: list[str]  # poses
    taken: list[TakenShape]  # shapes that changed, the most first


class BuildInfo(Struct):
    """All about the build; sent whole, whenever anything of it is different."""

    template: BuildFace
    source: str  # of the template: sample or open
    sliders: list[BuildSlider]  # of the template
    neutral: BuildFace | None
    rest: BuildFace | None  # the neutral as it is rigged
    size: float  # of that, scene units
    obstacle: str  # why nothing can be built, "" where something can
    other_topology: bool  # the template has to be registered to the neutral first
    pairs: list[PointPair]
    proposed: bool  # the pairs were found by the program
    registration: RegistrationInfo | None
    mesh: str  # whose polygons the rig should get: auto, own, template
    notes: list[str]
    poses: list[BuildPose]
    trust: float
    up: str  # the axis of the neutral's file that is up; auto: as its landmarks say
    upright: str  # what was done to the neutral and the poses to stand upright, "" for nothing
    prior: str  # what poses are guessed by, "" for the names of the sliders
    along: bool  # it solves by itself after each change
    quick: bool  # it is small enough for that
    waits: str  # why it does not solve by itself now, "" where it does or need not
    built: BuiltInfo | None
    doing: str  # checking, pairing, registering, solving, or "" (nothing)
    undo: str  # what would be undone, "" where there is nothing
    redo: str


def _inputs(context: Context) -> tuple[object, ...]:
    work, history = context.task(Building), context.plan.history
    known = work.known
    seen = tuple(sorted((name, one.id) for name, one in known.views.items()))
    settings = (str(work.along), work.doing, str(history.at), work.waits)
    return known.plan, known.checked, known.outcome, seen, settings, history.steps


@view("build", _inputs)
def build(context: Context) -> BuildInfo:
    """The plan, and what is known of it."""
    work = context.task(Building)
    known = work.known
    plan, checked, rest = known.plan, known.checked, _rest(known)
    history = context.plan.history
    undone = history.steps[history.at].label if history.at < len(history.steps) else ""
    return BuildInfo(
        template=_face(plan.template, context),
        source=plan.template.source,
        sliders=_sliders(plan.template.rig),
        neutral=None if plan.neutral is None else _face(plan.neutral, context),
        rest=None if rest is None or plan.neutral is None else _face(GivenFace(plan.neutral.name, rest), context),
        size=0.0 if rest is None else rest.size,
        obstacle="" if checked is None else checked.reason,
        other_topology=checked is not None and (checked.other_topology or plan.registered is not None),
        pairs=[PointPair(pair.source, pair.target, pair.name) for pair in plan.pairs],
        proposed=plan.proposed,
        registration=_registration(plan),
        mesh=plan.mesh,
        notes=[] if checked is None else list(checked.notes),
        poses=[_pose(pose, known) for pose in plan.poses],
        trust=plan.trust,
        up=plan.upright.up,
        upright=plan.upright.words,
        prior="" if plan.prior is None else str(plan.prior),
        along=work.along,
        quick=known.quick,
        waits=work.waits,
        built=_built(known),
        doing=work.doing,
        undo="" if history.last is None else history.last.label,
        redo=undone,
    )


@view("build_progress", lambda context: (context.task(Building).progress,))
def build_progress(context: Context) -> BuildProgress | None:
    """How far the job is, while there is one that tells."""
    return context.task(Building).progress


@dataclass(frozen=True, eq=False, kw_only=True)
class BuiltPose(Frame):
    """An example beside the rig's own version of it, over v rig vertices; the version is there once it is solved."""

    view: str  # as asked for
    example: Annotated[Floats, Array("f4", ("v", 3))]
    example_normals: Annotated[Floats, Array("f4", ("v", 3))]
    version: Annotated[Floats, Array("f4", ("v", 3))] | None = None
    version_normals: Annotated[Floats, Array("f4", ("v", 3))] | None = None
    distances: Annotated[Floats, Array("f4", ("v",))] | None = None  # between the two


@resource("build/face/{id}")
def face_of(context: Context, id: str) -> Reply:
    """The Geometry frame of a face of the build, without shapes."""
    rig = context.ids.value(id, Rig)
    if rig is None:
        raise Gone("the build has other faces now")
    return Reply(geometry(Document(without_shapes(rig)), id).pack())


@resource("build/pose/{view}")
def pose_of(context: Context, view: str) -> Reply:
    """The BuiltPose frame of a pose."""
    rest, found = _found(context, view)
    example = {"example": found.example, "example_normals": vertex_normals(found.example, rest.triangles)}
    if found.fit is None:
        return Reply(BuiltPose(view=view, **example).pack())
    version = found.fit.version
    normals = vertex_normals(version, rest.triangles)
    return Reply(
        BuiltPose(view=view, **example, version=version, version_normals=normals, distances=found.fit.distances).pack()
    )


@resource("build/picture/{view}")
def picture_of(context: Context, view: str) -> Reply:
    """A small picture of a pose."""
    rest, found = _found(context, view)
    checked = context.task(Building).known.checked
    if checked is None or checked.template is None:
        raise Gone("the build has moved on")
    return Reply(small_picture(checked.template, rest, found), "image/png")


@resource("build/report")
def report(context: Context) -> Reply:
    """A page about how the rig meets the poses."""
    result = context.task(Building).known.built()
    neutral = result.plan.neutral
    from facewright.workflow.report.build.page import build_report  # not in memory before it is needed

    page = build_report("face" if neutral is None else neutral.name, result)
    return Reply(page.encode(), "text/html; charset=utf-8", keep=False)


def small_picture(template: Rig, rest: Rig, view: PoseView) -> bytes:
    """A PNG of the example, framed by what the template's shapes move."""
    reach = np.zeros(template.vertex_count)
    for shape in template.shapes:
        np.maximum.at(reach, shape.vertices, np.linalg.norm(shape.offsets, axis=1))
    seen = rest.neutral[reach > _LIVELY * reach.max(initial=0.0)]
    from facewright.render import frame, mesh_picture, png_bytes  # not in memory before it is needed

    camera = frame(seen if len(seen) else rest.neutral, aspect=PICTURE[0] / PICTURE[1], margin=0.04)
    shot = mesh_picture(view.example, rest.triangles, size=PICTURE, camera=camera, parts=rest.parts, rest=rest.neutral)
    return png_bytes(shot)


def _found(context: Context, id: str) -> tuple[Rig, PoseView]:
    known = context.task(Building).known
    rest, found = _rest(known), known.view(id)
    if rest is None or found is None or len(found.example) != rest.vertex_count:
        raise Gone("the build has moved on")
    return rest, found


def _rest(known: BuildState) -> Rig | None:
    """The neutral with the rig's polygons."""
    return None if known.checked is None else known.checked.rest


def _face(face: GivenFace, context: Context) -> BuildFace:
    id = context.ids.of(face.rig, rig_id)
    return BuildFace(id, face.name, face.rig.vertex_count, [part.name for part in face.rig.parts])


def _sliders(rig: Rig) -> list[BuildSlider]:
    rows = zip(rig.sliders, rig.bounds.tolist(), rig.groups, strict=True)
    return [BuildSlider(name, low, high, group) for name, (low, high), group in rows]


def _registration(plan: BuildPlan) -> RegistrationInfo | None:
    found = plan.registered
    if found is None:
        return None
    return RegistrationInfo(found.carried is not None, found.verdict, found.good, found.pairs == plan.pairs)


def _pose(pose: GivenPose, known: BuildState) -> BuildPose:
    obstacle = None if known.checked is None else known.checked.obstacles.get(pose.name)
    view = None if obstacle is not None or known.checked is None else known.views.get(pose.name)
    fit = None if view is None else view.fit
    return BuildPose(
        name=pose.name,
        vertices=pose.face.vertex_count,
        guess=None if pose.guess is None else dict(pose.guess),
        aligned=pose.aligned,
        obstacle="" if obstacle is None else obstacle.reason,
        can_be_aligned=obstacle is not None and obstacle.can_be_aligned,
        view="" if view is None else view.id,
        fit=None if fit is None else _fit(fit),
    )


def _fit(fit: PoseFit) -> PoseFitInfo:
    return PoseFitInfo(
        weights=dict(fit.weights),
        relative=fit.relative,
        typical=fit.typical,
        worst=fit.worst,
        reached=fit.reached,
        verdict=fit.reach.verdict,
        reach=fit.reach.words,
        more=dict(fit.reach.more),
        missing="" if fit.proposal is None else fit.proposal.shape.name,
        gain=0.0 if fit.proposal is None else fit.proposal.gain,
        added=fit.added,
    )


def _built(known: BuildState) -> BuiltInfo | None:
    outcome = known.outcome
    if outcome is None:
        return None
    return BuiltInfo(
        shapes=len(outcome.rig.shapes),
        iterations=len(outcome.built.history),
        finished=outcome.built.finished,
        error=outcome.error,
        seconds=outcome.seconds,
        current=known.current,
        taken_from=[error.name for error in outcome.built.errors],
        taken=_taken(outcome.built),
    )


def _taken(built: Built) -> list[TakenShape]:
    """Shapes that changed visibly, and because of which poses."""
    sums = built.took.sum(axis=1) + built.learned
    names = [shape.name for shape in built.rig.shapes]
    chosen = [i for i in np.argsort(-sums, kind="stable") if sums[i] >= _CHANGED]
    return [TakenShape(names[i], built.took[i].tolist(), float(built.learned[i])) for i in chosen]
