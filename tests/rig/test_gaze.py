"""Eyes on a point: each eyeball turns as one about its middle, as far as an eye can, and lids follow."""

import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.mesh.polygons import Polygons
from facewright.rig.gaze import Gaze, balls, is_eyeball
from facewright.rig.rig import Part
from tests.render.meshes import ball

LEFT, RIGHT = np.array([3.0, 1.0, 2.0]), np.array([-3.0, 1.0, 2.0])


def two_eyes(*, one_part: bool = False) -> fw.Rig:
    points, triangles = ball(12)
    both = np.concatenate([points + LEFT, points + RIGHT])
    parts = [Part("eyes", 0, len(both))] if one_part else [
        Part("left eye", 0, len(points)), Part("right eye", len(points), len(both))
    ]  # fmt: skip
    faces = np.concatenate([triangles, triangles + len(points)])
    return fw.Rig(neutral=both, polygons=Polygons.of(faces), parts=tuple(parts))


def forward(rest: Floats, moved: Floats, middle: Floats) -> Floats:
    """Where the foremost point of a ball has gone, from its middle."""
    front = (rest - middle)[:, 2].argmax()
    return np.asarray((moved - middle)[front] / np.linalg.norm((moved - middle)[front]))


@pytest.mark.parametrize("one_part", [False, True])
@pytest.mark.parametrize("target", [(0, 1, 30), (8, -4, 20), (-12, 6, 25), (3, 1, 1e6)])
def test_both_eyes_look_straight_at_a_point_and_stay_what_they_are(
    one_part: bool, target: tuple[int, int, float]
) -> None:
    rig = two_eyes(one_part=one_part)
    moved = Gaze(rig).turned(rig.neutral, target)
    half = len(moved) // 2
    for some, middle in ((slice(0, half), LEFT), (slice(half, None), RIGHT)):
        wanted = (np.array(target) - middle) / np.linalg.norm(np.array(target) - middle)
        np.testing.assert_allclose(forward(rig.neutral[some], moved[some], middle), wanted, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(moved[some] - middle, axis=1), 1, atol=1e-9)
        apart = [np.linalg.norm(one[1:] - one[:-1], axis=1) for one in (rig.neutral[some], moved[some])]
        np.testing.assert_allclose(apart[0], apart[1], atol=1e-9)


def test_the_nearer_the_point_the_more_eyes_cross() -> None:
    rig = two_eyes()
    gaze, half = Gaze(rig), rig.vertex_count // 2
    crossed = []
    for away in (1000, 30, 12):
        moved = gaze.turned(rig.neutral, (0, 1, 2 + away))
        crossed.append(forward(rig.neutral[:half], moved[:half], LEFT)[0])
    assert 0 > crossed[0] > crossed[1] > crossed[2]


def test_no_eye_turns_further_than_an_eye_can() -> None:
    rig = two_eyes()
    for target in ((1000, 1, -500), (0, 1000, 2), (3, 1, -9)):
        moved = Gaze(rig).turned(rig.neutral, target)
        ahead = forward(rig.neutral[: len(moved) // 2], moved[: len(moved) // 2], LEFT)
        assert np.degrees(np.arccos(ahead[2])) < 53


def test_eyes_that_shapes_have_moved_turn_where_they_are() -> None:
    rig = two_eyes()
    shifted = rig.neutral + np.array([0.2, -0.1, 0.3])
    moved = Gaze(rig).turned(shifted, (4, 2, 40))
    middle = LEFT + np.array([0.2, -0.1, 0.3])
    wanted = (np.array([4, 2, 40]) - middle) / np.linalg.norm(np.array([4, 2, 40]) - middle)
    half = len(moved) // 2
    np.testing.assert_allclose(forward(shifted[:half], moved[:half], middle), wanted, atol=1e-9)


def test_lids_follow_with_the_sliders_of_the_gaze_and_all_others_stay() -> None:
    rig = fw.sample()
    pose = rig.weights({"jawOpen": 0.3, "eyeBlinkLeft": 0.2})
    gaze = Gaze(rig)
    ahead = gaze.weights(pose, (0, 0, 1e6))
    names = [name for name in rig.sliders if name.startswith("eyeLook")]
    rows = [rig.slider_index(name) for name in names]
    others = np.setdiff1d(np.arange(len(pose)), rows)
    left = dict(zip(names, gaze.weights(pose, (1e5, 0, 3e5))[rows], strict=True))  # towards the face's own left
    up = dict(zip(names, gaze.weights(pose, (0, 1e5, 3e5))[rows], strict=True))
    np.testing.assert_allclose(ahead[rows], 0, atol=0.05)
    np.testing.assert_array_equal(gaze.weights(pose, (1e5, 0, 3e5))[others], pose[others])
    assert left["eyeLookOutLeft"] > 0.3
    assert left["eyeLookInRight"] > 0.3
    assert left["eyeLookInLeft"] == left["eyeLookOutRight"] == 0
    assert up["eyeLookUpLeft"] > 0.3
    assert up["eyeLookDownLeft"] == 0


def test_the_sliders_alone_nearly_look_at_the_point() -> None:
    rig = fw.sample()
    gaze = Gaze(rig)
    target = (12.0, 3.0, 60.0)
    posed = fw.evaluate(rig, gaze.weights(rig.weights(None), target))
    exact = gaze.turned(posed, target)
    eyes = np.concatenate([np.arange(part.start, part.stop) for part in rig.parts if is_eyeball(part.name)])
    assert np.abs(exact - posed)[eyes].max() < 0.12 * balls(rig.neutral[eyes])[0].radius * 2
    untouched = np.setdiff1d(np.arange(rig.vertex_count), eyes)
    np.testing.assert_array_equal(exact[untouched], posed[untouched])


def test_the_unit_of_length_changes_nothing() -> None:
    rig = two_eyes()
    wanted = Gaze(rig).turned(rig.neutral, (4, 2, 40))
    for scale in (0.01, 100.0):
        scaled = fw.Rig(neutral=rig.neutral * scale, polygons=rig.polygons, parts=rig.parts)
        found = Gaze(scaled).turned(scaled.neutral, np.array([4, 2, 40]) * scale)
        np.testing.assert_allclose(found, wanted * scale, rtol=1e-9, atol=1e-9 * scale)


def test_a_rig_without_eyes_has_none_to_turn() -> None:
    rig = fw.Rig(neutral=np.eye(3), polygons=Polygons.of([(0, 1, 2)]))
    gaze = Gaze(rig)
    assert len(gaze) == 0
    np.testing.assert_array_equal(gaze.turned(rig.neutral, (0, 0, 9)), rig.neutral)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("left eye", True),
        ("EyeRight", True),
        ("cornea_L", True),
        ("eyelashes", False),
        ("EyeBrow", False),
        ("head", False),
    ],
)
def test_parts_of_eyeballs_are_known_by_their_names(name: str, wanted: bool) -> None:
    assert is_eyeball(name) is wanted
