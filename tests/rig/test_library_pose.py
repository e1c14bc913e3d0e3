"""A pose of a library is applied in part, to some sliders, mirrored or added, and never beyond the bounds."""

import numpy as np
import pytest

from facewright.errors import BadFile, BadValue
from facewright.formats.schema.library_pose import pose_from_text, pose_text
from facewright.rig.library_pose import LibraryPose, mirrored_side
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

NAMES = ("smileLeft", "smileRight", "jaw", "browLeft", "browRight")


def face() -> Rig:
    shapes = [Shape(name, [i], [[0.0, 0.1, 0.0]]) for i, name in enumerate(NAMES)]
    return Rig(neutral=np.eye(5, 3), polygons=[[0, 1, 2], [2, 3, 4]], shapes=shapes)


START = np.array([0.2, 0.4, 0.6, 0.1, 0.9])
POSE = LibraryPose("grin", {"smileLeft": 1.0, "smileRight": 0.5, "jaw": 0.0}, ("happy", " happy ", "mouth"))


def test_a_pose_is_reached_by_its_share_and_leaves_what_it_does_not_name() -> None:
    rig = face()
    np.testing.assert_array_equal(POSE.on(rig, START, blend=0), START)
    np.testing.assert_allclose(POSE.on(rig, START), [1.0, 0.5, 0.0, 0.1, 0.9])
    np.testing.assert_allclose(POSE.on(rig, START, blend=0.5), [0.6, 0.45, 0.3, 0.1, 0.9])
    np.testing.assert_allclose(POSE.on(rig, START, sliders=["jaw"]), [0.2, 0.4, 0.0, 0.1, 0.9])
    np.testing.assert_allclose(POSE.on(rig, START, blend=2), [1.0, 0.6, 0.0, 0.1, 0.9])


def test_added_it_stops_at_the_bounds_and_of_nothing_it_changes_nothing() -> None:
    rig = face()
    np.testing.assert_allclose(POSE.on(rig, START, additive=True, blend=0.5), [0.7, 0.65, 0.6, 0.1, 0.9])
    np.testing.assert_allclose(POSE.on(rig, START, additive=True), [1.0, 0.9, 0.6, 0.1, 0.9])
    nothing = LibraryPose("rest", dict.fromkeys(NAMES, 0.0))
    np.testing.assert_array_equal(nothing.on(rig, START, additive=True), START)


def test_mirrored_twice_it_is_itself_and_mirrored_once_it_has_the_other_side() -> None:
    rig = face()
    assert POSE.mirrored(NAMES).weights == {"smileRight": 1.0, "smileLeft": 0.5, "jaw": 0.0}
    assert POSE.mirrored(NAMES).mirrored(NAMES).weights == POSE.weights
    np.testing.assert_allclose(POSE.on(rig, START, mirrored=True), [0.5, 1.0, 0.0, 0.1, 0.9])
    np.testing.assert_allclose(mirrored_side(rig, START, "left"), [0.2, 0.2, 0.6, 0.1, 0.1])
    np.testing.assert_allclose(mirrored_side(rig, START, "right"), [0.4, 0.4, 0.6, 0.9, 0.9])


def test_its_text_gives_it_back_and_other_poses_are_read_too() -> None:
    again = pose_from_text(pose_text(POSE))
    assert (again.name, again.weights, again.tags) == (POSE.name, POSE.weights, ("happy", "mouth"))
    assert pose_from_text('{"weights": {"jaw": 0.5}, "residual": 1}').weights == {"jaw": 0.5}
    assert pose_from_text(b'{"jaw": 0.25}', "open").name == "open"
    assert POSE.unknown(face()) == ()
    assert LibraryPose.of("now", face(), START, ["jaw"]).weights == {"jaw": 0.6}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no pose"),
        ("[1, 2]", "looks like"),
        ('{"jaw": "wide"}', "no pose"),
        ('{"weights": {"jaw": 1e999}}', "no pose"),
        ('{"weights": {"jaw": 1e20}}', "finite number"),
        ('{"format": "facewright document", "weights": {}}', "not a pose"),
        ('{"name": "", "weights": {}}', "needs a name"),
        ("[" * 100_000, "no pose"),
        (" " * (1 << 21), "at most 1 MB"),
    ],
)
def test_what_is_no_pose_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadFile, match=words):
        pose_from_text(text)


def test_mistakes_are_told() -> None:
    with pytest.raises(BadValue, match="left or right"):
        mirrored_side(face(), START, "top")
    with pytest.raises(BadValue, match="finite number"):
        POSE.on(face(), START, blend=float("nan"))
