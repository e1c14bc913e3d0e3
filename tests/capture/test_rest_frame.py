"""The face at rest: never a frame without markers; one frame, several, another take, or a pose near the neutral."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.capture.bind import bind
from facewright.capture.neutral import check_neutral, rest_markers
from facewright.capture.rest_pose import at_rest, find_rest_pose
from facewright.capture.solver import solve_take
from facewright.errors import BadValue, UnknownName
from facewright.motion.take import Take
from facewright.rig.binding import Binding
from tests.capture.acting import Acted, a_rig, acted, mesh_error

MADE = acted(frames=100, head=False)
NEUTRAL = MADE.binding.places(MADE.rig.neutral)
PAIRS = {name: int(MADE.binding.vertices[i, 0]) for i, name in enumerate(MADE.take.names)}


def with_rest(take: Take, *frames: int) -> Take:
    """The take with the neutral face in some frames."""
    positions = take.positions.copy()
    positions[list(frames)] = NEUTRAL
    return replace(take, positions=positions)


def without(take: Take, *frames: int) -> Take:
    """The take with frames in which no marker is seen."""
    positions = take.positions.copy()
    positions[list(frames)] = np.nan
    return replace(take, positions=positions)


def test_frames_without_markers_are_never_at_rest() -> None:
    take = with_rest(without(MADE.take, *range(40)), *range(60, 95))
    found = rest_markers(take)
    assert found.note == "the face is taken to be at rest in frame 60"
    np.testing.assert_allclose(found.positions, NEUTRAL, atol=1e-2 * MADE.rig.size)


def test_frames_with_few_markers_are_not_at_rest_either() -> None:
    positions = with_rest(MADE.take, *range(60, 95)).positions.copy()
    positions[:40, 2:] = np.nan
    assert "frame 60" in rest_markers(replace(MADE.take, positions=positions)).note


def test_a_given_frame_without_markers_is_refused_with_a_better_one() -> None:
    take = without(MADE.take, *range(10))
    for refuse in (lambda: rest_markers(take, 4), lambda: check_neutral(take, 4)):
        with pytest.raises(
            BadValue, match="frame 4 shows no marker, which is no face at rest; frame 10 is the nearest"
        ):
            refuse()
    with pytest.raises(BadValue, match="frames 4, 5 show no marker"):
        rest_markers(take, [4, 5])
    with pytest.raises(BadValue, match="no frame is given"):
        rest_markers(take, [])
    with pytest.raises(BadValue, match="the neutral frame is 100; the take's go from 0 to 99"):
        rest_markers(take, [12, 100])
    check_neutral(take, 12)


def test_several_frames_at_rest_count_by_their_mean_and_empty_ones_do_not() -> None:
    take = without(MADE.take, 7)
    found = rest_markers(take, [7, 20, 50, 80])
    np.testing.assert_allclose(found.positions, take.positions[[20, 50, 80]].mean(axis=0), atol=2e-2 * MADE.rig.size)


def test_another_take_may_show_the_face_at_rest_in_another_unit() -> None:
    rest = Take(MADE.take.names[10:], np.repeat(NEUTRAL[None, 10:], 5, axis=0), 60.0, "cm", "rest").in_unit("mm")
    found = rest_markers(MADE.take, rest)
    assert found.names == MADE.take.names[10:]
    assert found.note.endswith("of rest")
    np.testing.assert_allclose(found.positions, NEUTRAL[10:], atol=1e-9)
    other = rest.renamed({name: f"other {name}" for name in rest.names})
    with pytest.raises(BadValue, match="at least three markers in both"):
        rest_markers(MADE.take, other)


def test_the_weights_of_a_rest_that_is_not_quite_neutral_are_solved_along() -> None:
    made = acted(frames=160, noise=0.02)
    there = np.zeros(16)
    there[[2, 7]] = 0.2, 0.15
    wrong = replace(made.binding, rest=made.binding.places(fw.evaluate(made.rig, there)))
    found = find_rest_pose(made.rig, made.take, wrong)
    np.testing.assert_allclose(found, there, atol=0.05)
    right = at_rest(made.rig, wrong, found)
    assert right.notes[-1].startswith(f"at rest the face has {made.rig.sliders[2]} ")
    before, after = (
        mesh_error(made.rig, solve_take(made.rig, made.take, binding).weights, made.weights)
        for binding in (wrong, right)
    )
    assert after < 0.5 * before


def test_a_rest_that_is_neutral_is_left_alone() -> None:
    made = acted(frames=160, noise=0.02)
    assert not find_rest_pose(made.rig, made.take, made.binding).any()
    assert at_rest(made.rig, made.binding, np.zeros(16)).notes == ("at rest the face is neutral",)


def test_what_the_rig_cannot_do_is_not_taken_for_a_pose_at_rest() -> None:
    made = acted(frames=160, noise=0.002, head=False)
    less = fw.Rig(made.rig.neutral, made.rig.polygons, made.rig.shapes[::2])
    assert find_rest_pose(less, made.take, made.binding).sum() < 0.2


def test_a_pose_at_rest_moves_the_markers_of_the_binding_back_to_the_neutral() -> None:
    pose = {MADE.rig.sliders[3]: 0.4}
    shown = MADE.binding.places(fw.evaluate(MADE.rig, pose))
    take = Take(MADE.take.names, np.repeat(shown[None], 8, axis=0), 60.0, "cm")
    found = bind(MADE.rig, take, PAIRS, rest_pose=pose)
    motion = (shown - NEUTRAL) / found.to_rig.scale @ found.to_rig.rotation
    np.testing.assert_allclose(found.rest, bind(MADE.rig, take, PAIRS).rest - motion, atol=1e-9)
    assert "0.40" in found.notes[-1]
    assert bind(MADE.rig, take, PAIRS, rest_pose="solved").notes[-1] == "at rest the face is neutral"
    with pytest.raises(UnknownName, match="solved"):
        bind(MADE.rig, take, PAIRS, rest_pose="guessed")  # type: ignore[arg-type]


def shown_at(made: Acted, weights: dict[int, float]) -> tuple[Binding, np.ndarray]:
    """The binding of an actor whose face at rest has some weights, and these (n,)."""
    there = np.zeros(len(made.rig.sliders))
    there[list(weights)] = list(weights.values())
    return replace(made.binding, rest=made.binding.places(fw.evaluate(made.rig, there))), there


def played(made: Acted, weights: np.ndarray) -> Take:
    """A take of weights (frames, n) on a still head, with some noise."""
    seen = made.binding.places(fw.evaluate(made.rig, weights))
    return replace(made.take, positions=seen + 0.02 * np.random.default_rng(3).normal(size=seen.shape))


def test_the_pose_at_rest_obeys_the_ties_of_the_rig() -> None:
    made, names = acted(frames=160), a_rig().sliders
    tied = replace(made.rig, ties=((names[2], names[7]), (names[7], names[4])))
    weights = made.weights.copy()
    weights[:, 7] = np.minimum(weights[:, 7], weights[:, 4])
    weights[:, 2] = np.minimum(weights[:, 2], weights[:, 7])
    take = played(made, weights)
    wrong, there = shown_at(made, {2: 0.3, 7: 0.12, 4: 0.2})
    free = find_rest_pose(made.rig, take, wrong)
    np.testing.assert_allclose(free, there, atol=0.05)
    found = find_rest_pose(tied, take, wrong)
    assert found[4] >= found[7] - 1e-9
    assert found[7] >= found[2] - 1e-9
    assert not np.allclose(found, free, atol=0.05)
    kept, there = shown_at(made, {2: 0.12, 7: 0.2, 4: 0.25})
    np.testing.assert_allclose(find_rest_pose(tied, take, kept), there, atol=0.05)


def test_of_an_exclusive_pair_one_slider_is_on_at_rest() -> None:
    made, names = acted(frames=160), a_rig().sliders
    exclusive = replace(made.rig, exclusive=((names[2], names[7]),))
    weights = made.weights.copy()
    ahead = weights[:, 2] > weights[:, 7]
    weights[ahead, 7], weights[~ahead, 2] = 0.0, 0.0
    take = played(made, weights)
    wrong, there = shown_at(made, {7: 0.25, 4: 0.1})
    np.testing.assert_allclose(find_rest_pose(exclusive, take, wrong), there, atol=0.05)
    both, there = shown_at(made, {2: 0.3, 7: 0.1})
    np.testing.assert_allclose(find_rest_pose(made.rig, take, both), there, atol=0.05)
    assert np.count_nonzero(find_rest_pose(exclusive, take, both)[[2, 7]]) == 1
