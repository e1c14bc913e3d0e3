"""Clips of mixed curves in glTF: few keys that give every value of a shape, played as the specification says."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from tests.formats.gltf_files import assert_same_clip, errors, pack, unpack
from tests.session.rigged import rigged

import facewright as fw
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.animation.packed import rows_of
from facewright.formats.gltf.container.asset import parse_glb
from facewright.formats.registry import save_with
from facewright.formats.write_options import Keys, WriteOptions
from facewright.motion.curve import Curve
from facewright.rig.combine import Combine
from facewright.samples import mask

LINEAR = Curve([0.0, 0.35, 2.0], [0.0, 1.0, 0.2])
STEP = Curve([0.125, 1.0, 1.75], [0.0, 0.8, 0.3], "step")
CUBIC = Curve([0.0, 0.8, 1.9], [0.1, 0.9, 0.0], "cubic", [[0, 1.0], [-0.4, 0.6], [0.2, 0]])
FRAMES = np.arange(61) / 30
APART = 3e-5


def played(path: Path, times: np.ndarray) -> tuple[dict[str, np.ndarray], int, set[str]]:
    """The weights of the file's first animation at some times, the number of its keys, and how they are played."""
    asset = parse_glb(path.read_bytes())
    (animation,) = asset.json["animations"]
    found: dict[str, np.ndarray] = {}
    most, kinds = 0, set[str]()
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        names = asset.json["meshes"][asset.json["nodes"][channel["target"]["node"]]["mesh"]]["extras"]["targetNames"]
        at = decode.numbers(asset, sampler["input"], "SCALAR")[:, 0]
        rows = decode.numbers(asset, sampler["output"], "SCALAR").reshape(len(at), -1, len(names))
        kind, moments = sampler["interpolation"], np.clip(times, at[0], at[-1])
        most, kinds = max(most, len(at)), kinds | {kind}
        if kind == "CUBICSPLINE":
            left = np.clip(np.searchsorted(at, moments, side="right") - 1, 0, len(at) - 2)
            values = np.stack([
                CubicHermiteSpline(at[i : i + 2], rows[i : i + 2, 1], [rows[i, 2], rows[i + 1, 0]])(moment)
                for i, moment in zip(left, moments, strict=True)
            ])  # fmt: skip
        elif kind == "LINEAR":
            values = np.stack([np.interp(moments, at, column) for column in rows[:, 0].T], axis=1)
        else:
            values = rows[np.searchsorted(at, moments, side="right") - 1, 0]
        found |= dict(zip(names, values.T, strict=True))
    return found, most, kinds


def check(document: fw.Document, path: Path, times: np.ndarray, keys: Keys = "exact") -> tuple[int, set[str]]:
    save_with(document, path, WriteOptions(keys=keys))
    found, count, kinds = played(path, times)
    rig, (clip,) = document.rig, document.clips
    wanted = dict(zip(rig.shape_names, Combine(rig)(clip.sample(rig.sliders, times)).T, strict=True))
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name], atol=APART, rtol=0, err_msg=name)
    assert errors(path) == []
    assert_same_clip(clip, fw.load_document(path).clips[0], 1e-6)
    return count, kinds


def mixed(rig: fw.Rig, *curves: Curve) -> fw.Document:
    return fw.Document(rig, [fw.Clip("talk", dict(zip(rig.sliders, curves, strict=False)), 30.0)])


OFF = np.setdiff1d(np.linspace(0, 2, 397), [1.0, 1.75])  # between frames; a step is nowhere in particular


def test_curves_of_every_kind_together_stay_sparse_and_exact(tmp_path: Path) -> None:
    document = mixed(mask(vertices=300, shapes=4), LINEAR, STEP, CUBIC)
    assert check(document, tmp_path / "a.glb", OFF) == (10, {"CUBICSPLINE"})
    count, kinds = check(document, tmp_path / "b.glb", FRAMES, "straight")
    assert kinds == {"LINEAR"}
    assert 10 < count < 70
    assert check(document, tmp_path / "c.glb", FRAMES, "frames")[0] >= len(FRAMES)


def test_straight_lines_and_steps_need_no_more_keys_than_they_have(tmp_path: Path) -> None:
    rig = mask(vertices=300, shapes=4)
    for keys, count in (("exact", 8), ("straight", 7), ("frames", 8)):  # the first key of the steps changes nothing
        assert check(mixed(rig, LINEAR, STEP), tmp_path / "a.glb", FRAMES, keys) == (count, {"LINEAR"})  # type: ignore[arg-type]
    assert check(mixed(rig, STEP), tmp_path / "b.glb", OFF) == (3, {"STEP"})


