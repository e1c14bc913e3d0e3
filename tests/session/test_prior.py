"""What natural faces go by: learned from the clips, opened, forgotten, and used wherever the face is solved."""

import queue
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.prior import Prior
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.pins import add_pin
from facewright.session.edits.pose import set_weights
from facewright.session.edits.prior import ForgetPrior, UsePrior
from facewright.session.edits.regions import find_regions
from facewright.session.storage.opened import get_opened, put_opened
from facewright.session.tasks.prior import LearnPrior, PriorLearning
from facewright.session.views.prior import prior_info
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex
from tests.session.test_loading import PATIENCE
from tests.some import some


class Session:
    """A context whose thread is the test's own."""

    def __init__(self, one: Document) -> None:
        self._posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.context = Context(one, fresh_plan(), lambda run, newest=None: self._posted.put(run))

    @property
    def text(self) -> str:
        """What the page shows."""
        return prior_info(self.context).text

    def learn(self) -> None:
        LearnPrior().run(self.context)
        while self.context.task(PriorLearning).is_running:
            self._posted.get(timeout=PATIENCE)()


def habitual(rig: fw.Rig) -> Prior:
    """Every slider goes with the one after it."""
    rng = np.random.default_rng(5)
    poses = rng.uniform(0, 1, (200, len(rig.sliders)))
    return Prior.learn(rig, poses + np.roll(poses, 1, axis=1))


def test_a_prior_is_learned_from_the_clips_as_one_step_and_forgotten_as_another() -> None:
    one = document()
    empty = Clip("empty", {})
    other = Clip("other", {one.rig.sliders[5]: Curve([0.0, 1.0], [0.1, 0.9])})
    session = Session(replace(one, clips=(*one.clips, empty, other)))
    assert session.text == "by the names of the sliders"
    session.learn()
    prior = some(session.context.document.value.prior)
    assert prior.sources == ("take", "other")
    assert session.text == f"learned from 2 clips ({prior.frames} poses)"
    session.context.apply(ForgetPrior())
    assert session.context.document.value.prior is None
    assert session.context.document.history.labels == ["Learn from 2 clips", "Forget prior"]
    session.context.go_to("document", 1)
    assert session.context.document.value.prior is prior
    assert not Session(one).context.apply(ForgetPrior())  # there is none


def test_without_clips_the_reason_is_said() -> None:
    with pytest.raises(BadValue, match="no clips to learn from"):
        Session(replace(document(), clips=())).learn()


def test_what_is_learned_for_sliders_that_are_gone_is_dropped() -> None:
    session = Session(document())
    LearnPrior().run(session.context)
    with pytest.raises(BadValue, match="already"):
        LearnPrior().run(session.context)
    session.context.document.go(lambda one: replace(one, rig=replace(one.rig, bounds=2 * one.rig.bounds)))
    while session.context.task(PriorLearning).is_running:
        session._posted.get(timeout=PATIENCE)()
    assert session.context.document.value.prior is None
    assert "The sliders are others now" in session.context.notices()[0]


def test_what_is_learned_is_kept_where_only_ties_were_changed() -> None:
    session = Session(document())
    LearnPrior().run(session.context)
    session.context.document.go(lambda one: replace(one, rig=replace(one.rig, ties=())))
    while session.context.task(PriorLearning).is_running:
        session._posted.get(timeout=PATIENCE)()
    assert session.context.document.value.prior is not None


def test_a_prior_of_other_sliders_is_refused_and_one_in_the_document_does_not_count() -> None:
    one, other = document(), Prior(("a", "b"), np.zeros(2), np.eye(2), 3, ("x",))
    session = Session(one)
    with pytest.raises(BadValue, match="no slider"):
        session.context.apply(UsePrior(prior=other, name="habits"))
    assert session.context.document.value.prior is None
    assert "other sliders" in Session(replace(one, prior=other)).text


def test_an_opened_prior_is_handed_over_as_it_is_and_used(tmp_path: Path) -> None:
    one = document()
    prior = habitual(one.rig)
    put_opened(prior, tmp_path)
    again = get_opened(tmp_path)
    assert isinstance(again, Prior)
    np.testing.assert_array_equal(again.covariance, prior.covariance)
    session = Session(one)
    session.context.apply(UsePrior(prior=again, name="habits"))
    assert session.context.document.value.prior is again
    assert session.context.document.history.labels == ["Use prior habits"]
    assert session.text == "learned from 200 poses"


@pytest.mark.parametrize("in_region", [False, True])
def test_natural_drags_go_by_the_prior_and_come_from_the_same_solver(in_region: bool) -> None:
    one = find_regions(replace(document(), drag_method="natural"), 0.6)
    vertex = lively_vertex(one.rig)
    regions = some(one.regions)
    region = max(regions.names[:-1], key=lambda name: regions.field(name)[vertex]) if in_region else ""
    place = fw.evaluate(one.rig, one.pose)[vertex]
    drag = PinDrag({1: tuple((place + np.array([0, 0.01 * one.rig.size, 0])).tolist())}, region=region)
    pinned = add_pin(one, PlacedPin(id=1, vertex=vertex))
    learned = replace(pinned, prior=habitual(one.rig))
    solvers = SolverCache()

    def values(of: Document) -> np.ndarray:
        found = drag_pins(of, drag, solvers)[0]
        return found.pose if not in_region else some(found.local)

    by_names = values(pinned)
    assert np.abs(values(learned) - by_names).max() > 1e-3
    np.testing.assert_array_equal(values(pinned), by_names)
    assert solvers.within(learned, region) is solvers.within(learned, region)
    assert solvers.within(learned, region).prior is learned.prior


def test_sliders_that_spare_held_points_go_by_the_prior() -> None:
    one = document()
    vertex = lively_vertex(one.rig)
    mover = one.rig.sliders[int(np.linalg.norm(one.rig.deltas()[:, vertex], axis=1).argmax())]
    held = HeldPoints(np.array([vertex]), np.array([7]), on=True)
    poses = [
        set_weights(replace(one, held=held, prior=prior), {mover: 1.0}, SolverCache()).pose
        for prior in (None, habitual(one.rig))
    ]
    assert np.abs(poses[0] - poses[1]).max() > 1e-4
