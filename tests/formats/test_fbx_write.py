"""What is written comes back, and `ufbx`, a reader by others, sees the same vertices in it."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.fbx_files import joined, ufbx_scene
from tests.formats.fbx_nodes import all_nodes, nodes_of
from tests.formats.format_rigs import NAMES, SEEDS, assert_same_rig, document

import facewright as fw
from facewright.document import PlacedPin
from facewright.errors import BadValue, FacewrightWarning
from facewright.formats.fbx.scene.keys import LINEAR
from facewright.formats.registry import save_with
from facewright.formats.write_options import Keys, WriteOptions
from facewright.image.file import ImageFile
from facewright.render.png import png_bytes
from facewright.rig.combine import Combine
from facewright.rig.materials import Material, Materials
from facewright.samples import mask, sample

CLOSE = 1e-7  # keys are single precision


def through(given: fw.Document) -> fw.Document:
    file = io.BytesIO()
    fw.save(given, file, format="fbx")
    return fw.load_document(file.getvalue())


@settings(max_examples=25)
@given(names=st.lists(NAMES, min_size=6, max_size=6, unique=True), seed=SEEDS)
def test_a_document_comes_back(names: list[str], seed: int) -> None:
    given = document(names, seed)
    back = through(given)
    assert_same_rig(replace(given.rig, uvs=None), replace(back.rig, uvs=None))
    np.testing.assert_array_equal(corner_uvs(back.rig), corner_uvs(given.rig))
    np.testing.assert_allclose(back.pose, given.pose, rtol=1e-15)
    assert back.extra == given.extra
    for one, other in zip(given.clips, back.clips, strict=True):
        assert (other.name, other.rate, tuple(other.curves)) == (one.name, one.rate, tuple(one.curves))
        for name, curve in one.curves.items():
            again = other.curves[name]
            assert again.interpolation == curve.interpolation
            np.testing.assert_allclose(again.times, curve.times, atol=1e-10)
            np.testing.assert_allclose(again.values, curve.values, rtol=CLOSE, atol=CLOSE)


def corner_uvs(rig: fw.Rig) -> np.ndarray:
    assert rig.uvs is not None
    return np.where((rig.uvs.corners >= 0)[:, None], rig.uvs.coordinates[rig.uvs.corners], np.nan)


def test_polygons_that_are_not_ordered_by_part_take_their_pins_along() -> None:
    neutral = np.random.default_rng(2).normal(size=(8, 3))
    parts = (fw.Part("one", 0, 4), fw.Part("two", 4, 8))
    rig = fw.Rig(neutral, [[4, 5, 6], [0, 1, 2, 3], [4, 6, 7]], parts=parts)
    pin = PlacedPin(id=1, triangle=0, barycentric=(0.5, 0.25, 0.25))
    back = through(fw.Document(rig, pins=(pin,)))
    moved = back.pins[0].triangle
    assert moved is not None
    np.testing.assert_array_equal(back.rig.triangles[moved], rig.triangles[0])


def test_two_shapes_of_one_slider_at_one_value_come_back() -> None:
    base = mask(vertices=100, shapes=3)
    first, second, third = base.shapes
    doubled = fw.Rig(base.neutral, base.polygons, (first, replace(second, sliders=first.sliders), third), uvs=base.uvs)
    back = through(fw.Document(doubled, pose={first.name: 0.5}))
    assert_same_rig(doubled, back.rig)
    assert back.pose.tolist() == [0.5, 0]


def bent() -> fw.Document:
    """In-betweens on both sides of 0, a combination, several parts, and a clip that moves them and the head."""
    rig = mask(vertices=300, shapes=4, seed=5)
    a, b, c, d = rig.shapes
    half = replace(a, name="half", sliders=(a.name,), at=(0.4,), offsets=a.offsets * 0.7)
    back = replace(b, name="back", sliders=(a.name,), at=(-0.5,))
    both = replace(c, name="both", sliders=(a.name, b.name), at=(1.0, 0.5))
    middle = rig.vertex_count // 2
    kept = rig.polygons.corners.reshape(-1, rig.polygons.counts[0]) < middle
    whole = kept.all(axis=1) | ~kept.any(axis=1)
    faces = rig.polygons.corners.reshape(-1, rig.polygons.counts[0])[whole]
    parts = (fw.Part("left", 0, middle), fw.Part("right", middle, rig.vertex_count))
    made = fw.Rig(rig.neutral, faces, (a, half, back, b, both, d), parts=parts)
    times = np.array([0.25, 0.5, 1.1, 2.0])
    curves = {
        a.name: fw.Curve(times, [0.0, 1.2, -0.6, 0.3], "cubic", np.random.default_rng(1).normal(size=(4, 2))),
        b.name: fw.Curve(times, [1.0, 0.2, 0.7, 0.0]),
        d.name: fw.Curve(times[:3], [0.0, 1.0, 0.5], "step"),
        "HeadYaw": fw.Curve(times, [0.0, 0.5, -0.3, 0.1]),
        "HeadPitch": fw.Curve(times, [0.0, 0.2, 0.4, -0.1]),
        "HeadX": fw.Curve(times, [0.0, 1.5, -0.3, 2.0]),
    }
    return fw.Document(made, (fw.Clip("talk", curves, 25.0),), pose={a.name: -0.3, b.name: 0.5})


def test_ufbx_sees_the_vertices_that_we_see_at_rest_and_in_every_frame(tmp_path: Path) -> None:
    given = bent()
    rig, clip = given.rig, given.clips[0]
    fw.save(given, tmp_path / "face.fbx")
    frames = clip.times()[::7]  # combinations have keys at frames
    theirs = ufbx_scene(tmp_path / "face.fbx", frames.tolist())
    close = 1e-5 * rig.size
    assert theirs["warnings"] == []
    assert [name for name, _, _ in theirs["stacks"]] == ["talk"]
    assert theirs["stacks"][0][1:] == pytest.approx([0.25, 2.0])
    assert theirs["rate"] == 25
    np.testing.assert_allclose(joined(theirs["posed"]), fw.evaluate(rig, given.pose), atol=close)
    for time, posed in zip(frames, theirs["at"], strict=True):
        face = fw.evaluate(rig, clip.sample(rig.sliders, [time])[0])
        yaw, pitch, x = clip.sample(["HeadYaw", "HeadPitch", "HeadX"], [time])[0]
        cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        turn = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]) @ np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
        np.testing.assert_allclose(joined(posed), face @ turn.T + [x, 0, 0], atol=close)
    left = theirs["meshes"]["left"]
    assert np.linalg.norm(left["normals"], axis=1).min() > 0.99
    targets = {one["name"]: [at for at, _ in one["targets"]] for one in theirs["channels"]}
    assert targets[rig.sliders[0]] == pytest.approx([-0.5, 0.4, 1.0])
    assert targets["both"] == [1.0]


def test_the_head_s_motion_comes_back_key_by_key() -> None:
    given = bent()
    back = through(given).clips[0]
    assert tuple(back.curves) == tuple(given.clips[0].curves)
    for name, curve in given.clips[0].curves.items():
        np.testing.assert_allclose(back.curves[name].times, curve.times, atol=1e-10)
        np.testing.assert_allclose(back.curves[name].values, curve.values, atol=1e-7)


def test_another_program_s_reader_needs_no_block_of_ours() -> None:
    """Without our block a slider keeps its in-betweens, and a combination is a slider of its own that has keys."""
    given = bent()
    file = io.BytesIO()
    fw.save(given, file, format="fbx")
    data = file.getvalue().replace(b"Original|Facewright", b"Original|Xacewright")
    plain = fw.load_document(data)
    assert set(plain.rig.sliders) == {*given.rig.sliders, "both"}
    assert not any(shape.is_combination for shape in plain.rig.shapes)
    rig = given.rig
    for time in given.clips[0].times()[::5]:
        weights = plain.clips[0].sample(plain.rig.sliders, [time])[0]
        true = fw.evaluate(rig, given.clips[0].sample(rig.sliders, [time])[0])
        np.testing.assert_allclose(fw.evaluate(plain.rig, weights), true, atol=1e-6 * rig.size)


def test_materials_and_their_images_come_back_and_ufbx_finds_them(tmp_path: Path) -> None:
    rig = mask(vertices=120, shapes=2)
    picture = png_bytes(np.random.default_rng(0).integers(0, 255, (8, 8, 3), np.uint8))
    of_polygon = np.arange(len(rig.polygons)) % 3
    entries = (Material("skin", (1.0, 1.0, 1.0, 1.0), 0.4, 0), Material("", (0.2, 0.3, 0.4, 1.0), 0.9),
               Material("glass", (0.5, 0.6, 0.7, 0.25), 0.0, alpha_mode="BLEND"))  # fmt: skip
    materials = Materials(entries, of_polygon, (ImageFile("image/png", picture),))
    fw.save(fw.Document(rig, materials=materials), tmp_path / "face.fbx")
    found = fw.load_document(tmp_path / "face.fbx").materials
    assert found is not None
    assert [one.name for one in found] == ["skin", "material", "glass"]
    np.testing.assert_array_equal(found.of_polygon, of_polygon)
    assert found.images[0].data == picture
    for one, other in zip(entries, found, strict=True):
        np.testing.assert_allclose(other.color, one.color, atol=1e-12)
        assert other.roughness == pytest.approx(one.roughness)
        assert (other.image, other.alpha_mode) == (one.image, one.alpha_mode)
    theirs = ufbx_scene(tmp_path / "face.fbx")
    mesh = theirs["meshes"]["face"]
    assert [mesh["materials"][row] for row in mesh["of_face"]] == [found[row].name for row in of_polygon.tolist()]
    assert theirs["images"] == [len(picture)]


def test_images_beside_the_file_are_read_and_missing_ones_said(tmp_path: Path) -> None:
    rig = mask(vertices=120, shapes=2)
    picture = png_bytes(np.zeros((4, 4, 3), np.uint8))
    materials = Materials((Material("skin", image=0),), np.zeros(len(rig.polygons), np.int64),
                          (ImageFile("image/png", picture),))  # fmt: skip
    file = io.BytesIO()
    fw.save(fw.Document(rig, materials=materials), file, format="fbx")
    data = file.getvalue().replace(b"Content", b"Xontent")
    (tmp_path / "face.fbx").write_bytes(data)
    with pytest.warns(FacewrightWarning, match=r"the image 'image0.png' is not beside the file"):
        assert fw.load_document(tmp_path / "face.fbx").materials is not None
    (tmp_path / "image0.png").write_bytes(picture)
    found = fw.load_document(tmp_path / "face.fbx").materials
    assert found is not None
    assert found.images[0].data == picture


def test_an_image_that_no_program_shows_in_fbx_is_left_out_in_words(tmp_path: Path) -> None:
    rig = mask(vertices=120, shapes=2)
    materials = Materials((Material("skin", image=0),), np.zeros(len(rig.polygons), np.int64),
                          (ImageFile("image/ktx2", b"\xabKTX 20\xbb"),))  # fmt: skip
    with pytest.warns(FacewrightWarning, match="image/ktx2"):
        fw.save(fw.Document(rig, materials=materials), tmp_path / "face.fbx")


def test_nothing_has_an_empty_name(tmp_path: Path) -> None:
    fw.save(sample(), tmp_path / "face.fbx")
    theirs = ufbx_scene(tmp_path / "face.fbx")
    assert all(theirs["meshes"])
    assert all(mesh["materials"] and all(mesh["materials"]) for mesh in theirs["meshes"].values())
    assert all(one["name"] and all(name for _, name in one["targets"]) for one in theirs["channels"])
    normals = np.concatenate([mesh["normals"] for mesh in theirs["meshes"].values()])
    assert np.linalg.norm(normals, axis=1).min() > 0.99
    np.testing.assert_allclose(joined(theirs["posed"]), sample().neutral, atol=1e-12)


@pytest.mark.parametrize(
    ("unit", "extra", "metres"), [("m", {}, 1.0), ("in", {}, 0.0254), ("", {"fbx_unit": 5.0}, 0.05)]
)
def test_the_unit_is_written_and_the_numbers_stay(
    unit: str, extra: dict[str, float], metres: float, tmp_path: Path
) -> None:
    rig = mask(vertices=120, shapes=2)
    fw.save(fw.Document(rig, extra=extra, unit=unit), tmp_path / "face.fbx")
    assert ufbx_scene(tmp_path / "face.fbx")["unit"] == pytest.approx(metres)
    back = fw.load_document(tmp_path / "face.fbx")
    assert (back.unit, back.extra) == (unit, extra)
    np.testing.assert_array_equal(back.rig.neutral, rig.neutral)


def repeating() -> fw.Document:
    """Curves with kinds of tangents, a step among them, and keys that repeat."""
    rig = mask(vertices=120, shapes=3)
    a, b, c = rig.sliders
    times, values = [0.0, 0.3, 0.7, 1.0], [0.0, 1.0, 0.4, 0.8]
    curves = {
        a: fw.Curve(times, values, "cubic", tangents=["auto", "step", "flat", "linear"]),
        b: fw.Curve([0.0, 0.43], [0.0, 1.0], outside="cycle"),
        c: fw.Curve(times, values, "step"),
    }
    return fw.Document(rig, (fw.Clip("talk", curves, 30.0),))


@pytest.mark.parametrize("keys", ["exact", "straight", "frames"])
def test_tangents_steps_and_repeats_are_played_by_others_and_come_back(keys: Keys, tmp_path: Path) -> None:
    given = repeating()
    path = tmp_path / "face.fbx"
    save_with(given, path, WriteOptions(keys=keys))
    clip = given.clips[0]
    frames = clip.times()[1:-1]
    theirs = ufbx_scene(path, frames.tolist())
    wanted = clip.sample([one["name"] for one in theirs["channels"]], frames)
    assert np.array(theirs["weights"]) == pytest.approx(wanted, abs=3e-4)
    back = fw.load_document(path).clips[0]
    for name, curve in clip.curves.items():
        again = back.curves[name]
        assert (again.interpolation, again.outside) == (curve.interpolation, curve.outside)
        assert (again.tangents is None) == (curve.tangents is None)
        np.testing.assert_allclose(again.values, curve.values, atol=1e-7)
    assert _are_straight(path) == (keys != "exact")


def _are_straight(path: Path) -> bool:
    """Whether all keys of a file are joined by straight lines."""
    nodes = [node for node in all_nodes(nodes_of(path.read_bytes())) if node.name == "AnimationCurve"]
    return all((node.ints("KeyAttrFlags") == LINEAR).all() for node in nodes)


def test_plain_targets_have_a_channel_each_with_one_target(tmp_path: Path) -> None:
    given = bent()
    fw.save(fw.plain_targets(given).document, tmp_path / "plain.fbx")
    frames = given.clips[0].times()[::9]
    theirs = ufbx_scene(tmp_path / "plain.fbx", frames.tolist())
    assert all(len(one["targets"]) == 1 for one in theirs["channels"])
    weights = given.clips[0].sample(given.rig.sliders, frames)
    names = [one["name"] for one in theirs["channels"]]
    for row, values in zip(Combine(given.rig)(weights), theirs["weights"], strict=True):
        wanted = dict(zip(given.rig.shape_names, row, strict=True))
        assert values == pytest.approx([wanted[name] for name in names], abs=1e-6)


def test_a_rig_without_vertices_is_refused() -> None:
    with pytest.raises(BadValue, match="at least one vertex"):
        through(fw.Document(fw.Rig(np.zeros((0, 3)), np.zeros((0, 3), int))))
