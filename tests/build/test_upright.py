"""Faces that arrive turned, mirrored or with another up-axis are laid upright, and others are left alone."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.build.upright import Uprighting, find_uprighting, turned
from facewright.errors import BadValue
from facewright.samples import mask
from facewright.workflow.build import plan as plans
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose

TEMPLATE = fw.sample()
Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
WAYS = {
    "z is up": Z_UP,
    "head down": np.diag([1.0, -1, -1]),
    "seen from behind": np.diag([-1.0, 1, -1]),
    "mirrored": np.diag([-1.0, 1, 1]),
    "mirrored and z is up": Z_UP @ np.diag([1.0, 1, -1]),
}


def subdivided(rig: fw.Rig) -> fw.Rig:
    """The neutral with each triangle cut in four."""
    corners = rig.triangles
    edges, number = np.unique(np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)), axis=0, return_inverse=True)
    (a, b, c), (ab, bc, ca) = corners.T, number.reshape(-1, 3).T + rig.vertex_count
    cut = np.stack([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], axis=1).reshape(-1, 3)
    return fw.Rig(np.concatenate([rig.neutral, rig.neutral[edges].mean(axis=1)]), cut)


def bare(rig: fw.Rig) -> fw.Rig:
    return fw.Rig(rig.neutral, rig.polygons, parts=rig.parts)


@pytest.fixture(scope="module", params=["same topology", "other topology"])
def face(request: pytest.FixtureRequest) -> fw.Rig:
    if request.param == "same topology":
        return bare(fw.sample("kenji"))
    shared: Path = request.getfixturevalue("shared_data")
    return bare(fw.load(shared / "ict_face" / "neutral.obj"))


@pytest.mark.parametrize("how", WAYS)
def test_a_face_that_lies_otherwise_gets_exactly_its_upright_vertices_whatever_its_unit(how: str, face: fw.Rig) -> None:
    given = turned(face, WAYS[how])
    given = fw.edit.scale(given, 0.01)
    found = find_uprighting(TEMPLATE, given)
    np.testing.assert_array_equal(found(given).neutral, fw.edit.scale(face, 0.01).neutral)
    assert ("mirrored" in found.words) == ("mirrored" in how)


def test_a_face_turned_by_any_angle_is_upright_to_within_what_heads_are_tilted(face: fw.Rig) -> None:
    turn = Rotation.from_euler("xyz", [130, 40, -70], degrees=True).as_matrix()
    found = find_uprighting(TEMPLATE, turned(face, turn))
    left = Rotation.from_matrix(found.turn @ turn)
    assert np.degrees(left.magnitude()) < 15
    assert found.words.startswith("the face was turned by")


def test_an_upright_face_and_a_tilted_head_stay_the_same_objects(face: fw.Rig) -> None:
    tilted = turned(face, Rotation.from_euler("x", 15, degrees=True).as_matrix())
    for one in (face, tilted):
        found = find_uprighting(TEMPLATE, one)
        assert found(one) is one
        assert found.words == ""


@pytest.mark.parametrize("how", ["z is up", "head down", "mirrored and z is up"])
def test_a_subdivided_head_without_openings_is_laid_upright_by_its_likeness_to_the_template(how: str) -> None:
    head = subdivided(fw.sample("kenji"))
    given = turned(head, 0.01 * WAYS[how])
    found = find_uprighting(TEMPLATE, given)
    np.testing.assert_allclose(found(given).neutral, 0.01 * head.neutral, atol=1e-12)
    assert ("mirrored" in found.words) == ("mirrored" in how)
    assert "most like the template" in found.words
    assert find_uprighting(TEMPLATE, head)(head) is head


def test_a_ball_is_like_no_template() -> None:
    points = np.random.default_rng(1).normal(size=(400, 3))
    ball = points / np.linalg.norm(points, axis=1)[:, None]
    given = fw.Rig(ball, ConvexHull(ball).simplices)
    assert find_uprighting(TEMPLATE, given)(given) is given


@pytest.mark.parametrize("up", ["x", "-x", "y", "-y", "z", "-z"])
def test_an_axis_that_is_said_to_be_up_is_y_afterwards_and_nothing_is_mirrored(up: str) -> None:
    found = find_uprighting(TEMPLATE, bare(TEMPLATE), up)  # type: ignore[arg-type]
    axis = np.eye(3)["xyz".index(up[-1])] * (-1 if up[0] == "-" else 1)
    np.testing.assert_array_equal(found.turn @ axis, [0, 1, 0])
    assert np.linalg.det(found.turn) == 1
    with pytest.raises(BadValue, match="one of auto, x, -x"):
        find_uprighting(TEMPLATE, bare(TEMPLATE), "w")  # type: ignore[arg-type]


def test_a_mesh_without_eyes_and_mouth_stays_as_it_is() -> None:
    plain = turned(bare(mask(vertices=900, shapes=3)), Z_UP)
    assert find_uprighting(TEMPLATE, plain)(plain) is plain


def test_poses_are_turned_with_their_neutral_and_back_when_it_goes() -> None:
    person = fw.sample("kenji")
    neutral = turned(bare(person), Z_UP)
    smile = turned(fw.Rig(fw.evaluate(person, {"jawOpen": 0.7}), person.polygons), Z_UP)
    early = plans.with_poses(BuildPlan(GivenFace("head", TEMPLATE)), [GivenPose("early", smile)])
    plan = plans.with_neutral(early, GivenFace("kenji", neutral), find_uprighting(TEMPLATE, neutral))
    plan = plans.with_poses(plan, [GivenPose("late", smile)])
    assert plan.neutral is not None
    np.testing.assert_array_equal(plan.neutral.rig.neutral, person.neutral)
    for pose in plan.poses:
        np.testing.assert_array_equal(pose.face.neutral, fw.evaluate(person, {"jawOpen": 0.7}))

    asis = plans.lay_upright(plan, "y")
    assert asis.neutral is not None
    np.testing.assert_array_equal(asis.neutral.rig.neutral, neutral.neutral)
    np.testing.assert_array_equal(plans.lay_upright(asis, "auto").poses[0].face.neutral, plan.poses[0].face.neutral)
    gone = plans.with_neutral(plan, None)
    np.testing.assert_array_equal(gone.poses[1].face.neutral, smile.neutral)
    assert gone.upright.words == Uprighting().words
