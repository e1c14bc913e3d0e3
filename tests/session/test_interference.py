"""Interference in the studio: the numbers are the report's, they are stale after an edit, and pairs get correctives."""

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue
from facewright.report.interference import interference
from facewright.report.verdict import shape_findings
from facewright.rig.combine import Combine
from facewright.rig.edit import soften_pair
from facewright.rig.evaluate import evaluate
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.interference import AddPairCorrective
from facewright.session.edits.rig import DeleteShape
from facewright.session.frames import unpack
from facewright.session.session import Session
from facewright.session.tasks.interference import FindInterference, InterferenceCheck, StopInterference
from facewright.session.views.interference import (
    AskMeeting,
    InterferenceInfo,
    interference_info,
    interference_picture,
    interference_table,
)
from facewright.session.views.view import Gone
from tests.report.report_rigs import random_rig
from tests.session.rigged import rigged
from tests.session.test_rig_edits import bytes_of, context_of
from tests.some import some

EDITS: list[DocumentEdit] = [
    AddPairCorrective(pairs=[("jawOpen", "pucker")]),
    AddPairCorrective(pairs=[("jawOpen", "smileLeft"), ("jawOpen", "smileRight")]),
    AddPairCorrective(pairs=[("smileRight", "sneer")], softened=True),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
def test_a_corrective_undone_and_redone_gives_the_same_bytes(edit: AddPairCorrective) -> None:
    context, before = context_of(rigged()), bytes_of(rigged())
    assert context.apply(edit)
    after = context.document.value
    added = after.rig.shape_names[len(rigged().rig.shapes) :]
    assert added == tuple(f"{first}_{second}" for first, second in edit.pairs)
    assert all(after.rig.shape(name).is_combination for name in added)
    np.testing.assert_array_equal(after.pose, rigged().pose)
    context.go_to("document", 0)
    assert bytes_of(context.document.value) == before
    context.go_to("document", 1)
    assert bytes_of(context.document.value) == bytes_of(after)


def test_an_empty_combination_changes_no_pose_and_a_softened_one_is_the_librarys() -> None:
    rig = random_rig(8, vertices=30)
    context = context_of(Document(rig))
    context.apply(AddPairCorrective(pairs=[("s0", "s1")]))
    made = context.document.value.rig
    assert len(made.shape("s0_s1").vertices) == 0
    np.testing.assert_array_equal(evaluate(made, {"s0": 1, "s1": 1}), evaluate(rig, {"s0": 1, "s1": 1}))
    context.apply(AddPairCorrective(pairs=[("s0", "s1")], softened=True))
    expected = soften_pair(made, "s0_s12", {"s0": 1.0, "s1": 1.0})
    np.testing.assert_array_equal(context.document.value.rig.deltas(), expected.deltas())
    with pytest.raises(BadValue, match="nothing to soften"):
        context.apply(AddPairCorrective(pairs=[("s0", "s1")], softened=True))


def test_the_comparison_runs_beside_the_session_and_is_stale_after_an_edit() -> None:
    context = context_of(rigged())
    assert interference_info(context).found is None
    FindInterference().run(context)
    with pytest.raises(BadValue, match="already"):
        FindInterference().run(context)
    context.task(InterferenceCheck).wait(60)
    info = interference_info(context)
    expected = interference(rigged().rig, pairs=100)
    found = some(info.found)
    assert (info.current, info.progress, found.fighting) == (True, None, expected.fighting)
    assert [(p.first, p.second, p.interference) for p in found.pairs] == [
        (p.first, p.second, p.interference) for p in expected.pairs
    ]
    assert [one.sentence for one in found.shapes] == [one.sentence for one in shape_findings(expected)]
    _, arrays = unpack(interference_table(context, found.id).data)
    names = [one.name for one in expected.sliders]
    order = [names.index(name) for name in found.sliders]
    np.testing.assert_allclose(arrays["interference"], np.array(expected.matrix)[np.ix_(order, order)], atol=1e-6)
    assert interference_picture(context, found.id).data.startswith(b"\x89PNG")
    with pytest.raises(Gone):
        interference_table(context, "other")
    context.apply(DeleteShape(shape="blinkRight"))
    assert not interference_info(context).current
    context.go_to("document", 0)
    assert interference_info(context).current
    FindInterference().run(context)
    StopInterference().run(context)
    again = interference_info(context)
    assert (again.progress, again.found) == (None, found)


def test_what_was_found_is_forgotten_with_its_document() -> None:
    context = context_of(rigged())
    FindInterference().run(context)
    task = context.task(InterferenceCheck)
    task.wait(60)
    task.document_changed()
    assert interference_info(context).found is not None
    FindInterference().run(context)
    context.document = Session(Document(random_rig(1)))
    task.document_changed()
    assert interference_info(context) == InterferenceInfo(None, False, None)


def test_a_comparison_says_how_far_it_is() -> None:
    heard: list[tuple[int, int, str]] = []
    interference(rigged().rig, progress=lambda *step: heard.append(step))
    assert [done for done, _, _ in heard] == list(range(heard[0][1]))
    assert all(note for _, _, note in heard)


def test_where_two_sliders_meet_is_warm_or_cold_and_elsewhere_the_skin_is_bare() -> None:
    context, rig = context_of(rigged()), rigged().rig
    frame = AskMeeting(first="smileRight", second="sneer").answer(context, 1)
    product = (rig.shape("smileRight").dense(rig.vertex_count) * rig.shape("sneer").dense(rig.vertex_count)).sum(axis=1)
    assert frame.pack()
    assert not frame.colors[product == 0, 3].any()
    strongest = int(np.abs(product).argmax())
    warm = frame.colors[strongest, 0] > frame.colors[strongest, 2]
    assert warm == (product[strongest] > 0)
    np.testing.assert_array_equal(frame.values, Combine(rig)(rig.weights({"smileRight": 1.0, "sneer": 1.0})))
