"""Many small systems at once, against LAPACK one by one."""

import numpy as np
import pytest

from facewright.solve.elimination import SMALL, eliminate


@pytest.mark.parametrize("n", [1, 2, 3, SMALL])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_unknowns_are_those_of_each_system_alone(n: int, scale: float) -> None:
    rng = np.random.default_rng(n)
    roots, right = rng.normal(size=(40, n, n)), rng.normal(size=(40, n, 6))
    systems = scale * (roots @ roots.swapaxes(1, 2) + 0.1 * np.eye(n))
    found = eliminate(systems.transpose(1, 2, 0).copy(), right.transpose(1, 2, 0).copy())
    np.testing.assert_allclose(found.transpose(2, 0, 1), np.linalg.solve(systems, right), rtol=1e-9, atol=1e-11 / scale)


def test_no_systems_have_no_unknowns() -> None:
    assert eliminate(np.zeros((3, 3, 0)), np.zeros((3, 2, 0))).shape == (3, 2, 0)
    assert eliminate(np.zeros((0, 0, 5)), np.zeros((0, 2, 5))).shape == (0, 2, 5)
