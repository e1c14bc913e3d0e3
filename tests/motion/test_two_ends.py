"""Differences and signed parts of curves, against the curves themselves at many times."""

import numpy as np
import pytest

from facewright.motion.curve import Curve
from facewright.motion.two_ends import above_0, below_0, difference

RNG = np.random.default_rng(4)
CURVES = {
    "linear": Curve([0.0, 0.4, 1.1, 2.0], [0.3, -0.5, 0.8, -0.1]),
    "cubic": Curve([0.2, 0.9, 1.5, 2.3], [-0.4, 0.6, 0.5, -0.9], "cubic", RNG.normal(size=(4, 2))),
    "twice through 0": Curve([0.0, 1.0], [0.2, 0.3], "cubic", [[0, -4.0], [5.0, 0]]),
    "step": Curve([0.1, 0.6, 1.7], [0.5, -0.2, 0.7], "step"),
    "one key": Curve([0.5], [-0.3]),
    "touching 0": Curve([0.0, 0.5, 1.0, 1.5], [0.4, 0.0, 0.0, 0.2]),
}
TIMES = np.linspace(-0.5, 2.8, 1321)


@pytest.mark.parametrize("one", CURVES)
@pytest.mark.parametrize("other", CURVES)
def test_a_difference_is_one_minus_the_other_at_every_time(one: str, other: str) -> None:
    a, b = CURVES[one], CURVES[other]
    found = difference(a, b)
    assert found is not None
    wrong = np.abs(found(TIMES) - (a(TIMES) - b(TIMES))) > 1e-9
    jumps = np.concatenate([c.times for c in (a, b) if c.interpolation == "step"] or [np.zeros(0)])
    near = (np.abs(TIMES[:, None] - jumps) <= 1e-3).any(axis=1)  # the ramp that a jump becomes
    assert not (wrong & ~near).any()


@pytest.mark.parametrize("name", CURVES)
def test_the_parts_above_and_below_0_make_up_the_curve(name: str) -> None:
    curve = CURVES[name]
    np.testing.assert_allclose(above_0(curve)(TIMES), np.maximum(curve(TIMES), 0), atol=1e-9)
    np.testing.assert_allclose(below_0(curve)(TIMES), np.maximum(-curve(TIMES), 0), atol=1e-9)
    back = difference(above_0(curve), below_0(curve))
    assert back is not None
    np.testing.assert_allclose(back(TIMES), curve(TIMES), atol=1e-9)


def test_one_curve_alone_is_itself_or_its_negative() -> None:
    curve = CURVES["cubic"]
    assert difference(curve, None) is curve
    negative = difference(None, curve)
    assert negative is not None
    np.testing.assert_array_equal(negative(TIMES), -curve(TIMES))
    assert difference(None, None) is None
