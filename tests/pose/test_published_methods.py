"""The published updates through `solve`, against the paper's equations."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.solve.filters import Tikhonov, Transpose
from facewright.solve.printed import equation_3, equation_4, equation_6, equation_8
from tests.laws.things import THINGS, Scene, scene
from tests.some import some

METHODS = ["pinv", "tikhonov", "transpose", "hybrid", "landweber(5)"]


def rows(case: Scene) -> tuple[np.ndarray, np.ndarray]:
    """B (q, n) and m (q,) of vertex pins, read off the face."""
    vertices = [some(pin.vertex) for pin in case.pins]
    B = fw.jacobian(case.rig, case.start, vertices).reshape(3 * len(vertices), -1)
    return B, (case.targets - fw.evaluate(case.rig, case.start)[vertices]).ravel()


def vertex_scene(thing: str, seed: int) -> Scene:
    case = scene(thing, seed)
    return replace(case, pins=[pin for pin in case.pins if pin.vertex is not None])


@pytest.mark.parametrize("thing", ["small", "two-sided", "mask", "combining"])
@pytest.mark.parametrize("seed", range(4))
def test_tikhonov_is_equation_4(thing: str, seed: int) -> None:
    case = vertex_scene(thing, seed)
    B, m = rows(case)
    alpha = float(Tikhonov().strength * np.linalg.norm(B, 2) ** 2)
    printed = equation_4(B, m + B @ case.start, case.start, alpha)
    found = fw.solve_pose(case.rig, case.pins, case.start, "tikhonov")
    np.testing.assert_allclose(found.weights, printed, atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_pinv_is_equation_3(seed: int) -> None:
    case = vertex_scene("small", seed)
    B, m = rows(case)
    found = fw.solve_pose(case.rig, case.pins, case.start, "pinv")
    np.testing.assert_allclose(found.change, equation_3(B, m), atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_a_hold_pin_is_a_constraint_of_the_published_methods(seed: int) -> None:
    case = vertex_scene("small", seed)
    B, m = rows(case)
    pins = [*case.pins[:-1], replace(case.pins[-1], hold=True)]
    found = fw.solve_pose(case.rig, pins, case.start, "pinv")
    # The least changes that come nearest, where the hold rows count without end.
    weight = np.r_[np.ones(len(m) - 3), np.full(3, 1e4)]
    m[-3:] = 0.0
    np.testing.assert_allclose(found.change, equation_3(weight[:, None] * B, weight * m), atol=1e-5)
    np.testing.assert_allclose(B[-3:] @ found.change, 0.0, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_transpose_points_along_equation_6_and_comes_nearest(seed: int) -> None:
    case = vertex_scene("small", seed)
    B, m = rows(case)
    change, printed = fw.solve_pose(case.rig, case.pins, case.start, "transpose").change, equation_6(B, m)
    step = (change @ printed) / (printed @ printed)
    np.testing.assert_allclose(change, step * printed, atol=1e-12)
    misses = [np.linalg.norm(B @ (share * change) - m) for share in (0.9, 1.0, 1.1)]
    assert misses[1] <= min(misses)


@pytest.mark.parametrize("seed", range(4))
def test_hybrid_mixes_equations_3_and_6_by_the_pins_independence(seed: int) -> None:
    case = vertex_scene("mask", seed)
    B, m = rows(case)
    s = np.linalg.svd(B, compute_uv=False)
    gamma, eta = s[-1] / s[0], np.sum((B.T @ m) ** 2) / np.sum((B @ (B.T @ m)) ** 2)
    mixed = gamma * equation_3(B, m) + (1 - gamma) * eta * equation_6(B, m)
    found = fw.solve_pose(case.rig, case.pins, case.start, "hybrid")
    np.testing.assert_allclose(found.change, mixed, atol=1e-10)
    assert not np.allclose(mixed, equation_8(B, m))


@pytest.mark.parametrize("seed", range(4))
def test_one_landweber_step_is_transpose_with_its_step_and_many_are_pinv(seed: int) -> None:
    case = vertex_scene("small", seed)
    B, m = rows(case)
    eta = 1 / np.linalg.norm(B, 2) ** 2
    one, many = (fw.solve_pose(case.rig, case.pins, case.start, f"landweber({k})").change for k in (1, 1e9))
    np.testing.assert_allclose(one, eta * equation_6(B, m), atol=1e-12)
    np.testing.assert_allclose(many, equation_3(B, m), atol=1e-8)
    assert Transpose().step is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("thing", THINGS)
def test_laws_of_every_published_method(method: str, thing: str) -> None:
    case = scene(thing, 1)
    locked = case.rig.sliders[::3]
    solver = fw.PoseSolver(case.rig)
    drag = solver.drag(case.pins, case.start, method, locked=locked)
    once = drag.to(case.targets)
    chosen = [case.rig.slider_index(name) for name in locked]
    np.testing.assert_array_equal(once.weights[chosen], case.start[chosen])
    np.testing.assert_array_equal(drag.to(drag.places).weights, case.start)
    double = drag.to(drag.places + 2 * (case.targets - drag.places))
    np.testing.assert_allclose(double.change, 2 * once.change, atol=1e-9)
    assert np.isfinite(once.weights).all()


@pytest.mark.parametrize("method", METHODS)
def test_published_methods_do_not_depend_on_the_unit(method: str) -> None:
    case = scene("small", 1)
    for factor in (0.01, 100.0):
        shapes = tuple(replace(shape, offsets=factor * shape.offsets) for shape in case.rig.shapes)
        other = replace(case.rig, neutral=factor * case.rig.neutral, shapes=shapes)
        pins = [replace(pin, target=factor * some(pin.target)) for pin in case.pins]
        np.testing.assert_allclose(
            fw.solve_pose(other, pins, case.start, method).weights,
            fw.solve_pose(case.rig, case.pins, case.start, method).weights,
            atol=1e-9,
        )


@pytest.mark.parametrize("method", ["pinv", "tikhonov", "transpose", "hybrid", "landweber"])
def test_a_pin_that_holds_stays_and_the_dragged_one_goes_as_far_as_without_it(method: str) -> None:
    rig = fw.sample()
    left, right = 2781, 560  # corners of the mouth
    way = (fw.evaluate(rig, {"mouthSmileLeft": 0.6}) - rig.neutral)[left]
    pins = [fw.Pin(vertex=left, target=rig.neutral[left] + way), fw.Pin(vertex=right, hold=True)]
    alone, held = (
        fw.evaluate(rig, fw.solve_pose(rig, chosen, method=method).weights) - rig.neutral for chosen in (pins[:1], pins)
    )
    assert np.linalg.norm(held[right]) < 1e-3 * np.linalg.norm(way)
    assert held[left] @ way > 0.8 * alone[left] @ way
