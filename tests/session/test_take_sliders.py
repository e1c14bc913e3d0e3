"""The set of sliders that takes are solved with: kept with the document, renamed with the sliders, used by solves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import UnknownName
from facewright.formats.registry import load_document, save
from facewright.rig.captured import Captured
from facewright.session.edits.face import change_face
from facewright.session.edits.takes import SetTakeSliders
from facewright.session.tasks.take import SolveTake
from facewright.workflow.rename import rename_sliders
from facewright.workflow.take.solve import solve
from tests.capture.acting import acted
from tests.session.faces import document

MADE = acted(frames=12, head=False)
SOME = MADE.rig.sliders[2:4]
DOCUMENT = Document(MADE.rig, captured=Captured(MADE.take, binding=MADE.binding), take_sliders=SOME)


def test_takes_of_a_document_are_solved_with_its_set() -> None:
    assert SolveTake().job(replace(DOCUMENT, take_sliders="")).sliders is None
    clip = solve(SolveTake().job(DOCUMENT)).clip
    weights = clip.sample(MADE.rig.sliders, MADE.take.times)
    assert {MADE.rig.sliders[i] for i in np.flatnonzero(np.abs(weights).max(axis=0) > 1e-6)} == set(SOME)


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(UnknownName):
        Document(document().rig, take_sliders="no such group")


def test_the_set_is_kept_in_a_file_and_follows_names_and_faces(tmp_path: Path) -> None:
    save(DOCUMENT, tmp_path / "face.fwface")
    assert load_document(tmp_path / "face.fwface").take_sliders == SOME
    assert rename_sliders(DOCUMENT, {SOME[0]: "other"}).take_sliders == ("other", SOME[1])
    other = Document(fw.edit.drop_shape(MADE.rig, SOME[0]))
    assert change_face(replace(DOCUMENT, captured=None), other).take_sliders == (SOME[1],)


def test_the_labels_say_the_set() -> None:
    labels = [SetTakeSliders(sliders=each).label for each in ("", "all", "mouth", ["jawOpen", "mouthClose"])]
    assert labels == [
        "Solve with the usual sliders",
        "Solve with all sliders",
        "Solve with mouth sliders",
        "Solve with jawOpen and 1 more",
    ]
