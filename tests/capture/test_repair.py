"""Broken takes: a clear word, and a valid rest."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.capture.repair import without_frozen
from facewright.capture.solver import solve_take
from facewright.errors import BadValue
from tests.capture.acting import acted, mesh_error


def test_markers_that_were_swapped_are_put_right() -> None:
    made = acted(frames=120)
    positions = np.array(made.take.positions)
    positions[40:70, [12, 31]] = positions[40:70, [31, 12]]
    found = solve_take(made.rig, replace(made.take, positions=positions), made.binding)
    assert any("marker 12 and marker 31 were swapped in 30 frames" in note for note in found.notes)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.01


def test_a_marker_that_stands_still_in_the_room_is_not_believed() -> None:
    made = acted(frames=120)
    positions = np.array(made.take.positions)
    positions[:, 20] = positions[0, 20]
    found = solve_take(made.rig, replace(made.take, positions=positions), made.binding)
    assert any("marker 20 stands still in the room for 119 frames" in note for note in found.notes)
    assert mesh_error(made.rig, found.weights, made.weights) < 0.02


def test_a_take_in_which_nothing_moves_has_no_frozen_markers() -> None:
    positions = np.random.default_rng(0).normal(size=(1, 9, 3)).repeat(50, axis=0)
    assert without_frozen(positions, positions, tuple("abcdefghi"), 1.0).notes == ()


def test_a_marker_that_flies_off_is_named_and_not_gone_by() -> None:
    made = acted(frames=120)
    positions = np.array(made.take.positions)
    positions[50:62, 33] += (4.0, 7.0, 3.0)
    found = solve_take(made.rig, replace(made.take, positions=positions), made.binding)
    assert any("marker 33 is where it cannot be" in note for note in found.notes)
    assert not found.believed[52:60, 33].any()
    assert mesh_error(made.rig, found.weights, made.weights) < 0.03


def test_a_rig_that_cannot_follow_does_not_make_its_markers_mistakes() -> None:
    made = acted(frames=120, head=False)
    moved = np.linalg.norm(made.take.positions - made.binding.places(made.rig.neutral), axis=2).mean(axis=0)
    lively = max(range(16), key=lambda i: np.abs(made.rig.shapes[i].offsets).sum())
    less = replace(
        made.rig,
        shapes=tuple(s for i, s in enumerate(made.rig.shapes) if i != lively),
        sliders=(),
        bounds=None,  # type: ignore[arg-type]
        groups=(),
    )
    found = solve_take(less, made.take, made.binding)
    doubted = ~found.believed
    assert doubted.mean() < 0.02
    assert moved.max() > 0.1


def test_a_take_of_nothing_but_gaps_is_solved_to_rest() -> None:
    made = acted(frames=30)
    found = solve_take(made.rig, replace(made.take, positions=np.full((30, 60, 3), np.nan)), made.binding)
    assert not found.weights.any()
    assert np.isfinite(found.head.offsets).all()


def test_a_take_in_another_unit_than_it_says_is_refused_with_the_unit_that_would_do() -> None:
    made = acted(frames=20)
    wrong = replace(made.take, positions=made.take.positions / 100)
    with pytest.raises(BadValue, match=r"--unit m"):
        solve_take(made.rig, wrong, made.binding)
    with pytest.raises(BadValue, match="bind this take anew") as told:
        solve_take(made.rig, replace(made.take, positions=made.take.positions * 1e5).really_in("mm"), made.binding)
    assert "--unit" not in str(told.value)
    right = solve_take(made.rig, wrong.really_in("m"), made.binding)
    np.testing.assert_allclose(right.weights, solve_take(made.rig, made.take, made.binding).weights, atol=1e-6)
