"""Ties of sliders are made, undone, kept, and followed by drags."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document, PlacedPin
from facewright.errors import BadValue, UnknownName
from facewright.formats.registry import load_document, save
from facewright.rig.ties import ties_of
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.pins import add_pin
from facewright.session.edits.ties import TieSliders, UntieSliders, tie_sliders
from facewright.session.views.rig import known_rig_id, ties
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex


def context_of(one: Document) -> Context:
    return Context(one, fresh_plan(), lambda run, newest=None: run())


def test_ties_by_names_are_shown_and_can_be_taken_away() -> None:
    context = context_of(Document(fw.sample()))
    before = context.document.value.rig
    assert ties(context) == [("mouthClose", "jawOpen")]
    context.apply(UntieSliders(slider="mouthClose", to="jawOpen"))
    assert ties(context) == []
    assert context.document.history.labels == ["Untie mouthClose from jawOpen"]
    assert known_rig_id(context, context.document.value.rig) == known_rig_id(context, before)  # the page keeps the face
    context.go_to("document", 0)
    assert ties(context) == [("mouthClose", "jawOpen")]


def test_a_tie_is_added_once_to_those_that_there_are_and_kept_in_a_file(tmp_path: Path) -> None:
    context = context_of(Document(fw.sample()))
    tie = TieSliders(slider="mouthPucker", to="mouthFunnel")
    assert context.apply(tie)
    assert not context.apply(tie)
    assert context.document.history.labels == ["Tie mouthPucker to mouthFunnel"]
    save(context.document.value, tmp_path / "face.fwface")
    kept = (("mouthClose", "jawOpen"), ("mouthPucker", "mouthFunnel"))
    assert ties_of(load_document(tmp_path / "face.fwface").rig) == kept


def test_a_mistake_says_what_would_have_worked() -> None:
    context = context_of(Document(fw.sample()))
    with pytest.raises(UnknownName, match="jawOpen"):
        context.apply(TieSliders(slider="mouthClose", to="jawOpne"))
    with pytest.raises(BadValue, match="itself"):
        context.apply(TieSliders(slider="jawOpen", to="jawOpen"))
    with pytest.raises(BadValue, match="mouthClose to jawOpen"):
        context.apply(UntieSliders(slider="jawOpen", to="mouthClose"))


def test_a_drag_moves_a_tied_slider_no_further_than_the_other() -> None:
    one = replace(document(), pose=np.zeros(12), drag_method="bounded")
    vertex = lively_vertex(one.rig)
    goal = tuple((one.rig.neutral[vertex] + np.array([0, 0.02 * one.rig.size, 0])).tolist())
    pinned = add_pin(one, PlacedPin(id=1, vertex=vertex))
    free, _ = drag_pins(pinned, PinDrag({1: goal}), SolverCache())
    most, least = int(free.pose.argmax()), int(free.pose.argmin())
    assert free.pose[most] > free.pose[least] + 0.05
    tied = tie_sliders(pinned, one.rig.sliders[most], one.rig.sliders[least])
    found, _ = drag_pins(tied, PinDrag({1: goal}), SolverCache())
    assert found.pose[most] <= found.pose[least] + 1e-6
