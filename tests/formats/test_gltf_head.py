"""The head's own motion in glTF: an animated node above the scene, which comes back as the clip's curves."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.formats.gltf_files import errors

import facewright as fw
from facewright.formats.gltf.container.asset import parse_glb
from facewright.rig.head_motion import ANGLES, OFFSETS, head_curves, head_motion_of
from facewright.samples import mask

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


def test_a_phones_angles_alone_are_curves_and_no_motion_of_the_rig(tmp_path: Path) -> None:
    clip = document().clips[0]
    angles = {name: curve for name, curve in clip.curves.items() if name not in OFFSETS}
    fw.save(replace(document(), clips=(replace(clip, curves=angles),)), tmp_path / "a.glb")
    back = fw.load_document(tmp_path / "a.glb").clips[0]
    np.testing.assert_allclose(back.sample(ANGLES, TIMES), clip.sample(ANGLES, TIMES), atol=1e-9)


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_the_validator_has_nothing_to_say(tmp_path: Path, suffix: str) -> None:
    fw.save(document(), tmp_path / f"a{suffix}")
    assert errors(tmp_path / f"a{suffix}") == []
