"""Edits of sliders: a face within the old and the new bounds stays, and two sliders become one and two again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue, UnknownName
from facewright.rig.edit import (
    add_exclusive,
    add_tie,
    join_sliders,
    move_sliders,
    part_slider,
    remove_exclusive,
    remove_tie,
    set_bounds,
    set_groups,
)
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape
from tests.formats.usd_needed import NEEDS_USD


def rig_of(*shapes: tuple[object, ...], bounds: dict[str, tuple[float, float]] | None = None) -> Rig:
    """A rig of random offsets; a shape is its name, and sliders, at, spans, additive as far as given."""
    rng = np.random.default_rng(5)
    made = [Shape(name, range(6), rng.normal(size=(6, 3)), *rest) for name, *rest in shapes]  # type: ignore[arg-type]
    plain = Rig(rng.normal(size=(6, 3)), [[0, 1, 2], [3, 4, 5]], made)
    given = bounds or {}
    return replace(plain, bounds=np.array([given.get(name, (0, 1)) for name in plain.sliders]))


BENT = rig_of(
    ("smile",), ("smileHalf", ("smile",), 0.5), ("frown",), ("frownAdd", ("frown",), 0.3, [], True),
    ("jaw",), ("smileJaw", ("smile", "jaw")), ("frownJaw", ("jaw", "frown"), (0.4, 1.0)),
    ("frownBit", ("frown", "jaw"), (0.5, 1.0), [(0.2, 0.8), None]),
    bounds={"frown": (0, 1.5), "jaw": (0, 2)},
)  # fmt: skip
ADDED = rig_of(("up",), ("upHalf", ("up",), 0.4), ("down", ("down",), 1.0, [], True), bounds={"up": (0, 0.8)})
POSES = np.random.default_rng(6).uniform(-1, 1, (40, 3))


def two_sided(x: float) -> tuple[float, float]:
    return max(-x, 0.0), max(x, 0.0)


@pytest.mark.parametrize(("rig", "negative", "positive"), [(BENT, "frown", "smile"), (BENT, "smile", "frown"),
                                                           (ADDED, "down", "up"), (ADDED, "up", "down")])  # fmt: skip
def test_a_joined_slider_does_what_the_two_did(rig: Rig, negative: str, positive: str) -> None:
    new = join_sliders(rig, negative, positive, name="both")
    lows = {name: high for name, (_, high) in zip(rig.sliders, rig.bounds, strict=True)}
    assert new.bounds[new.slider_index("both")].tolist() == [-lows[negative], lows[positive]]
    for x, jaw in POSES[:, :2]:
        down, up = two_sided(x)
        others = {"jaw": 2 * abs(jaw)} if "jaw" in rig.sliders else {}
        before = evaluate(rig, {negative: down * lows[negative], positive: up * lows[positive], **others})
        value = x * (lows[positive] if x > 0 else lows[negative])
        np.testing.assert_allclose(evaluate(new, {"both": value, **others}), before, atol=1e-12)


@pytest.mark.parametrize(("rig", "names"), [(BENT, ("frown", "smile")), (ADDED, ("down", "up"))])
def test_what_was_joined_and_parted_is_as_before(rig: Rig, names: tuple[str, str]) -> None:
    joined = join_sliders(rig, *names, name="both")
    again = part_slider(joined, "both")
    assert set(again.sliders) == set(rig.sliders)
    assert again.exclusive == (names,)
    for w in POSES:
        pose = dict(zip(rig.sliders, np.abs(w), strict=False))
        np.testing.assert_allclose(evaluate(again, pose), evaluate(rig, pose), atol=1e-12)
    if rig is BENT:  # without a conversion of targets it is the same, shape by shape
        factors = {shape.name: set(shape.factors) for shape in rig.shapes}
        assert {shape.name: set(shape.factors) for shape in again.shapes} == factors


@pytest.mark.parametrize(
    "name", ["rig.fwface", "rig.npz", "rig.glb", "rig.fbx", pytest.param("rig.usda", marks=NEEDS_USD), "folder"]
)
def test_two_ends_are_kept_in_files(name: str, tmp_path: Path) -> None:
    joined = join_sliders(BENT, "frown", "smile", name="both")
    fw.save(joined, tmp_path / name)
    back = fw.load(tmp_path / name)
    for x, jaw in POSES[:10, :2]:
        pose = {"both": x * (1.5 if x < 0 else 1.0), "jaw": abs(jaw)}
        np.testing.assert_allclose(evaluate(back, pose), evaluate(joined, pose), atol=1e-5)


THROUGH = rig_of(
    ("side",), ("jaw",), ("sideJaw", ("side", "jaw")), ("sideAdd", ("side",), -1.0, [], True),
    ("low", ("turn",), -0.5), ("lower", ("turn",), -1.0), ("bit", ("turn", "jaw"), (0.5, 1.0)),
    bounds={"side": (-2, 1), "turn": (-1, 1)},
)  # fmt: skip


@pytest.mark.parametrize("slider", ["side", "turn"])
def test_a_slider_that_goes_straight_through_0_is_parted_exactly(slider: str) -> None:
    new = part_slider(THROUGH, slider, names=("minus", "plus"))
    low, high = THROUGH.bounds[THROUGH.slider_index(slider)]
    assert new.bounds[new.slider_index("minus")].tolist() == [0, -low]
    for share, jaw in POSES[:, :2]:
        x = share * (high if share > 0 else -low)
        down, up = two_sided(x)
        before = evaluate(THROUGH, {slider: x, "jaw": abs(jaw)})
        np.testing.assert_allclose(evaluate(new, {"minus": down, "plus": up, "jaw": abs(jaw)}), before, atol=1e-12)


def test_pairs_ties_and_rules_follow() -> None:
    rig = replace(
        BENT,
        exclusive=(("smile", "frown"), ("smile", "jaw")),
        ties=(("frown", "jaw"), ("smile", "jaw")),
        rules=(OnlyMovedBy("lip", np.arange(2), ("frown", "smile")),),
        groups=("mouth", "lips", "jaw"),
    )
    new = join_sliders(rig, "frown", "smile")
    assert new.sliders == ("frown_smile", "jaw")
    assert new.groups == ("mouth", "jaw")
    assert new.exclusive == (("frown_smile", "jaw"),)
    assert new.ties == (("frown_smile", "jaw"),)
    assert new.rules[0].sliders == ("frown_smile",)  # type: ignore[union-attr]
    again = part_slider(new, "frown_smile", names=("a", "b"))
    assert again.exclusive == (("a", "jaw"), ("b", "jaw"), ("a", "b"))


def test_a_face_within_old_and_new_bounds_stays() -> None:
    wide = set_bounds(BENT, {"frown": (-1.0, 3.0), "jaw": (0.0, 0.9)})
    assert wide.bounds[wide.slider_index("frown")].tolist() == [-1, 3]
    for w in np.abs(POSES) * [1.0, 1.5, 0.9]:
        np.testing.assert_allclose(evaluate(wide, w), evaluate(BENT, w), atol=1e-12)
    back = set_bounds(wide, {"frown": (0.0, 1.5), "jaw": (0.0, 2.0)})
    assert all(a.is_driven_as(b) for a, b in zip(back.shapes, BENT.shapes, strict=True))


def test_sliders_move_and_the_face_stays(tmp_path: Path) -> None:
    new = move_sliders(BENT, ["smile", "jaw"], before=None)
    assert new.sliders == ("frown", "smile", "jaw")
    assert move_sliders(BENT, ["jaw"], before="smile").sliders == ("jaw", "smile", "frown")
    assert new.shapes is BENT.shapes
    pose = {"smile": 0.4, "frown": 1.2, "jaw": 0.7}
    np.testing.assert_allclose(evaluate(new, pose), evaluate(BENT, pose), atol=1e-12)
    for name in ("rig.fwface", "rig.npz", "rig.glb", "folder"):
        fw.save(new, tmp_path / name)
        assert fw.load(tmp_path / name).sliders == new.sliders
    with pytest.raises(BadValue, match="name one that stays"):
        move_sliders(BENT, ["jaw"], before="jaw")


def test_groups_and_exclusive_pairs_are_set() -> None:
    rig = set_groups(BENT, {"jaw": "chin"})
    assert rig.groups == ("other", "other", "chin")
    rig = add_exclusive(add_exclusive(rig, "smile", "frown"), "frown", "smile")
    assert rig.exclusive == (("smile", "frown"),)
    assert remove_exclusive(rig, "frown", "smile").exclusive == ()


def test_ties_go_one_way() -> None:
    rig = add_tie(add_tie(BENT, "smile", "frown"), "frown", "jaw")
    assert rig.ties == (("smile", "frown"), ("frown", "jaw"))
    assert add_tie(rig, "smile", "frown") is rig
    with pytest.raises(
        BadValue, match=r"frown cannot be tied to smile: smile is tied to frown, .* untie smile from frown"
    ):
        add_tie(rig, "frown", "smile")
    with pytest.raises(BadValue, match="smile is tied to frown, and frown is tied to jaw"):
        add_tie(rig, "jaw", "smile")
    assert add_tie(rig, "smile", "jaw").ties == (("smile", "frown"), ("frown", "jaw"), ("smile", "jaw"))
    assert add_tie(remove_tie(rig, "smile", "frown"), "frown", "smile").ties == (("frown", "jaw"), ("frown", "smile"))
    with pytest.raises(BadValue, match="the ties of this face are smile to frown, frown to jaw"):
        remove_tie(rig, "smile", "jaw")


def test_mistakes_are_told() -> None:
    with pytest.raises(BadValue, match="lowest value 1 is above the highest, 0"):
        set_bounds(BENT, {"jaw": (1, 0)})
    with pytest.raises(BadValue, match="two numbers"):
        set_bounds(BENT, {"jaw": (0, np.nan)})
    with pytest.raises(UnknownName, match="did you mean jaw"):
        set_bounds(BENT, {"jow": (0, 1)})
    with pytest.raises(BadValue, match="from 0 to 0 it could not move; lock it"):
        set_bounds(BENT, {"jaw": (0, 0)})
    for far in ((0, 1e9), (-1001, 1)):
        with pytest.raises(BadValue, match="goes further than 1000 either way"):
            set_bounds(BENT, {"jaw": far})
    assert set_bounds(BENT, {"jaw": (-1000, 1000)}).bounds[2].tolist() == [-1000, 1000]
    with pytest.raises(BadValue, match="needs a name"):
        set_groups(BENT, {"jaw": ""})
    with pytest.raises(BadValue, match="exclusive pairs of this rig are none"):
        remove_exclusive(BENT, "smile", "frown")
    with pytest.raises(BadValue, match="cannot exclude itself"):
        add_exclusive(BENT, "smile", "smile")
    with pytest.raises(BadValue, match="both ends"):
        join_sliders(BENT, "smile", "smile")
    with pytest.raises(BadValue, match="'smileJaw' combines 'jaw' with 'smile'; drop it"):
        join_sliders(BENT, "jaw", "smile")
    with pytest.raises(BadValue, match="named 'jaw' already"):
        join_sliders(BENT, "frown", "smile", name="jaw")
    with pytest.raises(BadValue, match="goes from -2 to 1; an end is a slider from 0 up"):
        join_sliders(THROUGH, "side", "turn")
    with pytest.raises(BadValue, match="goes from 0 to 1; only one through 0"):
        part_slider(BENT, "smile")
    with pytest.raises(BadValue, match="two names that no other slider has"):
        part_slider(THROUGH, "turn", names=("jaw", "plus"))
    with pytest.raises(BadValue, match="on at both sides of 0"):
        part_slider(rig_of(("a", ("a",), 0.5, [(-0.5, 1.0)], True), bounds={"a": (-1, 1)}), "a")
