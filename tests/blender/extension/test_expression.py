"""Expressions of drivers hold what factors of the library are, and nothing else is taken for one. Needs no Blender."""

import numpy as np
import pytest
from blender.expression import LONGEST, NotOurs, factors_of, product, variable_names
from hypothesis import given
from hypothesis import strategies as st

import facewright as fw
from facewright.rig.combine import factor_values

KNOTS = st.lists(st.integers(-40, 40), min_size=3, max_size=3, unique=True).map(
    lambda drawn: sorted(x / 20 for x in drawn)
)


@given(KNOTS, st.sampled_from(["both", "low", "high", "none"]))
def test_a_factor_is_read_back_and_worth_what_the_library_says(knots: list[float], ends: str) -> None:
    low, at, high = knots
    if at == 0:
        return
    span = {"both": (low, high), "low": (low, np.inf), "high": (-np.inf, high), "none": None}[ends]
    factor = fw.Factor("jaw open", at if span else 1.0, span)
    (name,) = variable_names([factor.slider])
    text = product([factor], [name])
    (found,) = factors_of(text, {name: "jaw open"})
    assert found == factor
    x = np.linspace(-3, 3, 61)
    evaluated = [eval(text, {"min": min, "max": max}, {name: value}) for value in x.tolist()]
    np.testing.assert_allclose(evaluated, factor_values(factor, np.array([-3.0, 3.0]), x), atol=1e-7)


def test_products_keep_the_order_of_their_factors() -> None:
    factors = (fw.Factor("a", 1.0, None), fw.Factor("b c", 0.25, (0.0, 1.0)), fw.Factor("min", 1.0, None))
    names = variable_names([factor.slider for factor in factors])
    assert names == ("a", "v1", "v2")
    text = product(factors, names)
    assert text == "a*max(0,min(v1/0.25,(1-v1)/0.75))*v2"
    assert factors_of(text, dict(zip(names, ("a", "b c", "min"), strict=True))) == factors


@pytest.mark.parametrize(
    "text", ["max(0, min(2*x, 2-2*x))", "max(0,min(x/0.5,-(x-1)/0.5))", "max(0,min((1-x)/.5,x*2))"]
)
def test_other_spellings_of_a_hat_are_read(text: str) -> None:
    assert factors_of(text, {"x": "jaw"}) == (fw.Factor("jaw", 0.5, (0.0, 1.0)),)


@pytest.mark.parametrize(
    "text",
    [
        "", "x+1", "2*x", "x*x", "x*y", "x/0", "sin(x)", "max(x,0)", "max(0,x,1)", "max(0,min(x,x))", "x if x else 1",
        "max(0,min(x/0.5,(1-x)/0.4))", "max(0,0)", "max(0,1-x*x)", "x**2", "__import__('os')", "max(0,*x)", "(" * 300,
        "max(0," + "(" * 40 + "x" + ")" * 40 + "+" + "-" * 40 + "x)", "max(0,x/1e999)", "1" + "0" * 400 + "*x", "x\n*x",
        "max(0,(1-x)/1)",
    ],
)  # fmt: skip
def test_everything_else_is_not_ours(text: str) -> None:
    with pytest.raises(NotOurs):
        factors_of(text, {"x": "jaw"})


def test_an_expression_that_blender_would_cut_off_is_refused_in_words() -> None:
    factors = [fw.Factor(f"slider{i:018d}", 0.123456789, (0.0, 1.0)) for i in range(6)]
    with pytest.raises(fw.BadValue, match=f"Blender keeps {LONGEST}"):
        product(factors, variable_names([factor.slider for factor in factors]))
