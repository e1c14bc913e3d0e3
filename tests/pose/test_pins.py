"""What a pin can be: on a vertex or on the surface, along axes or in a plane, strong or weak."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from tests.laws.things import scene


@pytest.mark.parametrize("method", ["bounded", "pinv", "transpose"])
def test_a_pin_at_a_corner_of_a_triangle_is_a_pin_on_the_vertex(method: str) -> None:
    case = scene("small", 1)
    triangle = case.rig.triangles[3]
    target = case.targets[0]
    for corner, vertex in enumerate(triangle):
        on_vertex = fw.Pin(vertex=int(vertex), target=target)
        on_triangle = fw.Pin(triangle=3, barycentric=np.eye(3)[corner], target=target)
        found = [fw.solve_pose(case.rig, [pin], case.start, method).weights for pin in (on_vertex, on_triangle)]
        np.testing.assert_array_equal(found[0], found[1])


def test_a_surface_pin_asks_for_the_mixture_of_its_corners() -> None:
    case = scene("small", 0)
    mix = np.array([0.2, 0.5, 0.3])
    goal = fw.evaluate(case.rig, case.goal)[case.rig.triangles[3]]
    drag = fw.PoseSolver(case.rig).drag([fw.Pin(triangle=3, barycentric=mix, target=mix @ goal)])
    np.testing.assert_allclose(drag.places[0], mix @ case.rig.neutral[case.rig.triangles[3]])
    found = drag.to([mix @ goal])
    after = mix @ fw.evaluate(case.rig, found.weights)[case.rig.triangles[3]]
    np.testing.assert_allclose(np.linalg.norm(after - mix @ goal), found.residual[0], atol=1e-12)


@pytest.mark.parametrize("method", ["bounded", "tikhonov"])
@pytest.mark.parametrize("axes", ["x", "y", "z", "xy", "yz"])
def test_axes_that_do_not_count_are_not_looked_at(method: str, axes: str) -> None:
    case = scene("small", 1)
    off = np.array([axis not in axes for axis in "xyz"]) * [3.0, -4.0, 5.0]
    pins = [replace(pin, axes=axes) for pin in case.pins]
    moved = [replace(pin, target=pin.target + off) for pin in pins]
    found = [fw.solve_pose(case.rig, each, case.start, method) for each in (pins, moved)]
    np.testing.assert_allclose(found[0].weights, found[1].weights, atol=1e-12)
    assert found[0].change.any()


@pytest.mark.parametrize("method", ["bounded", "pinv"])
def test_a_plane_pin_does_not_look_along_its_normal(method: str) -> None:
    case = scene("small", 1)
    normal = np.array([1.0, 2.0, -0.5])
    pins = [replace(pin, plane=normal) for pin in case.pins]
    moved = [replace(pin, target=pin.target + 3 * normal) for pin in pins]
    found = [fw.solve_pose(case.rig, each, case.start, method) for each in (pins, moved)]
    np.testing.assert_allclose(found[0].weights, found[1].weights, atol=1e-9)


def test_a_plane_pin_across_an_axis_is_a_pin_along_the_other_two() -> None:
    case = scene("small", 1)
    across = fw.solve_pose(case.rig, [replace(pin, plane=np.array([0, 0, 2.0])) for pin in case.pins], case.start)
    along = fw.solve_pose(case.rig, [replace(pin, axes="xy") for pin in case.pins], case.start)
    np.testing.assert_allclose(across.weights, along.weights, atol=1e-9)


@pytest.mark.parametrize("method", ["bounded", "pinv", "tikhonov", "transpose"])
def test_a_pin_without_strength_is_no_pin(method: str) -> None:
    case = scene("small", 1)
    weak = [*case.pins[:3], replace(case.pins[3], strength=0.0)]
    found = [fw.solve_pose(case.rig, pins, case.start, method).weights for pins in (case.pins[:3], weak)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-8)


@pytest.mark.parametrize("method", ["bounded", "pinv", "tikhonov", "transpose", "hybrid"])
def test_only_the_ratio_of_strengths_counts(method: str) -> None:
    case = scene("two-sided", 1)
    strong = [replace(pin, strength=50.0) for pin in case.pins]
    found = [fw.solve_pose(case.rig, pins, case.start, method).weights for pins in (case.pins, strong)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-7)


def test_a_stronger_pin_comes_nearer() -> None:
    case = scene("small", 0)
    asked = [replace(pin, target=pin.target + np.array([0.3, -0.2, 0.4])) for pin in case.pins]
    misses = [
        fw.solve_pose(case.rig, [replace(asked[0], strength=strength), *asked[1:]]).residual[0]
        for strength in (0.1, 1.0, 10.0)
    ]
    assert misses[0] > misses[1] > misses[2]


def test_the_order_of_pins_does_not_matter() -> None:
    case = scene("mask", 1)
    found = [fw.solve_pose(case.rig, pins, case.start).weights for pins in (case.pins, case.pins[::-1])]
    np.testing.assert_allclose(found[0], found[1], atol=1e-8)


def test_what_sliders_helped_sums_to_what_was_reached() -> None:
    case = scene("small", 0)
    found = fw.solve_pose(case.rig, case.pins)
    wanted, missing = found.details.wanted, found.details.missing
    np.testing.assert_allclose(found.helped.sum(), wanted @ (wanted - missing) / (wanted @ wanted))
    assert next(iter(found.moved)) == case.rig.sliders[np.abs(found.helped).argmax()]
