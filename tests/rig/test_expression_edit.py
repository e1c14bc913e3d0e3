"""Changes of expressions, and what of them a pose shows."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.rig import expression_edit as edit
from facewright.rig.expression import Expression, ExpressionBind, pose_of_expressions
from facewright.samples import mask

RIG = mask(vertices=120, shapes=5, seed=3)
A, B, C = RIG.sliders[:3]
SMILE = Expression("smile", (ExpressionBind(A, 1.0), ExpressionBind(B, 0.5)))
WINK = Expression("blink", (ExpressionBind(A, 0.5), ExpressionBind(C, 1.0)), "blink")
BOTH = (SMILE, WINK)


def pose(**values: float) -> np.ndarray:
    found = np.zeros(len(RIG.sliders))
    for name, value in values.items():
        found[RIG.slider_index(name)] = value
    return found


def test_what_a_pose_shows_of_expressions_is_what_made_it() -> None:
    values = {"smile": 0.4, "blink": 0.3}
    made = pose_of_expressions(RIG, (SMILE, replace(WINK, binds=(ExpressionBind(C, 1.0),))), values)
    found = edit.values_of_pose(RIG, (SMILE, replace(WINK, binds=(ExpressionBind(C, 1.0),))), made)
    assert found == pytest.approx(values)


def test_what_is_found_in_a_pose_never_adds_up_to_more_than_it() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        some = rng.random(len(RIG.sliders))
        found = edit.values_of_pose(RIG, BOTH, some)
        assert (pose_of_expressions(RIG, [replace(one, preset="") for one in BOTH], found) <= some + 1e-9).all()


def test_an_expression_moves_its_sliders_and_leaves_the_rest_of_the_pose() -> None:
    start = pose(**{A: 0.1, RIG.sliders[3]: 0.7})
    moved = edit.pose_with_expressions(RIG, BOTH, start, {"smile": 0.5})
    np.testing.assert_allclose(moved, pose(**{A: 0.6, B: 0.25, RIG.sliders[3]: 0.7}))
    np.testing.assert_allclose(edit.pose_with_expressions(RIG, BOTH, moved, {"smile": 0.0}), start, atol=1e-12)


def test_an_expression_that_blocks_blinks_takes_them_back_as_it_comes() -> None:
    blocking = (replace(SMILE, blink="block"), replace(WINK, binds=(ExpressionBind(C, 1.0),)))
    start = edit.pose_with_expressions(RIG, blocking, pose(), {"blink": 1.0})
    assert start[RIG.slider_index(C)] == 1
    moved = edit.pose_with_expressions(RIG, blocking, start, {"smile": 0.2})
    np.testing.assert_allclose(moved, pose(**{A: 0.2, B: 0.1}))


def test_one_that_is_on_or_off_is_on_above_a_half() -> None:
    switch = (replace(SMILE, is_binary=True),)
    np.testing.assert_allclose(edit.pose_with_expressions(RIG, switch, pose(), {"smile": 0.4}), pose())
    np.testing.assert_allclose(edit.pose_with_expressions(RIG, switch, pose(), {"smile": 0.6}), pose(**{A: 1, B: 0.5}))


def test_an_expression_of_a_pose_drives_the_face_to_it() -> None:
    start = pose(**{A: 0.25, C: 1.0})
    one = edit.expression_of_pose("now", RIG, start)
    np.testing.assert_allclose(pose_of_expressions(RIG, [one], {"now": 1.0}), start)


def test_mistakes_say_what_would_have_worked() -> None:
    with pytest.raises(BadValue, match="already"):
        edit.add_expression(BOTH, Expression("smile"))
    with pytest.raises(BadValue, match="preset blink already"):
        edit.set_options(BOTH, "smile", preset="blink")
    with pytest.raises(BadValue, match="name is fixed"):
        edit.rename_expression(BOTH, "blink", "shut")
    with pytest.raises(UnknownName, match=A):
        edit.set_bind(BOTH, "smile", ExpressionBind("nothing", 1.0), RIG)
    with pytest.raises(BadValue, match="0 to 1"):
        edit.set_bind(BOTH, "smile", ExpressionBind(A, 2.0), RIG)
    with pytest.raises(UnknownName, match=B):
        edit.drop_bind(BOTH, "smile", C)
    with pytest.raises(UnknownName, match="smile"):
        edit.drop_expression(BOTH, "grin")


def test_a_bind_is_replaced_and_dropped() -> None:
    changed = edit.set_bind(BOTH, "smile", ExpressionBind(B, 0.75), RIG)
    assert changed[0].binds == (ExpressionBind(A, 1.0), ExpressionBind(B, 0.75))
    assert edit.drop_bind(changed, "smile", A)[0].binds == (ExpressionBind(B, 0.75),)
    assert edit.rename_expression(BOTH, "smile", "grin")[0].name == "grin"
