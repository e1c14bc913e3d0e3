"""What cannot work says which pin or slider, and never gives weights that are not numbers."""

from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue, UnknownName
from facewright.pose.method import METHODS
from facewright.solve.solution import Status
from tests.laws.things import random_rig, scene, strip
from tests.some import some


def face() -> fw.Rig:
    """Smile moves vertex 0 up and 1 to the side, blink moves 2 down, nothing moves 5."""
    neutral = np.random.default_rng(0).normal(size=(6, 3))
    shapes = (
        fw.Shape("smile", [0, 1], [[0.0, 1.0, 0.0], [0.5, 0.0, 0.0]]),
        fw.Shape("blink", [2, 3], [[0.0, -0.8, 0.0], [0.0, -0.4, 0.1]]),
    )
    return fw.Rig(neutral, strip(6), shapes)


def pin(vertex: int, *offset: float, **options: Any) -> fw.Pin:
    return fw.Pin(vertex=vertex, target=face().neutral[vertex] + offset, **options)


@pytest.mark.parametrize("method", METHODS)
def test_a_pin_on_a_point_that_nothing_moves_is_said(method: str) -> None:
    found = fw.solve_pose(face(), [pin(0, 0, 0.5, 0), pin(5, 0, 1, 0)], method=method)
    assert found.reasons[1] == "pin 1: no slider moves this point along its axes"
    assert np.isfinite(found.weights).all()
    assert found.residual[1] == pytest.approx(1)


@pytest.mark.parametrize("method", METHODS)
def test_only_such_pins_leave_the_pose_alone(method: str) -> None:
    start = np.array([0.2, 0.7])
    found = fw.solve_pose(face(), [pin(5, 0, 1, 0)], start, method)
    np.testing.assert_array_equal(found.weights, start)
    assert found.reasons == ("pin 0: no slider moves this point along its axes",)


def test_a_direction_that_nothing_moves_in_is_said() -> None:
    found = fw.solve_pose(face(), [pin(0, 0.3, 0, 0)])
    assert found.reasons == ("pin 0: no slider moves this point in that direction",)
    assert not found.weights.any()


def test_axes_along_which_nothing_moves_are_said() -> None:
    found = fw.solve_pose(face(), [pin(0, 0.3, 0.5, 0, axes="xz")])
    assert found.reasons == ("pin 0: no slider moves this point along its axes",)


@pytest.mark.parametrize("method", METHODS)
def test_pins_that_contradict_each_other_name_each_other(method: str) -> None:
    found = fw.solve_pose(face(), [pin(2, 0, -0.4, 0), pin(0, 0, 0.6, 0), pin(0, 0, 0.1, 0)], method=method)
    assert found.reasons[1] == "pin 1: pin 2 wants something else"
    assert found.reasons[2] == "pin 2: pin 1 wants something else"
    assert found.weights[0] == pytest.approx(0.35, abs=0.05)


def test_pins_that_contradict_each_other_name_each_other_on_a_face_with_many_sliders() -> None:
    rig = fw.sample()
    open = fw.evaluate(rig, {"jawOpen": 0.5})
    chin = int(np.linalg.norm(open - rig.neutral, axis=1).argmax())
    found = fw.solve_pose(rig, [fw.Pin(vertex=chin, target=place[chin]) for place in (open, rig.neutral)])
    assert found.reasons == ("pin 0: pin 1 wants something else", "pin 1: pin 0 wants something else")


def test_a_pin_out_of_reach_is_not_blamed_on_one_that_is_met() -> None:
    found = fw.solve_pose(face(), [pin(0, 0, 5.0, 0), pin(2, 0, -0.4, 0)])
    assert found.reasons == ("pin 0: smile is fully on already", "")


def test_a_bound_that_is_met_names_the_slider() -> None:
    found = fw.solve_pose(face(), [pin(0, 0, 1.5, 0)])
    assert found.weights[0] == 1
    assert found.reasons == ("pin 0: smile is fully on already",)


def test_a_lock_that_stops_a_pin_names_the_slider() -> None:
    found = fw.solve_pose(face(), [pin(0, 0, 0.5, 0), pin(2, 0, -0.5, 0)], locked=["smile"])
    assert found.reasons == ("pin 0: smile would help but may not move", "")
    assert found.weights[0] == 0


@pytest.mark.parametrize("method", METHODS)
def test_everything_locked_leaves_the_pose_alone(method: str) -> None:
    start = np.array([0.3, 0.6])
    found = fw.solve_pose(face(), [pin(0, 0, 0.9, 0)], start, method, locked=["smile", "blink"])
    np.testing.assert_array_equal(found.weights, start)
    assert found.reasons == ("pin 0: smile would help but may not move",)


