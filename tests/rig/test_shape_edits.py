"""Edits of one shape or of two: flipped, symmetrised, merged, moved, scaled, pruned, fitted to a sculpt."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.rig.combine import Combine
from facewright.rig.edit import (
    add_shape,
    fit_shape,
    flip_shape,
    merge_shapes,
    mirror_shape,
    move_shape,
    prune,
    scale,
    scale_shape,
    split_shape,
    split_shares,
    symmetrise_shape,
    symmetry,
)
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape


def dense(rig: Rig, name: str) -> Floats:
    return rig.shape(name).dense(rig.vertex_count)


def sculpted(rig: Rig, seed: int = 3) -> Floats:
    """Offsets (v, 3) that are large enough to see and not symmetric."""
    return 0.05 * rig.size * np.random.default_rng(seed).normal(size=(rig.vertex_count, 3))


def test_a_flipped_shape_is_what_the_mirrored_shape_of_the_other_side_is(face: Rig) -> None:
    flipped = flip_shape(face, "smileLeft")
    assert (flipped.name, flipped.created, flipped.lost) == ("smileLeft", False, 0)
    np.testing.assert_allclose(
        dense(flipped.rig, "smileLeft"), dense(mirror_shape(face, "smileLeft").rig, "smileRight"), atol=1e-12
    )
    np.testing.assert_allclose(
        dense(flip_shape(flipped.rig, "smileLeft").rig, "smileLeft"), dense(face, "smileLeft"), atol=1e-12
    )
    assert flipped.rig.shape("smileLeft").sliders == ("smileLeft",)


def test_a_symmetrised_shape_equals_its_mirror_image_and_stays_if_it_did_before(face: Rig) -> None:
    rig = add_shape(face, Shape.from_dense("odd", sculpted(face)))
    sides = symmetry(rig)
    for side in ("both", "left", "right"):
        even = symmetrise_shape(rig, "odd", side=side).rig
        np.testing.assert_allclose(dense(even, "odd"), dense(flip_shape(even, "odd").rig, "odd"), atol=1e-12)
        again = symmetrise_shape(even, "odd", side=side, across=sides).rig
        np.testing.assert_allclose(dense(again, "odd"), dense(even, "odd"), atol=1e-12)
    left = sides.plane.heights(rig.neutral) > 1e-6 * rig.size
    np.testing.assert_array_equal(
        dense(symmetrise_shape(rig, "odd", side="left").rig, "odd")[left], sculpted(face)[left]
    )
    mean = dense(symmetrise_shape(rig, "odd").rig, "odd")
    np.testing.assert_allclose(mean, (sculpted(face) + dense(flip_shape(rig, "odd").rig, "odd")) / 2, atol=1e-12)
    with pytest.raises(UnknownName, match="both, left, right"):
        symmetrise_shape(rig, "odd", side="top")  # type: ignore[arg-type]


def test_vertices_without_a_partner_keep_their_offsets_when_a_shape_is_symmetrised(face: Rig) -> None:
    rig = add_shape(face, Shape.from_dense("odd", sculpted(face)))
    sides = symmetry(rig)
    alone = int(sides.partner.argmax())
    partner = np.array(sides.partner)
    partner[[alone, partner[alone]]] = -1
    found = symmetrise_shape(rig, "odd", across=replace(sides, partner=partner))
    np.testing.assert_array_equal(dense(found.rig, "odd")[alone], sculpted(face)[alone])
    assert found.lost == 2


def test_merging_the_halves_of_a_split_shape_gives_the_rig_back_exactly(crowded: Rig) -> None:
    halves = split_shape(crowded, "smile")
    merged = merge_shapes(halves, "smileLeft", "smileRight")
    back = merged.rig
    assert (merged.name, merged.sliders) == ("smile", ("smileLeft", "smileRight"))
    assert back.sliders == crowded.sliders
    assert set(back.shape_names) == set(crowded.shape_names)
    for name in crowded.shape_names:
        np.testing.assert_array_equal(dense(back, name), dense(crowded, name))
        assert back.shape(name).is_driven_as(crowded.shape(name))
    assert (back.exclusive, back.ties, back.groups) == (crowded.exclusive, crowded.ties, crowded.groups)
    assert merged.shapes["smile_halfLeft"] == merged.shapes["smile_halfRight"] == "smile_half"


def test_a_merged_slider_does_what_both_did_also_where_their_in_betweens_are_elsewhere(face: Rig) -> None:
    rng = np.random.default_rng(5)
    rig = add_shape(face, Shape.from_dense("half", sculpted(face, 1), sliders=("smileLeft",), at=0.5))
    rig = add_shape(rig, Shape.from_dense("low", sculpted(face, 2), sliders=("smileRight",), at=0.3))
    rig = add_shape(rig, Shape.from_dense("bump", sculpted(face, 4), sliders=("smileRight",), at=0.6, additive=True))
    rig = add_shape(rig, Shape.from_dense("jawSmile", sculpted(face, 6), sliders=("jawOpen", "smileLeft")))
    merged = merge_shapes(rig, "smileLeft", "smileRight", name="grin")
    for w, jaw in rng.uniform(0, 1, (12, 2)):
        np.testing.assert_allclose(
            evaluate(merged.rig, {"grin": w, "jawOpen": jaw}),
            evaluate(rig, {"smileLeft": w, "smileRight": w, "jawOpen": jaw}),
            atol=1e-12,
        )


def test_pairs_and_rules_that_would_name_a_merged_slider_twice_name_it_once(face: Rig) -> None:
    rule = OnlyMovedBy("corner", np.arange(3), ("smileLeft", "smileRight"))
    pairs = (("smileLeft", "jawOpen"), ("smileRight", "jawOpen"), ("smileLeft", "smileRight"))
    merged = merge_shapes(replace(face, exclusive=pairs, rules=(rule,)), "smileLeft", "smileRight").rig
    assert merged.exclusive == (("smile", "jawOpen"),)
    assert merged.rules[0].sliders == ("smile",)  # type: ignore[union-attr]


def test_what_cannot_be_merged_says_what_is_in_the_way(face: Rig) -> None:
    both = add_shape(face, Shape("both", [0], [[1.0, 0, 0]], ("smileLeft", "smileRight")))
    with pytest.raises(BadValue, match="both combine 'smileLeft' with 'smileRight'; drop them"):
        merge_shapes(both, "smileLeft", "smileRight")
    with pytest.raises(BadValue, match="both are shapes of the slider 'smileLeft'"):
        merge_shapes(face, "smileLeft", "smileLeft")
    with pytest.raises(BadValue, match="named 'jawOpen' already"):
        merge_shapes(face, "smileLeft", "smileRight", name="jawOpen")
    bounds = np.array(face.bounds)
    bounds[face.slider_index("smileRight"), 1] = 2
    with pytest.raises(BadValue, match="smileRight goes from 0 to 2; give both the same"):
        merge_shapes(replace(face, bounds=bounds), "smileLeft", "smileRight")


def test_a_moved_shape_changes_the_order_of_shapes_alone(crowded: Rig) -> None:
    first, *others = crowded.shape_names
    last = move_shape(crowded, first)
    assert last.shape_names == (*others, first)
    assert last.sliders == crowded.sliders
    assert move_shape(last, first, before=others[0]).shape_names == crowded.shape_names
    assert move_shape(crowded, first, before=others[0]) is crowded
    assert move_shape(crowded, first, before=first) is crowded
    pose = np.full(len(crowded.sliders), 0.4)
    np.testing.assert_allclose(evaluate(last, pose), evaluate(crowded, pose), atol=1e-12)


def test_a_scaled_shape_moves_the_face_as_much_more(face: Rig) -> None:
    rig = scale_shape(face, "smileLeft", -1.5)
    np.testing.assert_allclose(
        evaluate(rig, {"smileLeft": 0.4}) - rig.neutral, -1.5 * (evaluate(face, {"smileLeft": 0.4}) - face.neutral)
    )
    for factor in (0, np.inf):
        with pytest.raises(BadValue, match="a number other than 0"):
            scale_shape(face, "smileLeft", factor)


def test_only_the_named_shapes_are_pruned(face: Rig) -> None:
    lengths = np.linalg.norm(face.shape("smileLeft").offsets, axis=1)
    tolerance = float(np.median(lengths)) / face.size
    found = prune(face, tolerance=tolerance, shapes=["smileLeft"])
    assert found.dropped == (lengths <= tolerance * face.size).sum() > 0
    assert len(found.rig.shape("smileLeft").vertices) == len(lengths) - found.dropped
    assert found.rig.shape("smileRight") is face.shape("smileRight")
    small = prune(scale(face, 0.01), tolerance=tolerance, shapes=["smileLeft"])
    assert small.dropped == found.dropped


@pytest.mark.parametrize("name", ["smile", "smile_half", "smile_jaw"])
def test_a_fitted_shape_brings_the_face_to_the_target_where_it_is_full_and_in_any_pose(crowded: Rig, name: str) -> None:
    shape = crowded.shape(name)
    full = dict(zip(shape.sliders, shape.at, strict=True))
    target = crowded.neutral + sculpted(crowded)
    np.testing.assert_allclose(evaluate(fit_shape(crowded, name, target), full), target, atol=1e-12)
    pose = np.full(len(crowded.sliders), 0.55)
    value = Combine(crowded)(pose)[crowded.shape_names.index(name)]
    assert 0 < value < 1
    fitted = fit_shape(crowded, name, target, weights=pose)
    np.testing.assert_allclose(evaluate(fitted, pose), target, atol=1e-12)
    assert fitted.shape(name).is_driven_as(shape)
    assert all(one is other for one, other in zip(fitted.shapes, crowded.shapes, strict=True) if one.name != name)


def test_a_shape_that_is_off_in_the_pose_of_a_sculpt_cannot_be_fitted_to_it(face: Rig) -> None:
    with pytest.raises(BadValue, match="set smileLeft so that it is on"):
        fit_shape(face, "smileLeft", face.neutral, weights={"jawOpen": 1.0})


def test_the_shares_of_a_split_are_those_of_its_halves_in_any_unit(face: Rig) -> None:
    for rig in (face, scale(face, 0.01)):
        shares = split_shares(rig, falloff=0.3)
        left = dense(split_shape(rig, "jawOpen", falloff=0.3), "jawOpenLeft")
        np.testing.assert_allclose(left, shares[:, None] * dense(rig, "jawOpen"), atol=1e-12 * rig.size)
        np.testing.assert_allclose(shares, split_shares(face, falloff=0.3), atol=1e-9)
    with pytest.raises(BadValue, match="0 or more"):
        split_shares(face, falloff=-1)
