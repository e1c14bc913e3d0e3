"""Regions become vertex groups, and the report is the library's."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.report.interference import interference
from facewright.report.lint import ranked
from facewright.report.summary import summarise
from facewright.report.verdict import verdict
from facewright.workflow.report.inspect.page import inspect_report


def read(thing: Any) -> fw.Rig:
    from blender.face import read_face

    return read_face(thing).rig


def test_regions_are_the_librarys(bpy: Any, thing: Any) -> None:
    from blender.face import group_weights

    mine = thing.vertex_groups.new(name="mine")
    mine.add([4], 1.0, "REPLACE")
    bpy.ops.facewright.regions(threshold=0.6, level=1)
    bpy.ops.facewright.regions(threshold=0.75)  # replaces those of the first time
    wanted = fw.segment(read(thing), threshold=0.75)
    names = [group.name for group in thing.vertex_groups]
    assert names == ["mine", *(f"region {name}" for name in wanted.names_at(0))]
    for name in wanted.names_at(0):
        np.testing.assert_allclose(group_weights(thing, f"region {name}"), wanted.field(name), atol=1e-6)


def test_a_report_is_the_librarys(bpy: Any, thing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address, *_: opened.append(address))
    bpy.ops.facewright.report(filepath=str(tmp_path / "report.html"))
    rig = read(thing)
    summary, found = summarise(rig), interference(rig)
    findings = ranked((*summary.findings, *verdict(found)))
    assert (tmp_path / "report.html").read_text("utf8") == inspect_report("face", rig, summary, found, findings)
    assert opened == [(tmp_path / "report.html").as_uri()]
    with pytest.raises(RuntimeError, match="there is no folder"):
        bpy.ops.facewright.report(filepath=str(tmp_path / "missing" / "report.html"), show=False)
