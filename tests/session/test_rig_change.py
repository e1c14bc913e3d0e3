"""Edits of the rig while work is under way: what still fits is kept, and what does not is said in true words."""

import queue
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.rig import Rig
from facewright.rig.slider import Slider, sliders_of, with_sliders
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.edit import DocumentEdit
from facewright.session.edits.rig import RenameShape
from facewright.session.edits.ties import UntieSliders
from facewright.session.tasks.prior import LearnPrior, PriorLearning
from facewright.session.tasks.rig_change import why_outdated
from facewright.session.tasks.take import SolveTake, TakeSolving
from facewright.workflow.take.solve import grown_alike
from tests.forked import PATIENCE
from tests.session.acted import acted, bound

RIG = mask(vertices=300, shapes=6, seed=1)
CHANGED = "Shapes or sliders of the rig were changed"


def touched(rig: Rig) -> Rig:
    first = replace(rig.shapes[0], offsets=1.1 * rig.shapes[0].offsets)
    return replace(rig, shapes=(first, *rig.shapes[1:]))


def bounded(rig: Rig) -> Rig:
    return replace(rig, bounds=rig.bounds * [[1.0, 1.5]])


@pytest.mark.parametrize(
    "after",
    [
        replace(RIG),
        replace(RIG, ties=((RIG.sliders[0], RIG.sliders[1]),), exclusive=((RIG.sliders[2], RIG.sliders[3]),)),
        replace(RIG, groups=("brow",) * 6),
        with_sliders(RIG, RIG.shapes[::-1], sliders_of(RIG)[::-1]),
    ],
)
def test_weights_mean_the_same_where_only_their_limits_and_order_are_edited(after: Rig) -> None:
    assert why_outdated(RIG, after) == ""
    pose = dict(zip(RIG.sliders, np.linspace(0.1, 0.9, 6).tolist(), strict=True))
    np.testing.assert_allclose(fw.evaluate(after, pose), fw.evaluate(RIG, pose), atol=1e-12)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (touched(RIG), CHANGED),
        (bounded(RIG), CHANGED),
        (fw.edit.rename(RIG, {RIG.sliders[0]: "other"}), CHANGED),
        (with_sliders(RIG, RIG.shapes[1:], sliders_of(RIG)[1:]), CHANGED),
        (replace(RIG, neutral=RIG.neutral + 1), "Another face is open"),
        (mask(vertices=400, shapes=6, seed=1), "Another face is open"),
    ],
)
def test_weights_of_another_rig_are_outdated_for_a_reason(after: Rig, words: str) -> None:
    assert why_outdated(RIG, after) == words


class Threadless:
    """A context whose posted work is run by the test."""

    def __init__(self, document: Document) -> None:
        self._posted: queue.Queue[Callable[[], None]] = queue.Queue()
        self.context = Context(document, fresh_plan(), lambda run, newest=None: self._posted.put(run))

    def until(self, done: Callable[[], bool]) -> None:
        while not done():
            self._posted.get(timeout=PATIENCE)()


def solved_after(edit: DocumentEdit) -> Context:
    """What a solve leaves that is under way while the rig is edited."""
    one = Threadless(bound(acted(60)))
    SolveTake().run(one.context)
    one.context.apply(edit)
    solving = one.context.task(TakeSolving)
    solving.document_changed()
    one.until(lambda: solving.info is None)
    return one.context


def test_a_tie_that_is_changed_meanwhile_does_not_stop_a_solve() -> None:
    context = solved_after(UntieSliders(slider="mouthClose", to="jawOpen"))
    assert context.document.value.rig.ties == ()
    assert [clip.name for clip in context.document.value.clips] == ["talking"]
    assert [notice.split(":")[0] for notice in context.notices()] == ["Solved talking"]


def test_a_solve_ends_in_true_words_where_sliders_are_renamed() -> None:
    context = solved_after(RenameShape(shape="jawOpen", name="mandible"))
    assert context.notices() == [f"{CHANGED}: talking is not solved any further. Solve it again."]
    assert not context.document.value.clips


def test_a_solve_ends_where_the_same_face_is_opened_anew() -> None:
    one = Threadless(bound(acted(60)))
    SolveTake().run(one.context)
    one.context.document.value = Document(replace(fw.sample()))
    solving = one.context.task(TakeSolving)
    solving.document_changed()
    assert solving.info is None
    assert [notice.split(",")[0] for notice in one.context.notices()] == ["Another face is open"]


def test_shapes_that_a_solve_adds_join_a_rig_whose_ties_and_order_were_edited_meanwhile() -> None:
    more = fw.Shape.from_dense("residual 1", RIG.deltas()[0])
    grown = with_sliders(RIG, (*RIG.shapes, more), (*sliders_of(RIG), Slider("residual 1", -0.5, 0.5, "residual")))
    edited = with_sliders(replace(RIG, ties=()), RIG.shapes, sliders_of(RIG)[::-1])
    found = grown_alike(edited, grown)
    assert found.sliders == (*RIG.sliders[::-1], "residual 1")
    assert found.ties == ()
    assert found.bounds[-1].tolist() == [-0.5, 0.5]
    assert grown_alike(RIG, grown).sliders == grown.sliders


@pytest.mark.parametrize("renamed", [False, True])
def test_what_is_learned_meanwhile_is_kept_as_long_as_the_sliders_are_the_same(renamed: bool) -> None:
    times = np.arange(40) / 30
    clip = Clip("talk", {"jawOpen": Curve(times, np.abs(np.sin(3 * times)))}, 30.0)
    one = Threadless(Document(fw.sample(), (clip,)))
    LearnPrior().run(one.context)
    renaming = RenameShape(shape="mouthClose", name="lipsTogether")
    one.context.apply(renaming if renamed else UntieSliders(slider="mouthClose", to="jawOpen"))
    learning = one.context.task(PriorLearning)
    one.until(lambda: not learning.is_running)
    assert (one.context.document.value.prior is None) == renamed
    assert [notice.split(":")[0] for notice in one.context.notices()] == ["The sliders are others now"] * renamed
