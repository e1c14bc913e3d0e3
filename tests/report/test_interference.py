import msgspec
import numpy as np
import pytest

from facewright.report.interference import interference
from facewright.report.lint import lint, listed
from facewright.report.order import display_order
from facewright.report.summary import summarise
from facewright.report.verdict import verdict
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from tests.report.report_rigs import even_face, random_rig, rig_of


def kinds(rig: Rig) -> dict[str, tuple[str, ...]]:
    return {finding.kind: finding.names for finding in lint(rig)}


def test_the_report_becomes_json_and_says_the_same_each_time() -> None:
    rig = random_rig(
        1, rules=(StaysWithin("near", np.array([1, 2]), 0.01), OnlyMovedBy("kept", np.array([0]), ("s0",)))
    )
    one, two = (msgspec.json.encode(msgspec.to_builtins(interference(rig))) for _ in range(2))
    assert one == two
    back = msgspec.json.decode(one)
    assert np.shape(back["matrix"]) == (5, 5)
    assert back["breaches"]


@pytest.mark.parametrize("shapes", [0, 1, 2])
def test_the_smallest_rigs_have_a_report(shapes: int) -> None:
    rig = random_rig(2, shapes=shapes)
    found = interference(rig)
    assert len(found.sliders) == len(found.matrix) == len(found.order) == shapes
    assert verdict(found) is not None
    assert summarise(rig).vertices == rig.vertex_count


def test_a_rig_of_nothing_has_a_report() -> None:
    rig = Rig(np.zeros((0, 3)), [])
    assert interference(rig).pairs == ()
    assert summarise(rig).size == 0


def test_the_order_holds_every_slider_once_by_group_from_the_brow_down() -> None:
    names = ["jawOpen", "browDown_L", "eyeBlink_L", "mouthSmile_L", "browDown_R", "mouthSmile_R", "xyz"]
    rig = rig_of(np.random.default_rng(3).normal(size=(7, 9, 3)), names=names)
    order = [names[i] for i in display_order(rig, np.eye(7))]
    assert sorted(order) == sorted(names)
    assert [order.index(name) // 2 for name in ("browDown_L", "browDown_R")] == [0, 0]
    assert order[-1] == "xyz"
    assert order.index("eyeBlink_L") < order.index("mouthSmile_L") < order.index("jawOpen")


def test_sliders_that_interfere_stand_together() -> None:
    rng = np.random.default_rng(4)
    base = rng.normal(size=(3, 9, 3))
    deltas = [base[i % 3] + 0.05 * rng.normal(size=(9, 3)) for i in range(9)]
    rig = rig_of(deltas)
    order = interference(rig).order
    assert sorted({i % 3 for i in order[:3]}) == [order[0] % 3]
    assert sorted({i % 3 for i in order[3:6]}) == [order[3] % 3]


def test_fighting_dependent_and_uneven_shapes_are_found() -> None:
    neutral, quads = even_face()
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=(2, len(neutral), 3))
    shapes = {"jawOpen": one, "mouthClose": -one + 0.2 * two, "cheekPuff": one + 0.5 * two}
    rig = Rig(neutral, quads, tuple(Shape.from_dense(name, delta) for name, delta in shapes.items()))
    found = {finding.kind: finding for finding in verdict(interference(rig))}
    assert set(found) == {"fighting sliders", "dependent shape", "asymmetric shape"}
    assert "jawOpen with mouthClose, -0.9" in found["fighting sliders"].sentence


def test_every_unusual_thing_is_found_and_a_plain_rig_has_none() -> None:
    assert lint(random_rig(6)) == ()
    rng = np.random.default_rng(7)
    deltas = rng.normal(size=(6, 12, 3))
    deltas[1], deltas[2] = 0, 1e-9
    deltas[4] = 2 * deltas[3]
    names = ["a", "none", "faint", "b", "twice", "smile_L"]
    plain = tuple(Shape.from_dense(name, delta) for name, delta in zip(names, deltas, strict=True))
    bounds = np.array([(0, 1)] * 5 + [(0, 2), (0.5, 0.5)], float)
    faces = [[0, 1, 2], [2, 3, 4], [5, 5, 6]]
    rules = (OnlyMovedBy("kept", np.array([3]), tuple(names[1:])),)
    rig = Rig(rng.normal(size=(12, 3)), faces, plain, (*names, "idle"), bounds, rules=rules)
    assert kinds(rig) == {
        "broken rule": ("kept", "a"),
        "zero shape": ("none",),
        "faint shape": ("faint",),
        "duplicate shape": ("b", "twice"),
        "idle slider": ("idle",),
        "stuck slider": ("idle",),
        "one-sided": ("smile_L",),
        "bounds": ("smile_L", "idle"),
        "isolated vertices": (),
        "flat triangles": (),
    }


def test_missing_arkit_names_are_named_when_most_are_there() -> None:
    from facewright.rig.names import ARKIT

    deltas = np.random.default_rng(8).normal(size=(50, 60, 3))
    assert kinds(rig_of(deltas, names=ARKIT[2:]))["missing ARKit names"] == ARKIT[:2]
    assert "missing ARKit names" not in kinds(rig_of(deltas[:10], names=ARKIT[:10]))


def test_a_shape_is_plain_in_between_or_combination() -> None:
    shapes = (
        Shape("a", [0], [[1, 0, 0]]),
        Shape("aHalf", [0], [[0.8, 0, 0]], ("a",), 0.5),
        Shape("b", [1], [[0, 3, 4]]),
        Shape("aUnder", [0], [[0.8, 0, 0]], ("a",), -0.5),
        Shape("ab", [0], [[0, 1, 0]], ("a", "b")),
    )
    found = summarise(Rig(np.eye(3), [[0, 1, 2]], shapes)).shapes
    assert [shape.kind for shape in found] == ["plain", "in-between", "plain", "in-between", "combination"]
    assert (found[2].reach, found[2].moved) == (5.0, 1)
    assert found[2].support == pytest.approx(1 / 3)
    assert found[2].relative_reach == pytest.approx(5 / np.sqrt(3))


@pytest.mark.parametrize(
    ("names", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_names_are_listed_as_one_says_them(names: tuple[str, ...], text: str) -> None:
    assert listed(names) == text


def test_a_long_list_is_cut() -> None:
    assert listed([str(i) for i in range(20)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 12 more"
