"""Parts taken out of a rig, and rigs put together."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.edit import extract_parts, merge
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Part, Rig
from facewright.rig.rules import StaysWithin
from facewright.rig.shape import Shape
from tests.some import some


@pytest.fixture
def head() -> Rig:
    rng = np.random.default_rng(6)
    polygons = Polygons.of([[0, 1, 2, 3], [4, 5, 6], [7, 8, 9], [8, 9, 10, 7]])
    uvs = Uvs(rng.random((6, 2)), np.array([0, 1, 2, 3, -1, -1, -1, 4, 5, 3, 5, 4, -1, 0]))
    shapes = (
        Shape("jaw", [1, 4, 8], rng.normal(size=(3, 3))),
        Shape("blink", [5, 6], rng.normal(size=(2, 3))),
        Shape("both", [2, 9], rng.normal(size=(2, 3)), ("jaw", "blink")),
    )
    parts = (Part("skin", 0, 4), Part("eye", 4, 7), Part("teeth", 7, 11))
    rules = (StaysWithin("still", np.array([0, 9]), 1.0),)
    return Rig(rng.normal(size=(11, 3)), polygons, shapes, parts=parts, uvs=uvs, rules=rules)


def uv_rows(rig: Rig) -> list[list[float] | None]:
    return [None if row < 0 else some(rig.uvs).coordinates[row].tolist() for row in some(rig.uvs).corners]


def test_an_extracted_part_moves_as_it_did_in_the_whole(head: Rig) -> None:
    new = extract_parts(head, ["teeth", "skin"])
    assert [part.name for part in new.parts] == ["skin", "teeth"]
    assert new.sliders == head.sliders
    chosen = [0, 1, 2, 3, 7, 8, 9, 10]
    pose = {"jaw": 0.7, "blink": 0.4}
    np.testing.assert_array_equal(evaluate(new, pose), evaluate(head, pose)[chosen])
    assert [row.tolist() for row in new.polygons.rows()] == [[0, 1, 2, 3], [4, 5, 6], [5, 6, 7, 4]]
    assert uv_rows(new) == uv_rows(head)[:4] + uv_rows(head)[7:]
    assert new.rules[0].vertices.tolist() == [0, 6]


def test_a_polygon_between_parts_goes_when_one_of_them_does(head: Rig) -> None:
    bridged = replace(head, polygons=Polygons.of([[0, 1, 2, 3], [3, 4, 5]]), uvs=None)
    assert len(extract_parts(bridged, ["skin"]).polygons) == 1


def test_parts_taken_apart_and_merged_are_the_rig_again(head: Rig) -> None:
    again = merge(replace(extract_parts(head, ["skin"]), rules=()), extract_parts(head, ["eye", "teeth"]))
    np.testing.assert_array_equal(again.neutral, head.neutral)
    np.testing.assert_array_equal(again.polygons.corners, head.polygons.corners)
    assert again.parts == head.parts
    assert again.sliders == head.sliders
    np.testing.assert_array_equal(again.deltas(), head.deltas())
    assert uv_rows(again) == uv_rows(head)
    assert again.rules[0].vertices.tolist() == [9]


def test_merging_keeps_sliders_pairs_and_bounds_of_both() -> None:
    def one(
        part: str, sliders: tuple[str, ...], bounds: list[list[int]], exclusive: Sequence[tuple[str, str]] = ()
    ) -> Rig:
        shapes = tuple(Shape(name, [0], [[1.0, 0, 0]]) for name in sliders)
        parts = (Part(part, 0, 3),)
        return Rig(np.eye(3), [[0, 1, 2]], shapes, bounds=bounds, parts=parts, exclusive=exclusive)

    a = one("head", ("x", "y"), [[0, 1], [-1, 1]], (("x", "y"),))
    b = one("eye", ("y", "z", "w"), [[-1, 1], [0, 2], [0, 1]], (("z", "y"), ("z", "w")))
    both = merge(a, b)
    assert both.sliders == ("x", "y", "z", "w")
    assert both.bounds.tolist() == [[0, 1], [-1, 1], [0, 2], [0, 1]]
    assert both.exclusive == (("x", "y"), ("z", "y"), ("z", "w"))
    assert both.shape("y").vertices.tolist() == [0, 3]
    assert both.uvs is None
    with pytest.raises(BadValue, match=r"slider 'y' goes from -1\.0 to 1\.0 in one rig"):
        merge(a, one("eye", ("y",), [[0, 1]]))
    with pytest.raises(BadValue, match="two parts named 'head'"):
        merge(a, one("head", ("z",), [[0, 1]]))


def test_a_shape_that_two_rigs_drive_differently_cannot_be_merged(head: Rig) -> None:
    other = Rig(np.eye(3), [[0, 1, 2]], (Shape("jaw", [0], [[1.0, 0, 0]], ("jaw",), 0.5),), parts=(Part("hat", 0, 3),))
    with pytest.raises(BadValue, match="shape 'jaw' is driven differently"):
        merge(head, other)


def test_an_unknown_part_is_named_with_those_that_exist(head: Rig) -> None:
    with pytest.raises(UnknownName, match="no part named 'nose'; there are skin, eye, teeth"):
        extract_parts(head, ["nose"])
    with pytest.raises(BadValue, match="skin, eye, teeth"):
        extract_parts(head, [])
