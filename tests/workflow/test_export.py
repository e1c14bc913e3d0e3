"""A document as files for other programs: regions become shapes, except in the native format, and that is said."""

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.gltf.container.asset import parse_glb
from facewright.formats.gltf.materials.images import image_data
from facewright.formats.registry import load_document
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.cut import cut_clip
from facewright.motion.layer import Layer
from facewright.regions.segment import segment
from facewright.rig.rig import Rig
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples.mask import mask
from facewright.samples.skin.paint import textured_sample
from facewright.texture.face_texture import FaceTexture
from facewright.workflow.export import MEDIA, ExportOptions, export, save_baked
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.rename import rename_sliders
from tests.formats.gltf_files import errors
from tests.formats.usd_needed import NEEDS_USD
from tests.session.rigged import rigged
from tests.some import some
from tests.texture.test_surface_maps import FROWN, SMILE, wrinkled


@cache
def face() -> Document:
    """A face whose first region differs from the rest, with a clip."""
    rig = mask(vertices=400, shapes=6)
    regions = segment(rig)
    local = np.zeros((len(regions.names), len(rig.sliders)))
    local[0, 0] = 0.4
    times = np.array([0.0, 1.0])
    clip = Clip("talk", {rig.sliders[1]: Curve(times, np.array([0.0, 1.0]))}, 24.0)
    return Document(rig, regions=regions, local=local, clips=(clip,), clip="talk")


@pytest.mark.parametrize(
    ("kind", "held"),
    {
        "fwface": "rig",
        "glb": "rig",
        "fbx": "rig",
        "usda": "rig",
        "obj": "rig",
        "npz": "rig",
        "csv": "clip",
        "png": "picture",
    }.items(),
)
def test_every_kind_is_a_file_of_its_kind(kind: str, held: str) -> None:
    assert kind in MEDIA
    assert kind_of((f"face.{kind}", export(face(), kind).data)) is FileKind(held)


def test_regions_become_shapes_except_in_the_native_format(tmp_path: Path) -> None:
    own = save_baked(face(), tmp_path / "face.fwface")
    assert own.note == ""
    assert own.document is face()
    baked = save_baked(face(), tmp_path / "face.glb")
    assert "shape" in baked.note
    assert baked.document.local is None
    assert load_document(tmp_path / "face.glb").rig.sliders == baked.document.rig.sliders != face().rig.sliders
    assert export(face(), "glb").note.endswith("Programs without regions show the same face.")
    assert export(face(), "fwface").note == ""
    tall = "The face is of no stated unit: 19.9 tall, so centimetres; in the file it is 0.2 m tall."
    assert export(replace(face(), local=None), "glb").note == tall


def test_a_table_has_a_key_on_every_frame() -> None:
    rows = export(face(), "csv").data.decode().splitlines()
    assert rows[0].startswith("time,")
    assert len(rows) == 1 + 25
    with pytest.raises(BadValue, match="no clip is chosen"):
        export(replace(face(), clip=""), "csv")
    with pytest.raises(UnknownName, match="talk"):
        export(face(), "csv", ExportOptions(clip="sing"))


def test_a_picture_has_the_size_that_was_asked_for() -> None:
    from PIL import Image

    options = ExportOptions.from_texts({"width": "64", "height": "48", "view": "side", "name": "unknown ones are left"})
    assert options == ExportOptions(width=64, height=48, view="side")
    assert Image.open(io.BytesIO(export(face(), "png", options).data)).size == (64, 48)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"width": "15"}, "from 16 to 4096"),
        ({"width": "1e3"}, "width is a number of pixels"),
        ({"height": "99999999999"}, "height is a number of pixels"),
        ({"view": "behind"}, "threequarter"),
        ({"unit": "meters"}, "cm"),
        ({"scale": "big"}, "a factor, such as 0.01"),
        ({"scale": "0"}, "a positive number"),
        ({"keys": "many"}, "straight, sampled"),
        ({"textures": "some"}, "all, shown, none"),
        ({"names": "arki"}, "arkit"),
        ({"rate": "-1"}, "frames a second"),
        ({"start": "2", "end": "1"}, "ends at 1 s, before it starts at 2 s"),
    ],
)
def test_wrong_options_say_what_would_have_worked(texts: dict[str, str], words: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=words):
        ExportOptions.from_texts(texts)


def test_what_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(UnknownName, match="fwface"):
        export(face(), "doc")
    with pytest.raises(BadValue, match="no take is bound"):
        export(face(), "json")


