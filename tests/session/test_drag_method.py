"""How the face is dragged, by what is touched alone or as a natural face: chosen, undone, kept with the document."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import DRAG_METHODS, Document, PlacedPin
from facewright.errors import UnknownName
from facewright.formats.registry import load_document, save
from facewright.formats.schema.work import WorkEntry
from facewright.pose.method import METHODS
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.face import change_face
from facewright.session.edits.pins import DragPins, PinTarget, add_pin
from facewright.session.edits.pose import SetDragMethod
from facewright.session.tasks.settings import SetDragOptions
from facewright.terms.pin import Pin
from facewright.workflow.drag.drag import PinDrag, drag_pins, move_pins
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex


def context_of(one: Document) -> Context:
    return Context(one, fresh_plan(), lambda run, newest=None: run())


def pinned() -> tuple[Document, int, tuple[float, float, float]]:
    """A document with pin 1, its vertex, and a place above it."""
    one = document()
    vertex = lively_vertex(one.rig)
    x, y, z = fw.evaluate(one.rig, one.pose)[vertex].tolist()
    return add_pin(one, PlacedPin(id=1, vertex=vertex)), vertex, (x, y + 0.02 * one.rig.size, z)


def test_drags_of_a_document_use_its_method() -> None:
    one, vertex, goal = pinned()
    solvers = SolverCache()
    by_method = {name: drag_pins(one, PinDrag({1: goal}, method=name), solvers)[0].pose for name in DRAG_METHODS}
    assert np.abs(by_method["bounded"] - by_method["natural"]).max() > 0.01
    for name, pose in by_method.items():
        chosen = replace(one, drag_method=name)
        pin = Pin(vertex=vertex, target=np.array(goal))
        np.testing.assert_array_equal(drag_pins(chosen, PinDrag({1: goal}), solvers)[0].pose, pose)
        np.testing.assert_allclose(move_pins(chosen, [pin], solvers)[0].pose, pose, atol=1e-9)


def test_a_published_method_that_is_preferred_counts_instead() -> None:
    one, _, goal = pinned()
    context = context_of(one)
    drag = DragPins(targets=[PinTarget(1, goal)])
    found = {}
    for method in ("bounded", "transpose"):
        SetDragOptions(method=method).run(context)
        found[method] = drag.apply(replace(one, drag_method="natural"), context).pose
    for method, expected in (("natural", "bounded"), ("transpose", "transpose")):
        posed, _ = drag_pins(one, PinDrag({1: goal}, method=method), SolverCache())
        np.testing.assert_allclose(found[expected], posed.pose, atol=1e-9)


def test_a_method_that_is_no_choice_of_a_document_is_refused() -> None:
    assert set(DRAG_METHODS) <= set(METHODS)
    with pytest.raises(UnknownName, match="automatic, bounded, natural"):
        Document(document().rig, drag_method="tikhonov")


@pytest.mark.parametrize("method", DRAG_METHODS)
def test_the_method_is_kept_in_a_file_and_goes_with_the_work_to_another_face(method: str, tmp_path: Path) -> None:
    one = replace(document(), drag_method=method)
    save(one, tmp_path / "face.fwface")
    assert load_document(tmp_path / "face.fwface").drag_method == method
    assert change_face(one, Document(one.rig)).drag_method == method
    bare = Document(one.rig, drag_method=method)
    save(bare, tmp_path / "face.glb")
    assert load_document(tmp_path / "face.glb").drag_method == method


def test_choosing_a_method_is_one_step_that_can_be_undone() -> None:
    context = context_of(document())
    assert context.apply(SetDragMethod(method="natural"))
    assert context.document.value.drag_method == "natural"
    assert not context.apply(SetDragMethod(method="natural"))  # it is chosen already
    assert context.document.history.labels == ["Drag a natural face"]
    context.go_to("document", 0)
    assert context.document.value.drag_method == "automatic"
    assert SetDragMethod(method="bounded").label == "Drag only what I touch"


def test_a_file_that_says_nothing_of_it_is_dragged_as_it_was() -> None:
    assert WorkEntry().fields()["drag_method"] == "bounded"
    assert WorkEntry.of(document()).fields()["drag_method"] == "automatic"
