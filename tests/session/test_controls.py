"""Head, neck and eyes are posed, keyed, mirrored, cleared and kept as sliders are."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.errors import UnknownName
from facewright.formats.schema.clip import CurveEntry
from facewright.render.poser import Poser
from facewright.rig.head_motion import head_curves
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.clips import load_clips
from facewright.session.edits.controls import ChooseJoint, ClearControls, SetControls, SetEyeLimits, set_controls
from facewright.session.edits.key_tools import paste_keys
from facewright.session.edits.keys import KeyChanges, SetKeys, at_hand, changed_sliders, move_keys
from facewright.session.edits.pose import MirrorPose
from facewright.session.edits.time import go_to_time
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import changed, changes
from facewright.session.views.controls import controls, head
from tests.session.faces import document
from tests.session.memory_store import Memory


def context(face: fw.Document | None = None) -> Context:
    return Context(face or document(), fresh_plan(), lambda run, newest=None: run())


def test_the_first_turn_finds_where_the_head_turns_and_ranges_are_kept() -> None:
    work = context()
    work.apply(SetControls(values={"HeadYaw": 9.0, "EyePitchLeft": 0.1}))
    value = work.document.value
    assert value.head is not None
    assert value.controls["HeadYaw"] == pytest.approx(np.pi / 2)
    assert work.document.history.labels[-1] == "Move HeadYaw and 1 more"
    with pytest.raises(UnknownName, match="NeckYaw"):
        work.apply(SetControls(values={"Yaw": 1.0}))


def test_controls_are_keyed_sampled_moved_and_pasted_mirrored_by_the_edits_of_keys() -> None:
    work = context()
    work.apply(SetControls(values={"HeadYaw": 0.4}))
    assert changed_sliders(work.document.value)[-1:] == ["HeadYaw"]
    work.apply(KeyChanges(time=0.0))
    work.apply(SetControls(values={"HeadYaw": -0.2, "NeckRoll": 0.1, "EyeYawLeft": 0.0}))
    work.apply(KeyChanges(time=1.0))
    clip = at_hand(work.document.value)
    assert clip.curves["HeadYaw"].values.tolist() == [0.4, -0.2]
    assert clip.curves["NeckRoll"].values.tolist() == [0.0, 0.1], "it was at rest at the key before"
    assert "EyeYawLeft" in clip.curves, "an eye that is set to 0 is not where the pose has it"
    half = go_to_time(work.document.value, 0.5)
    assert half.controls["HeadYaw"] == pytest.approx(clip.curves["HeadYaw"](0.5))
    lifted = move_keys(half, {"HeadYaw": [0.0]}, lift=9.0, beyond=False)
    assert at_hand(lifted).curves["HeadYaw"].values[0] == pytest.approx(np.pi / 2)
    entries = [CurveEntry.of(name, clip.curves[name]) for name in ("HeadYaw", "EyeYawLeft")]
    pasted = at_hand(paste_keys(half, entries, 2.0, mirrored=True))
    assert pasted.curves["HeadYaw"](2.0) == pytest.approx(-0.4)
    assert "EyeYawRight" in pasted.curves
    work.apply(SetKeys(time=1.5, sliders=["HeadYaw"]))
    assert len(at_hand(work.document.value).curves["HeadYaw"].times) == 3


def test_auto_key_keys_a_turned_head_in_the_same_step() -> None:
    work = context()
    work.prefer(msgspec.structs.replace(work.preferences, auto_key=True))
    steps = work.document.history.at
    work.apply(SetControls(values={"NeckPitch": 0.3}))
    assert work.document.history.at == steps + 1
    assert at_hand(work.document.value).curves["NeckPitch"].values.tolist() == [0.3]


def test_mirroring_the_pose_turns_the_head_to_the_other_side_and_clearing_gives_the_eyes_back() -> None:
    work = context()
    work.apply(SetControls(values={"HeadYaw": 0.4, "GazeX": 3.0, "GazeY": 0.0, "GazeZ": 40.0}))
    work.apply(MirrorPose())
    assert work.document.value.controls["HeadYaw"] == -0.4
    assert work.document.value.controls["GazeX"] == -3.0
    work.apply(KeyChanges(time=0.0))
    work.apply(ClearControls(names=["GazeX", "GazeY", "GazeZ"]))
    value = work.document.value
    assert set(value.controls) == {"HeadYaw"}
    assert not any(name.startswith("Gaze") for name in at_hand(value).curves)
    work.document.undo()
    assert work.document.value.controls["GazeZ"] == 40.0


def test_a_page_is_told_where_a_clip_has_the_head_though_the_document_says_nothing_of_it() -> None:
    times = np.arange(3) / 30
    curves = head_curves(times, np.tile(np.eye(3), (3, 1, 1)), np.array([[0, 0, 0], [1, 2, 3], [4, 5, 6]], float))
    face = replace(document(), clips=(fw.Clip("take", curves),), clip="take", time=1 / 30)
    work = context(face)
    assert controls(work)["HeadY"] == pytest.approx(2.0)
    assert head(work).head == (0.0, 0.0, 0.0), "takes of older documents turn about the origin"
    work.apply(SetEyeLimits(side=20, up=10, down=15))
    np.testing.assert_allclose(np.degrees(head(work).eye_limits), [20, 10, 15])
    assert head(work).head != (0.0, 0.0, 0.0), "its keys are about the pivot now"
    shown = Poser(go_to_time(work.document.value, 1 / 30)).rest()
    np.testing.assert_allclose(shown, Poser(face).rest() + np.array([1, 2, 3]), atol=1e-9)


def test_controls_are_kept_in_files_and_in_the_journal(tmp_path: Path) -> None:
    face = set_controls(document(), {"HeadYaw": 0.4, "GazeX": 3.0})
    for suffix in (".fwface", ".glb"):
        fw.save(face, tmp_path / f"a{suffix}")
        back = fw.load_document(tmp_path / f"a{suffix}")
        assert dict(back.controls) == {"HeadYaw": 0.4, "GazeX": 3.0}
        assert back.head is not None
        assert face.head is not None
        np.testing.assert_array_equal(back.head.head, face.head.head)
    blobs = Blobs(Memory())
    first = changed(None, changes(None, document(), blobs), blobs)
    again = changed(first, changes(document(), face, blobs), blobs)
    assert dict(again.controls) == dict(face.controls)


def test_a_phones_recording_turns_head_and_eyes_of_the_document() -> None:
    times = [0.0, 1.0]
    names = ("HeadYaw", "LeftEyeYaw", document().rig.sliders[0])
    loaded = load_clips(document(), [fw.Clip("phone", {name: fw.Curve(times, [0.0, 0.2]) for name in names})])
    assert loaded.head is not None
    assert go_to_time(loaded, 1.0).controls == {"HeadYaw": -0.2, "EyeYawLeft": -0.2}


def test_a_joint_is_chosen_by_name_and_one_that_is_not_there_is_named(shared_data: Path) -> None:
    work = context(fw.load_document(shared_data / "gltf_samples" / "RobotExpressive.glb"))
    assert dict(head(work).joints) == {"head": "Head", "neck": "Neck"}
    before = head(work).head
    work.apply(ChooseJoint(role="head", joint="Neck"))
    assert head(work).joints["head"] == "Neck"
    assert head(work).head != before
    with pytest.raises(UnknownName, match="Abdomen"):
        work.apply(ChooseJoint(role="neck", joint="nothing"))
