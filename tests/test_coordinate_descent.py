"""The published baseline of the benchmarks is what its description says."""

import numpy as np
from bench.correctives.coordinate_descent import CoordinateDescent
from bench.correctives.inverse_rig import OURS, WHOLE, compared
from scipy.optimize import minimize_scalar

import facewright as fw
from facewright.build.mesh_rows import MeshRows
from facewright.terms.delta_matrix import DeltaMatrix
from tests.capture.acting import bent_rig


def a_rig() -> fw.Rig:
    """The bent rig with sliders from 0 to 1."""
    rig = bent_rig()
    shapes = tuple(shape for shape in rig.shapes if shape.name != "7 down")
    return fw.Rig(rig.neutral, rig.polygons, shapes, sliders=rig.sliders)


def test_no_single_weight_can_be_set_better() -> None:
    rig, alpha = a_rig(), 0.5
    rows = MeshRows(DeltaMatrix(rig).shape_gram).rows
    descent = CoordinateDescent(rig, rows)
    wanted = np.random.default_rng(1).normal(size=(3, len(rows))) * 3
    found = descent(wanted, alpha)
    assert found.min() >= 0
    assert found.max() <= 1
    now = descent.cost(found, wanted, alpha)
    assert (now < descent.cost(np.zeros_like(found), wanted, alpha)).all()
    for frame, slider in np.ndindex(found.shape):
        pieces = ((0, 0.25), (0.25, 0.5), (0.5, 1))

        def cost(value: float, frame: int = frame, slider: int = slider) -> float:
            tried = found[frame : frame + 1].copy()
            tried[0, slider] = value
            return float(descent.cost(tried, wanted[frame : frame + 1], alpha)[0])

        best = min(minimize_scalar(cost, bounds=piece, method="bounded").fun for piece in pieces)
        assert now[frame] <= best * (1 + 1e-3)


def test_distances_in_few_coordinates_are_those_of_the_mesh() -> None:
    rig = a_rig()
    rows, deltas = MeshRows(DeltaMatrix(rig).shape_gram).rows, rig.deltas().reshape(len(rig.shapes), -1)
    values = np.random.default_rng(2).normal(size=(5, len(deltas)))
    np.testing.assert_allclose(np.linalg.norm(values @ rows.T, axis=1), np.linalg.norm(values @ deltas, axis=1))


def test_ours_costs_no_more_than_the_published_way() -> None:
    rig, rng = a_rig(), np.random.default_rng(3)
    poses = rng.uniform(size=(12, len(rig.sliders))) * (rng.uniform(size=(12, len(rig.sliders))) < 0.4)
    figures = compared(rig, poses)
    assert figures[OURS].cost <= 1.02 * figures[WHOLE].cost
    assert np.median(figures[OURS].error) < 0.02
