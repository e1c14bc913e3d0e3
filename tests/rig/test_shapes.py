"""Shapes come, go and change names together with their sliders and all that hangs on these."""

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.rig.edit import add_shape, drop_shape, rename, reorder, replace_shape
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape

POSE = {"smile": 0.3, "jaw": 0.9, "blink": 0.2, "puff": 0.4}


def test_an_added_shape_has_its_slider_and_moves_the_face_by_its_offsets(crowded: Rig) -> None:
    new = add_shape(crowded, Shape("browUp", [2, 5], [[0, 1, 0], [0, 2, 0]]), bounds=(-1, 2))
    assert new.sliders == (*crowded.sliders, "browUp")
    assert new.bounds[-1].tolist() == [-1, 2]
    assert new.groups[-1] == "brow"
    moved = evaluate(new, {**POSE, "browUp": 0.5}) - evaluate(crowded, POSE)
    np.testing.assert_allclose(moved[[2, 5, 7]], np.array([[0, 0.5, 0], [0, 1, 0], [0, 0, 0]]), atol=1e-12)


def test_an_added_in_between_and_an_added_combination_make_no_slider(crowded: Rig) -> None:
    offsets = ([1], [[1.0, 0, 0]])
    for shape in (Shape("jaw_low", *offsets, ("jaw",), 0.3), Shape("jaw_puff", *offsets, ("jaw", "puff"))):
        new = add_shape(crowded, shape)
        assert new.sliders == crowded.sliders
        assert new.exclusive == crowded.exclusive
        assert (new.bounds == crowded.bounds).all()


def test_a_shape_cannot_be_added_twice_nor_combine_sliders_that_do_not_exist(crowded: Rig) -> None:
    with pytest.raises(BadValue, match="shape named 'jaw' already"):
        add_shape(crowded, Shape("jaw", [0], [[1.0, 0, 0]]))
    with pytest.raises(UnknownName, match="no slider named 'brow'"):
        add_shape(crowded, Shape("both", [0], [[1.0, 0, 0]], ("jaw", "brow")))


def test_a_replaced_shape_keeps_its_sliders(crowded: Rig) -> None:
    delta = np.full((crowded.vertex_count, 3), 0.25)
    new = replace_shape(crowded, "smile_half", delta)
    assert new.shape("smile_half").sliders == ("smile",)
    assert new.shape("smile_half").at == (0.5,)
    np.testing.assert_allclose(evaluate(new, {"smile": 0.5}), crowded.neutral + 0.25)
    with pytest.raises(BadValue, match=r"\(20, 3\)"):
        replace_shape(crowded, "smile_half", delta[:4])


def test_adding_and_dropping_a_shape_gives_the_rig_back(crowded: Rig) -> None:
    again = drop_shape(add_shape(crowded, Shape("brow", [0], [[1.0, 0, 0]])), "brow")
    assert again.sliders == crowded.sliders
    assert again.shape_names == crowded.shape_names
    assert again.groups == crowded.groups
    np.testing.assert_array_equal(again.bounds, crowded.bounds)
    np.testing.assert_array_equal(evaluate(again, POSE), evaluate(crowded, POSE))


def test_dropping_one_of_a_sliders_targets_keeps_the_slider(crowded: Rig) -> None:
    assert drop_shape(crowded, "smile_half").sliders == crowded.sliders


def test_dropping_a_combination_leaves_its_sliders(crowded: Rig) -> None:
    new = drop_shape(crowded, "smile_jaw_puff")
    assert new.sliders == crowded.sliders
    assert new.exclusive == crowded.exclusive


def test_dropping_a_sliders_last_target_drops_the_slider_and_what_names_it(crowded: Rig) -> None:
    ruled = Rig(
        crowded.neutral, crowded.polygons, crowded.shapes, exclusive=(("smile", "blink"), ("jaw", "puff")),
        rules=(OnlyMovedBy("lids", np.array([1, 2]), ("blink", "jaw")),),
    )  # fmt: skip
    new = drop_shape(ruled, "blink")
    assert new.sliders == ("smile", "jaw", "puff")
    assert new.exclusive == (("jaw", "puff"),)
    rule = new.rules[0]
    assert isinstance(rule, OnlyMovedBy)
    assert rule.sliders == ("jaw",)


def test_a_slider_that_combinations_need_goes_only_with_them(crowded: Rig) -> None:
    with pytest.raises(BadValue, match="smile_jaw, smile_jaw_puff combine 'jaw'"):
        drop_shape(crowded, "jaw")
    new = drop_shape(crowded, "jaw", cascade=True)
    assert new.shape_names == ("smile", "smile_half", "smile_back", "blink", "puff")
    assert new.sliders == ("smile", "blink", "puff")
    assert new.groups == ("mouth", "eye", "cheek")
    assert new.bounds[1].tolist() == [0, 0.7]
    with pytest.raises(UnknownName, match="no shape named 'jow'; did you mean jaw"):
        drop_shape(crowded, "jow")


def test_the_last_shape_can_go() -> None:
    rig = Rig(np.eye(3), [[0, 1, 2]], (Shape("a", [0], [[1.0, 0, 0]]),))
    assert drop_shape(rig, "a").sliders == ()


def test_a_renamed_rig_does_the_same_under_new_names_and_back(crowded: Rig) -> None:
    names = {"smile": "mouthSmile", "jaw": "smile", "smile_jaw": "both"}  # one takes another's old name
    new = rename(crowded, names)
    assert new.sliders == ("mouthSmile", "smile", "blink", "puff")
    assert new.exclusive == (("mouthSmile", "puff"),)
    assert new.shape("both").sliders == ("mouthSmile", "smile")
    pose = {names.get(name, name): value for name, value in POSE.items()}
    np.testing.assert_array_equal(evaluate(new, pose), evaluate(crowded, POSE))
    back = rename(new, {new: old for old, new in names.items()})
    assert back.shape_names == crowded.shape_names
    assert [shape.sliders for shape in back.shapes] == [shape.sliders for shape in crowded.shapes]


def test_a_name_can_be_neither_unknown_nor_taken(crowded: Rig) -> None:
    with pytest.raises(UnknownName, match="shape or slider named 'smlie'; did you mean smile"):
        rename(crowded, {"smlie": "x"})
    with pytest.raises(BadValue, match="would be two sliders named 'jaw'"):
        rename(crowded, {"smile": "jaw"})


def test_a_reordered_rig_does_the_same_and_its_shapes_follow_their_sliders(crowded: Rig) -> None:
    new = reorder(crowded, ["puff", "jaw"])
    assert new.sliders == ("puff", "jaw", "smile", "blink")
    assert new.groups == ("cheek", "jaw", "mouth", "eye")
    assert new.bounds[0].tolist() == [0, 1.5]
    assert new.shape_names == (
        "puff", "jaw", "smile", "smile_half", "smile_back", "blink", "smile_jaw", "smile_jaw_puff",
    )  # fmt: skip
    np.testing.assert_allclose(evaluate(new, POSE), evaluate(crowded, POSE), atol=1e-12)
    with pytest.raises(BadValue, match="twice"):
        reorder(crowded, ["jaw", "jaw"])
    with pytest.raises(UnknownName, match="no slider named 'brow'"):
        reorder(crowded, ["brow"])