@pytest.mark.parametrize("method", METHODS)
def test_no_pins_leave_the_pose_alone(method: str) -> None:
    start = np.array([0.3, 0.6])
    found = fw.solve_pose(face(), [], start, method)
    np.testing.assert_array_equal(found.weights, start)
    assert found.reasons == ()
    assert found.residual.shape == (0,)
    assert found.status is Status.SOLVED


@pytest.mark.parametrize("method", METHODS)
def test_a_rig_without_shapes_is_posed_by_nothing(method: str) -> None:
    rig = fw.Rig(np.eye(3), strip(3))
    found = fw.solve_pose(rig, [fw.Pin(vertex=0, target=np.array([2.0, 0, 0]))], method=method)
    assert found.weights.shape == (0,)
    assert found.reasons == ("pin 0: no slider moves this point along its axes",)


def test_a_target_that_is_no_place_names_the_pin() -> None:
    with pytest.raises(BadValue, match="target of the pin on vertex 3 has a value that is not finite at index 1"):
        fw.Pin(vertex=3, target=np.array([0.0, np.nan, 0.0]))
    drag = fw.PoseSolver(face()).drag([pin(0, 0, 1, 0), pin(2, 0, 0, 0)])
    with pytest.raises(BadValue, match=r"pin 1: the target \[0.0, inf, 0.0\] is not a place in space"):
        drag.to(np.array([[0, 0, 0], [0, np.inf, 0]]))
    with pytest.raises(BadValue, match=r"there are 2 pins, each with a target \(3,\); got shape \(1, 3\)"):
        drag.to([[0, 0, 0]])


def test_a_place_that_does_not_exist_names_the_pin() -> None:
    with pytest.raises(BadValue, match="pin 1: vertex 6 does not exist; they go from 0 to 5"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0), fw.Pin(vertex=6, hold=True)])
    with pytest.raises(BadValue, match="pin 0: vertex -1 does not exist"):
        fw.solve_pose(face(), [fw.Pin(vertex=-1, hold=True)])
    with pytest.raises(BadValue, match="pin 0: triangle 4 does not exist; they go from 0 to 3"):
        fw.solve_pose(face(), [fw.Pin(triangle=4, barycentric=np.array([1, 0, 0]), hold=True)])
    with pytest.raises(BadValue, match=r"pin 0: vertex is a whole number, not 1\.5"):
        fw.solve_pose(face(), [fw.Pin(vertex=1.5, hold=True)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "a pin sits on a vertex, or on a triangle"),
        ({"vertex": 1, "triangle": 2, "barycentric": [1, 0, 0]}, "a pin sits on a vertex, or on a triangle"),
        ({"triangle": 2}, "triangle and barycentric coordinates go together"),
        ({"vertex": 1}, "pin on vertex 1 needs a target, or hold=True"),
        ({"vertex": 1, "hold": True, "axes": "xw"}, "axes are some of x, y and z"),
        ({"vertex": 1, "hold": True, "axes": ""}, "axes are some of x, y and z"),
        ({"vertex": 1, "hold": True, "strength": -1.0}, "strength is a number from 0 up, not -1.0"),
        ({"vertex": 1, "hold": True, "strength": np.nan}, "strength is a number from 0 up, not nan"),
        ({"vertex": 1, "hold": True, "plane": [0, 0, 0]}, "plane needs a normal that is not zero"),
        ({"vertex": 1, "target": [1, 2]}, r"target of the pin on vertex 1 must have shape \(3\)"),
        ({"triangle": 1, "barycentric": [0.5, 0.2, 0.1], "hold": True}, "barycentric coordinates sum to 1, not 0.8"),
    ],
)
def test_a_pin_that_makes_no_sense_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        fw.Pin(**fields)


def test_names_that_do_not_exist_say_what_does() -> None:
    with pytest.raises(UnknownName, match="no slider named 'smil'; did you mean smile"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], locked=["smil"])
    with pytest.raises(UnknownName, match="no slider named 'jaw'"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], {"jaw": 1.0})
    with pytest.raises(UnknownName, match="no method named 'quick'; there are bounded, natural, automatic"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], method="quick")
    with pytest.raises(BadValue, match="landweber takes a number of steps"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], method="landweber(many)")


