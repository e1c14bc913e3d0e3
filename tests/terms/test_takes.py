"""A user's terms in every frame of a take, beside dense formulations of the same problem."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize
from scipy.sparse import block_diag, csc_array, kron
from scipy.sparse.linalg import spsolve

import facewright as fw
from facewright.capture.take_prior import LikelyPoses
from tests.capture.acting import Acted, acted
from tests.capture.inertia import process_precision
from tests.terms.own_terms import Alike, Costly, Near, Stiff, VerticalGap

RIDGE = 1e-3  # of the noise's variance
UPPER, LOWER = 400, 900


@cache
def made(*, wide: bool = False, corrective: bool = False, frames: int = 60) -> Acted:
    """A take of a still head without noise to speak of; `wide`: bounds that are never met."""
    take = acted(frames=frames, noise=0.02, head=False)
    rig = take.rig
    if wide:
        rig = replace(rig, bounds=np.tile([-9.0, 9.0], (len(rig.sliders), 1)))
    if corrective:
        halves = tuple(fw.Shape(f"{s.name} half", s.vertices, 0.6 * s.offsets, (s.name,), 0.5) for s in rig.shapes[::4])
        pairs = tuple(
            fw.Shape(f"{a.name} {b.name}", a.vertices, 0.3 * a.offsets, (a.name, b.name))
            for a, b in zip(rig.shapes[:6], rig.shapes[5:], strict=False)
        )
        rig = fw.Rig(rig.neutral, rig.polygons, (*rig.shapes, *halves, *pairs), sliders=rig.sliders)
    return replace(take, rig=rig)


def terms(rig: fw.Rig) -> list[fw.Term]:
    a, b, c, *_ = rig.sliders
    return [Alike(a, b, 0.1), Near(c, 0.6, 0.02), VerticalGap(UPPER, LOWER, 0.01, 5.0)]


def by_hand(rig: fw.Rig, binding: fw.Binding) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """B (3k, n) of the markers, and the terms' 1/2 w'Hw + c'w on a linear rig."""
    n = len(rig.sliders)
    B = np.moveaxis(binding.rows(rig), 0, 2).reshape(-1, n)
    full = np.abs(rig.bounds).max(axis=1)
    curvature = np.linalg.norm(B * full, 2) ** 2
    P = np.zeros((2, n))
    P[0, :2], P[1, 2] = np.sqrt(0.1) * np.array([1.0, -1.0]) / full[:2], np.sqrt(0.02) / full[2]
    p = np.array([0.0, np.sqrt(0.02) * 0.6])
    y = rig.neutral[UPPER, 1] - rig.neutral[LOWER, 1]
    deltas = rig.deltas()[:, :, 1]
    row = deltas[:, UPPER] - deltas[:, LOWER]  # (n,)
    wanted = (y + 0.01 * rig.size) - y
    return B, curvature * P.T @ P + 5 * np.outer(row, row), -curvature * P.T @ p - 5 * wanted * row


def likely_poses(take: Acted, **options: Any) -> LikelyPoses:
    """What is measured of the take before it is solved."""
    return fw.TakeSolver(take.rig, take.binding, **options).prepare(take.take).scale.likely


def test_a_steady_take_is_one_large_least_squares_problem() -> None:
    take = made(wide=True)
    rig = take.rig
    found = fw.solve_take(rig, take.take, take.binding, sparse=0.0, head="markers", terms=terms(rig))
    B, H, c = by_hand(rig, take.binding)
    n, frames, variance = len(rig.sliders), len(found), found.noise**2
    assert found.believed.all()
    likely = likely_poses(take, head="markers")
    system = block_diag([B.T @ B + RIDGE * variance * np.eye(n) + H] * frames, format="csc")
    inertia = csc_array(process_precision(frames, likely.pace / take.take.rate))
    system = system + kron(inertia, variance * likely.precision, format="csc")
    asked = found.wanted.reshape(frames, -1) @ B - c
    np.testing.assert_allclose(found.weights, spsolve(csc_array(system), asked.ravel()).reshape(frames, n), atol=1e-6)
    plain = fw.solve_take(rig, take.take, take.binding, sparse=0.0, head="markers").weights
    assert np.abs(plain - found.weights).max() > 0.1


