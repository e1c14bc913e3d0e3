"""What a rig is built on: a template and a neutral that share their polygons, and how poses come to share them."""

from __future__ import annotations

from functools import cached_property

from facewright.arrays import Floats, Ints
from facewright.build.builder import RigBuilder
from facewright.build.pose_transfer import PoseTransfer
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.scan import pose_of_scan
from facewright.build.target import positions_of
from facewright.errors import BadValue, OtherTopology
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, GivenPose

_SURFACE = 200  # vertices; what has fewer is no scan


class Ground:
    """For one thread at a time. Poses that took work to bring here are kept."""

    def __init__(self, template: Rig, rest: Rig, neutral: Rig, carrier: PoseTransfer | None) -> None:
        self.template, self.rest = template, rest
        self._neutral, self._carrier = neutral, carrier
        self._brought: dict[int, tuple[Rig, Floats]] = {}  # by identity, which lasts as long as it is kept here

    @cached_property
    def _skin(self) -> Ints:
        return FaceMesh(self.rest, "the neutral").visible.vertices

    def placed(self, pose: GivenPose, builder: RigBuilder) -> Rig | Floats:
        """A pose with the rig's polygons, whatever its own."""
        if _alike(self.template, pose):
            return pose.face
        known = self._brought.get(id(pose.face))
        if known is None:
            known = self._brought[id(pose.face)] = (pose.face, self._bring(pose, builder))
        return known[1]

    def forget(self, plan: BuildPlan) -> None:
        """Keep only what belongs to a plan's poses."""
        wanted = {id(pose.face) for pose in plan.poses}
        self._brought = {key: value for key, value in self._brought.items() if key in wanted}

    def _bring(self, pose: GivenPose, builder: RigBuilder) -> Floats:
        face = pose.face
        if self._carrier is not None and _alike(self._neutral, pose):
            return self._carrier(face.neutral)
        if not len(face.polygons) or face.vertex_count < _SURFACE:
            raise OtherTopology(
                f"pose {pose.name!r} has {face.vertex_count:,} vertices, the neutral {self._neutral.vertex_count:,}:"
                " a pose has the same vertices in the same order, or is a scan that lies where the neutral lies"
            )
        rig = builder.transferred
        if pose.guess is not None:
            return pose_of_scan(rig, face, pose.guess, self._skin, pose.name)
        rough = pose_of_scan(rig, face, {}, self._skin, pose.name)
        return pose_of_scan(rig, face, builder.guess(rough, name=pose.name), self._skin, pose.name)


def ground_of(plan: BuildPlan) -> Ground:
    """What a plan is built on; an error where its faces do not go together."""
    if plan.neutral is None:
        raise BadValue("load a neutral face first")
    neutral, template, laid = plan.neutral.rig, plan.template.rig, plan.laid
    if laid is None:
        positions_of(template, neutral, "the neutral")
        return Ground(template, neutral, neutral, None)
    if not laid.good:
        raise BadValue(f"the template does not lie well on the face: {laid.verdict}")
    if laid.carried is not None:
        return Ground(laid.carried, neutral, neutral, None)
    rest = Rig(laid.positions, template.polygons, parts=template.parts, uvs=template.uvs)
    return Ground(template, rest, neutral, PoseTransfer(rest, laid.matched, neutral))


def _alike(rig: Rig, pose: GivenPose) -> bool:
    """Whether a pose has a rig's vertices and polygons; one turned inside out is told as such."""
    try:
        positions_of(rig, pose.face, f"pose {pose.name!r}")
    except OtherTopology:
        return False
    return True
