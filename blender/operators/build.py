"""Building: the shapes of a template on the active mesh, alone or with sculpted examples."""

import fnmatch
from collections.abc import Callable, Mapping, Sequence
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
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.samples import sample
from facewright.workflow.build.names import guess_by_name
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose, trusting, with_neutral, with_poses
from facewright.workflow.build.register import propose_pairs, ready_plan
from facewright.workflow.build.run import BuildRunner
from facewright.workflow.build.transfer import transferred
from facewright.workflow.open import open_as

from ..face import neutral_face, read_face, some
from ..keys import WrittenKeys, write_keys
from ..landmarks import add_landmarks, landmarks_of
from ..mesh import coordinates, face_object, polygons, set_coordinates
from ..parts import whole_face
from ..reporting import InWords
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


@dataclass(frozen=True, eq=False)
class Asked:
    """What is built: a plan, and the landmarks that were put onto the mesh."""

    plan: BuildPlan
    landmarks: Mapping[str, int] | None


def prepared_plan(context: Any, thing: Any, parts: Sequence[Any] = ()) -> Asked:
    """The plan for an object, with its neutral laid upright; the rig keeps the object's own polygons.

    parts: objects that belong to it; they follow it in the plan's neutral.
    """
    rig, space = whole_face(thing, parts), Space.of(thing)
    template = template_rig(context, thing)
    plan = with_neutral(BuildPlan(template, mesh="own"), GivenFace(thing.name, rig), find_uprighting(template.rig, rig))
    same = rig.vertex_count == template.rig.vertex_count and rig.polygons.same_as(template.rig.polygons)
    landmarks = None if same else landmarks_of(thing, neutral_face(thing)[0], space)
    if not same and landmarks is None and not propose_pairs(plan):
        raise BadValue(
            f"nothing says where eyes and mouth of {thing.name} are: press Add Landmarks, move the empties onto the"
            " face, and try again"
        )
    return Asked(plan, landmarks)


def registered(
    asked: Asked, closing: Mapping[str, str | None] | None, progress: Progress, share: float
) -> tuple[BuildPlan, tuple[str, ...]]:
    """The plan with its template registered to the neutral where their polygons differ, and remarks."""

    def told(step: RegistrationProgress) -> bool:
        return progress.tell(share * step.step / step.steps, f"fitting the template, {step.distance:.2%} apart")

    progress.tell(0.0, "looking for eyes and mouth")
    ready = ready_plan(asked.plan, asked.landmarks, closing=closing, progress=told)
    progress.check()
    words = (asked.plan.upright.words,) if asked.plan.upright.words else ()
    return ready.plan, (*words, *ready.words)


def carried_over(asked: Asked, closed: bool, progress: Progress) -> tuple[Rig, tuple[str, ...]]:
    """The plan's neutral with the template's shapes, as it lies in Blender, and remarks."""
    closing = closing_shapes(asked.plan.template.rig) if closed else {}
    ready, words = registered(asked, closing, progress, _FITTING)
    progress.tell(_FITTING, "carrying shapes over")
    rig = turned(transferred(ready, closing=closing).rig, asked.plan.upright.turn.T)
    progress.check()
    return rig, (*words, f"closing: {some(list(closing))}") if closing else words


def still_there(name: str) -> Any:
    """The object of a name that was there when the work began."""
    thing = bpy.data.objects.get(name)
    if thing is None:
        raise BadValue(f"{name} was removed or renamed meanwhile; try again")
    return face_object(thing)


def write_made(made: Made) -> str:
    """Write a rig onto its object, if that is still there as it was."""
    thing = still_there(made.object)
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
        asked = prepared_plan(context, thing)
        closed, name = context.scene.facewright.closed, thing.name

        return lambda progress: Made(name, *carried_over(asked, closed, progress))

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
        asked, chosen = prepared_plan(context, thing), context.scene.facewright
        by_key = chosen.examples == "KEYS"
        faces = key_examples(thing, chosen.example_keys) if by_key else object_examples(context, thing)
        sliders = asked.plan.template.rig.sliders
        poses = [
            GivenPose(name, face, guess_by_name(name, sliders), chosen.align, chosen.add_missing)
            for name, face in faces.items()
        ]
        asked = replace(asked, plan=trusting(with_poses(asked.plan, poses), round(chosen.trust, 6)))
        name = thing.name

        def work(progress: Progress) -> Made:
            ready, words = registered(asked, None, progress, 0.5)
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
            rig = turned(result.rig, asked.plan.upright.turn.T)
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
    return {name: Rig(_with(face.rig, name), face.rig.polygons) for name in names}


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
            face = read_face(other, writes=False)
            points = evaluate(face.rig, face.pose)
        found[other.name] = Rig(points, polygons(mesh))
    return found


class AddLandmarks(InWords, bpy.types.Operator):
    """Add empties for corners of eyes and mouth, the tip of the nose and the chin, to be moved onto the active mesh.
    They say where these are for a transfer to a mesh whose eyes and mouth are not found"""

    bl_idname = "facewright.add_landmarks"
    bl_label = "Add Landmarks"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: Any) -> str:
        thing = face_object(context.active_object)
        rig, space = neutral_face(thing)
        names = add_landmarks(thing, rig, space, template_rig(context, thing).rig)
        return f"{len(names)} landmarks; move each onto the face, and delete those that you cannot place"


CLASSES = (Transfer, BuildFromExamples, AddLandmarks)