def test_a_start_that_is_no_pose_is_refused() -> None:
    with pytest.raises(BadValue, match="one pose is wanted, but the weights hold 2 frames"):
        fw.solve_pose(face(), [], np.zeros((2, 2)))
    with pytest.raises(BadValue, match=r"weights must have shape \(2\)"):
        fw.solve_pose(face(), [], np.zeros(3))
    with pytest.raises(BadValue, match="not finite"):
        fw.solve_pose(face(), [], [0.0, np.nan])


def test_held_points_with_a_method_that_knows_none_are_refused() -> None:
    with pytest.raises(BadValue, match="the method pinv knows no held points; use bounded"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], method="pinv", held=fw.Selection.of([1]))
    with pytest.raises(BadValue, match="indices go from 0 to 5"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], held=[9])
    with pytest.raises(BadValue, match="selected vertices must hold whole numbers"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], held={"brow": "y"})  # type: ignore[dict-item]
    with pytest.raises(BadValue, match="alpha is a number from 0 up, not -3"):
        fw.solve_pose(face(), [pin(0, 0, 1, 0)], held=fw.Selection.of([1]), alpha=-3)


def test_held_points_may_be_vertices_a_mapping_or_a_selection() -> None:
    ways = (fw.Selection.of([1]), [1], {1: "xyz"})
    found = [fw.solve_pose(face(), [pin(0, 0, 1, 0)], held=held, alpha=3.0).weights for held in ways]
    assert 0 < found[0][0] < 0.9
    np.testing.assert_array_equal(found[1:], [found[0]] * 2)


def test_attenuation_is_of_one_pose() -> None:
    with pytest.raises(BadValue, match="one pose is wanted, but the weights hold 4 frames"):
        fw.Attenuation(face(), [0], np.zeros((4, 2)))
    with pytest.raises(BadValue, match="one pose is wanted, but the weights hold 4 frames"):
        fw.Attenuation(face(), [0]).solve(np.zeros((4, 2)))


def test_held_points_stay_as_still_as_alpha_says() -> None:
    case = scene("small", 0)
    held = fw.Selection.of([some(case.pins[3].vertex)])
    moved = []
    for alpha in (0.0, 1.0, 100.0, 1e6):
        found = fw.solve_pose(case.rig, case.pins[:3], held=held, alpha=alpha)
        moved.append(np.linalg.norm((fw.evaluate(case.rig, found.weights) - case.rig.neutral)[case.pins[3].vertex]))
    assert (np.diff(moved) < 0).all()
    assert moved[-1] < 1e-3 * moved[0]


@pytest.mark.parametrize("method", METHODS)
def test_the_same_pin_twice_is_one_pin(method: str) -> None:
    once = fw.solve_pose(face(), [pin(0, 0, 0.5, 0)], method=method)
    twice = fw.solve_pose(face(), [pin(0, 0, 0.5, 0)] * 2, method=method)
    np.testing.assert_allclose(twice.weights, once.weights, atol=0.02)
    assert twice.reasons == ("", "")


@pytest.mark.parametrize("size", [1e-6, 1e12])
def test_targets_absurdly_near_or_far_give_weights_within_bounds(size: float) -> None:
    rig = random_rig(0)
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + size * np.array([1.0, -2.0, 0.5])) for v in range(4)]
    found = fw.solve_pose(rig, pins)
    assert found.status is Status.SOLVED
    assert found.weights.min() >= 0
    assert found.weights.max() <= 1


@pytest.mark.parametrize("method", METHODS)
def test_a_target_in_another_world_names_its_pin_and_one_on_a_hold_pin_is_not_looked_at(method: str) -> None:
    with pytest.raises(BadValue, match=r"pin 1: .* is 1e\+15 away, on a face of size"):
        fw.solve_pose(face(), [pin(2, 0, 0.5, 0), pin(0, 0, 1e15, 0)], method=method)
    drag = fw.PoseSolver(face()).drag([pin(0, 0, 0.5, 0), fw.Pin(vertex=2, hold=True)], method=method)
    assert drag.to([face().neutral[0] + [0, 0.5, 0], [1e15, 0, 0]]).weights[0] > 0.05


def test_one_name_where_a_list_is_wanted_and_a_thing_that_is_no_pin_are_told() -> None:
    with pytest.raises(BadValue, match=r"such as \['smile'\]"):
        fw.solve_pose(face(), [pin(0, 0, 0.5, 0)], locked="smile")
    with pytest.raises(BadValue, match="pin 0 is a Pin"):
        fw.solve_pose(face(), [{"vertex": 0}])  # type: ignore[list-item]
