"""glTF is in metres: a document with a unit is written in metres with all it carries, and comes back in its unit."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny, assert_same_document, errors, unpack

import facewright as fw
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.geometry.nodes import scene_nodes
from facewright.formats.gltf.scale import scaled_asset
from facewright.formats.scale import scale_document
from facewright.rig.head_motion import head_curves
from facewright.rig.unit import guess_unit
from facewright.samples import mask, sample

TRIANGLES = [[0, 1, 2], [0, 2, 3]]
TIMES = [0.0, 0.5, 1.5]


def character(tmp_path: Path) -> Path:
    """A face below a turned node, a skinned body, a camera, a lamp, springs, and motion of nodes and weights."""
    rng = np.random.default_rng(4)
    tiny = Tiny()
    face = rng.normal(size=(4, 3)) * 0.1
    tiny.mesh(face, TRIANGLES, [rng.normal(size=(4, 3)) * 0.02], ["smile"])
    shared = tiny.accessor(rng.normal(size=(4, 3)))  # positions and, oddly, the colours of the same mesh
    skinned = {"JOINTS_0": tiny.accessor([[0, 1, 0, 0]] * 4, "u1"), "WEIGHTS_0": tiny.accessor([[0.3, 0.7, 0, 0]] * 4)}
    tiny.mesh(rng.normal(size=(4, 3)), TRIANGLES)
    skinned |= {"POSITION": shared, "COLOR_0": shared}
    tiny.json["meshes"][1]["primitives"][0]["attributes"] |= skinned
    inverse = np.tile(np.eye(4), (2, 1, 1))
    inverse[:, 3, :3] = rng.normal(size=(2, 3))  # by columns
    bind = tiny.accessor(inverse.reshape(2, 16)[:, :4])
    tiny.json["accessors"][bind] |= {"type": "MAT4", "bufferView": tiny.view(inverse.astype("<f4").tobytes())}
    for key in ("min", "max"):
        del tiny.json["accessors"][bind][key]
    tiny.json["skins"] = [{"joints": [2, 3], "inverseBindMatrices": bind}]
    tiny.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 9}}]
    tiny.json["extensionsUsed"] = ["KHR_lights_punctual", "VRMC_springBone"]
    tiny.json["extensions"] = {
        "KHR_lights_punctual": {"lights": [{"type": "point", "range": 3.0, "intensity": 2.0}]},
        "VRMC_springBone": {"springs": [{"joints": [{"hitRadius": 0.5, "stiffness": 1.0}]}]},
    }
    at = tiny.accessor(TIMES)
    moved = tiny.accessor(rng.normal(size=(3, 3)))
    weights = tiny.accessor([0.0, 1.0, 0.5])
    matrix = np.eye(4)
    matrix[:3, 3] = 0.3, -0.2, 0.1
    tiny.json["animations"] = [{
        "name": "walk",
        "samplers": [{"input": at, "output": moved}, {"input": at, "output": weights}],
        "channels": [
            {"sampler": 0, "target": {"node": 2, "path": "translation"}},
            {"sampler": 0, "target": {"node": 3, "path": "scale"}},
            {"sampler": 1, "target": {"node": 0, "path": "weights"}},
        ],
    }]  # fmt: skip
    tiny.nodes(
        {"mesh": 0, "name": "face", "translation": [0.1, 0.2, 0.3], "rotation": [0, 0.6, 0, 0.8], "scale": [1, 2, 1]},
        {"mesh": 1, "skin": 0, "name": "body"},
        {"children": [0, 3], "matrix": matrix.T.ravel().tolist(), "name": "hip"},
        {"translation": [0.4, 0.5, 0.6], "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}},
    )
    return tiny.save(tmp_path / "character.glb")


def body(asset: Asset) -> np.ndarray:
    """Where the skin puts the body's vertices: the sum over its joints of weight, world matrix and inverse bind."""
    json = asset.json
    world = {node.index: node.world for node in scene_nodes(json)}
    attributes = json["meshes"][1]["primitives"][0]["attributes"]
    points = decode.numbers(asset, attributes["POSITION"], "VEC3")
    bind = decode.numbers(asset, json["skins"][0]["inverseBindMatrices"], "MAT4").reshape(2, 4, 4).transpose(0, 2, 1)
    one = np.column_stack([points, np.ones(4)])
    return sum(
        (share * one @ (world[joint] @ matrix).T)[:, :3]
        for share, joint, matrix in zip((0.3, 0.7), (2, 3), bind, strict=True)
    )  # type: ignore[return-value]


