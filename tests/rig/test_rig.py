"""A rig is what it was made of, cannot be changed, and refuses what is wrong by saying what is there."""

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Part, Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from tests.some import some

X = np.arange(12.0).reshape(4, 3)
QUAD = [[0, 1, 2, 3]]
JAW = Shape("jaw", [1, 3], np.array([[1.0, 0, 0], [0, 2, 0]]))
BLINK = Shape("blink", [0], [[0.0, 0, 1]])


def make(**given: Any) -> Rig:
    return Rig(**{"neutral": X, "polygons": QUAD, "shapes": (JAW, BLINK), **given})


def test_what_is_not_given_is_filled_in() -> None:
    rig = make()
    assert rig.sliders == ("jaw", "blink")
    assert rig.bounds.tolist() == [[0, 1], [0, 1]]
    assert rig.groups == ("other", "other")
    assert rig.parts == (Part("face", 0, 4),)
    assert rig.is_linear
    assert rig.vertex_count == 4
    assert rig.shape_names == ("jaw", "blink")
    assert rig.size == pytest.approx(9 * np.sqrt(3))


def test_a_quad_is_kept_and_its_triangles_derived() -> None:
    rig = make()
    assert some(rig.polygons.uniform()).tolist() == QUAD
    assert rig.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_deltas_are_dense_with_zeros_where_a_shape_does_not_move() -> None:
    deltas = make().deltas()
    assert deltas.shape == (2, 4, 3)
    assert deltas[0].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 2, 0]]
    assert Shape.from_dense("jaw", deltas[0]).vertices.tolist() == [1, 3]
    np.testing.assert_array_equal(JAW.dense(4), deltas[0])


