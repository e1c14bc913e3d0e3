"""Building: the shapes of a template on the active mesh, alone or with sculpted examples."""

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from facewright.build.builder import BuildIteration
from facewright.build.contact import closing_shapes
from facewright.build.registration.nonrigid import RegistrationProgress
from facewright.build.upright import find_uprighting, turned
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.workflow.build.names import guess_by_name
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, trusting, with_neutral, with_poses
from facewright.workflow.build.register import ready_plan
from facewright.workflow.build.run import BuildRunner
from facewright.workflow.build.transfer import transferred
from facewright.workflow.open import open_as

from ..face import neutral_face, read_face, some
from ..keys import WrittenKeys, write_keys
from ..mesh import coordinates, face_object, polygons, set_coordinates
from ..space import Space
from ..work import Progress, WorkOperator

_FITTING = 0.6  # of the time of a transfer to another topology


@dataclass(frozen=True, eq=False)
class Made:
    """A rig for an object, in the axes of that object's rig."""

    object: str
    rig: Rig
    words: tuple[str, ...]
    examples: tuple[str, ...] = ()  # shape keys that were examples


def template_rig(context: Any, target: Any) -> GivenFace:
    """The template that the panel says."""
    chosen = context.scene.facewright
    if chosen.template == "SAMPLE":
        return GivenFace(chosen.person, sample(chosen.person))
    if chosen.template == "FILE":
        path = Path(bpy.path.abspath(chosen.template_file))
        if not chosen.template_file or not path.is_file():
            raise BadValue("choose the file of a template: a rig as .glb, .fbx, .usd, .fwface and the like")
        return GivenFace(path.stem, open_as(path, Document).rig)
    if chosen.template_object is None or chosen.template_object == target:
        raise BadValue("choose another object with shape keys as the template")
    return GivenFace(chosen.template_object.name, read_face(chosen.template_object, writes=False).rig)


def prepared_plan(context: Any, thing: Any) -> BuildPlan:
    """The plan for an object, with its neutral laid upright; the rig keeps the object's own polygons."""
    rig, _ = neutral_face(thing)
    template = template_rig(context, thing)
    plan = BuildPlan(template, mesh="own")
    return with_neutral(plan, GivenFace(thing.name, rig), find_uprighting(template.rig, rig))


def registered(
    plan: BuildPlan, closing: Mapping[str, str | None] | None, progress: Progress, share: float
) -> tuple[BuildPlan, tuple[str, ...]]:
    """The plan with its template registered to the neutral where their polygons differ, and remarks."""

    def told(step: RegistrationProgress) -> bool:
        return progress.tell(share * step.step / step.steps, f"fitting the template, {step.distance:.2%} apart")

    progress.tell(0.0, "looking for eyes and mouth")
    ready = ready_plan(plan, closing=closing, progress=told)
    progress.check()
    words = (plan.upright.words,) if plan.upright.words else ()
    return ready.plan, (*words, *ready.words)


def write_made(made: Made) -> str:
    """Write a rig onto its object, if that is still there as it was."""
    thing = bpy.data.objects.get(made.object)
    if thing is None:
        raise BadValue(f"{made.object} was removed or renamed meanwhile; build it again")
    face_object(thing)
    keep_examples(thing, made)
    written: WrittenKeys = write_keys(thing, made.rig, Space.of(thing))
    return "; ".join([written.words, *made.words])


def keep_examples(thing: Any, made: Made) -> None:
    """Keep the sculpts of examples whose name a shape of the rig takes, in keys of their own that are switched off."""
    keys = thing.data.shape_keys
    for name in set(made.examples) & {*made.rig.shape_names, *made.rig.sliders}:
        old = keys.key_blocks[name]
        kept = keys.key_blocks.get(f"{name} example") or thing.shape_key_add(name=f"{name} example", from_mix=False)
        set_coordinates(kept.data, coordinates(old.data))
        kept.relative_key, kept.value, kept.mute = old.relative_key, 0.0, True


