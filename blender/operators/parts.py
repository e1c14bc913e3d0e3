"""Eyes, teeth and other objects that belong to a face."""

from collections.abc import Callable
from typing import Any

import bpy

from facewright.rig.rig import Rig

from ..face import shape_keys
from ..mesh import face_object
from ..parts import attach, bare_parts, chosen_parts, detach, write_part
from ..reporting import InWords
from ..work import Progress, WorkOperator
from .build import carried_over, prepared_plan, still_there

Whole = tuple[str, list[str], list[str], Rig | None, tuple[str, ...]]  # face, parts, those without keys, shapes, words


class AttachParts(WorkOperator, bpy.types.Operator):
    """Let the other selected meshes, such as eyes and teeth, follow the active face: their keys of the same names are
    driven by its keys. Those without such keys get the template's shapes"""

    bl_idname = "facewright.attach_parts"
    bl_label = "Attach Parts"
    bl_options = {"REGISTER", "UNDO"}

    give_shapes: bpy.props.BoolProperty(
        name="Give Shapes",
        description="Meshes without keys get the template's shapes; otherwise they stay",
        default=True,
    )

    def prepare(self, context: Any) -> Callable[[Progress], Whole]:
        thing = face_object(context.active_object)
        shape_keys(thing)
        parts = chosen_parts(context, thing)
        bare = bare_parts(thing, parts) if self.give_shapes else []
        asked = prepared_plan(context, thing, bare) if bare else None
        closed = context.scene.facewright.closed
        face, names, bare_names = thing.name, [part.name for part in parts], [part.name for part in bare]

        def work(progress: Progress) -> Whole:
            rig, words = (None, ()) if asked is None else carried_over(asked, closed, progress)
            return face, names, bare_names, rig, words

        return work

    def finish(self, context: Any, result: Whole) -> str:
        face, names, bare, rig, words = result
        thing = still_there(face)
        keys = {block.name for block in shape_keys(thing).key_blocks}
        said = []
        for part in map(still_there, names):
            if rig is not None and part.name in bare:
                write_part(part, rig, keys)
            said.append(attach(thing, part))
        return "; ".join([*said, *words])


class DetachParts(InWords, bpy.types.Operator):
    """Let the other selected meshes no longer follow the active face; their keys keep their values"""

    bl_idname = "facewright.detach_parts"
    bl_label = "Detach Parts"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: Any) -> str:
        thing = face_object(context.active_object)
        shape_keys(thing)
        count = sum(detach(thing, part) for part in chosen_parts(context, thing))
        return f"{count} keys no longer follow {thing.name}"


CLASSES = (AttachParts, DetachParts)
