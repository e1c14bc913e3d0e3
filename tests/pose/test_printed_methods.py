"""Drags by the printed equations are what the equations give for the matrix of the pins."""

from collections.abc import Callable

import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import UnknownName
from facewright.pose.method import PRINTED
from facewright.rig.edit import scale
from facewright.solve.printed import equation_3, equation_4, equation_6, equation_8
from tests.laws.things import random_rig

EQUATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "printed.pinv": equation_3,
    "printed.tikhonov": lambda B, m: equation_4(B, m, np.zeros(B.shape[1]), 1e-3),
    "printed.transpose": equation_6,
    "printed.hybrid": equation_8,
}


def drag(rig: fw.Rig, vertices: list[int], way: Floats, method: str) -> Floats:
    pins = [fw.Pin(vertex=v, target=rig.neutral[v] + by) for v, by in zip(vertices, way, strict=True)]
    return fw.solve_pose(rig, pins, method=method).weights


def test_every_printed_method_has_its_equation() -> None:
    assert set(PRINTED) == set(EQUATIONS)


@pytest.mark.parametrize("method", PRINTED)
@pytest.mark.parametrize("vertices", [[3], [1, 8], [0, 4, 7, 12]])
def test_a_drag_is_the_equation_of_its_pins(method: str, vertices: list[int]) -> None:
    rig = random_rig(2)
    way = np.random.default_rng(len(vertices)).normal(size=(len(vertices), 3))
    B = np.array([shape.dense(rig.vertex_count)[vertices].ravel() for shape in rig.shapes]).T
    expected = EQUATIONS[method](B, way.ravel())
    assert np.abs(expected).max() > 0.01
    np.testing.assert_allclose(drag(rig, vertices, way, method), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("method", PRINTED)
def test_all_but_the_pseudo_inverse_depend_on_the_unit(method: str) -> None:
    rig, way = random_rig(2), np.random.default_rng(1).normal(size=(2, 3))
    one, other = drag(rig, [1, 8], way, method), drag(scale(rig, 10), [1, 8], 10 * way, method)
    assert np.allclose(one, other, rtol=1e-6) == (method == "printed.pinv")


def test_an_unknown_method_lists_the_printed_ones() -> None:
    with pytest.raises(UnknownName, match=r"printed\.hybrid"):
        fw.solve_pose(random_rig(2), [fw.Pin(vertex=1, target=np.zeros(3))], method="printed.other")