class Transfer(WorkOperator, bpy.types.Operator):
    """Put all shapes of the template onto the active mesh, whatever its polygons. Lids and lips close"""

    bl_idname = "facewright.transfer"
    bl_label = "Transfer Shapes"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context: Any) -> Callable[[Progress], Made]:
        thing = face_object(context.active_object)
        plan = prepared_plan(context, thing)
        closed, name = context.scene.facewright.closed, thing.name

        def work(progress: Progress) -> Made:
            closing = closing_shapes(plan.template.rig) if closed else {}
            ready, words = registered(plan, closing, progress, _FITTING)
            progress.tell(_FITTING, "carrying shapes over")
            rig = turned(transferred(ready, closing=closing).rig, plan.upright.turn.T)
            progress.check()
            return Made(name, rig, (*words, f"closing: {some(list(closing))}") if closing else words)

        return work

    def finish(self, context: Any, result: Made) -> str:
        return write_made(result)


class BuildFromExamples(WorkOperator, bpy.types.Operator):
    """Build the rig of the active mesh from the template and from sculpted poses: the other selected meshes, or its own
    shape keys. The name of a pose may say what it shows, as in jawOpen+mouthSmile"""

    bl_idname = "facewright.build"
    bl_label = "Build from Examples"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context: Any) -> Callable[[Progress], Made]:
        thing = face_object(context.active_object)
        plan, chosen = prepared_plan(context, thing), context.scene.facewright
        by_key = chosen.examples == "KEYS"
        faces = key_examples(thing, chosen.example_keys) if by_key else object_examples(context, thing)
        sliders = plan.template.rig.sliders
        poses = [
            GivenPose(name, face, guess_by_name(name, sliders), chosen.align, chosen.add_missing)
            for name, face in faces.items()
        ]
        plan, name = trusting(with_poses(plan, poses), chosen.trust), thing.name

        def work(progress: Progress) -> Made:
            ready, words = registered(plan, None, progress, 0.5)
            runner = BuildRunner()
            checked = runner.check(ready)
            if checked.reason:
                raise BadValue(checked.reason)
            for obstacle in checked.obstacles.values():
                raise obstacle.problem or BadValue(obstacle.reason)

            def told(step: BuildIteration) -> bool:
                left = f"{step.error:.1%} of the poses' motion left"
                return progress.tell(0.5 + 0.5 * step.iteration / step.iterations, left)

            result = runner.solve(checked, told)
            progress.check()
            rig = turned(result.rig, plan.upright.turn.T)
            fits = [str(fit) for fit in result.built.errors if not fit.reached]
            summary = f"{result.error:.1%} of the motion of {len(poses)} poses left"
            return Made(name, rig, (*words, *checked.notes, *fits, summary), tuple(faces) if by_key else ())

        return work

    def finish(self, context: Any, result: Made) -> str:
        return write_made(result)


def key_examples(thing: Any, pattern: str) -> dict[str, Rig]:
    """Shape keys of an object as poses, those whose name has the pattern."""
    face = read_face(thing)
    names = [shape.name for shape in face.rig.shapes if fnmatch.fnmatchcase(shape.name, pattern or "*")]
    if not names:
        raise BadValue(f"no shape key of {thing.name} is called {pattern!r}; it has {some(list(face.rig.shape_names))}")
    rest = replace(face.rig, shapes=(), sliders=(), bounds=None, groups=())
    return {name: replace(rest, neutral=_with(face.rig, name)) for name in names}


def _with(rig: Rig, name: str) -> np.ndarray:
    return np.asarray(rig.neutral + rig.shape(name).dense(rig.vertex_count))


def object_examples(context: Any, thing: Any) -> dict[str, Rig]:
    """The other selected meshes as poses, as they are shown without modifiers; where they stand does not count."""
    others = [one for one in context.selected_objects if one != thing and one.type == "MESH"]
    if not others:
        raise BadValue(f"select the meshes of the poses as well, and {thing.name} last; or take shape keys as examples")
    found = {}
    for other in others:
        mesh = face_object(other, writes=False).data
        space = Space.of(other)
        if mesh.shape_keys is None:
            points = space.points(coordinates(mesh.vertices))
        else:
            from facewright.rig.evaluate import Evaluator

            face = read_face(other, writes=False)
            points = Evaluator(face.rig)(face.pose)
        found[other.name] = Rig(points, polygons(mesh))
    return found


CLASSES = (Transfer, BuildFromExamples)