def test_renamed_sliders_are_renamed_in_clips_and_locks_and_regions() -> None:
    document = face()
    assert document.regions is not None
    one, two = document.rig.sliders[:2]
    region = document.regions.names[0]
    curve = Curve(np.array([0.0, 1.0]), np.array([0.0, 0.2]))
    clip = replace(document.clips[0], curves={two: curve, f"{one} @ {region}": curve})
    found = rename_sliders(replace(document, clips=(clip,), locked=(two,)), {one: "smile", two: "jaw"})
    assert found.rig.sliders[:2] == ("smile", "jaw")
    assert found.locked == ("jaw",)
    assert set(found.clips[0].curves) == {"jaw", f"smile @ {region}"}


def test_plain_targets_are_exported_where_they_are_asked_for_and_what_was_done_is_said() -> None:
    document = replace(rigged(), local=None)
    made = export(document, "glb", ExportOptions.from_texts({"plain": "yes"}))
    assert load_document(made.data).rig.is_linear
    assert made.note.endswith("m tall. 3 in-betweens and combinations are targets with their own keys now.")
    fewer = export(document, "glb", ExportOptions.from_texts({"plain": "yes", "tolerance": "10"}))
    assert "3 were dropped, without which no vertex is off by more than" in fewer.note
    assert not load_document(export(document, "glb").data).rig.is_linear
    with pytest.raises(BadValue, match=r"a share of the face's size.* not 'much'"):
        ExportOptions.from_texts({"plain": "yes", "tolerance": "much"})


CURVES = {
    "linear": Curve([0.0, 1.0, 3.0], [0.0, 1.0, 0.2]),
    "cubic": Curve([0.5, 2.5], [0.0, 1.0], "cubic", [[0, 0.3], [1.0, 0]]),
    "step": Curve([0.25, 1.5], [0.1, 0.7], "step"),
    "tangents": Curve([0.0, 1.0, 2.0, 3.0], [0, 1, 0.3, 0.8], "cubic", tangents=["auto", "step", "flat", "auto"]),
    "cycle": Curve([0.0, 0.5, 1.0], [0.0, 1.0, 0.0], outside="cycle"),
}


@pytest.mark.parametrize("name", CURVES)
def test_a_range_of_a_clip_plays_as_the_clip_and_begins_at_0(name: str) -> None:
    clip = Clip("c", {name: CURVES[name], "longest": CURVES["linear"]})
    cut = cut_clip(clip, 0.75, 2.75)
    at = np.setdiff1d(np.linspace(0, 2, 97), [0.25, 1.25])  # a step within a cubic curve is a ramp of a millisecond
    np.testing.assert_allclose(cut.curves[name](at), CURVES[name](at + 0.75), atol=1e-9)
    assert (cut.start, cut.end) == (0.0, 2.0)
    assert cut_clip(clip) is clip
    with pytest.raises(BadValue, match="goes from 0 to 3 s; nothing of it is from 4 to 5 s"):
        cut_clip(clip, 4, 5)


def test_clips_range_rate_and_names_are_as_asked(tmp_path: Path) -> None:
    rig = mask(vertices=400, shapes=6)
    curves = {rig.sliders[0]: CURVES["linear"], rig.sliders[1]: CURVES["cubic"]}
    document = Document(rig, [Clip("one", curves, 24.0), Clip("two", curves)], clip="one", unit="mm")
    options = ExportOptions(clips=("two",), start=1.0, end=2.0, rate=60.0, keys="sampled", scale=2.0)
    saved = save_baked(document, tmp_path / "face.glb", options)
    assert saved.note.endswith("in the file it is 0.0399 m tall. Keys are on every frame in 1 clip.")
    back = load_document(tmp_path / "face.glb")
    (clip,) = back.clips
    assert (clip.name, clip.rate, back.unit) == ("two", 60.0, "mm")
    assert len(clip.curves[rig.sliders[0]].times) == 61
    at = np.arange(61) / 60
    np.testing.assert_allclose(clip.curves[rig.sliders[1]](at), CURVES["cubic"](at + 1), atol=1e-6)
    np.testing.assert_allclose(back.rig.neutral, 2 * rig.neutral, rtol=1e-5, atol=1e-5)
    with pytest.raises(UnknownName, match="three"):
        export(document, "glb", ExportOptions(clips=("three",)))


