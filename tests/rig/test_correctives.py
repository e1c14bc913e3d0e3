"""Which shapes are correctives, what their curves are, which poses show them, and what drives them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import facewright as fw
from facewright.rig.combine import Combine
from facewright.rig.correctives import factor_curve
from tests.laws.test_corrective_laws import RIGS, poses
from tests.laws.things import factored_rig, random_rig

IN_BETWEEN, COMBINATION, END = fw.CorrectiveKind.IN_BETWEEN, fw.CorrectiveKind.COMBINATION, fw.CorrectiveKind.END


def two_ended() -> fw.Rig:
    """A slider with different shapes at its ends and an in-between, another one, and their combination."""
    rig = random_rig(1, shapes=3)
    half = fw.Shape.from_dense("half", rig.shape("s1").dense(rig.vertex_count), sliders=("s0",), at=0.5)
    down = fw.Shape.from_dense("down", rig.shape("s2").dense(rig.vertex_count), sliders=("s0",), at=-1)
    both = fw.Shape.from_dense("both", rig.shape("s2").dense(rig.vertex_count), sliders=("s0", "s1"), at=(1.0, 0.5))
    shapes = (*rig.shapes, half, down, both)
    return replace(rig, shapes=shapes, bounds=np.array([[-1.0, 1], [0, 1], [0, 1]]))


def test_shapes_that_follow_one_slider_in_proportion_are_no_correctives() -> None:
    assert fw.corrective_kinds(two_ended()) == {"s0": END, "half": IN_BETWEEN, "down": END, "both": COMBINATION}
    assert fw.corrective_kinds(random_rig(1, shapes=3)) == {}
    kinds = fw.corrective_kinds(factored_rig(0))
    assert [name for name, kind in kinds.items() if kind is IN_BETWEEN] == ["s0 half", "s1 low"]
    assert [name for name, kind in kinds.items() if kind is COMBINATION] == ["s2 s3", "s0 s1 s4", "s3 s4", "s2 down"]


@pytest.mark.parametrize("kind", RIGS)
def test_the_product_of_the_curves_is_the_value_of_the_shape(kind: str) -> None:
    rig = RIGS[kind](2)
    weights = poses(rig, 2)
    values = Combine(rig)(weights)
    for name in fw.corrective_kinds(rig):
        shape = rig.shape(name)
        each = []
        for place, slider in enumerate(shape.sliders):
            x, y = factor_curve(rig, shape, place).T
            assert (np.diff(x) > 0).all()
            each.append(np.interp(weights[:, rig.slider_index(slider)], x, y))
        np.testing.assert_allclose(np.prod(each, axis=0), values[:, rig.shape_names.index(name)], atol=1e-12)


def test_corners_are_all_mixes_of_full_bent_and_ended_factors_and_the_first_has_the_shape_fully_on() -> None:
    rig = two_ended()
    found = fw.corrective_corners(rig, rig.shape("both"))
    assert found.tolist()[0] == [1.0, 0.5]
    assert {*map(tuple, found.tolist())} == {*product((1.0, -1.0, 0.0), (0.5, 1.0, 0.0))} - {(0.0, 0.0)}
    assert fw.corrective_corners(rig, rig.shape("half")).tolist() == [[0.5], [1.0]]
    spanned = factored_rig(1)
    found = fw.corrective_corners(spanned, spanned.shape("s3 s4"))
    assert {value for value, _ in found.tolist()} == {0.6, 1.0, 0.9, 0.2, 0.0}
    for name in fw.corrective_kinds(spanned):
        shape = spanned.shape(name)
        first = dict(zip(shape.sliders, fw.corrective_corners(spanned, shape)[0], strict=True))
        assert Combine(spanned)(spanned.pose(first))[spanned.shape_names.index(name)] == pytest.approx(1.0)


def test_a_corrective_is_driven_by_other_factors_and_keeps_its_offsets() -> None:
    rig = factored_rig(1)
    factors = [fw.Factor("s2", 1.0, None), fw.Factor("s3", 0.75, (0.25, np.inf))]
    changed = fw.edit.drive_corrective(rig, "s2 s3", factors)
    shape = changed.shape("s2 s3")
    assert shape.factors == tuple(factors)
    np.testing.assert_array_equal(shape.offsets, rig.shape("s2 s3").offsets)
    value = Combine(changed)(changed.pose({"s2": 0.5, "s3": 0.5}))[changed.shape_names.index("s2 s3")]
    assert value == pytest.approx(0.5 * 0.5)
    one = fw.edit.drive_corrective(rig, "s2 s3", factors[1:])
    assert one.shape("s2 s3").additive
    assert fw.edit.drive_corrective(rig, "s2 s3", rig.shape("s2 s3").factors) is rig


@pytest.mark.parametrize(
    ("name", "factors", "words"),
    [
        ("s2 s3", [("s2", 1.0, None), ("s2", 0.5, None)], "names each slider once"),
        ("s2 s3", [("s2", 0.5, (0.6, 1.0))], "the knots 0.6, 0.5, 1 are out of order"),
        ("s2 s3", [("nobody", 1.0, None)], "no slider named 'nobody'"),
        ("s2 s3", [("s2", 0.0, None)], "a slider value other than 0"),
        ("s2 s3", [], "needs at least one slider"),
        ("s3", [("s4", 1.0, None)], "the own shape of a slider"),
    ],
)
def test_what_cannot_drive_a_corrective_is_said(
    name: str, factors: list[tuple[str, float, tuple[float, float] | None]], words: str
) -> None:
    with pytest.raises(fw.FacewrightError, match=words):
        fw.edit.drive_corrective(factored_rig(1), name, [fw.Factor(*each) for each in factors])


def test_two_targets_at_one_value_are_refused() -> None:
    rig = two_ended()
    quarter = fw.Shape.from_dense("quarter", np.ones((rig.vertex_count, 3)), sliders=("s0",), at=0.25)
    rig = replace(rig, shapes=(*rig.shapes, quarter))
    with pytest.raises(fw.BadValue, match=r"has a target at 0\.5 already"):
        fw.edit.drive_corrective(rig, "quarter", [fw.Factor("s0", 0.5, None)])


def test_the_in_betweens_of_one_slider_are_converted_and_the_others_stay() -> None:
    rig = factored_rig(3)
    weights = poses(rig, 3)
    aimed = fw.edit.target_in_betweens(rig, sliders=("s0",))
    assert not aimed.shape("s0 half").additive
    assert aimed.shape("s1 low").additive
    back = fw.edit.additive_in_betweens(aimed, sliders=("s0",))
    assert back.shape("s0 half").additive
    for other in (aimed, back):
        np.testing.assert_allclose(fw.evaluate(other, weights), fw.evaluate(rig, weights), atol=1e-12 * rig.size)
    with pytest.raises(fw.UnknownName, match="no slider named 'jaw'"):
        fw.edit.target_in_betweens(rig, sliders=("jaw",))


@pytest.mark.parametrize(
    ("at", "spans", "words"),
    [
        (5e-324, [], "from 1e-06 to 1e"),
        (-1e308, [], "from 1e-06 to 1e"),
        (0.5, [(0.5 - 1e-12, 1.0)], "closer than 1e-06"),
    ],
)
def test_values_that_would_overflow_are_refused(at: float, spans: list[tuple[float, float]], words: str) -> None:
    with pytest.raises(fw.BadValue, match=words):
        fw.Shape("x", [0], [[1.0, 0, 0]], ("s0", "s1"), (1.0, at), [None, *spans] if spans else ())


@pytest.mark.parametrize(("count", "corners"), [(4, 3**4 - 1), (8, 2**8 - 1), (12, 25)])
def test_combinations_of_many_sliders_have_fewer_corners(count: int, corners: int) -> None:
    rig = random_rig(1, shapes=count)
    many = fw.Shape.from_dense("many", np.ones((rig.vertex_count, 3)), sliders=rig.sliders, at=(0.5,) * count)
    rig = replace(rig, shapes=(*rig.shapes, many))
    found = fw.corrective_corners(rig, many)
    assert len(np.unique(found, axis=0)) == len(found) == corners
    assert found[0].tolist() == [0.5] * count
    assert found.any(axis=1).all()
