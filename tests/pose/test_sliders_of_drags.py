"""Which sliders a drag uses: those that its pins ask for, those of a set, and tied ones only with their partner."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import LinearConstraint

import facewright as fw
from facewright.errors import UnknownName
from facewright.rig.roles import role_of
from tests.pose.independent import Objective

METHODS = ["bounded", "convex", "pinv", "tikhonov", "transpose", "hybrid", "landweber"]


@pytest.fixture(scope="module")
def head() -> fw.PoseSolver:
    return fw.PoseSolver(fw.sample())


def liveliest(solver: fw.PoseSolver, slider: str, part: str = "") -> int:
    """The vertex that a slider moves most, of a part."""
    rig = solver.rig
    motion = np.linalg.norm(fw.evaluate(rig, {slider: 1.0}) - rig.neutral, axis=1)
    if part:
        chosen = rig.part(part)
        motion[: chosen.start], motion[chosen.stop :] = 0.0, 0.0
    return int(motion.argmax())


def dragged(solver: fw.PoseSolver, vertex: int, way: np.ndarray, **options: object) -> set[str]:
    pin = fw.Pin(vertex=vertex, target=solver.rig.neutral[vertex] + way)
    return set(solver.solve([pin], **options).moved)  # type: ignore[arg-type]


def roles(names: set[str]) -> set[str]:
    return {role_of(name) for name in names}


def test_a_lid_is_dragged_without_the_gaze_unless_that_is_asked_for(head: fw.PoseSolver) -> None:
    skin = head.rig.parts[0].name
    vertex = liveliest(head, "eyeLookDownLeft", skin)
    way = 0.6 * (fw.evaluate(head.rig, {"eyeLookDownLeft": 1.0}) - head.rig.neutral)[vertex]
    assert roles(dragged(head, vertex, way)) == {"skin"}
    assert "gaze" in roles(dragged(head, vertex, way, sliders=["eyeLookDownLeft"]))


def test_an_eye_is_turned_by_the_gaze(head: fw.PoseSolver) -> None:
    eye = next(part.name for part in head.rig.parts if "eye" in part.name and "brow" not in part.name)
    slider = "eyeLookOutLeft" if "left" in eye.lower() else "eyeLookOutRight"
    vertex = liveliest(head, slider, eye)
    way = 0.6 * (fw.evaluate(head.rig, {slider: 1.0}) - head.rig.neutral)[vertex]
    assert roles(dragged(head, vertex, way)) == {"gaze"}


def test_a_rig_of_visemes_alone_is_dragged_by_them() -> None:
    shapes = [fw.Shape.from_dense(name, np.eye(3) * (i + 1)) for i, name in enumerate(("viseme_aa", "viseme_PP"))]
    solver = fw.PoseSolver(fw.Rig(np.eye(3), [[0, 1, 2]], shapes))
    assert dragged(solver, 0, np.array([0.7, 0, 0]))


@pytest.mark.parametrize("method", METHODS)
def test_no_slider_outside_the_set_moves(head: fw.PoseSolver, method: str) -> None:
    vertex = liveliest(head, "mouthSmileLeft")
    way = np.array([0.2, 0.4, 0.1])
    for chosen in ("mouth", ["mouthSmileLeft", "jawOpen"]):
        allowed = {
            name
            for name, group in zip(head.rig.sliders, head.rig.groups, strict=True)
            if (group == chosen if isinstance(chosen, str) else name in chosen)
        }
        moved = dragged(head, vertex, way, method=method, sliders=chosen)
        assert moved
        assert moved <= allowed
    with pytest.raises(UnknownName, match="mouth"):
        dragged(head, vertex, way, method=method, sliders="mouthh")


def test_what_a_set_leaves_out_is_said_where_it_would_have_helped(head: fw.PoseSolver) -> None:
    vertex = liveliest(head, "mouthSmileLeft")
    pin = fw.Pin(vertex=vertex, target=head.rig.neutral[vertex] + [0.3, 0.5, 0])
    reason = head.solve([pin], sliders=["browInnerUp"]).reasons[0]
    assert "not among the sliders of this drag" in reason


class TestTies:
    def wanted(self, solver: fw.PoseSolver, pose: dict[str, float]) -> list[fw.Pin]:
        """Pins about the mouth, dragged to a pose."""
        moved, closed = (fw.evaluate(solver.rig, each) for each in (pose, {"mouthClose": 1.0}))
        far = np.linalg.norm(closed - solver.rig.neutral, axis=1).argsort()[::-7][:40]
        return [fw.Pin(vertex=int(v), target=moved[v]) for v in far]

    @pytest.mark.parametrize("method", ["bounded", "convex"])
    def test_a_slider_goes_no_further_than_the_one_it_is_tied_to(self, head: fw.PoseSolver, method: str) -> None:
        rig = head.rig
        close, jaw = rig.slider_index("mouthClose"), rig.slider_index("jawOpen")
        alone = head.solve(self.wanted(head, {"mouthClose": 0.7}), method=method).weights
        assert alone[close] <= alone[jaw] + 1e-9
        free = fw.PoseSolver(replace(rig, ties=()))
        assert free.solve(self.wanted(head, {"mouthClose": 0.7}), method=method).weights[close] > 0.5

    def test_both_together_are_found(self, head: fw.PoseSolver) -> None:
        found = head.solve(self.wanted(head, {"mouthClose": 0.5, "jawOpen": 0.6}))
        weights = dict(zip(found.sliders, found.weights, strict=True))
        assert weights["jawOpen"] == pytest.approx(0.6, abs=0.1)
        assert weights["mouthClose"] == pytest.approx(0.5, abs=0.15)

    def test_a_start_beyond_the_tie_is_no_error_and_comes_back(self, head: fw.PoseSolver) -> None:
        start = head.rig.weights({"mouthClose": 0.8})
        drag = head.drag([fw.Pin(vertex=2781, target=head.rig.neutral[2781])], start)
        drag.to(drag.places + np.array([0, 0.5, 0]))
        np.testing.assert_array_equal(drag.to(drag.places).weights, start)

    def test_it_is_the_best_within_the_tie(self) -> None:
        rng = np.random.default_rng(3)
        neutral = rng.normal(size=(8, 3))
        shapes = [fw.Shape.from_dense(name, rng.normal(size=(8, 3))) for name in ("mouthClose", "jawOpen", "c")]
        rig = fw.Rig(neutral, [[0, 1, 2]], shapes)
        targets = fw.evaluate(rig, {"mouthClose": 0.9, "jawOpen": 0.1, "c": 0.4})
        pins = [fw.Pin(vertex=v, target=targets[v]) for v in range(8)]
        found = fw.solve_pose(rig, pins).weights
        tie = LinearConstraint(np.array([[1.0, -1.0, 0.0]]), -np.inf, 0.0)
        first = Objective(rig, pins, np.zeros(3))
        other = first.relieved(first.by_minimize(tie)).by_minimize(tie)
        np.testing.assert_allclose(found, other, atol=1e-4)
        assert found[0] == pytest.approx(found[1], abs=1e-9)