def test_a_rig_is_a_copy_that_nobody_can_change() -> None:
    given = X.copy()
    rig = make(neutral=given)
    given[0] = 99
    assert rig.neutral[0].tolist() == [0, 1, 2]
    for array in (rig.neutral, rig.bounds, rig.polygons.corners, rig.triangles, rig.shape("jaw").offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        rig.neutral = given  # type: ignore[misc]


def test_a_rig_is_linear_only_without_in_betweens_and_combinations() -> None:
    half = Shape("jaw_half", [1], [[1.0, 0, 0]], ("jaw",), 0.5)
    both = Shape("both", [1], [[1.0, 0, 0]], ("jaw", "blink"))
    assert not make(shapes=(JAW, half)).is_linear
    assert not make(shapes=(JAW, BLINK, both)).is_linear
    assert make(shapes=(half,)).is_linear
    assert make(shapes=(JAW, Shape("jaw_too", [2], [[1.0, 0, 0]], ("jaw",)))).is_linear


def test_weights_come_from_names_or_arrays() -> None:
    rig = make()
    assert rig.weights({"blink": 0.5}).tolist() == [0, 0.5]
    assert rig.weights().tolist() == [0, 0]
    assert rig.weights([0.1, 0.2]).tolist() == [0.1, 0.2]
    assert rig.weights(np.ones((5, 2))).shape == (5, 2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"neutral": X[:, :2]}, r"neutral must have shape \(any, 3\), not \(4, 2\)"),
        ({"neutral": "face"}, "neutral is not an array of numbers"),
        ({"neutral": np.where(X == 7, np.nan, X)}, "neutral has a value that is not finite at index 2, 1"),
        ({"polygons": [[0, 1, 4]]}, "a polygon names vertex 4, but the rig has 4 vertices"),
        ({"polygons": [[0, 1]]}, "polygon 0 has 2 corners; a polygon has at least 3"),
        ({"polygons": [0, 1, 2]}, "each polygon is a row of vertices"),
        ({"shapes": (JAW, JAW)}, "there are two shapes named 'jaw'; each needs its own name"),
        ({"shapes": (Shape("far", [4], [[0, 0, 0]]),)}, "shape 'far' moves vertex 4, but there are 4 vertices"),
        ({"shapes": (Shape("", [0], [[0, 0, 0]]),)}, "needs a name, not ''"),
        ({"sliders": ("jaw", "blink", "jaw")}, "there are two sliders named 'jaw'"),
        ({"bounds": [[0, 1]]}, r"bounds must have shape \(2, 2\), not \(1, 2\)"),
        ({"bounds": [[0, 1], [1, 0.5]]}, "slider 'blink': the lowest value 1.0 is above the highest, 0.5"),
        ({"bounds": [[0, np.inf], [0, 1]]}, "bounds has a value that is not finite at index 0, 1"),
        ({"groups": ("mouth",)}, "there are 2 sliders but 1 groups"),
        ({"parts": (Part("head", 0, 3),)}, "the parts cover 3 vertices, but the rig has 4"),
        (
            {"parts": (Part("head", 0, 2), Part("eye", 3, 4))},
            "part 'eye' covers vertices 3 to 4; parts follow",
        ),
        ({"parts": (Part("a", 0, 2), Part("a", 2, 4))}, "two parts named 'a'"),
        ({"uvs": Uvs(np.array([[0, 0]]), np.array([0, 0, 0]))}, "the polygons have 4 corners but the UVs 3"),
        ({"exclusive": (("jaw", "jaw"),)}, "slider 'jaw' cannot exclude itself"),
        ({"exclusive": (("jaw", "blink", "jaw"),)}, "exclusive sliders come in pairs"),
        ({"rules": (StaysWithin("tip", np.array([4]), 1.0),)}, "rule 'tip' names vertex 4, but there are 4 vertices"),
    ],
)
def test_wrong_input_says_what_is_wrong(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        make(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sliders": ("jaw", "blnk")}, "no slider named 'blink'; did you mean blnk?"),
        ({"rules": (OnlyMovedBy("lid", np.array([0]), ("blnik",)),)}, "no slider named 'blnik'; did you mean blink"),
        ({"exclusive": (("jaw", "puff"),)}, "no slider named 'puff'; there are jaw, blink"),
        (
            {"shapes": (JAW, Shape("both", [0], [[0, 0, 0]], ("jaw", "puff"))), "sliders": ("jaw",)},
            "slider named 'puff'",
        ),
    ],
)
def test_an_unknown_name_is_answered_with_those_that_exist(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        make(**given)


def test_asking_for_what_is_not_there_lists_what_is() -> None:
    rig = make()
    with pytest.raises(UnknownName, match="no shape named 'jwa'; did you mean jaw"):
        rig.shape("jwa")
    with pytest.raises(UnknownName, match="no part named 'teeth'; there are face"):
        rig.part("teeth")
    with pytest.raises(UnknownName, match="no slider named 'x'"):
        rig.weights({"x": 1})
    with pytest.raises(KeyError):
        rig.slider_index("x")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.1], r"weights must have shape \(2\), not \(1,\)"),
        (np.zeros((3, 5)), r"weights must have shape \(any, 2\), not \(3, 5\)"),
        ([[0.1, 0.2], [0.3]], "weights is not an array of numbers"),
        ({"jaw": np.nan}, "weights has a value that is not finite at index 0"),
        ({"jaw": "wide"}, "weights is not an array of numbers"),
        ({"jaw": [1, 2]}, "weights is not an array of numbers"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        make().weights(weights)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"vertices": [3, 1]}, "vertices must increase, without repeats"),
        ({"vertices": [1, 1]}, "vertices must increase, without repeats"),
        ({"vertices": [-1, 2]}, "has index -1; indices go from 0"),
        ({"vertices": [0.5, 2]}, "must hold whole numbers, not float64"),
        ({"offsets": [[0, 0, 0]]}, r"offsets of shape 's' must have shape \(2, 3\), not \(1, 3\)"),
        ({"offsets": [[0, 0, 0], [0, np.inf, 0]]}, "not finite at index 1, 1"),
        ({"sliders": ("a", "a")}, "a combination names each slider once, not a, a"),
        ({"sliders": "jaw"}, "sliders are given as a tuple of names"),
        ({"at": 0}, "a slider value other than 0"),
        ({"at": np.nan}, "a slider value other than 0"),
        ({"sliders": ("a", "b"), "at": 0.5}, "one value for each of 2 sliders, not 1"),
        ({"sliders": ("a", "b"), "at": (0.5, 0)}, "a slider value other than 0"),
        ({"sliders": ("a", "b"), "spans": ((0, 1),)}, "one entry for each of 2 sliders, not 1"),
        ({"at": 0.5, "additive": True, "spans": ((0.6, 1),)}, "the knots 0.6, 0.5, 1 are out of order"),
        ({"at": 0.5, "additive": True, "spans": ((0, 0.5),)}, "the knots 0, 0.5, 0.5 are out of order"),
        ({"at": 0.5, "additive": True, "spans": ((0, np.nan),)}, "out of order"),
        ({"at": 0.5, "additive": True, "spans": ((-np.inf, np.inf),)}, "needs an end on one side"),
        ({"at": 0.5, "spans": ((0, 1),)}, "a target ends at its neighbours"),
    ],
)
def test_a_wrong_shape_says_what_is_wrong(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        Shape(**{"name": "s", "vertices": [1, 2], "offsets": np.ones((2, 3)), **given})


def test_a_rig_of_nothing_is_a_rig() -> None:
    rig = Rig(np.zeros((0, 3)), [])
    assert rig.deltas().shape == (0, 0, 3)
    assert rig.size == 0
    assert rig.triangles.shape == (0, 3)
    assert rig.polygons.rows() == []


def test_polygons_of_different_sizes_are_kept() -> None:
    rig = make(polygons=Polygons.of([[0, 1, 2], [0, 2, 3, 1]]))
    assert [row.tolist() for row in rig.polygons.rows()] == [[0, 1, 2], [0, 2, 3, 1]]
    assert rig.polygons.uniform() is None
