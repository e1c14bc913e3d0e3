"""Takes: recordings of weights or markers onto the active face, as F-curves."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from facewright.capture.bind import bind
from facewright.errors import BadFile, BadValue
from facewright.formats.sources import naming
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.head_motion import CURVES
from facewright.workflow.file_kind import kind_of
from facewright.workflow.open import open_any
from facewright.workflow.take.options import TakeOptions
from facewright.workflow.take.retarget import retarget_clips
from facewright.workflow.take.solve import SolveJob, solve

from ..curves import frame_rate, write_clip
from ..face import Face, read_face, shape_keys
from ..reporting import FINISHED
from ..work import Progress, WorkOperator


@dataclass(frozen=True, eq=False)
class ReadTake:
    """A clip for an object's keys."""

    object: str
    clip: Clip
    words: tuple[str, ...]


def clip_of(path: Path, face: Face, options: TakeOptions, progress: Progress) -> tuple[Clip, tuple[str, ...]]:
    """The clip of a recording on a face: solved where it shows markers, mapped by names where it holds weights."""
    progress.tell(0.0, f"reading {path.name}")
    found = open_any(path)
    if isinstance(found, Clip):
        with naming(path):
            mapped = retarget_clips(face.rig, [found], options)
        return mapped.clips[0], (mapped.line, *mapped.notes)
    if not isinstance(found, Take):
        raise BadFile(
            f"{path}: this file holds {kind_of(path).words}, but no take; takes are markers as .c3d, .trc or .csv, and"
            " weights as .csv (Live Link Face), .json or .jsonl"
        )
    progress.tell(0.05, "binding markers")
    with naming(path):
        binding = bind(face.rig, found)
    progress.check()
    job = SolveJob(face.rig, found, binding, options, locked=tuple(face.driven))

    def told(done: int, total: int) -> None:
        progress.tell(0.1 + 0.9 * done / total, "solving")

    solved = solve(job, told, lambda: progress.stopped)
    progress.check()
    return solved.clip, (solved.line, *binding.notes, *solved.notes)


class ImportTake(WorkOperator, bpy.types.Operator):
    """Put a recording onto the active face as a new action: Live Link Face and other tables of weights are mapped by
    names, markers in .c3d, .trc and .csv are solved"""

    bl_idname = "facewright.import_take"
    bl_label = "Import Take"
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: bpy.props.StringProperty(default="*.csv;*.c3d;*.trc;*.json;*.jsonl", options={"HIDDEN"})
    chosen: bpy.props.BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Called by Blender: asks for the file first, then works beside the window."""
        if not self.filepath:
            self.chosen = True
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        return WorkOperator.invoke(self, context, event)

    def execute(self, context: Any) -> set[str]:
        """Called by Blender: by a script, or once a file was chosen."""
        if self.chosen:
            bpy.ops.facewright.import_take("INVOKE_DEFAULT", filepath=self.filepath)
            return FINISHED
        return WorkOperator.execute(self, context)

    def prepare(self, context: Any) -> Callable[[Progress], ReadTake]:
        if not self.filepath:
            raise BadValue("name the file of a take")
        settings, face = context.scene.facewright, read_face(context.active_object)
        path = Path(bpy.path.abspath(self.filepath))
        options = TakeOptions(smooth=settings.smooth, keys=settings.key_tolerance or None)

        def work(progress: Progress) -> ReadTake:
            clip, words = clip_of(path, face, options, progress)
            return ReadTake(face.name, clip, words)

        return work

    def finish(self, context: Any, result: ReadTake) -> str:
        thing = bpy.data.objects.get(result.object)
        if thing is None:
            raise BadValue(f"{result.object} was removed or renamed meanwhile; import the take again")
        face, scene = read_face(thing), context.scene
        action = write_clip(shape_keys(thing), result.clip, frame_rate(scene), scene.frame_current, tuple(face.driven))
        scene.frame_end = max(scene.frame_end, round(action.frame_range[1]))
        head = [name for name in result.clip.curves if name in CURVES]
        said = ["the motion of the head is not part of shape keys, and was left out"] if head else []
        said += [face.driven_words()] if face.driven else []
        return "; ".join([f"action {action.name}", *result.words, *said])


CLASSES = (ImportTake,)
