"""Build plans as bytes. Faces are named, and kept once."""

from __future__ import annotations

import msgspec
import numpy as np

from facewright.build.upright import UpAxis, Uprighting
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.parts import rig_from_bytes, rig_to_bytes
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import Changes, changed, changes, kept_prior, read_prior
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, Mesh, Pair, RegisteredTemplate


class _Face(msgspec.Struct):
    name: str
    source: str
    rig: str  # a blob
    file: Changes | None = None  # the document that it came in


class _Pose(msgspec.Struct):
    name: str
    face: str  # a blob
    guess: dict[str, float] | None
    aligned: bool
    add_missing: bool


class _Registration(msgspec.Struct):
    columns: str  # a blob
    pairs: list[Pair]
    verdict: str
    good: bool
    carried: str | None


class _Plan(msgspec.Struct):
    template: _Face
    neutral: _Face | None
    pairs: list[Pair]
    proposed: bool
    mesh: Mesh
    poses: list[_Pose]
    trust: float
    registered: _Registration | None = None
    prior: str = ""  # a blob
    up: UpAxis = "auto"
    turn: tuple[float, ...] = ()  # nine numbers, or none for the identity
    turned: str = ""  # what was done, in words


class PlanCodec:
    """Build plans for the journal. A plan is small beside its faces, so it is kept whole each time."""

    def encode(self, before: BuildPlan | None, after: BuildPlan, blobs: Blobs) -> bytes:
        plan = after
        registered = plan.registered
        return msgspec.msgpack.encode(
            _Plan(
                _face(plan.template, blobs),
                None if plan.neutral is None else _face(plan.neutral, blobs),
                list(plan.pairs),
                plan.proposed,
                plan.mesh,
                [
                    _Pose(
                        pose.name,
                        blobs.keep(pose.face, lambda pose=pose: rig_to_bytes(pose.face)),  # type: ignore[misc]
                        None if pose.guess is None else dict(pose.guess),
                        pose.aligned,
                        pose.add_missing,
                    )
                    for pose in plan.poses
                ],
                plan.trust,
                None if registered is None else _kept_registration(registered, blobs),
                kept_prior(plan.prior, blobs),
                plan.upright.up,
                tuple(plan.upright.turn.ravel().tolist()),
                plan.upright.words,
            )
        )

    def decode(self, before: BuildPlan | None, data: bytes, blobs: Blobs) -> BuildPlan:
        kept = msgspec.msgpack.decode(data, type=_Plan)
        template, neutral = _given(kept.template, blobs, before), kept.neutral
        return BuildPlan(
            template,
            None if neutral is None else _given(neutral, blobs, before),
            tuple(kept.pairs),
            kept.proposed,
            None if kept.registered is None else _found_registration(kept.registered, blobs),
            kept.mesh,
            tuple(
                GivenPose(pose.name, blobs.find(pose.face, rig_from_bytes), pose.guess, pose.aligned, pose.add_missing)
                for pose in kept.poses
            ),
            kept.trust,
            blobs.find(kept.prior, read_prior) if kept.prior else None,
            _uprighting(kept),
        )


def _uprighting(kept: _Plan) -> Uprighting:
    if not kept.turn:
        return Uprighting(kept.up)
    if len(kept.turn) != 9:
        raise BadFile("the turn of a build in the journal is damaged")
    return Uprighting(kept.up, np.reshape(kept.turn, (3, 3)), kept.turned)


def _face(face: GivenFace, blobs: Blobs) -> _Face:
    file = None if face.document is None else changes(None, face.document, blobs)
    return _Face(face.name, face.source, blobs.keep(face.rig, lambda: rig_to_bytes(face.rig)), file)


def _given(kept: _Face, blobs: Blobs, before: BuildPlan | None) -> GivenFace:
    """A face; the very same one where the plan before has it already."""
    rig = blobs.find(kept.rig, rig_from_bytes)
    known = () if before is None else (before.template, before.neutral)
    for face in known:
        if face is not None and face.rig is rig and (face.name, face.source) == (kept.name, kept.source):
            return face
    file: Document | None = None if kept.file is None else changed(None, kept.file, blobs)
    return GivenFace(kept.name, rig, kept.source, file)


def _kept_registration(registered: RegisteredTemplate, blobs: Blobs) -> _Registration:
    def columns() -> bytes:
        return np.column_stack([registered.positions, registered.matched, registered.distances]).astype("<f8").tobytes()

    carried = registered.carried
    kept = None if carried is None else blobs.keep(carried, lambda: rig_to_bytes(carried))
    return _Registration(
        blobs.keep(registered, columns), list(registered.pairs), registered.verdict, registered.good, kept
    )


def _found_registration(kept: _Registration, blobs: Blobs) -> RegisteredTemplate:
    def read(data: bytes) -> RegisteredTemplate:
        if len(data) % 40:
            raise BadFile("the registration in the journal is damaged")
        table = np.frombuffer(data, "<f8").reshape(-1, 5)
        carried = None if kept.carried is None else blobs.find(kept.carried, rig_from_bytes)
        return RegisteredTemplate(
            table[:, :3], table[:, 3], table[:, 4], tuple(kept.pairs), kept.verdict, kept.good, carried
        )

    return blobs.find(kept.columns, read)
