"""Pins sit on the surface; dragging them moves the face from where the drag began."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facewright.document import Document, PlacedPin
from facewright.errors import BadValue
from facewright.rig.evaluate import evaluate
from facewright.session.edits.held import hold_vertices, set_holding
from facewright.session.edits.pins import ChangePins, add_pin, change_pins, delete_pins, mirror_pins
from facewright.session.edits.pose import lock_sliders
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache
from tests.session.faces import document, lively_vertex


def pinned(**fields: Any) -> tuple[Document, np.ndarray]:
    """A face with pin 1 on its liveliest vertex, and where that is."""
    one = document()
    vertex = lively_vertex(one.rig)
    return add_pin(one, PlacedPin(id=1, vertex=vertex, **fields)), evaluate(one.rig, one.pose)[vertex]


def test_a_pin_goes_where_it_is_dragged_and_back_again() -> None:
    one, place = pinned()
    solvers = SolverCache()
    goal = place + np.array([0.0, -0.01 * one.rig.size, 0.0])
    two, dragged = drag_pins(one, PinDrag({1: tuple(goal)}), solvers)
    now = solvers.places(two).at(solvers.combine(two.rig)(two.pose))[0]
    assert np.linalg.norm(now - goal) == pytest.approx(dragged.solution.residual[0], abs=1e-9)
    assert (now - place) @ (goal - place) > 0.5 * np.linalg.norm(goal - place) ** 2
    back, _ = drag_pins(one, PinDrag({1: tuple(place)}), solvers)
    np.testing.assert_allclose(back.pose, one.pose, atol=1e-9)


def test_what_a_drag_came_to_does_not_depend_on_the_moves_before() -> None:
    one, place = pinned()
    warm, goal = SolverCache(), place + 0.01 * one.rig.size
    for share in (0.2, 3.0, -1.0):
        drag_pins(one, PinDrag({1: tuple(place + share * (goal - place))}), warm)
    np.testing.assert_allclose(
        drag_pins(one, PinDrag({1: tuple(goal)}), warm)[0].pose,
        drag_pins(one, PinDrag({1: tuple(goal)}), SolverCache())[0].pose,
        atol=1e-9,
    )


def test_a_pin_stays_softly_or_exactly_or_is_let_go_while_another_is_dragged() -> None:
    one, place = pinned()
    near = int(np.argsort(np.linalg.norm(one.rig.neutral - one.rig.neutral[one.pins[0].vertex], axis=1))[12])
    placed = add_pin(one, PlacedPin(id=2, vertex=near))
    goal = {1: tuple(place + np.array([0.0, 0.02 * one.rig.size, 0.0]))}

    def motion(start: Document, method: str = "bounded") -> float:
        two, _ = drag_pins(start, PinDrag(goal, method=method), SolverCache())
        return float(np.linalg.norm((evaluate(two.rig, two.pose) - evaluate(one.rig, one.pose))[near]))

    for method in ("bounded", "tikhonov"):
        let_go = motion(change_pins(placed, [2], free=True), method)
        softly, exactly = motion(placed, method), motion(change_pins(placed, [2], hold=True), method)
        assert exactly < 0.2 * let_go
        assert exactly < softly < 0.9 * let_go


def test_letting_go_of_a_pin_ends_its_hold_and_the_other_way_round() -> None:
    one, _ = pinned(hold=True)
    context: Any = None
    let_go = ChangePins(pins=[1], free=True).apply(one, context)
    assert (let_go.pins[0].hold, let_go.pins[0].free) == (False, True)
    held = ChangePins(pins=[1], hold=True).apply(let_go, context)
    assert (held.pins[0].hold, held.pins[0].free) == (True, False)
    edits = (ChangePins(pins=[1], free=True), ChangePins(pins=[1], hold=True), ChangePins(pins=[1], hold=False))
    assert [edit.label for edit in edits] == ["Let go of pin", "Hold pin", "Release pin"]


def test_a_pin_counts_in_the_view_plane_only() -> None:
    one, place = pinned()
    solvers = SolverCache()
    goal = place + np.array([0.0, 0.01 * one.rig.size, 0.5 * one.rig.size])
    _, dragged = drag_pins(one, PinDrag({1: tuple(goal)}, plane=(0.0, 0.0, 1.0)), solvers)
    flat, _ = drag_pins(one, PinDrag({1: tuple(place + np.array([0.0, 0.01 * one.rig.size, 0.0]))}, axes="xy"), solvers)
    np.testing.assert_allclose(dragged.solution.weights, flat.pose, atol=1e-9)


def test_dragging_spares_held_points_and_locked_sliders() -> None:
    one, place = pinned()
    goal = {1: tuple(place + np.array([0.0, 0.02 * one.rig.size, 0.0]))}
    plain, _ = drag_pins(one, PinDrag(goal), SolverCache())
    mover = one.rig.sliders[int(np.argmax(np.abs(plain.pose - one.pose)))]
    locked, _ = drag_pins(lock_sliders(one, [mover], True), PinDrag(goal), SolverCache())
    at = one.rig.slider_index(mover)
    assert locked.pose[at] == pytest.approx(one.pose[at], abs=1e-12)
    near = np.argsort(np.linalg.norm(one.rig.neutral - one.rig.neutral[one.pins[0].vertex], axis=1))[8:16].tolist()
    held = set_holding(hold_vertices(one, near), True, None)
    spared, _ = drag_pins(held, PinDrag(goal), SolverCache())

    def motion(two: Document) -> float:
        return float(np.linalg.norm((evaluate(two.rig, two.pose) - evaluate(one.rig, one.pose))[near]))

    assert motion(spared) < 0.5 * motion(plain)


def test_an_unreachable_pin_says_why() -> None:
    one, place = pinned()
    _, dragged = drag_pins(one, PinDrag({1: tuple(place + np.array([0.0, 9 * one.rig.size, 0.0]))}), SolverCache())
    assert dragged.solution.residual[0] > one.rig.size
    assert dragged.solution.reasons[0]


def test_mirroring_a_pin_puts_it_on_the_other_side_in_triangles_and_on_vertices() -> None:
    one = document()
    vertex = lively_vertex(one.rig)
    triangle = int(np.flatnonzero((one.rig.triangles == vertex).any(axis=1))[0])
    one = add_pin(one, PlacedPin(id=4, vertex=vertex, hold=True))
    one = add_pin(one, PlacedPin(id=7, triangle=triangle, barycentric=(0.2, 0.3, 0.5)))
    solvers = SolverCache()
    two = mirror_pins(one, [4, 7], solvers)
    assert [pin.id for pin in two.pins] == [4, 7, 8, 9]
    assert two.pins[2].hold
    rest = solvers.places(two).rest
    np.testing.assert_allclose(rest[2:] * [-1, 1, 1], rest[:2], atol=2e-3 * one.rig.size)
    with pytest.raises(BadValue, match="no pin was added"):
        mirror_pins(two, [4, 7], solvers)


def test_a_symmetric_drag_of_a_symmetric_pose_stays_symmetric() -> None:
    one, _ = pinned()
    one = replace(one, pose=np.full(len(one.pose), 0.3))
    solvers = SolverCache()
    place = evaluate(one.rig, one.pose)[one.pins[0].vertex]
    goal = place + np.array([0.01, 0.015, 0.0]) * one.rig.size
    two, dragged = drag_pins(one, PinDrag({1: tuple(goal)}, symmetric=True), solvers)
    assert dragged.ids == (1, -1)
    sides = solvers.symmetry(one.rig)
    now = evaluate(two.rig, two.pose)
    assert np.abs(two.pose - one.pose).max() > 0.01
    np.testing.assert_allclose(sides.plane.mirror(now)[sides.partner], now, atol=2e-3 * one.rig.size)


def test_pins_keep_their_numbers_and_unknown_ones_are_named() -> None:
    one, _ = pinned()
    with pytest.raises(BadValue, match="a pin 1 already"):
        add_pin(one, PlacedPin(id=1, vertex=0))
    with pytest.raises(BadValue, match=r"no pin 5; there are \[1\]"):
        delete_pins(one, [5])
    with pytest.raises(BadValue, match="no pin 5"):
        drag_pins(one, PinDrag({5: (0.0, 0.0, 0.0)}), SolverCache())
    assert delete_pins(one, [1]).pins == ()
    assert change_pins(one, [1], hold=False) is one
    with pytest.raises(BadValue, match="vertex 600"):
        add_pin(one, PlacedPin(id=2, vertex=600))
