"""Eyes that are skinned to joints are drawn where an exported file shows them, and shapes that move them come first."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.formats.eye_joint_file import EyeJointFile
from tests.formats.gltf_files import errors, run_node

import facewright as fw
from facewright.formats.character import character_of, gaze_of
from facewright.formats.gltf.container.asset import parse_glb
from facewright.render.clip_frames import ClipFrames
from facewright.render.face_renderer import FaceRenderer
from facewright.render.poser import Poser
from facewright.workflow.head_rig import shown_head_rig, with_head_rig

CURVES = {
    "HeadYaw": fw.Curve([0, 1], [0.0, 0.5]),
    "NeckRoll": fw.Curve([0, 1], [0.0, 0.3]),
    "smile": fw.Curve([0, 1], [0.0, 1.0]),
}
GAZES = {
    "angles": {"EyeYawLeft": fw.Curve([0, 1], [0.0, 0.4]), "EyePitchRight": fw.Curve([0, 1], [0.0, -0.3])},
    "target": {"GazeX": fw.Curve([0, 1], [-1.0, 2.0]), "GazeZ": fw.Curve([0, 1], [5.0, 6.0])},
    "half a target": {"GazeX": fw.Curve([0, 1], [-1.0, 2.0]), "GazeZ": fw.Curve([0, 1], [5.0, 6.0]),
                      "GazeWeight": fw.Curve([0, 1], [0.5, 0.5])},
}  # fmt: skip


def opened(path: Path, *, looks: bool = False) -> fw.Document:
    return with_head_rig(fw.load_document(EyeJointFile(looks=looks).save(path)))


def in_three(file: Path, time: float) -> dict[str, np.ndarray]:
    (line,) = run_node("three_positions.mjs", f"{file}#{time}")
    return {mesh["name"]: np.array(mesh["places"]) for mesh in json.loads(line)}


@pytest.mark.parametrize("gaze", GAZES)
def test_drawn_eyes_are_where_the_exported_file_shows_them(gaze: str, tmp_path: Path) -> None:
    document = opened(tmp_path / "eyes.glb")
    assert document.head is not None
    assert dict(document.head.joints) == {"head": "Head", "neck": "Neck", "leftEye": "LeftEye", "rightEye": "RightEye"}
    played = replace(document, clips=(fw.Clip("look", {**CURVES, **GAZES[gaze]}, 10),))
    fw.save(played, tmp_path / "out.glb")
    assert errors(tmp_path / "out.glb") == []
    frames = ClipFrames(Poser(played), played.clips[0])
    shown, turn, close = in_three(tmp_path / "out.glb", 0.7), frames.turn(7), 2e-5 * document.rig.size
    np.testing.assert_allclose(frames(7), shown["Face"], atol=close)
    assert turn is not None
    for mesh in character_of(played).meshes:
        np.testing.assert_allclose(turn.carried(mesh), shown[mesh.name.replace(" ", "_")], atol=close)
    still = ClipFrames(Poser(played), fw.Clip("still", CURVES, 10))(7)
    iris = EyeJointFile().iris(1) > 0.9
    assert np.linalg.norm(frames(7) - still, axis=1)[iris].max() > 0.01


def test_a_picture_shows_carried_eyes_turned(tmp_path: Path) -> None:
    document = opened(tmp_path / "eyes.glb")
    renderer = FaceRenderer(document, size=(96, 96))
    ahead, aside = renderer(None), renderer(None, look=[3.0, 0.0, 3.0])
    assert (np.abs(ahead.astype(int) - aside).max(axis=2) > 20).sum() > 20


def test_eyes_that_shapes_move_are_not_turned_by_joints_as_well(tmp_path: Path) -> None:
    document = opened(tmp_path / "eyes.glb", looks=True)
    assert all(eye.shares is None for eye in gaze_of(document).eyes)
    assert all(eye.shares is not None for eye in gaze_of(opened(tmp_path / "plain.glb")).eyes)
    fw.save(replace(document, clips=(fw.Clip("look", GAZES["angles"], 10),)), tmp_path / "out.glb")
    (animation,) = parse_glb((tmp_path / "out.glb").read_bytes()).json["animations"]
    assert {channel["target"]["path"] for channel in animation["channels"]} == {"weights"}


def test_joints_that_turn_come_back_with_the_clip(tmp_path: Path) -> None:
    document = opened(tmp_path / "eyes.glb")
    fw.save(replace(document, clips=(fw.Clip("look", {**CURVES, **GAZES["angles"]}, 10),)), tmp_path / "out.glb")
    back = fw.load_document(tmp_path / "out.glb")
    for name, curve in GAZES["angles"].items():
        np.testing.assert_allclose(back.clips[0].curves[name](np.arange(5) / 4), curve(np.arange(5) / 4), atol=1e-6)
    fw.save(back, tmp_path / "again.glb")
    assert (tmp_path / "again.glb").read_bytes() == (tmp_path / "out.glb").read_bytes()


def test_a_head_that_clips_move_about_the_origin_turns_with_all_that_the_file_has_as_the_export_does(
    tmp_path: Path,
) -> None:
    opened = fw.load_document(EyeJointFile().save(tmp_path / "eyes.glb"))
    assert opened.head is None
    curves = {"HeadYaw": fw.Curve([0, 1], [0.0, 0.6]), "HeadX": fw.Curve([0, 1], [0.0, 0.2])}
    played = replace(opened, clips=(fw.Clip("turn", curves, 10),))
    fw.save(played, tmp_path / "out.glb")
    frames = ClipFrames(Poser(played), played.clips[0])
    shown, turn, close = in_three(tmp_path / "out.glb", 0.7), frames.turn(7), 2e-5 * played.rig.size
    np.testing.assert_allclose(frames(7), shown["Face"], atol=close)
    assert turn is not None
    for mesh in character_of(played).meshes:
        np.testing.assert_allclose(turn.carried(mesh), shown[mesh.name.replace(" ", "_")], atol=close)
    assert shown_head_rig(played).joints == {}  # as pages have it
    assert set(shown_head_rig(opened).joints) == {"head", "neck", "leftEye", "rightEye"}
