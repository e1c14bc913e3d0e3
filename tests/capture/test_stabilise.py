from typing import Any

import numpy as np
import pytest

from facewright.capture import stabilise
from facewright.capture.head import HeadMotion
from facewright.capture.stabilise import head_motion, medians, stillness
from tests.capture.acting import head_motion as made
from tests.capture.acting import smooth


def a_face(frames: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Twenty markers, of which the first eight stand still and the others, the jaw, go down together."""
    rng = np.random.default_rng(1)
    rest = rng.uniform(-8, 8, size=(20, 3))
    still = np.repeat(rest[None], frames, axis=0)
    still[:, 8:] += np.abs(smooth(rng, frames, 1))[:, :, None] * [0.0, -1.5, -0.5] + 0.3 * smooth(
        rng, frames, 36
    ).reshape(frames, 12, 3)
    return rest, still


def misses(found: HeadMotion, true: HeadMotion, rest: np.ndarray) -> float:
    frames = len(found.offsets)
    at = np.repeat(rest[None], frames, axis=0)
    return float(np.linalg.norm(found.put_back(at) - true.put_back(at), axis=2).max())


def test_the_markers_that_move_least_are_found_and_give_the_heads_motion() -> None:
    rest, still = a_face()
    true = HeadMotion(*made(200, 20.0), np.ones(200, bool))
    positions = true.put_back(still)
    found = stillness(positions)
    assert set(found.still) == set(range(8))
    assert misses(head_motion(positions, rest, found), true, rest) < 1e-3


def test_the_search_for_still_markers_settles(monkeypatch: pytest.MonkeyPatch) -> None:
    _, still = a_face()
    positions = HeadMotion(*made(200, 20.0), np.ones(200, bool)).put_back(still)
    monkeypatch.setattr("facewright.capture.stabilise._SETTLED", 0.0)
    found = []
    for rounds in (20, 60):
        monkeypatch.setattr("facewright.capture.stabilise._ROUNDS", rounds)
        found.append(stillness(positions))
    np.testing.assert_allclose(found[0].reference, found[1].reference, atol=1e-6)
    np.testing.assert_allclose(found[0].trust, found[1].trust, atol=1e-6)


def test_taken_out_and_put_back_is_as_before() -> None:
    _, still = a_face()
    motion = HeadMotion(*made(200, 20.0), np.ones(200, bool))
    np.testing.assert_allclose(motion.put_back(motion.taken_out(still)), still, atol=1e-12)


def test_a_still_marker_that_goes_astray_in_some_frames_does_not_take_the_head_along() -> None:
    rest, still = a_face()
    true = HeadMotion(*made(200, 20.0), np.ones(200, bool))
    positions = true.put_back(still)
    positions[50:60, 2] += 6.0
    assert misses(head_motion(positions, rest, stillness(positions)), true, rest) < 0.05


def test_frames_without_enough_markers_lie_between_their_neighbours() -> None:
    rest, still = a_face()
    true = HeadMotion(*made(200, 20.0), np.ones(200, bool))
    positions = true.put_back(still)
    positions[100:103] = np.nan
    found = head_motion(positions, rest, stillness(positions))
    assert np.flatnonzero(~found.known).tolist() == [100, 101, 102]
    assert misses(found, true, rest) < 0.2
    np.testing.assert_allclose(np.linalg.det(found.rotations), 1)


def test_medians_leave_out_what_is_not_a_number() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(31, 4, 2))
    values[rng.uniform(size=values.shape) < 0.3] = np.nan
    values[:, 3, 1] = np.nan
    with np.errstate(all="ignore"):
        expected = np.array([[np.median(c[~np.isnan(c)]) if (~np.isnan(c)).any() else np.nan for c in row.T]
                             for row in values.transpose(1, 0, 2)])  # fmt: skip
    np.testing.assert_allclose(medians(values), expected)


def test_very_many_markers_are_not_all_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    _, still = a_face()
    positions = HeadMotion(*made(200, 20.0), np.ones(200, bool)).put_back(still)
    every = stillness(positions)
    monkeypatch.setattr(stabilise, "_COMPARED", 12)
    rarely = positions.copy()
    rarely[::3, 12:] = np.nan
    few = stillness(rarely)
    assert set(few.still) == set(every.still) & set(few.still)
    assert len(few.still) >= 4
    lengths: list[int] = []
    norm = np.linalg.norm

    def noted(values: np.ndarray, *args: Any, **options: Any) -> Any:
        lengths.append(values.size)
        return norm(values, *args, **options)

    monkeypatch.setattr(np.linalg, "norm", noted)
    stillness(np.random.default_rng(2).normal(size=(50, 300, 3)))
    assert max(lengths) <= 50 * 300 * 3
