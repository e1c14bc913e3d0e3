"""Poses of the library are kept, applied live in one step, copied as text, and follow the rig."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadFile, BadValue, UnknownName
from facewright.formats.schema.library_pose import pose_text
from facewright.rig.library_pose import LibraryPose
from facewright.session.context import Context
from facewright.session.edits import keys, poses
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.pose import LockSliders, SetWeights
from facewright.session.edits.regions import FindRegions
from facewright.session.edits.time import choose_clip, go_to_time
from facewright.session.tasks.poses import DeletePoseInFolder, KeepPoseInFolder, PoseLibrary, ReadPoseFolder
from facewright.session.views.poses import pictures, poses_of_clip
from facewright.session.views.view import Seen, look
from facewright.workflow.drag.region_values import values_in
from facewright.workflow.rename import rename_sliders
from tests.session.faces import document
from tests.some import some


def context_of(one: Document) -> Context:
    return Context(one, fresh_plan(), lambda run, newest=None: run())


def test_a_kept_pose_comes_back_and_a_blend_is_one_step_from_where_it_began() -> None:
    context = context_of(document())
    one = context.document.value
    context.apply(poses.KeepPose(name="start", tags=["mine"]))
    first, second = one.rig.sliders[:2]
    context.apply(SetWeights(weights={first: 0.95, second: 0.05}))
    before = context.document.value.pose
    kept = context.document.value.poses[0]
    context.document.begin("Apply pose start")
    for blend in (0.1, 0.9, 0.5):
        context.update(poses.ApplyPose(name="start", weights=dict(kept.weights), blend=blend))
        np.testing.assert_allclose(context.document.value.pose, before + blend * (one.pose - before), atol=1e-12)
    context.document.commit()
    assert [step.label for step in context.document.history.steps][-1] == "Apply pose start"
    context.apply(poses.ApplyPose(name="start", weights=dict(kept.weights), sliders=[first]))
    assert context.document.value.pose[0] == one.pose[0]
    assert context.document.value.pose[1] != one.pose[1]


def test_locked_sliders_stay_and_a_region_is_posed_alone() -> None:
    context = context_of(document())
    one = context.document.value
    first, second = one.rig.sliders[:2]
    context.apply(LockSliders(sliders=[first], locked=True))
    context.apply(poses.ApplyPose(name="on", weights={first: 1.0, second: 1.0}))
    assert context.document.value.pose[:2].tolist() == [one.pose[0], 1.0]
    context.apply(FindRegions(threshold=0.6))
    region = some(context.document.value.regions).names[1]
    context.apply(poses.ApplyPose(name="off", weights={second: 0.25}, region=region))
    now = context.document.value
    assert now.pose[1] == 1.0
    assert values_in(now, region)[1] == pytest.approx(0.25)


def test_a_pose_as_text_goes_to_another_face_and_what_it_lacks_is_said() -> None:
    one = document()
    text = pose_text(LibraryPose("wide", {one.rig.sliders[0]: 1.0, "elsewhere": 0.5}))
    context = context_of(replace(one, pose=np.zeros(len(one.rig.sliders))))
    context.apply(poses.PastePose(text=text))
    assert context.document.value.pose[0] == 1.0
    assert context.notices() == ["1 of 2 sliders of wide are not on this face: elsewhere"]
    for wrong in ("nothing", '{"weights": {"jaw": "x"}}'):
        with pytest.raises(BadFile, match="no pose"):
            context.apply(poses.PastePose(text=wrong))
    with pytest.raises(BadValue, match="names no slider"):
        context.apply(poses.PastePose(text='{"elsewhere": 1}'))


def test_poses_follow_renamed_sliders() -> None:
    one = replace(document(), poses=(LibraryPose("on", {document().rig.sliders[0]: 1.0, "elsewhere": 2.0}),))
    renamed = rename_sliders(one, {one.rig.sliders[0]: "first"})
    assert renamed.poses[0].weights == {"first": 1.0, "elsewhere": 2.0}


def test_the_keys_of_the_clip_are_poses_and_those_of_a_take_are_too_many() -> None:
    one = go_to_time(choose_clip(document(), "take"), 0.5)
    found = poses_of_clip(one)
    assert [time for time, _ in found] == [0.0, 0.5, 1.0]
    assert found[1][1].weights == pytest.approx(dict(zip(one.rig.sliders[:4], one.pose[:4].tolist(), strict=True)))
    many = one
    for frame in range(201):
        many = keys.set_keys(many, 2 + frame / 30, [one.rig.sliders[0]])
    assert poses_of_clip(many) == []


def test_the_folder_has_poses_with_pictures_for_every_document(tmp_path: Path) -> None:
    context = context_of(document())
    context.pose_folder = tmp_path / "poses"
    context.apply(poses.KeepPose(name="a / b"))
    KeepPoseInFolder(pose="a / b").run(context)
    assert sorted(path.name for path in context.pose_folder.iterdir()) == ["a - b.json", "a - b.png"]
    seen = look(context, Seen()).made
    assert [info.name for info in seen["poses"]] == [info.name for info in seen["folder_poses"]] == ["a / b"]
    assert pictures.picture(context, seen["folder_poses"][0].picture).startswith(b"\x89PNG")
    (context.pose_folder / "bad.json").write_text("{")
    ReadPoseFolder().run(context)
    assert any(notice.startswith("bad.json") for notice in context.notices())
    DeletePoseInFolder(file="a - b").run(context)
    assert context.task(PoseLibrary).listing.poses == ()


def test_mistakes_are_told() -> None:
    context = context_of(document())
    context.apply(poses.KeepPose(name="one"))
    context.apply(poses.KeepPose(name="two"))
    with pytest.raises(BadValue, match="a pose 'two' already"):
        context.apply(poses.RenamePose(pose="one", name="two"))
    with pytest.raises(UnknownName, match="one"):
        context.apply(poses.DeletePose(pose="three"))
    with pytest.raises(BadValue, match="no folder of poses"):
        KeepPoseInFolder(pose="one").run(context)