def test_each_frame_alone_is_a_bounded_problem_with_prices() -> None:
    take = made(frames=12)
    rig, price = take.rig, 0.3
    own = [*terms(rig), Costly(rig.sliders[4], price), Stiff(0.001)]
    found = fw.solve_take(rig, take.take, take.binding, steady=0.0, sparse=0.0, head="markers", terms=own)
    B, H, c = by_hand(rig, take.binding)
    n = len(rig.sliders)
    H = H + B.T @ B + (RIDGE * found.noise**2 + 0.001 * np.linalg.norm(B, 2) ** 2) * np.eye(n)
    H = H + found.noise**2 * likely_poses(take, head="markers").precision
    most = np.abs(B) @ np.ones(n)
    lengths = np.linalg.norm(
        np.minimum(np.abs(found.wanted.reshape(len(found), -1)), most).reshape(found.wanted.shape), axis=2
    )
    typical = (lengths**2).sum() / lengths.sum()
    c = c + price * typical * np.linalg.norm(B, axis=0).max() * np.eye(n)[4]
    assert found.believed.all()
    L = np.linalg.cholesky(H)
    for frame in (0, 5, 11):
        slope = c - found.wanted[frame].ravel() @ B
        best = lsq_linear(L.T, -np.linalg.solve(L, slope), (0.0, 1.0), method="bvls", tol=1e-15).x
        np.testing.assert_allclose(found.weights[frame], best, atol=1e-6)
    plain = fw.solve_take(
        rig, take.take, take.binding, steady=0.0, sparse=0.0, head="markers", terms=terms(rig)
    ).weights
    assert (found.weights[:, 4] == 0).sum() > (plain[:, 4] == 0).sum()


def test_on_a_rig_that_combines_no_general_method_finds_less_cost() -> None:
    take = made(corrective=True, frames=8)
    rig = take.rig
    found = fw.solve_take(rig, take.take, take.binding, steady=0.0, sparse=0.0, head="markers", terms=terms(rig))
    slopes = fw.jacobian(rig, rig.weights())  # (v, 3, n)
    B = np.einsum("kc,kcan->kan", take.binding.barycentric, slopes[take.binding.vertices])
    B = B.reshape(-1, len(rig.sliders))
    curvature, at_rest = np.linalg.norm(B, 2) ** 2, take.binding.places(rig.neutral)
    precision = likely_poses(take, head="markers").precision
    wanted_height = rig.neutral[UPPER, 1] - rig.neutral[LOWER, 1] + 0.01 * rig.size

    def cost(weights: np.ndarray, wanted: np.ndarray) -> float:
        positions = fw.evaluate(rig, weights)
        left = take.binding.places(positions) - at_rest - wanted
        height = positions[UPPER, 1] - positions[LOWER, 1] - wanted_height
        liked = 0.1 * (weights[0] - weights[1]) ** 2 + 0.02 * (weights[2] - 0.6) ** 2
        ridge = found.noise**2 * (RIDGE * weights @ weights + weights @ precision @ weights)
        return float((left**2).sum() + ridge + curvature * liked + 5 * height**2) / 2

    for frame in (0, 4, 7):
        wanted = np.where(found.believed[frame][:, None], found.wanted[frame], 0.0)
        assert found.believed[frame].all()
        best = minimize(cost, found.weights[frame], (wanted,), bounds=[(0, 1)] * len(rig.sliders), method="L-BFGS-B")
        assert cost(found.weights[frame], wanted) <= best.fun * (1 + 1e-3)


