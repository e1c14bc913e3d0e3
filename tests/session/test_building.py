"""The jobs of a build go on, whatever changes while they run and whatever becomes of their results."""

import queue
from collections.abc import Callable, Iterator

import pytest

from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.build import AddPoses, LoadNeutral, without_shapes
from facewright.session.tasks.build.building import Building
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from tests.session.faces import document

PATIENCE = 60.0
TEMPLATE = mask(vertices=600, shapes=8, seed=3, support=0.3)


class Session:
    """A context whose thread is the test's own."""

    def __init__(self) -> None:
        self._posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        plan = BuildPlan(GivenFace("mask", TEMPLATE), GivenFace("neutral", without_shapes(TEMPLATE)))
        self.context = Context(document(), plan, lambda run, newest=None: self._posted.put(run))
        self.building = self.context.task(Building)

    @property
    def doing(self) -> str:
        return self.building.doing

    def hear_one(self) -> None:
        self._posted.get(timeout=PATIENCE)()

    def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            self.hear_one()


@pytest.fixture
def session() -> Iterator[Session]:
    found = Session()
    yield found
    found.building.close()


def test_faces_that_came_back_while_others_were_looked_at_are_checked(session: Session) -> None:
    context, building = session.context, session.building
    assert session.doing == "checking"
    building.ask("pair")
    context.apply(LoadNeutral(face=GivenFace("other", without_shapes(mask(vertices=900, shapes=8)))))
    building.plan_changed()
    session.hear_one()
    assert session.doing == "pairing"
    context.go_to("build", 0)
    building.plan_changed()
    session.hear_one()
    assert session.doing == "checking"
    session.until(lambda: building.known.checked is not None)


def test_a_result_that_cannot_become_part_of_the_plan_is_said_and_not_looked_for_again(session: Session) -> None:
    context, building = session.context, session.building

    def check() -> None:
        if any(pose.guess is not None for pose in context.plan.value.poses):
            raise OverflowError("a weight is too large for the page")

    context.on_change = check
    session.until(lambda: session.doing == "")
    context.apply(AddPoses(poses=(GivenPose("smile", without_shapes(TEMPLATE)),)))
    building.plan_changed()
    assert session.doing == "checking"
    session.until(lambda: session.doing != "checking")
    assert session.doing == ""
    (notice,) = context.notices()
    assert "too large for the page" in notice
    assert building.known.checked is not None
    assert building.known.checked.reason == notice


def test_a_build_that_does_not_solve_by_itself_says_why(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    building = session.building
    monkeypatch.setattr("facewright.session.tasks.build.state.SMALL", 1)
    session.until(lambda: not session.doing)
    assert building.waits.startswith("It waits for Solve: 8 shapes on")
    building.solve_along(False)
    assert building.waits == ""
    building.solve_along(True)
    building.ask("solve")
    session.until(lambda: not session.doing and building.known.current)
    assert building.waits == ""
    other = GivenFace("other", without_shapes(mask(vertices=900, shapes=8)))
    session.context.apply(LoadNeutral(face=other))
    building.plan_changed()
    session.until(lambda: not session.doing)
    assert building.waits == "It waits until the template is registered."
