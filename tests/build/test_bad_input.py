"""What cannot be built from is refused in words that say what would work."""

from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue, FacewrightWarning, UnknownName
from tests.build.faces import bent, template, turned

RIG = template()
FACE = bent(RIG)
POSE = FACE + RIG.shapes[0].dense(RIG.vertex_count)


def add(mesh: object, weights: object = None, **options: Any) -> fw.RigBuilder:
    builder = fw.RigBuilder(RIG, FACE, **options)
    builder.add_pose(mesh, {RIG.sliders[0]: 1.0} if weights is None else weights, name="smile")  # type: ignore[arg-type]
    return builder


def test_another_number_of_vertices() -> None:
    with pytest.raises(BadValue, match=r"pose 'smile' has 159 vertices, but the template has 160.*register"):
        add(POSE[:-1])
    with pytest.raises(BadValue, match="the neutral has 3 vertices"):
        fw.transfer(RIG, FACE[:3])


def test_other_polygons_on_as_many_vertices() -> None:
    rows = RIG.polygons.uniform()
    assert rows is not None
    with pytest.raises(BadValue, match=r"other polygons.*keep the vertex order"):
        add(fw.Rig(POSE, np.random.default_rng(1).permutation(RIG.vertex_count)[rows]))
    with pytest.raises(BadValue, match="inside out"):
        add(fw.Rig(POSE, rows[:, ::-1]))


def test_a_triangulated_face_is_the_same_face() -> None:
    triangulated, given = add(fw.Rig(POSE, RIG.triangles)), add(POSE)
    np.testing.assert_array_equal(triangulated.solve().rig.deltas(), given.solve().rig.deltas())


def test_a_mirrored_face() -> None:
    with pytest.raises(BadValue, match="pose 'smile' is a mirror image of the neutral; negate one axis"):
        add(POSE * [-1, 1, 1])
    with pytest.raises(BadValue, match="the neutral is a mirror image"):
        fw.transfer(RIG, FACE * [1, 1, -1])


def test_another_scale_is_found_and_a_way_out_offered() -> None:
    with pytest.raises(BadValue, match=r"100 times as large as the neutral: scale it by 0.01, or .*align_poses"):
        add(100 * POSE)
    add(100 * POSE, align_poses=True)


def test_a_head_that_turned_is_found_and_can_be_taken_out() -> None:
    with pytest.raises(BadValue, match=r"turned by .* degrees"):
        add(turned(POSE))
    straight, moved = (fw.RigBuilder(RIG, FACE, align_poses=True) for _ in range(2))
    straight.add_pose(POSE, {RIG.sliders[0]: 1.0})
    moved.add_pose(turned(POSE, 7.0), {RIG.sliders[0]: 1.0})
    one, other = straight.solve(), moved.solve()
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)
    np.testing.assert_allclose(one.rig.deltas(), other.rig.deltas(), atol=1e-5 * RIG.size)


def test_names_and_values_of_weights() -> None:
    with pytest.raises(UnknownName, match="no slider named 'smirk'"):
        add(POSE, {"smirk": 1.0})
    with pytest.raises(BadValue, match=r"is 1.5, but the slider goes from 0 to 1"):
        add(POSE, {RIG.sliders[0]: 1.5})
    with pytest.raises(BadValue, match="2 poses but 1 rows of weights"):
        fw.build_rig(RIG, FACE, [POSE, POSE], [{}])
    with pytest.raises(UnknownName, match="no pose named 'frown'"):
        fw.RigBuilder(RIG, FACE).remove_pose("frown")


def test_numbers_that_are_none() -> None:
    broken = POSE.copy()
    broken[3, 1] = np.nan
    with pytest.raises(BadValue, match="pose 'smile' has a value that is not finite at index 3, 1"):
        add(broken)


def test_a_template_without_shapes() -> None:
    with pytest.raises(BadValue, match="no shapes to transfer"):
        fw.transfer(fw.Rig(FACE, RIG.polygons), FACE)


def test_triangles_without_area_and_vertices_without_polygons_are_told_and_do_no_harm() -> None:
    triangles = [*RIG.triangles.tolist(), [0, 0, 1]]
    neutral = np.concatenate([RIG.neutral, [[0.0, 0, 50]]])
    shapes = tuple(fw.Shape(s.name, [*s.vertices, RIG.vertex_count], [*s.offsets, [0.0, 1, 0]]) for s in RIG.shapes)
    rig = fw.Rig(neutral, triangles, shapes)
    with pytest.warns(FacewrightWarning, match=r"1 triangles of the template .* 1 vertices belong to no polygon"):
        made = fw.transfer(rig, rig.neutral)
    np.testing.assert_allclose(made.deltas(), rig.deltas(), atol=1e-6 * rig.size)
    flat = FACE.copy()
    flat[RIG.triangles[0]] = flat[RIG.triangles[0, 0]]
    with pytest.warns(FacewrightWarning, match="triangles of the target have no area"):
        assert np.isfinite(fw.transfer(RIG, flat).deltas()).all()
