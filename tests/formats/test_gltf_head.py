"""The head's own motion in glTF: an animated node above the scene, which comes back as the clip's curves."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.formats.gltf_files import errors

import facewright as fw
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.animation.tracks import tracks
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.extras import block_of
from facewright.formats.gltf.geometry.mesh import target_names
from facewright.formats.gltf.geometry.nodes import scene_nodes
from facewright.formats.schema.clip import CurveEntry
from facewright.rig.controls import TARGET
from facewright.rig.gaze import Gaze
from facewright.rig.head_motion import ANGLES, OFFSETS, head_curves, head_motion_of
from facewright.samples import mask
from facewright.workflow.head_rig import with_head_rig

TIMES = np.arange(20) / 30


def motion() -> tuple[np.ndarray, np.ndarray]:
    turns = np.stack([2.5 * np.sin(3 * TIMES), 0.4 * np.cos(5 * TIMES), 0.2 * TIMES], axis=1)
    return Rotation.from_euler("YXZ", turns).as_matrix(), np.stack([TIMES, TIMES**2, 1 - TIMES], axis=1)


def document() -> fw.Document:
    rig = mask(vertices=300, shapes=4)
    weights = np.random.default_rng(0).uniform(size=(20, 4))
    clip = fw.Clip.from_table("take", rig.sliders, TIMES, weights)
    return fw.Document(rig, (replace(clip, curves={**clip.curves, **head_curves(TIMES, *motion())}),))


def test_curves_of_the_head_give_its_rotations_and_offsets_back() -> None:
    rotations, offsets = motion()
    clip = fw.Clip("c", head_curves(TIMES, rotations, offsets))
    turns, moved = head_motion_of(clip, TIMES)
    np.testing.assert_allclose(Rotation.from_quat(turns).as_matrix(), rotations, atol=1e-12)
    np.testing.assert_allclose(moved, offsets)
    assert ((turns[1:] * turns[:-1]).sum(axis=1) > 0).all()


def test_angles_do_not_jump_by_whole_turns() -> None:
    spin = Rotation.from_euler("YXZ", np.stack([np.linspace(0, 9, 60), np.zeros(60), np.zeros(60)], axis=1))
    curves = head_curves(np.arange(60) / 30, spin.as_matrix(), np.zeros((60, 3)))
    assert np.abs(np.diff(curves["HeadYaw"].values)).max() < 0.2


def test_the_head_is_animated_above_the_face_and_comes_back(tmp_path: Path) -> None:
    fw.save(document(), tmp_path / "a.glb")
    back = fw.load_document(tmp_path / "a.glb")
    names = [*document().rig.sliders, *ANGLES, *OFFSETS]
    np.testing.assert_allclose(back.clips[0].sample(names, TIMES), document().clips[0].sample(names, TIMES), atol=2e-6)
    json = parse_glb((tmp_path / "a.glb").read_bytes()).json
    root = json["nodes"][json["scenes"][0]["nodes"][0]]
    assert root["name"] == "head motion"
    paths = [channel["target"]["path"] for channel in json["animations"][0]["channels"]]
    assert sorted(paths) == ["rotation", "translation", "weights"]
    np.testing.assert_allclose(back.rig.neutral, document().rig.neutral, atol=1e-5)


def test_saving_again_changes_nothing_and_dropping_the_motion_drops_its_channels(tmp_path: Path) -> None:
    fw.save(document(), tmp_path / "a.glb")
    opened = fw.load_document(tmp_path / "a.glb")
    fw.save(opened, tmp_path / "b.glb")
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    held = {name: curve for name, curve in opened.clips[0].curves.items() if name not in (*ANGLES, *OFFSETS)}
    fw.save(replace(opened, clips=(replace(opened.clips[0], curves=held),)), tmp_path / "c.glb")
    assert set(fw.load_document(tmp_path / "c.glb").clips[0].curves) == set(held)


def test_another_motion_replaces_the_one_there_was(tmp_path: Path) -> None:
    fw.save(document(), tmp_path / "a.glb")
    opened = fw.load_document(tmp_path / "a.glb")
    moved = {**opened.clips[0].curves, "HeadX": fw.Curve(TIMES, 7 + TIMES)}
    fw.save(replace(opened, clips=(replace(opened.clips[0], curves=moved),)), tmp_path / "b.glb")
    back = fw.load_document(tmp_path / "b.glb")
    np.testing.assert_allclose(back.clips[0].curves["HeadX"].values, 7 + TIMES, atol=1e-5)
    json = msgspec.json.decode(msgspec.json.encode(parse_glb((tmp_path / "b.glb").read_bytes()).json))
    assert len(json["animations"][0]["channels"]) == 3


def test_a_phones_angles_are_curves_and_no_motion_of_the_rig(tmp_path: Path) -> None:
    clip = document().clips[0]
    angles = {name: curve for name, curve in clip.curves.items() if name not in OFFSETS}
    angles["LeftEyeYaw"] = angles["HeadYaw"]
    fw.save(replace(document(), clips=(replace(clip, curves=angles),)), tmp_path / "a.glb")
    back = fw.load_document(tmp_path / "a.glb").clips[0]
    np.testing.assert_allclose(back.sample(ANGLES, TIMES), clip.sample(ANGLES, TIMES), atol=1e-9)
    json = parse_glb((tmp_path / "a.glb").read_bytes()).json
    assert {channel["target"]["path"] for channel in json["animations"][0]["channels"]} == {"weights"}


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_the_validator_has_nothing_to_say(tmp_path: Path, suffix: str) -> None:
    fw.save(document(), tmp_path / f"a{suffix}")
    assert errors(tmp_path / f"a{suffix}") == []


def skinned_robot(shared_data: Path) -> fw.Document:
    found = fw.load_document(shared_data / "gltf_samples" / "RobotExpressive.glb")
    return with_head_rig(replace(found, controls={}))


def test_head_and_neck_turn_their_joints_and_no_foot_moves(shared_data: Path, tmp_path: Path) -> None:
    robot = skinned_robot(shared_data)
    assert robot.head is not None
    assert dict(robot.head.joints) == {"head": "Head", "neck": "Neck"}
    curves = {
        "HeadYaw": fw.Curve([0, 1], [0.0, 0.5]),
        "HeadPitch": fw.Curve([0, 1], [0.1, -0.2]),
        "NeckRoll": fw.Curve([0, 0.5, 1], [0.0, 0.3, 0.1], "cubic"),
    }
    fw.save(replace(robot, clips=(fw.Clip("nod", curves),)), tmp_path / "a.glb")
    asset = parse_glb((tmp_path / "a.glb").read_bytes())
    before = {node.index: node for node in scene_nodes(asset.json)}
    named = {node.get("name"): i for i, node in enumerate(asset.json["nodes"])}
    after = posed_worlds(asset, 1.0)
    turns, offsets = head_motion_of(fw.Clip("c", curves), np.ones(1), robot.head)
    size = robot.rig.size
    wanted = Rotation.from_quat(turns[0]).as_matrix() @ before[named["Head"]].world[:3, 3] + offsets[0]
    np.testing.assert_allclose(after[named["Head"]][:3, 3], wanted, atol=1e-5 * size)
    turned = after[named["Head"]][:3, :3] @ np.linalg.inv(before[named["Head"]].world[:3, :3])
    np.testing.assert_allclose(turned, Rotation.from_quat(turns[0]).as_matrix(), atol=1e-5)
    for still in ("Foot.L", "Foot.R", "Hips"):
        np.testing.assert_array_equal(after[named[still]], before[named[still]].world)
    back = fw.load_document(tmp_path / "a.glb")
    clip = back.clip_named("nod")
    assert set(clip.curves) == set(curves)
    for name, curve in curves.items():
        np.testing.assert_array_equal(clip.curves[name].values, curve.values)
    fw.save(back, tmp_path / "b.glb")
    again = parse_glb((tmp_path / "b.glb").read_bytes())
    assert (again.json, bytes(again.binary)) == (asset.json, bytes(asset.binary))


def posed_worlds(asset: Asset, time: float) -> dict[int, np.ndarray]:
    """World matrices of the nodes of the last animation at a time, as a viewer computes them."""
    json = msgspec.json.decode(msgspec.json.encode(asset.json))
    animation = next(one for one in json["animations"] if one.get("name") == "nod")
    for channel in animation["channels"]:
        path, sampler = channel["target"]["path"], animation["samplers"][channel["sampler"]]
        if path == "weights":
            continue
        times = decode.numbers(asset, sampler["input"], "SCALAR")[:, 0]
        values = decode.numbers(asset, sampler["output"], "VEC4" if path == "rotation" else "VEC3")
        json["nodes"][channel["target"]["node"]][path] = values[np.abs(times - time).argmin()].tolist()
    return {node.index: node.world for node in scene_nodes(json)}


def test_gaze_goes_to_the_weights_of_gaze_shapes_and_its_curves_come_back(tmp_path: Path) -> None:
    rig = fw.sample()
    target = {name: fw.Curve([0, 0.5], [0.0, value]) for name, value in zip(TARGET, (20.0, 5.0, 60.0), strict=True)}
    curves = {**target, "eyeLookUpLeft": fw.Curve([0, 0.5], [0.2, 0.4]), "jawOpen": fw.Curve([0, 0.5], [0.0, 1.0])}
    face = fw.Document(rig, (fw.Clip("look", curves, 30),))
    fw.save(face, tmp_path / "a.glb")
    written = {one.slider: one for one in tracks_of(tmp_path / "a.glb", rig)}
    gaze = Gaze(rig)
    wanted = gaze.weights(rig.weights({"eyeLookUpLeft": 0.4, "jawOpen": 1.0}), [20.0, 5.0, 60.0])
    for slider in ("eyeLookUpLeft", "eyeLookOutLeft", "eyeLookInRight"):
        assert written[slider].values[-1] == pytest.approx(wanted[rig.slider_index(slider)], abs=1e-4)
    back = fw.load_document(tmp_path / "a.glb").clips[0]
    assert set(back.curves) == set(curves)
    for name, curve in curves.items():
        np.testing.assert_allclose(back.curves[name](TIMES), curve(TIMES), atol=1e-6)


def test_times_of_angles_are_stated_once_and_come_back_exactly_and_values_in_single_precision(tmp_path: Path) -> None:
    rig, times = fw.sample(), np.cumsum(np.random.default_rng(6).uniform(0.01, 0.05, 80))
    names = ("EyeYawLeft", "EyePitchLeft", "EyeYawRight", "EyePitchRight")
    curves = {name: fw.Curve(times, 0.1 * np.sin(times * n)) for n, name in enumerate(names, 1)}
    curves["jawOpen"] = fw.Curve(times, np.abs(np.sin(times)))
    curves["EyeYawRight"] = fw.Curve(times[::2], 0.1 * times[::2])  # with keys of its own
    fw.save(fw.Document(rig, (fw.Clip("look", curves, 30),)), tmp_path / "a.glb")
    animation = parse_glb((tmp_path / "a.glb").read_bytes()).json["animations"][0]
    stated = {one["slider"]: one for one in block_of(animation)["controls"]["curves"]}
    assert "times" not in stated["EyePitchLeft"]
    assert stated["EyeYawRight"].keys() == {"slider", "rows", "values"}  # every other time of the others
    back = fw.load_document(tmp_path / "a.glb").clips[0]
    for name in names:
        np.testing.assert_array_equal(back.curves[name].times, curves[name].times)
        np.testing.assert_allclose(back.curves[name].values, curves[name].values, rtol=1e-7)
    fw.save(fw.load_document(tmp_path / "a.glb"), tmp_path / "b.glb")
    fw.save(fw.load_document(tmp_path / "b.glb"), tmp_path / "c.glb")
    assert (tmp_path / "c.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def tracks_of(path: Path, rig: fw.Rig) -> list[CurveEntry]:
    """The curves of the weights in a file, as another program sees them."""
    asset = parse_glb(path.read_bytes())
    targets = {i: target_names(asset.json["meshes"][node["mesh"]]) for i, node in enumerate(asset.json["nodes"])}
    found = tracks(asset, asset.json["animations"][0], targets, Budget(asset))
    return [CurveEntry.of(name, curve) for track in found for name, curve in track.curves.items()]
