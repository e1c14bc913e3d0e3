"""The interference report of the active face, in the browser."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from facewright.formats.files import write_atomically
from facewright.report.interference import interference
from facewright.report.lint import ranked
from facewright.report.summary import summarise
from facewright.report.verdict import verdict
from facewright.workflow.report.inspect.page import inspect_report

from ..face import read_face
from ..work import Progress, WorkOperator


class Report(WorkOperator, bpy.types.Operator):
    """Write which shape keys are in each other's way, are dead, doubled or uneven, and open it in the browser"""

    bl_idname = "facewright.report"
    bl_label = "Interference Report"

    filepath: bpy.props.StringProperty(
        name="File",
        description="Where to write it; empty: in a temporary folder",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    show: bpy.props.BoolProperty(name="Open", description="Open it in the browser", default=True)

    def prepare(self, context: Any) -> Callable[[Progress], bytes]:
        face = read_face(context.active_object, writes=False)

        def work(progress: Progress) -> bytes:
            progress.tell(0.0, "comparing shapes")
            found = interference(face.rig)
            progress.check()
            progress.tell(0.5, "drawing")
            summary = summarise(face.rig)
            findings = ranked((*summary.findings, *verdict(found)))
            return inspect_report(face.name, face.rig, summary, found, findings).encode()

        return work

    def finish(self, context: Any, result: bytes) -> str:
        path = Path(bpy.path.abspath(self.filepath)) if self.filepath else _temporary()
        write_atomically(path, result)
        if self.show:
            bpy.ops.wm.url_open(url=path.as_uri())
        return f"report: {path}"


def _temporary() -> Path:
    return Path(tempfile.mkdtemp(prefix="facewright-", dir=bpy.app.tempdir or None)) / "interference.html"


CLASSES = (Report,)
