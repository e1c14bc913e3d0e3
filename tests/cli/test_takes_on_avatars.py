"""Recorded heads and eyes move the joints of an avatar, from the command line, too, and no foot moves."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.formats.gltf.container.asset import parse_glb
from facewright.rig.head_motion import head_motion_of
from facewright.workflow.head_rig import with_moving_clip
from tests.avatars import MadeAvatar
from tests.cli.command import run

TIMES = np.arange(20) / 30


@pytest.fixture(scope="module")
def avatar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("avatar")
    made = MadeAvatar().tiny(("jawOpen",))
    made.json["meshes"][0]["extras"]["targetNames"] = ["jawOpen"]
    return made.save(folder / "avatar.vrm")


def moved(path: Path) -> set[tuple[str, str]]:
    json = parse_glb(path.read_bytes()).json
    targets = [channel["target"] for channel in json["animations"][0]["channels"]]
    return {(json["nodes"][one["node"]]["name"], one["path"]) for one in targets}


def test_a_phones_angles_turn_the_joints_of_head_and_eyes(avatar: Path, tmp_path: Path) -> None:
    curves = {name: fw.Curve(TIMES, 0.2 * np.sin(3 * TIMES)) for name in ("HeadYaw", "EyeYawLeft", "EyeYawRight")}
    clip = fw.Clip("turn", {**curves, "jawOpen": fw.Curve(TIMES, 0.5 * TIMES)}, 30.0)
    fw.save_clip(clip, tmp_path / "turn.csv", style="livelink")
    done = run("convert", tmp_path / "turn.csv", tmp_path / "turn.vrm", "--rig", avatar)
    assert done.returncode == 0, done.stderr
    joints = {("J_head", "rotation"), ("J_leftEye", "rotation"), ("J_rightEye", "rotation")}
    assert moved(tmp_path / "turn.vrm") == {("face", "weights"), *joints}
    back = fw.load_document(tmp_path / "turn.vrm").clips[0]
    np.testing.assert_allclose(np.abs(back.curves["HeadYaw"](TIMES)), np.abs(curves["HeadYaw"](TIMES)), atol=1e-3)


def test_a_head_that_was_recorded_about_the_origin_moves_as_before_by_its_joint(avatar: Path, tmp_path: Path) -> None:
    document = fw.load_document(avatar)
    names = ("HeadYaw", "HeadPitch", "HeadRoll", "HeadX", "HeadY", "HeadZ")
    values = np.random.default_rng(4).uniform(-0.1, 0.1, (len(names), len(TIMES)))
    clip = fw.Clip("nod", {name: fw.Curve(TIMES, row) for name, row in zip(names, values, strict=True)}, 30.0)
    with_clip = with_moving_clip(document, clip)
    assert with_clip.head is not None
    one, other = head_motion_of(clip, TIMES), head_motion_of(with_clip.clips[0], TIMES, with_clip.head)
    for before, after in zip(one, other, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-9)
    fw.save(with_clip, tmp_path / "nod.vrm")
    assert moved(tmp_path / "nod.vrm") - {("face", "weights")} == {("J_head", "rotation"), ("J_head", "translation")}
