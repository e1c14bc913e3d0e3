"""Shapes on the other side of the face, and on each side alone."""

from pathlib import Path

import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.mesh.plane import Plane
from facewright.mesh.polygons import Polygons
from facewright.rig.edit import add_shape, drop_shape, mirror_shape, rename, scale, split_shape, symmetry
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy
from facewright.rig.shape import Shape


def dense(rig: Rig, name: str) -> Floats:
    return rig.shape(name).dense(rig.vertex_count)


def test_the_mirrored_left_shape_of_a_symmetric_rig_is_its_right_shape(face: Rig) -> None:
    result = mirror_shape(drop_shape(face, "smileRight"), "smileLeft")
    assert result.name == "smileRight"
    assert result.created
    assert result.lost == 0
    assert result.moved == len(face.shape("smileLeft").vertices)
    assert result.worst < 1e-12
    np.testing.assert_allclose(dense(result.rig, "smileRight"), dense(face, "smileRight"), atol=1e-12)
    assert result.rig.bounds[-1].tolist() == [0, 1]


def test_mirroring_twice_gives_the_shape_back(face: Rig) -> None:
    once = mirror_shape(face, "smileLeft").rig
    twice = mirror_shape(once, "smileRight").rig
    np.testing.assert_allclose(dense(twice, "smileLeft"), dense(face, "smileLeft"), atol=1e-12)
    assert twice.shape_names == face.shape_names


def test_mirroring_a_pose_is_posing_the_mirrored_shape(face: Rig) -> None:
    sides = symmetry(face)
    there = evaluate(face, {"smileLeft": 0.6})
    mirrored = sides.plane.mirror(there)[sides.partner]
    np.testing.assert_allclose(mirrored, evaluate(face, {"smileRight": 0.6}), atol=1e-12)


def test_an_existing_partner_is_found_in_its_own_spelling_and_keeps_its_slider(face: Rig) -> None:
    rig = rename(face, {"smileRight": "SMILE_R"})
    result = mirror_shape(rig, "smileLeft")
    assert (result.name, result.created) == ("SMILE_R", False)
    assert result.rig.sliders == rig.sliders
    assert "replaced SMILE_R" in str(result)


def test_a_mirrored_in_between_and_combination_go_to_the_sliders_of_the_other_side(face: Rig) -> None:
    offsets = face.shape("smileLeft").vertices, face.shape("smileLeft").offsets
    rig = add_shape(face, Shape("smileLeft_half", *offsets, ("smileLeft",), 0.5))
    rig = add_shape(rig, Shape("smileLeft_jaw", *offsets, ("smileLeft", "jawOpen")))
    half = mirror_shape(rig, "smileLeft_half").rig.shape("smileRight_half")
    assert (half.sliders, half.at) == (("smileRight",), (0.5,))
    both = mirror_shape(rig, "smileLeft_jaw").rig.shape("smileRight_jaw")
    assert both.sliders == ("smileRight", "jawOpen")


def test_a_mirrored_combination_goes_to_the_one_that_the_other_side_drives_whatever_its_name(face: Rig) -> None:
    left = Shape("smile_L+jaw", [1, 2], np.ones((2, 3)), ("smileLeft", "jawOpen"), (1.0, 0.5))
    right = Shape("jaw+smile_R", [], np.zeros((0, 3)), ("jawOpen", "smileRight"), (0.5, 1.0))
    rig = add_shape(add_shape(face, left), right)
    found = mirror_shape(rig, "smile_L+jaw")
    assert (found.name, found.created, len(found.rig.shapes)) == ("jaw+smile_R", False, len(rig.shapes))
    assert found.rig.shape("jaw+smile_R").factors == right.factors
    assert mirror_shape(add_shape(face, left), "smile_L+jaw").name == "smile_R+jaw"


def test_a_new_slider_has_the_bounds_and_group_of_the_other_side(face: Rig) -> None:
    rig = drop_shape(face, "smileRight")
    rig = Rig(rig.neutral, rig.polygons, rig.shapes, bounds=np.tile([-0.5, 2], (3, 1)), groups=("mouth", "brow", "jaw"))
    new = mirror_shape(rig, "smileLeft").rig
    assert new.bounds[-1].tolist() == [-0.5, 2]
    assert new.groups[-1] == "mouth"


def test_a_central_name_needs_a_partner_named(face: Rig) -> None:
    with pytest.raises(BadValue, match="no side in its name"):
        mirror_shape(face, "jawOpen")
    result = mirror_shape(face, "jawOpen", to="jawMirrored")
    np.testing.assert_allclose(dense(result.rig, "jawMirrored"), dense(face, "jawOpen"), atol=1e-12)
    with pytest.raises(UnknownName, match="no shape named"):
        mirror_shape(face, "smileleft")


def test_offsets_without_a_partner_are_counted(face: Rig) -> None:
    extra = np.vstack([face.neutral, [[0.61, 0.4, 2.0]]])
    shape = Shape("pullLeft", [3, len(extra) - 1], np.array([[1.0, 0, 0], [0, 1, 0]]))
    result = mirror_shape(Rig(extra, face.polygons, (shape,)), "pullLeft")
    assert (result.moved, result.lost) == (2, 1)
    np.testing.assert_allclose(result.rig.shape("pullRight").offsets, [[-1, 0, 0]])


