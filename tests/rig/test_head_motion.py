"""Head and neck turn about their pivots as rotations of scipy do, whatever the unit, and pivots can be exchanged."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.errors import BadValue, UnknownName
from facewright.formats.scale import scale_document
from facewright.mesh.align import align
from facewright.render.clip_frames import ClipFrames
from facewright.render.poser import Poser
from facewright.rig import edit
from facewright.rig.controls import CONTROLS, checked_controls, mirrored_controls
from facewright.rig.gaze import Aim, Gaze
from facewright.rig.head_motion import about, clip_controls, has_head_motion, head_curves, head_motion_of, posed_head
from facewright.rig.head_rig import HeadRig, find_head_rig
from facewright.rig.phone_angles import from_phone, to_phone
from facewright.samples import mask

HEAD = HeadRig(head=(0.5, 3.0, -1.0), neck=(0.2, -4.0, -2.0))
VALUES = {"HeadYaw": 0.4, "HeadPitch": -0.3, "HeadRoll": 0.2, "HeadX": 1.0, "HeadZ": -2.0,
          "NeckYaw": -0.2, "NeckPitch": 0.5, "NeckRoll": 0.1}  # fmt: skip


def moved_by_hand(points: np.ndarray) -> np.ndarray:
    """The same motion, written as one turn after the other."""
    turn = Rotation.from_euler("YXZ", [VALUES["HeadYaw"], VALUES["HeadPitch"], VALUES["HeadRoll"]])
    neck = Rotation.from_euler("YXZ", [VALUES["NeckYaw"], VALUES["NeckPitch"], VALUES["NeckRoll"]])
    placed = turn.apply(points - HEAD.head) + HEAD.head + [1.0, 0.0, -2.0]
    return np.asarray(neck.apply(placed - HEAD.neck) + HEAD.neck)


def test_a_posed_head_is_where_one_turn_after_the_other_takes_it() -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    found = posed_head(VALUES, HEAD)
    assert found is not None
    np.testing.assert_allclose(points @ found[0].T + found[1], moved_by_hand(points), atol=1e-12)
    assert posed_head({"HeadYaw": 0.0, "GazeX": 3.0}, HEAD) is None


def test_renders_of_a_pose_and_of_a_clip_move_the_face_alike_and_a_smaller_face_in_proportion() -> None:
    rig = mask(vertices=300, shapes=3)
    face = fw.Document(rig, controls=VALUES, head=HEAD)
    np.testing.assert_allclose(Poser(face).rest(), moved_by_hand(rig.neutral), atol=1e-9)
    clip = fw.Clip("c", {name: fw.Curve([0.0, 1.0], [0.0, value]) for name, value in VALUES.items()})
    played = ClipFrames(Poser(replace(face, controls={})), clip, times=np.array([1.0]))
    np.testing.assert_allclose(played(0), moved_by_hand(rig.neutral), atol=1e-9)
    small = scale_document(face, 0.01)
    np.testing.assert_allclose(Poser(small).rest(), 0.01 * Poser(face).rest(), atol=1e-9)


def test_curves_about_another_pivot_move_the_head_as_before() -> None:
    rng = np.random.default_rng(2)
    times = np.arange(12) / 30
    turns = Rotation.from_euler("YXZ", rng.normal(scale=0.4, size=(12, 3))).as_matrix()
    take = fw.Clip("take", head_curves(times, turns, rng.normal(size=(12, 3))))
    before = head_motion_of(take, times)
    moved = about(take, None, HEAD)
    assert not np.allclose(moved.curves["HeadY"].values, take.curves["HeadY"].values)
    after = head_motion_of(moved, times, HEAD)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert about(take, None, HeadRig()) is take


def test_pivots_lie_behind_and_below_the_eyes_and_scale_with_the_face() -> None:
    rig = fw.sample()
    found = find_head_rig(rig)
    eyes = np.mean([eye.middle for eye in Gaze(rig).eyes], axis=0)
    assert found.head[2] < eyes[2]
    assert found.neck[1] < found.head[1] < eyes[1]
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    assert ((found.head > low) & (found.head < high)).all()
    small = find_head_rig(edit.scale(rig, 0.01))
    np.testing.assert_allclose(small.head, 0.01 * found.head, atol=1e-9)


def test_a_phones_angles_turn_the_rig_only_once_they_are_its_controls() -> None:
    times = [0.0, 1.0]
    phone = fw.Clip("phone", {
        "HeadYaw": fw.Curve(times, [0.0, 0.3]), "LeftEyeYaw": fw.Curve(times, [0.1, -0.2]),
        "RightEyePitch": fw.Curve(times, [0.0, 0.0]), "jawOpen": fw.Curve(times, [0.0, 1.0]),
    })  # fmt: skip
    assert not has_head_motion(phone)
    assert not clip_controls(phone, 1.0)
    ours = from_phone(phone)
    assert set(ours.curves) == {"HeadYaw", "EyeYawLeft", "jawOpen"}, "what is 0 all the time was not recorded"
    assert clip_controls(ours, 1.0) == {"HeadYaw": -0.3, "EyeYawLeft": 0.2}
    back = to_phone(ours)
    for name in ("HeadYaw", "LeftEyeYaw", "jawOpen"):
        np.testing.assert_array_equal(back.curves[name].values, phone.curves[name].values)


def test_eyes_go_where_angles_or_a_target_say_within_their_limits_and_as_much_as_its_weight() -> None:
    rig = fw.sample()
    gaze = Gaze(rig, limits=(0.5, 0.3, 0.4))
    rest = rig.weights(None)
    aim = Aim.of({"EyeYawLeft": 0.2, "EyePitchLeft": 0.1})
    assert aim is not None
    angles = gaze.angles(rest, aim)
    np.testing.assert_allclose(angles["Left"], [0.2, -0.1])
    np.testing.assert_allclose(angles["Right"], [0.0, 0.0])
    far = Aim.of({"EyeYawLeft": 2.0, "EyePitchLeft": 2.0})
    assert far is not None
    np.testing.assert_allclose(gaze.angles(rest, far)["Left"], [0.5, -0.4])
    posed = rig.weights({"eyeLookUpLeft": 0.5})
    own = gaze.angles(posed, Aim())["Left"]
    whole, half = (gaze.angles(posed, Aim(target=np.array([9.0, 4.0, 60.0]), weight=w))["Left"] for w in (1.0, 0.5))
    np.testing.assert_allclose(half, (own + whole) / 2)
    assert Aim.of({"HeadYaw": 1.0, "GazeWeight": 1.0}) is None


def test_eyes_of_a_turned_head_stay_on_a_place_in_the_scene() -> None:
    rig = fw.sample()
    target = np.array([15.0, 2.0, 70.0])
    controls = {"HeadYaw": 0.25, "NeckPitch": 0.1, **dict(zip(("GazeX", "GazeY", "GazeZ"), target, strict=True))}
    face = fw.Document(rig, controls=controls, head=find_head_rig(rig))
    positions = Poser(face).rest()
    eye = Gaze(rig).eyes[0]
    fit = align(rig.neutral[eye.points], positions[eye.points])
    wanted = target - fit(eye.middle)
    np.testing.assert_allclose(fit.rotation @ [0, 0, 1], wanted / np.linalg.norm(wanted), atol=1e-6)


def test_controls_are_named_and_finite_and_mirror_to_the_other_side() -> None:
    with pytest.raises(UnknownName, match="HeadYaw"):
        checked_controls({"headYaw": 1.0})
    with pytest.raises(BadValue, match="finite"):
        checked_controls({"HeadYaw": np.inf})
    assert dict(mirrored_controls({"HeadYaw": 0.1, "HeadPitch": 0.2, "EyeYawLeft": 0.3, "GazeX": 4.0})) == {
        "HeadYaw": -0.1, "HeadPitch": 0.2, "EyeYawRight": -0.3, "GazeX": -4.0,
    }  # fmt: skip
    both = dict.fromkeys(CONTROLS, 0.1)
    assert dict(mirrored_controls(mirrored_controls(both))) == both
    with pytest.raises(BadValue, match="90 degrees"):
        HeadRig(eye_limits=(3.0, 0.1, 0.1))
