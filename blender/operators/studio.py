"""The embedded head, and exchange with a running studio."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import bpy

from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.samples import sample
from facewright.samples.head import UNIT
from facewright.studio.remote import RemoteStudio, find_studio

from ..exchange import document_of, fits, new_face, update_face
from ..reporting import InWords
from ..work import Progress, WorkOperator


class AddHead(InWords, bpy.types.Operator):
    """Add the embedded head with its 52 shapes"""

    bl_idname = "facewright.add_head"
    bl_label = "Add Embedded Head"
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: Any) -> str:
        person = context.scene.facewright.person
        _, written = new_face(context, person, Document(sample(person), unit=UNIT))
        return written.words


def chosen_studio(address: str) -> RemoteStudio:
    """The studio that the panel names, or the one that runs."""
    return RemoteStudio.enter(address) if address else find_studio()


class SendToStudio(WorkOperator, bpy.types.Operator):
    """Open the active face in the studio that runs on this machine, with its pose and its action"""

    bl_idname = "facewright.send"
    bl_label = "Send to Studio"

    def prepare(self, context: Any) -> Callable[[Progress], str]:
        thing = context.active_object
        document, address = document_of(thing, context.scene), context.scene.facewright.studio
        name = f"{thing.name}.fwface"

        def work(progress: Progress) -> str:
            progress.tell(0.0, "writing")
            data = BytesIO()
            save(document, data, format="fwface")
            progress.check()
            progress.tell(0.5, "sending")
            chosen_studio(address).send(name, data.getvalue())
            return name

        return work

    def finish(self, context: Any, result: str) -> str:
        return f"{result} is open in the studio; work there that was not saved is kept under recovered files"


class ReceiveFromStudio(WorkOperator, bpy.types.Operator):
    """Fetch the face that is open in the studio: onto the active mesh if it has the same polygons, otherwise as a new
    object"""

    bl_idname = "facewright.receive"
    bl_label = "Receive from Studio"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context: Any) -> Callable[[Progress], Document]:
        address = context.scene.facewright.studio

        def work(progress: Progress) -> Document:
            progress.tell(0.0, "fetching")
            return load_document(chosen_studio(address).fetch(), format="fwface")

        return work

    def finish(self, context: Any, result: Document) -> str:
        thing = context.active_object
        if fits(thing, result.rig):
            return update_face(context, thing, result).words
        made, written = new_face(context, "studio face", result)
        return f"{made.name}: {written.words}"


CLASSES = (AddHead, SendToStudio, ReceiveFromStudio)
