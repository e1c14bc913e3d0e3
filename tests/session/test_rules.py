"""Rules of the modeller are added, painted, changed and dropped as steps; pages see which the pose breaks."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.report.breaches import breaches
from facewright.rig.evaluate import evaluate
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.rules import AddRule, DeleteRule, PaintRule, RenameRule, SetRule
from facewright.session.edits.show import ShowPose
from facewright.session.tasks.rules import CheckRules, RuleCheck, StopRuleCheck
from facewright.session.views.rules import RuleInfo, RuleMap, rule_check, rule_map
from facewright.workflow.drag.region_values import region_vertices
from tests.session.rigged import rigged
from tests.session.test_rig_edits import bytes_of, context_of
from tests.some import some

REGION = some(rigged().regions).names[0]
EDITS: list[DocumentEdit] = [
    AddRule(rule="nose", kind="within", vertices=[7, 3, 7], share=0.02),
    AddRule(rule="nose", kind="only", region=REGION, sliders=["sneer"]),
    PaintRule(rule="lid", vertices=[9, 8]),
    PaintRule(rule="chin", vertices=[0, 1], mode="remove"),
    SetRule(rule="chin", share=0.5),
    SetRule(rule="lid", sliders=["browUp"], share=0.01),
    RenameRule(rule="chin", name="jaw"),
    DeleteRule(rule="lid"),
    ShowPose(weights={"jawOpen": 1.0}, what="the worst pose of lid"),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
def test_an_edit_undone_and_redone_gives_the_same_bytes(edit: DocumentEdit) -> None:
    context, before = context_of(rigged()), bytes_of(rigged())
    assert context.apply(edit)
    after = bytes_of(context.document.value)
    assert after != before
    context.go_to("document", 0)
    assert bytes_of(context.document.value) == before
    context.go_to("document", 1)
    assert bytes_of(context.document.value) == after
    assert context.document.history.labels == [edit.label]


def rules(context: Any) -> dict[str, Any]:
    return {rule.name: rule for rule in context.document.value.rig.rules}


def test_a_rule_has_what_was_asked_for() -> None:
    context = context_of(rigged())
    for edit in EDITS[:1] + EDITS[2:7]:
        context.apply(edit)
    found, size = rules(context), rigged().rig.size
    assert list(found) == ["lid", "jaw", "nose"]
    assert (found["nose"].vertices.tolist(), found["nose"].distance) == ([3, 7], 0.02 * size)
    assert found["lid"].vertices.tolist() == [0, 1, 2, 3, 4, 8, 9]
    assert (found["lid"].sliders, found["lid"].tolerance) == (("browUp",), 0.01)
    assert (found["jaw"].vertices.tolist(), found["jaw"].distance) == ([2], 0.5 * size)


def test_a_region_gives_the_vertices_that_are_mostly_its_own() -> None:
    context, regions = context_of(rigged()), some(rigged().regions)
    context.apply(AddRule(rule="all", kind="only", region=REGION))
    np.testing.assert_array_equal(rules(context)["all"].vertices, region_vertices(rigged(), REGION))
    row = regions.weights[[0]].toarray()[0]
    np.testing.assert_array_equal(rules(context)["all"].vertices, np.flatnonzero(row >= 0.5))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (AddRule(rule="none", kind="within"), "about no points yet: paint some on the face, or take those of a region"),
        (PaintRule(rule="chin", vertices=[0, 1, 2], mode="remove"), "would be about no points; delete it instead"),
        (AddRule(rule="lid", kind="within", vertices=[1]), "a rule named 'lid' already"),
        (RenameRule(rule="chin", name="lid"), "a rule named 'lid' already"),
        (SetRule(rule="chin", sliders=["jawOpen"]), "it has no sliders"),
        (AddRule(rule="far", kind="within", vertices=[400_000]), "vertices"),
    ],
)
def test_a_mistake_says_what_would_have_worked(edit: DocumentEdit, words: str) -> None:
    context = context_of(rigged())
    with pytest.raises(BadValue, match=words):
        context.apply(edit)
    assert context.document.value is rigged()


def test_unknown_names_are_refused_with_those_that_there_are() -> None:
    context = context_of(rigged())
    for edit in (DeleteRule(rule="nose"), PaintRule(rule="nose", vertices=[1])):
        with pytest.raises(UnknownName, match="lid"):
            context.apply(edit)
    with pytest.raises(UnknownName, match="jawOpen"):
        context.apply(SetRule(rule="lid", sliders=["jawOpne"]))


def test_what_changes_nothing_leaves_no_step() -> None:
    context, chin = context_of(rigged()), rigged().rig.rules[1]
    assert isinstance(chin, StaysWithin)
    same: list[DocumentEdit] = [
        PaintRule(rule="chin", vertices=[0]),
        SetRule(rule="lid", sliders=["blinkLeft", "sneer"]),
        RenameRule(rule="lid", name="lid"),
    ]
    assert [context.apply(edit) for edit in same] == [False] * 3
    assert context.document.history.labels == []


def told(document: Document) -> tuple[dict[str, RuleInfo], RuleMap]:
    found = rule_map(context_of(document))
    assert isinstance(found, RuleMap)
    assert found.pack()
    return {rule.name: rule for rule in found.rules}, found


def plain(**pose: float) -> Document:
    """The face in a pose of the whole, with rules that its jaw breaks and others that it keeps."""
    rig = rigged().rig
    moved = np.linalg.norm(rig.shape("jawOpen").dense(rig.vertex_count), axis=1)
    most, least = np.argsort(-moved)[:6], np.argsort(moved)[:6]
    made = (
        StaysWithin("near", most, 0.5 * moved[most].min()),
        OnlyMovedBy("own", most, ("pucker",)),
        OnlyMovedBy("free", most, rig.sliders),
        StaysWithin("still", least, 2 * moved.max()),
    )
    return Document(replace(rig, rules=made), (), rig.weights(pose))


def test_pages_see_which_rules_the_present_pose_breaks_and_where() -> None:
    assert [rule.broken for rule in told(plain())[0].values()] == [0, 0, 0, 0]
    document = plain(jawOpen=1.0)
    rig = document.rig
    infos, frame = told(document)
    assert [rule.broken for rule in infos.values()] == [6, 6, 0, 0]
    moved = np.linalg.norm(evaluate(rig, document.pose) - rig.neutral, axis=1)
    assert infos["near"].furthest == pytest.approx(moved[rig.rules[0].vertices].max())
    start, stop = frame.starts[0], frame.starts[1]
    np.testing.assert_allclose(
        frame.excess[start:stop] * rig.size, moved[frame.vertices[start:stop]] - infos["near"].allowed
    )
    assert not frame.excess[frame.starts[2] :].any()
    assert [rule.broken for rule in told(plain(jawOpen=0.3))[0].values()] == [0, 6, 0, 0]


def test_a_pose_of_regions_is_checked_where_it_is() -> None:
    document = plain()
    regions = some(rigged().regions)
    local = np.zeros((len(regions.names), len(document.rig.sliders)))
    local[-1, document.rig.slider_index("jawOpen")] = 1.0  # the whole face
    infos, frame = told(replace(document, regions=regions, local=local))
    whole, other = told(plain(jawOpen=1.0))
    assert [rule.broken for rule in infos.values()] == [rule.broken for rule in whole.values()]
    np.testing.assert_allclose(frame.excess, other.excess, atol=1e-12)
    local[-1] = 0
    local[0, document.rig.slider_index("jawOpen")] = 1.0
    infos, frame = told(replace(document, regions=regions, local=local))
    share = regions.weights[[0]].toarray()[0][frame.vertices]
    own = slice(*frame.starts[1:3])
    moved = np.linalg.norm(document.rig.shape("jawOpen").dense(document.rig.vertex_count), axis=1)[frame.vertices]
    expected = (share * moved - infos["own"].allowed)[own] / document.rig.size
    np.testing.assert_allclose(frame.excess[own], np.where(expected > 0, expected, 0), atol=1e-12)


def test_the_worst_poses_are_searched_beside_the_session_and_are_stale_after_an_edit() -> None:
    context = context_of(plain())
    assert rule_check(context).breaches is None
    context.apply(SetRule(rule="near", share=0.0))
    CheckRules().run(context)
    task = context.task(RuleCheck)
    with pytest.raises(BadValue, match="already"):
        task.start()
    task.wait(60)
    info = rule_check(context)
    assert (info.current, info.progress) == (True, None)
    expected = breaches(context.document.value.rig)
    assert [(b.rule, b.vertex, b.distance, b.pose) for b in some(info.breaches)] == [
        (b.rule, b.vertex, b.distance, dict(b.pose)) for b in expected
    ]
    assert {b.rule for b in some(info.breaches)} == {"near", "own"}
    context.apply(DeleteRule(rule="own"))
    assert not rule_check(context).current
    context.go_to("document", 1)
    assert rule_check(context).current  # undone: it is the rig that was checked
    with pytest.raises(BadValue, match="nothing is being worked out"):
        StopRuleCheck().run(context)
    CheckRules().run(context)
    StopRuleCheck().run(context)
    assert rule_check(context).progress is None