def outputs(asset: Asset, kind: str) -> list[np.ndarray]:
    animation = asset.json["animations"][0]
    return [
        decode.numbers(asset, animation["samplers"][channel["sampler"]]["output"], "VEC3")
        for channel in animation["channels"]
        if channel["target"]["path"] == kind
    ]


def test_scaling_a_file_scales_all_it_carries_and_nothing_else(tmp_path: Path) -> None:
    before = parse_glb(character(tmp_path).read_bytes())
    after = scaled_asset(before, 0.01)
    np.testing.assert_allclose(body(after), 0.01 * body(before), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(
        outputs(after, "translation"), 0.01 * np.array(outputs(before, "translation")), rtol=1e-6
    )
    np.testing.assert_array_equal(outputs(after, "scale"), outputs(before, "scale"))
    given, kept = (
        decode.numbers(one, one.json["meshes"][1]["primitives"][0]["attributes"]["COLOR_0"], "VEC3")
        for one in (before, after)
    )
    np.testing.assert_array_equal(kept, given)
    assert after.json["cameras"][0]["perspective"] == {"yfov": 1, "znear": pytest.approx(0.001), "zfar": 0.09}
    lamp = after.json["extensions"]["KHR_lights_punctual"]["lights"][0]
    assert (lamp["range"], lamp["intensity"]) == (pytest.approx(0.03), 2.0)
    joint = after.json["extensions"]["VRMC_springBone"]["springs"][0]["joints"][0]
    assert joint == {"hitRadius": pytest.approx(0.005), "stiffness": 1.0}
    assert before.json["cameras"][0]["perspective"]["znear"] == 0.1


def test_a_scaled_document_is_the_scaled_file(tmp_path: Path) -> None:
    document = fw.load_document(character(tmp_path))
    fw.save(scale_document(document, 0.01), tmp_path / "small.glb")
    before, after = (parse_glb((tmp_path / name).read_bytes()) for name in ("character.glb", "small.glb"))
    np.testing.assert_allclose(body(after), 0.01 * body(before), rtol=1e-5, atol=1e-7)
    again = fw.load_document(tmp_path / "small.glb")
    np.testing.assert_allclose(again.rig.neutral, 0.01 * document.rig.neutral, rtol=1e-5)
    np.testing.assert_allclose(again.rig.deltas(), 0.01 * document.rig.deltas(), rtol=1e-5, atol=1e-9)
    assert np.array_equal(again.rig.neutral, scale_document(document, 0.01).rig.neutral)


def test_a_unit_that_is_said_of_an_opened_file_scales_what_it_carries(tmp_path: Path) -> None:
    document = fw.load_document(character(tmp_path))
    assert document.unit == "m"
    fw.save(replace(document, unit="in"), tmp_path / "inches.glb")
    before, after = (parse_glb((tmp_path / name).read_bytes()) for name in ("character.glb", "inches.glb"))
    np.testing.assert_allclose(body(after), 0.0254 * body(before), rtol=1e-5, atol=1e-7)
    again = fw.load_document(tmp_path / "inches.glb")
    assert again.unit == "in"
    assert_same_document(document, again, 1e-6)
    fw.save(again, tmp_path / "again.glb")
    np.testing.assert_allclose(
        body(parse_glb((tmp_path / "again.glb").read_bytes())), body(after), rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize("unit", ["cm", "mm", "in", "ft", "m", ""])
def test_a_document_comes_back_in_its_unit(unit: str, tmp_path: Path) -> None:
    rig = mask(vertices=300, shapes=4)
    times = np.arange(8) / 30
    turns = np.tile(np.eye(3), (8, 1, 1))
    head = head_curves(times, turns, np.column_stack([times, 3 * times, 1 - times]))
    clip = fw.Clip.from_table("take", rig.sliders, times, np.random.default_rng(1).uniform(size=(8, 4)))
    document = fw.Document(rig, [replace(clip, curves={**clip.curves, **head})], unit=unit)
    fw.save(document, tmp_path / "a.glb")
    again = fw.load_document(tmp_path / "a.glb")
    assert again.unit == unit
    assert_same_document(document, again, 1e-6)
    assert errors(tmp_path / "a.glb") == []
    fw.save(again, tmp_path / "b.glb")
    assert_same_document(again, fw.load_document(tmp_path / "b.glb"), 1e-7)


def test_the_embedded_head_is_as_tall_as_a_head_in_the_file(tmp_path: Path) -> None:
    fw.save(fw.Document(sample(), unit="cm"), tmp_path / "a.glb")
    tree, _ = unpack((tmp_path / "a.glb").read_bytes())
    assert tall(tree) == pytest.approx(0.28806, rel=1e-6)
    fw.save(sample(), tmp_path / "b.glb")  # a rig says no unit: its numbers stay
    tree, _ = unpack((tmp_path / "b.glb").read_bytes())
    assert tall(tree) == pytest.approx(28.806, rel=1e-6)
    assert fw.load_document(tmp_path / "b.glb").unit == ""


def tall(tree: dict[str, Any]) -> float:
    bounds = [tree["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]] for mesh in tree["meshes"]]
    return float(max(one["max"][1] for one in bounds) - min(one["min"][1] for one in bounds))


def test_vertices_that_rounding_joins_stay_apart(tmp_path: Path) -> None:
    near = np.float32(1.0)
    places = np.array([[0, 0, 0], [near, 0, 0], [np.nextafter(near, np.float32(2)), 0, 0], [0, 1, 0]], np.float64)
    rig = fw.Rig(places, [[0, 1, 3], [0, 2, 3]], (fw.Shape("s", [3], [[0.0, 0.0, 0.1]]),))
    for unit in ("in", "cm", "mm"):
        fw.save(fw.Document(rig, unit=unit), tmp_path / "a.glb")
        assert fw.load_document(tmp_path / "a.glb").rig.vertex_count == 4


def test_units_are_kept_in_native_files_and_wrong_ones_are_named(tmp_path: Path) -> None:
    fw.save(fw.Document(mask(vertices=300, shapes=2), unit="mm"), tmp_path / "a.fwface")
    assert fw.load_document(tmp_path / "a.fwface").unit == "mm"
    with pytest.raises(fw.FacewrightError, match="centimeter"):
        fw.Document(mask(vertices=300, shapes=2), unit="centimeter")


@pytest.mark.parametrize(("factor", "unit"), [(1, "cm"), (0.01, "m"), (10, "mm"), (0.3, "in"), (1e-4, ""), (50, "")])
def test_a_unit_is_guessed_from_the_size_of_a_face(factor: float, unit: str) -> None:
    assert guess_unit(fw.edit.scale(sample(), factor)) == unit


def test_a_unit_that_is_not_known_in_a_file_is_left_out_with_a_warning(tmp_path: Path) -> None:
    fw.save(fw.Document(mask(vertices=300, shapes=2), unit="cm"), tmp_path / "a.glb")
    data = (tmp_path / "a.glb").read_bytes().replace(b'"unit":"cm"', b'"unit":"qq"')
    with pytest.warns(fw.FacewrightWarning, match="unit 'qq' is left out"):
        assert fw.load_document(data).unit == ""