@pytest.mark.parametrize("options", [{}, {"steady": 0.0}, {"method": "convex"}])
@pytest.mark.parametrize("corrective", [False, True])
def test_a_strong_preference_is_met_in_every_frame(options: dict[str, Any], corrective: bool) -> None:
    take = made(corrective=corrective, frames=40)
    a, b, *_ = take.rig.sliders
    plain = fw.solve_take(take.rig, take.take, take.binding, **options).weights
    alike = fw.solve_take(take.rig, take.take, take.binding, terms=[Alike(a, b, 1e3)], **options).weights
    assert np.abs(plain[:, 0] - plain[:, 1]).max() > 0.1
    assert np.abs(alike[:, 0] - alike[:, 1]).max() < 0.02
    assert ((alike >= 0) & (alike <= 1)).all()


def test_a_pin_holds_its_place_in_every_frame() -> None:
    take = made(frames=40)
    moved = np.linalg.norm(fw.evaluate(take.rig, take.weights) - take.rig.neutral, axis=2).max(axis=0)
    vertex = int(moved.argmax())
    solver = fw.TakeSolver(take.rig, take.binding, terms=[fw.Pin(vertex=vertex, hold=True, strength=3)])
    away = fw.evaluate(take.rig, solver.solve(take.take).weights)[:, vertex] - take.rig.neutral[vertex]
    assert np.linalg.norm(away, axis=1).max() < 0.05 * moved[vertex]


def test_every_region_has_the_preferences() -> None:
    take = made(frames=20)
    a, b, *_ = take.rig.sliders
    regions = fw.segment(take.rig)
    found = fw.solve_take(
        take.rig, take.take, take.binding, regions, terms=[Alike(a, b, 1e3), VerticalGap(UPPER, LOWER)]
    )
    assert found.region_weights is not None
    assert np.abs(found.region_weights[:, :, 0] - found.region_weights[:, :, 1]).max() < 0.02


@pytest.mark.parametrize("corrective", [False, True])
def test_zero_strength_changes_nothing(corrective: bool) -> None:
    take = made(corrective=corrective, frames=20)
    a, b, c, *_ = take.rig.sliders
    none: list[fw.Term] = [Alike(a, b, 0.0), Near(c, 0.5, 0.0), Costly(a, 0.0), VerticalGap(UPPER, LOWER, 0.1, 0.0)]
    plain, same = (
        fw.solve_take(take.rig, take.take, take.binding, terms=each).weights for each in (list[fw.Term](), none)
    )
    np.testing.assert_allclose(same, plain, atol=1e-9)


@pytest.mark.parametrize("corrective", [False, True])
def test_terms_do_not_depend_on_the_unit(corrective: bool) -> None:
    take = made(corrective=corrective, frames=20)
    own = [*terms(take.rig), Costly(take.rig.sliders[4], 0.3), Stiff(0.01)]
    small = take.scaled(0.01)
    here, there = (fw.solve_take(each.rig, each.take, each.binding, terms=own).weights for each in (take, small))
    np.testing.assert_allclose(there, here, atol=1e-4 if corrective else 1e-6)


def test_a_price_on_a_slider_that_goes_below_0_is_refused() -> None:
    take = made(wide=True)
    with pytest.raises(fw.FacewrightError, match="goes below 0; in a take give it a ridge or H"):
        fw.TakeSolver(take.rig, take.binding, terms=[Costly(take.rig.sliders[0], 0.1)])


def test_a_misspelt_option_is_refused_with_the_near_name() -> None:
    take = made()
    with pytest.raises(TypeError, match="solve_take has no option 'stedy'; did you mean steady"):
        fw.solve_take(take.rig, take.take, take.binding, stedy=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="TakeSolver has no option 'lockd'; did you mean locked"):
        fw.TakeSolver(take.rig, take.binding, lockd=("a",))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="solve_pose has no option 'hold'; did you mean held"):
        fw.solve_pose(take.rig, [], hold=[1])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"PoseSolver.drag has no option 'dampened'; did you mean damped"):
        fw.PoseSolver(take.rig).drag([], dampened=True)  # type: ignore[call-arg]
