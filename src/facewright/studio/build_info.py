"""A build as the page sees it."""

from __future__ import annotations

from facewright.rig.rig import Rig
from facewright.studio import build_messages as m
from facewright.studio.build_work import BuildWork
from facewright.studio.geometry import rig_id
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from facewright.workflow.build.result import PoseFit


class FaceIds:
    """Names of faces, worked out once for each."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Rig, str]] = {}

    def __call__(self, rig: Rig) -> str:
        known = self._known.get(id(rig))
        if known is None or known[0] is not rig:
            known = self._known[id(rig)] = (rig, rig_id(rig))
        return known[1]

    def rig(self, id: str) -> Rig | None:
        return next((rig for rig, name in tuple(self._known.values()) if name == id), None)

    def keep(self, rigs: list[Rig]) -> None:
        """Forget all others."""
        self._known = {id(rig): (rig, self(rig)) for rig in rigs}


def build_info(work: BuildWork, ids: FaceIds, doing: str) -> m.Build:
    plan, checked, rest = work.plan, work.checked, work.rest
    ids.keep(
        [face.rig for face in (plan.template, plan.neutral) if face is not None] + ([] if rest is None else [rest])
    )
    return m.Build(
        template=_face(plan.template, ids),
        source=plan.template.source,
        sliders=_sliders(plan.template.rig),
        neutral=None if plan.neutral is None else _face(plan.neutral, ids),
        rest=None if rest is None or plan.neutral is None else _face(GivenFace(plan.neutral.name, rest), ids),
        size=0.0 if rest is None else rest.size,
        hurdle="" if checked is None else checked.reason,
        other_topology=checked is not None and (checked.other_topology or plan.registered is not None),
        pairs=[m.PointPair(pair.source, pair.target, pair.name) for pair in plan.pairs],
        proposed=plan.proposed,
        laid=_laid(plan),
        mesh=plan.mesh,
        notes=[] if checked is None else list(checked.notes),
        poses=[_pose(pose, work) for pose in plan.poses],
        trust=plan.trust,
        along=work.along,
        quick=work.quick,
        built=_built(work),
        doing=doing,
        undo=work.undo_label,
        redo=work.redo_label,
    )


def _face(face: GivenFace, ids: FaceIds) -> m.BuildFace:
    return m.BuildFace(ids(face.rig), face.name, face.rig.vertex_count, [part.name for part in face.rig.parts])


def _sliders(rig: Rig) -> list[m.BuildSlider]:
    rows = zip(rig.sliders, rig.bounds.tolist(), rig.groups, strict=True)
    return [m.BuildSlider(name, low, high, group) for name, (low, high), group in rows]


def _laid(plan: BuildPlan) -> m.LaidInfo | None:
    laid = plan.registered
    return (
        None
        if laid is None
        else m.LaidInfo(laid.carried is not None, laid.verdict, laid.good, laid.pairs == plan.pairs)
    )


def _pose(pose: GivenPose, work: BuildWork) -> m.BuildPose:
    obstacle = None if work.checked is None else work.checked.obstacles.get(pose.name)
    view = None if obstacle is not None else work.views.get(pose.name)
    met = None if view is None else view.met
    return m.BuildPose(
        name=pose.name,
        vertices=pose.face.vertex_count,
        guess=None if pose.guess is None else dict(pose.guess),
        fitted=pose.aligned,
        hurdle="" if obstacle is None else obstacle.reason,
        fits=obstacle is not None and obstacle.can_be_aligned,
        view="" if view is None else view.id,
        met=None if met is None else _met(met),
    )


def _met(met: PoseFit) -> m.MetInfo:
    return m.MetInfo(
        weights=dict(met.weights),
        relative=met.relative,
        typical=met.typical,
        worst=met.worst,
        reached=met.reached,
        missing="" if met.proposal is None else met.proposal.shape.name,
        gain=0.0 if met.proposal is None else met.proposal.gain,
        added=met.added,
    )


def _built(work: BuildWork) -> m.BuiltInfo | None:
    outcome = work.outcome
    if outcome is None:
        return None
    history = outcome.built.history
    return m.BuiltInfo(
        shapes=len(outcome.rig.shapes),
        iterations=len(history),
        finished=outcome.built.finished,
        error=outcome.error,
        seconds=outcome.seconds,
        current=work.current,
    )
