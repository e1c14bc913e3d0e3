"""The set of sliders that drags use: chosen, kept with the document, renamed with the sliders, taken to other faces."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document, PlacedPin
from facewright.errors import UnknownName
from facewright.formats.registry import load_document, save
from facewright.session.edits.face import change_face
from facewright.session.edits.pins import add_pin
from facewright.session.edits.pose import SetDragSliders
from facewright.workflow.drag.drag import PinDrag, drag_pins, move_pins
from facewright.workflow.rename import rename_sliders
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex


def test_drags_of_a_document_use_its_set() -> None:
    one = document()
    vertex = lively_vertex(one.rig)
    place = fw.evaluate(one.rig, one.pose)[vertex]
    goal = place + np.array([0, 0.02 * one.rig.size, 0])
    solvers = SolverCache()
    pinned = add_pin(one, PlacedPin(id=1, vertex=vertex))
    free, _ = drag_pins(pinned, PinDrag({1: tuple(goal)}), solvers)
    moved = [name for name, change in zip(one.rig.sliders, free.pose - one.pose, strict=True) if change]
    assert len(moved) > 1
    chosen = replace(pinned, drag_sliders=(moved[0],))
    for found in (
        drag_pins(chosen, PinDrag({1: tuple(goal)}), solvers)[0],
        move_pins(chosen, [fw.Pin(vertex=vertex, target=goal)], solvers)[0],
        move_pins(one, [fw.Pin(vertex=vertex, target=goal)], solvers, sliders=[moved[0]])[0],
    ):
        assert set(np.flatnonzero(found.pose != one.pose)) <= {one.rig.slider_index(moved[0])}


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(UnknownName):
        Document(document().rig, drag_sliders="no such group")
    with pytest.raises(UnknownName):
        Document(document().rig, drag_sliders=["no such slider"])


@pytest.mark.parametrize("chosen", ["all", "mouth", ("a", "b")])
def test_a_set_is_kept_in_a_file(chosen: str | tuple[str, ...], tmp_path: Path) -> None:
    one = document()
    chosen = chosen if isinstance(chosen, str) else one.rig.sliders[:2]
    one = replace(one, drag_sliders=chosen, rig=replace(one.rig, groups=("mouth",) * len(one.rig.sliders)))
    save(one, tmp_path / "face.fwface")
    assert load_document(tmp_path / "face.fwface").drag_sliders == chosen


def test_a_set_follows_names_and_faces() -> None:
    one = document()
    first, second = one.rig.sliders[:2]
    chosen = replace(one, drag_sliders=(first, second))
    assert rename_sliders(chosen, {first: "other"}).drag_sliders == ("other", second)
    other = Document(fw.edit.drop_shape(one.rig, first))
    assert change_face(chosen, other).drag_sliders == (second,)
    assert change_face(replace(one, drag_sliders="all"), other).drag_sliders == "all"


def test_the_labels_say_the_set() -> None:
    labels = [SetDragSliders(sliders=each).label for each in ("", "all", "arkit", "mouth", ["jawOpen"])]
    assert labels == [
        "Drag with the usual sliders",
        "Drag with all sliders",
        "Drag with ARKit sliders",
        "Drag with mouth sliders",
        "Drag with jawOpen",
    ]