@pytest.mark.parametrize("curves", [(LINEAR, LINEAR, LINEAR), (LINEAR, CUBIC, STEP), (STEP, STEP, STEP)])
def test_in_betweens_and_combinations_are_met_with_few_keys(tmp_path: Path, curves: tuple[Curve, ...]) -> None:
    rig = rigged().rig
    assert not rig.is_linear
    count, kinds = check(mixed(rig, *curves), tmp_path / "a.glb", OFF)
    assert count < len(FRAMES)
    assert kinds == ({"STEP"} if curves[0] is STEP else {"CUBICSPLINE"})
    assert check(mixed(rig, *curves), tmp_path / "b.glb", FRAMES, "straight")[1] <= {"LINEAR", "STEP"}


def test_keys_are_written_anew_for_a_program_that_plays_no_tangents(tmp_path: Path) -> None:
    fw.save(mixed(mask(vertices=300, shapes=4), LINEAR, CUBIC), tmp_path / "a.glb")
    opened = fw.load_document(tmp_path / "a.glb")
    assert check(opened, tmp_path / "b.glb", FRAMES, "straight")[1] == {"LINEAR"}


def test_keys_of_a_take_are_not_written_twice(tmp_path: Path) -> None:
    """Curves of a take have keys at moments of their own; the file says which of its keys they are."""
    rng = np.random.default_rng(6)
    names = tuple(f"s{i}" for i in range(12))
    shapes = tuple(fw.Shape(name, [i % 3], [[0, 0, 1.0 + i]]) for i, name in enumerate(names))
    rig = fw.Rig(np.eye(3), [[0, 1, 2]], shapes)
    frames = np.arange(400) / 30
    curves = {}
    for number, name in enumerate(names):
        own = np.sort(rng.choice(400, 150 + number, replace=False))
        curves[name] = Curve(frames[own] - 0.5, rng.random(len(own)), "step" if number == 3 else "linear")
    clip = fw.Clip("take", curves, 30.0)
    fw.save(fw.Document(rig, (clip,)), tmp_path / "take.glb")
    tree, _ = unpack((tmp_path / "take.glb").read_bytes())
    block = tree["animations"][0]["extras"]["facewright"]
    assert [one["slider"] for one in block["rows"]] == list(names)
    keys = sum(len(curve.times) for curve in curves.values())
    assert len(json.dumps(block)) < len(block["times"]) + keys  # those are exact, and once for all curves
    assert len(block["times"]) < 11 * tree["accessors"][tree["animations"][0]["samplers"][0]["input"]]["count"] + 4
    (found,) = fw.load_document(tmp_path / "take.glb").clips
    assert set(found.curves) == set(names)
    for name, curve in curves.items():
        assert found.curves[name].interpolation == curve.interpolation
        np.testing.assert_allclose(found.curves[name].times, curve.times, rtol=0, atol=1e-6)
        np.testing.assert_allclose(found.curves[name].values, curve.values, rtol=0, atol=1e-7)
    again = replace(fw.load_document(tmp_path / "take.glb"), clips=(found,))
    fw.save(again, tmp_path / "again.glb")
    assert (tmp_path / "again.glb").read_bytes() == (tmp_path / "take.glb").read_bytes()
    binary = unpack((tmp_path / "take.glb").read_bytes())[1]
    stated = block["rows"][0].pop("keys")
    older = np.diff(rows_of(stated, len(block["times"]) * 3 // 32), prepend=0).tolist()
    block["rows"][0]["steps"] = older  # as older files have it
    (tmp_path / "older.glb").write_bytes(pack(tree, binary))
    (same,) = fw.load_document(tmp_path / "older.glb").clips
    assert_same_clip(found, same, 0.0)
    del block["rows"][0]["steps"]
    for damage in ({"steps": [10**9]}, {"keys": "?"}, {"keys": ""}, {"keys": stated[:8]}):
        changed = block["rows"][0] | damage
        tree["animations"][0]["extras"]["facewright"] = block | {"rows": [changed, *block["rows"][1:]]}
        (tmp_path / "bent.glb").write_bytes(pack(tree, binary))
        (bent,) = fw.load_document(tmp_path / "bent.glb").clips  # the animated weights, then
        np.testing.assert_allclose(bent.curves["s5"](frames - 0.5), clip.curves["s5"](frames - 0.5), atol=1e-5)
