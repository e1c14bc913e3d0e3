"""What a rig is built on: a template and a neutral with the same polygons, and poses brought to these polygons."""

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

_SURFACE = 200  # vertices; a mesh with fewer is not taken for a scan


class BuildBase:
    """For one thread at a time. Poses that had to be carried over from another topology are cached."""

    def __init__(self, template: Rig, rest: Rig, neutral: Rig, carrier: PoseTransfer | None) -> None:
        self.template, self.rest = template, rest
        self._neutral, self._carrier = neutral, carrier
        self._carried: dict[int, tuple[Rig, Floats]] = {}  # by the identity of the face, which is kept alive here

    @cached_property
    def _skin(self) -> Ints:
        return FaceMesh(self.rest, "the neutral").visible.vertices

    def positions(self, pose: GivenPose, builder: RigBuilder) -> Rig | Floats:
        """A pose with the rig's polygons, whatever polygons it was given with."""
        if _same_polygons(self.template, pose):
            return pose.face
        known = self._carried.get(id(pose.face))
        if known is None:
            known = self._carried[id(pose.face)] = (pose.face, self._carry(pose, builder))
        return known[1]

    def forget(self, plan: BuildPlan) -> None:
        """Drop cached poses that a plan does not have."""
        wanted = {id(pose.face) for pose in plan.poses}
        self._carried = {key: value for key, value in self._carried.items() if key in wanted}

    def _carry(self, pose: GivenPose, builder: RigBuilder) -> Floats:
        face = pose.face
        if self._carrier is not None and _same_polygons(self._neutral, pose):
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


def base_of(plan: BuildPlan) -> BuildBase:
    """The base of a plan; an error where its faces do not go together."""
    if plan.neutral is None:
        raise BadValue("load a neutral face first")
    neutral, template, registered = plan.neutral.rig, plan.template.rig, plan.registered
    if registered is None:
        positions_of(template, neutral, "the neutral")
        return BuildBase(template, neutral, neutral, None)
    if not registered.good:
        raise BadValue(f"the template does not lie well on the face: {registered.verdict}")
    if registered.carried is not None:
        return BuildBase(registered.carried, neutral, neutral, None)
    rest = Rig(registered.positions, template.polygons, parts=template.parts, uvs=template.uvs)
    return BuildBase(template, rest, neutral, PoseTransfer(rest, registered.matched, neutral))


def _same_polygons(rig: Rig, pose: GivenPose) -> bool:
    """Whether a pose has a rig's vertices and polygons; a pose turned inside out is an error."""
    try:
        positions_of(rig, pose.face, f"pose {pose.name!r}")
    except OtherTopology:
        return False
    return True