def test_a_symmetry_of_another_mesh_is_refused(face: Rig) -> None:
    with pytest.raises(BadValue, match="for 63 vertices, but the rig has 64"):
        mirror_shape(
            Rig(np.vstack([face.neutral, [[0, 0, 9]]]), face.polygons, face.shapes), "smileLeft", across=symmetry(face)
        )


def test_the_two_halves_add_up_to_the_whole_exactly(face: Rig) -> None:
    new = split_shape(face, "browUp")
    assert new.sliders == ("smileLeft", "smileRight", "browUpLeft", "browUpRight", "jawOpen")
    np.testing.assert_array_equal(dense(new, "browUpLeft") + dense(new, "browUpRight"), dense(face, "browUp"))


def test_halves_of_a_symmetric_shape_are_mirror_images_and_far_sides_do_not_move(face: Rig) -> None:
    new = split_shape(face, "jawOpen", falloff=0.2)
    sides = symmetry(face)
    has = sides.partner >= 0
    mirrored = np.zeros_like(face.neutral)
    mirrored[sides.partner[has]] = sides.plane.mirror_vectors(dense(new, "jawOpenLeft")[has])
    np.testing.assert_allclose(mirrored, dense(new, "jawOpenRight"), atol=1e-12)
    heights = face.neutral[:, 0]
    assert (dense(new, "jawOpenLeft")[heights < -0.1 * face.size] == 0).all()
    assert (
        dense(new, "jawOpenLeft")[heights > 0.1 * face.size] == dense(face, "jawOpen")[heights > 0.1 * face.size]
    ).all()
    middle = np.abs(heights) < 1e-9
    np.testing.assert_allclose(dense(new, "jawOpenLeft")[middle], dense(face, "jawOpen")[middle] / 2)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_the_split_does_not_depend_on_the_unit(face: Rig, factor: float) -> None:
    small, large = split_shape(face, "jawOpen"), split_shape(scale(face, factor), "jawOpen")
    np.testing.assert_allclose(
        dense(large, "jawOpenLeft"), factor * dense(small, "jawOpenLeft"), rtol=1e-9, atol=1e-12 * factor
    )


def test_a_split_slider_with_in_betweens_and_combinations_does_the_same_when_both_halves_move_together(
    crowded: Rig,
) -> None:
    rig = Rig(
        crowded.neutral, crowded.polygons, crowded.shapes, bounds=crowded.bounds, exclusive=crowded.exclusive,
        rules=(OnlyMovedBy("corner", np.array([1]), ("smile", "jaw")),),
    )  # fmt: skip
    new = split_shape(rig, "smile", plane=Plane(np.array([1, 0, 0])), endings=("_L", "_R"))
    assert new.sliders == ("smile_L", "smile_R", "jaw", "blink", "puff")
    assert new.exclusive == (("smile_L", "puff"), ("smile_R", "puff"))
    rule = new.rules[0]
    assert isinstance(rule, OnlyMovedBy)
    assert rule.sliders == ("smile_L", "smile_R", "jaw")
    for value in (-1.1, 0.2, 0.8, 1.3):
        pose = {"jaw": 0.7, "puff": 0.6}
        both = evaluate(new, {**pose, "smile_L": value, "smile_R": value})
        np.testing.assert_allclose(both, evaluate(rig, {**pose, "smile": value}), atol=1e-12)


def test_the_halves_are_named_as_the_rig_names_sides(face: Rig) -> None:
    rig = rename(face, {"smileLeft": "smile_L", "smileRight": "smile_R"})
    assert {"browUp_L", "browUp_R"} < set(split_shape(rig, "browUp").sliders)


def test_a_cut_without_falloff_gives_each_vertex_to_one_side_and_shares_the_middle(face: Rig) -> None:
    new = split_shape(face, "jawOpen", falloff=0)
    np.testing.assert_array_equal(dense(new, "jawOpenLeft") + dense(new, "jawOpenRight"), dense(face, "jawOpen"))
    assert (dense(new, "jawOpenLeft")[face.neutral[:, 0] < -1e-9] == 0).all()


def test_what_cannot_be_split_says_why(crowded: Rig) -> None:
    with pytest.raises(BadValue, match="combination; split one of its sliders: smile, jaw"):
        split_shape(crowded, "smile_jaw")
    with pytest.raises(UnknownName, match="no shape named"):
        split_shape(crowded, "smlie")
    with pytest.raises(BadValue, match="falloff"):
        split_shape(crowded, "jaw", falloff=-1)
    assert "jawLeft" in split_shape(crowded, "jaw").sliders


def test_the_ict_face_s_left_shapes_mirror_to_nearly_its_right_ones(shared_data: Path) -> None:
    with np.load(shared_data / "ict_face" / "ict_face.npz") as data:
        names, deltas = data["names"].tolist(), data["deltas"]
        shapes = tuple(Shape.from_dense(name, delta) for name, delta in zip(names, deltas, strict=True))
        rig = Rig(data["neutral"], Polygons.of(data["quads"]), shapes)
    sides = symmetry(rig)
    for name in ("mouthSmile_L", "mouthDimple_L", "cheekPuff_L"):
        result = mirror_shape(rig, name, across=sides)
        assert (result.name, result.lost) == (name[:-1] + "R", 0)
        right = dense(rig, result.name)
        assert np.linalg.norm(dense(result.rig, result.name) - right) < 0.03 * np.linalg.norm(right)