def test_layers_are_baked_for_other_programs_and_where_that_is_asked_for(tmp_path: Path) -> None:
    rig = mask(vertices=400, shapes=6)
    layer = Layer("more", "additive", {rig.sliders[0]: CURVES["cubic"]}, 0.5)
    clip = Clip("one", {rig.sliders[0]: CURVES["linear"]}, 24.0, (layer,))
    document = Document(rig, [clip], clip="one", unit="mm", layer="more")
    wanted = clip.sample(rig.sliders, None, rig.bounds)
    for name, layers in (("a.glb", "kept"), ("a.fwface", "baked"), ("b.fwface", "kept"), ("a.fbx", "kept")):
        saved = save_baked(document, tmp_path / name, ExportOptions(layers=layers))
        back = load_document(tmp_path / name)
        is_kept = name == "b.fwface"
        assert bool(back.clips[0].layers) == is_kept
        assert ("1 layer is baked into the curves." in saved.note) != is_kept
        np.testing.assert_allclose(back.clips[0].sample(rig.sliders, clip.times(), rig.bounds), wanted, atol=1e-5)
        keys = len(back.clips[0].curves[rig.sliders[0]].times)
        assert is_kept or keys < 20, "keys stay sparse"
    made = export(document, "fwface", ExportOptions(layers="baked"))
    assert load_document(io.BytesIO(made.data)).clips[0].layers == ()
    with pytest.raises(UnknownName, match="baked"):
        ExportOptions(layers="half")


@pytest.mark.parametrize(
    ("kind", "textures"),
    [("glb", "all"), ("glb", "shown"), ("glb", "none"), ("fbx", "all"), pytest.param("usdz", "all", marks=NEEDS_USD)],
)
def test_the_skin_of_the_pose_is_shown_and_expressions_are_kept_as_asked(kind: str, textures: str) -> None:
    document, red = textured_sample(64), encoded(np.full((64, 64, 3), (220, 20, 20), np.uint8))
    worn = Textures(some(document.textures).neutral, (ShapeTexture(("jawOpen",), red),), None, ("head",))
    document = replace(document, pose=document.rig.weights({"jawOpen": 1.0}), textures=worn)
    again = load_document(export(document, kind, ExportOptions(textures=textures)).data)
    assert again.textures == (document.textures if (kind, textures) == ("glb", "all") else None)
    materials = some(again.materials)  # the first polygon is one of the head
    image = materials[int(materials.of_polygon[0])].image
    if textures == "none":
        assert image is None
        return
    assert image is not None
    shown = pixels(materials.image(image).encoded()).astype(int)
    pose, rest = (FaceTexture(document)(weights).astype(int) for weights in (document.pose, 0 * document.pose))
    assert np.abs(shown - pose).mean() < 2 < np.abs(pose - rest).mean()


def test_normals_and_roughness_of_the_pose_are_images_of_the_material_and_replaced_by_those_of_another(
    tmp_path: Path,
) -> None:
    document = wrinkled(64)
    data, poses = None, (dict.fromkeys(FROWN, 1.0), dict.fromkeys(SMILE, 0.7))
    counts = []
    for pose in poses:
        now = document if data is None else load_document(data)
        now = replace(now, pose=now.rig.weights(pose), regions=document.regions)
        data = export(now, "glb").data
        asset = parse_glb(data)
        counts.append((len(asset.json["images"]), len(asset.json["textures"]), len(asset.binary)))
        head = next(node for node in asset.json["nodes"] if node.get("name") == "head")
        (primitive, *_) = asset.json["meshes"][head["mesh"]]["primitives"]
        material = asset.json["materials"][primitive["material"]]
        surface = material["pbrMetallicRoughness"]
        assert surface["metallicFactor"] == 0.0
        for kind, place in (("normal", material["normalTexture"]), ("roughness", surface["metallicRoughnessTexture"])):
            source = asset.json["textures"][place["index"]]["source"]
            shown = pixels(Encoded(bytes(image_data(asset, source)))).astype(int)
            assert np.abs(shown - FaceTexture(now, kind=kind)(pose)).max() <= 1
    assert counts[0][:2] == counts[1][:2]
    assert abs(counts[1][2] - counts[0][2]) < 0.2 * counts[0][2], "the maps of the former pose are not kept"
    assert some(load_document(some(data)).textures).normal == some(document.textures).normal
    (tmp_path / "shown.glb").write_bytes(some(data))
    assert errors(tmp_path / "shown.glb") == []


def test_in_betweens_in_usd_are_said_for_programs_that_leave_them_out() -> None:
    rig = mask(vertices=400, shapes=6)
    first = rig.shapes[0]
    half = replace(first, name="half", sliders=(first.name,), at=(0.5,))
    bent = Document(Rig(rig.neutral, rig.polygons, (*rig.shapes, half)))
    words = "for programs that leave them out, as Blender, choose plain targets."
    assert export(bent, "usda").note.endswith(words)
    assert words not in export(bent, "usda", ExportOptions(plain=True)).note
    assert words not in export(Document(rig), "usda").note
