"""Which sliders a take is solved with, and that none goes further than the one that it is tied to."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

import facewright as fw
from facewright.arrays import Floats
from facewright.capture.markers import BoundRig
from facewright.capture.options import FitOptions
from facewright.errors import BadValue, UnknownName
from facewright.rig.binding import bind_vertices
from facewright.rig.rig import Rig
from tests.capture.acting import Acted, a_rig, acted

NAMES = (
    "jawOpen",
    "mouthClose",
    "eyeLookUpLeft",
    "viseme_aa",
    "Fcl_ALL_Joy",
    "tongueOut",
    "mouthSmileLeft",
    "browDown",
)


def named_rig() -> Rig:
    """A rig whose first sliders have names of every role; those that are not of the skin move it as others do."""
    rig = a_rig()
    shapes = list(rig.shapes)
    for i, alike in zip(range(2, 6), range(8, 12), strict=True):
        shapes[i] = replace(shapes[alike], name=shapes[i].name, sliders=shapes[i].sliders)
    names = (*NAMES, *rig.sliders[len(NAMES) :])
    return fw.edit.rename(replace(rig, shapes=tuple(shapes)), dict(zip(rig.sliders, names, strict=True)))


def solved_with(rig: Rig, **options: Any) -> set[str]:
    """The sliders that a take of the rig may move; no other one moves."""
    made = acted(rig, frames=20, head=False)
    solver = fw.TakeSolver(rig, made.binding, **options)
    fixed = solver.options.fixed_sliders(solver.bound)
    weights = solver.solve(made.take).weights
    assert not weights[:, fixed].any()
    assert weights.any()
    return {name for i, name in enumerate(rig.sliders) if i not in fixed}


def test_by_default_sliders_that_skin_does_not_ask_for_stay() -> None:
    rig = named_rig()
    usual = set(rig.sliders) - {"eyeLookUpLeft", "viseme_aa", "Fcl_ALL_Joy", "tongueOut"}
    assert solved_with(rig, gaze=False) == usual
    assert solved_with(rig, locked=["eyeLookUpLeft"]) == usual
    assert solved_with(rig, gaze=True) == set(rig.sliders) - {"viseme_aa", "Fcl_ALL_Joy"}
    assert solved_with(rig, sliders="all") == set(rig.sliders)


def test_only_the_sliders_of_the_set_move() -> None:
    rig = named_rig()
    arkit = {"jawOpen", "mouthClose", "eyeLookUpLeft", "tongueOut", "mouthSmileLeft"}
    assert solved_with(rig, sliders="arkit") == arkit
    assert solved_with(rig, sliders=["mouthSmileLeft", "viseme_aa"]) == {"mouthSmileLeft", "viseme_aa"}
    grouped = replace(rig, groups=("chin", "lips", "eyes", "lips", *rig.groups[4:]))
    assert solved_with(grouped, sliders="chin") == {"jawOpen"}
    assert solved_with(grouped, sliders="chin", locked=["jawOpen"], gaze=True) == {"eyeLookUpLeft", "tongueOut"}


def test_a_marker_that_nothing_else_moves_asks_for_a_slider() -> None:
    rig = a_rig()
    visemes = fw.edit.rename(rig, {rig.sliders[0]: "viseme_aa", rig.sliders[1]: "viseme_oh"})
    made = acted(visemes, frames=5)
    assert FitOptions().fixed_sliders(BoundRig(visemes, made.binding)).tolist() == [0, 1]
    alone = replace(
        visemes,
        shapes=visemes.shapes[:2],
        sliders=visemes.sliders[:2],
        bounds=visemes.bounds[:2],
        groups=visemes.groups[:2],
    )
    assert not len(FitOptions().fixed_sliders(BoundRig(alone, made.binding)))


def test_a_marker_that_hardly_moves_asks_for_nothing() -> None:
    rig = named_rig()
    still = {f"marker {i}": int(v) for i, v in enumerate(np.argsort(np.linalg.norm(rig.deltas(), axis=2).sum(0))[:2])}
    lively = {f"lively {i}": v for i, v in enumerate(range(3, rig.vertex_count, 40))}
    offsets = rig.shapes[2].dense(rig.vertex_count)
    offsets[list(still.values())] = 0.01 * np.abs(rig.deltas()).max()
    faint = fw.Shape.from_dense(rig.shapes[2].name, offsets)
    moved = replace(rig, shapes=(*rig.shapes[:2], faint, *rig.shapes[3:]))
    bound = BoundRig(moved, bind_vertices(moved, still | lively))
    assert rig.slider_index("eyeLookUpLeft") in FitOptions().fixed_sliders(bound)


def test_unknown_sets_are_refused() -> None:
    made = acted(frames=5)
    with pytest.raises(UnknownName, match="set of sliders"):
        fw.TakeSolver(made.rig, made.binding, sliders="no such group")
    with pytest.raises(UnknownName):
        fw.TakeSolver(made.rig, made.binding, sliders=["no such slider"])
    with pytest.raises(BadValue, match="at least one"):
        fw.TakeSolver(made.rig, made.binding, sliders=[])


def untied(rig: Rig) -> Acted:
    """A take in which mouthClose goes further than jawOpen."""
    made = acted(rig, frames=40, noise=0.01, gaps=0.05)
    assert (made.weights[:, 1] > made.weights[:, 0] + 0.05).any()
    return made


@pytest.mark.parametrize(
    "options", [{}, {"steady": 0.0}, {"method": "convex"}, {"method": "convex", "regions": True}, {"regions": True}]
)
def test_a_tied_slider_goes_no_further_than_the_other_in_any_frame(options: dict[str, Any]) -> None:
    made = untied(named_rig())
    more = dict(options)
    regions = fw.segment(made.rig) if more.pop("regions", False) else None
    found = fw.solve_take(made.rig, made.take, made.binding, regions, **more)
    assert (found.weights[:, 1] <= found.weights[:, 0] + 1e-9).all()
    assert found.weights.any()
    free = replace(made.rig, ties=())
    assert (fw.solve_take(free, made.take, made.binding, regions, **more).weights[:, 1] > found.weights[:, 0]).any()


def test_ties_hold_with_correctives() -> None:
    rig = named_rig()
    both = replace(rig.shapes[0], name="both", sliders=("jawOpen", "mouthSmileLeft"), at=(), spans=())
    made = untied(replace(rig, shapes=(*rig.shapes, both)))
    found = fw.solve_take(made.rig, made.take, made.binding)
    assert (found.weights[:, 1] <= found.weights[:, 0] + 1e-9).all()


def least_squares(B: Floats, m: Floats) -> Floats:
    """The weights from 0 to 1 of which the second is not above the first, by another solver."""

    def cost(w: Floats) -> float:
        return float(((B @ w - m) ** 2).sum())

    def slope(w: Floats) -> Floats:
        return np.asarray(2 * B.T @ (B @ w - m))

    tie = np.eye(B.shape[1])[:1] - np.eye(B.shape[1])[1:2]
    kept, bounds = LinearConstraint(tie, 0.0, np.inf), [(0.0, 1.0)] * B.shape[1]
    start, steps = np.zeros(B.shape[1]), {"maxiter": 500, "ftol": 1e-14}
    found = minimize(cost, start, jac=slope, bounds=bounds, constraints=kept, method="SLSQP", options=steps)  # type: ignore[call-overload]
    return np.asarray(found.x)


def test_frames_with_ties_are_the_least_squares_of_all_weights_that_keep_them() -> None:
    made = acted(named_rig(), frames=6, head=False)
    found = fw.solve_take(made.rig, made.take, made.binding, steady=0.0, sparse=0.0, head="still", sliders=NAMES[:2])
    B = BoundRig(made.rig, made.binding).rows.reshape(-1, len(made.rig.sliders))[:, :2]
    for frame, weights in enumerate(found.weights):
        m = (made.take.positions[frame] - made.binding.rest).ravel()
        np.testing.assert_allclose(weights[:2], least_squares(B, m), atol=2e-3)
