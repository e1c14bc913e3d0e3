"""Saving into an opened file: what the rig did not change is still there, bit for bit; what it changed comes back."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny, assert_same_document, errors, parsed, unpack, view_bytes
from tests.some import some

from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats import gltf
from facewright.formats.gltf.read import SOURCE
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.rig import Part
from facewright.rig.shape import Shape

FILES = (
    "facecap/facecap.glb",
    "facecap/facecap_decoded.glb",
    "gltf_samples/RobotExpressive.glb",
    "gltf_samples/MorphStressTest.glb",
    "gltf_samples/MorphPrimitivesTest.glb",
    "gltf_samples/AnimatedMorphCube.glb",
)
KEPT = ("skins", "materials", "textures", "samplers", "cameras", "scenes", "asset", "extensions")


def with_shapes(document: Document, shapes: Sequence[Shape], pose: dict[str, float] | None = None) -> Document:
    """The document with other shapes, each with its own slider and group, and clips for those that are left."""
    rig = document.rig
    groups = dict(zip(rig.sliders, rig.groups, strict=True))
    names = [shape.name for shape in shapes]
    changed = replace(
        rig,
        shapes=tuple(shapes),
        sliders=(),
        bounds=None,  # type: ignore[arg-type]
        groups=tuple(groups.get(name, "other") for name in names),
    )
    values = dict(zip(rig.sliders, document.pose.tolist(), strict=True)) | (pose or {})
    clips = [
        replace(clip, curves={name: curve for name, curve in clip.curves.items() if name in names})
        for clip in document.clips
    ]
    row = np.array([values.get(name, 0.0) for name in names])
    return replace(document, rig=changed, pose=row, clips=tuple(clips if shapes else ()))


def renamed(document: Document, old: str, new: str) -> Document:
    shapes = [replace(shape, name=new, sliders=()) if shape.name == old else shape for shape in document.rig.shapes]
    found = with_shapes(document, shapes, {new: float(document.pose[document.rig.slider_index(old)])})
    clips = [
        replace(clip, curves={new if name == old else name: curve for name, curve in clip.curves.items()})
        for clip in document.clips
    ]
    return replace(found, clips=tuple(clips))


def new_shape(document: Document, size: float = 0.02, name: str = "brandNew") -> Shape:
    """A shape that moves some vertices of the last part."""
    part, rng = document.rig.parts[-1], np.random.default_rng(1)
    moved = np.arange(part.start, min(part.start + 30, part.stop))
    reach = size * np.ptp(document.rig.neutral, axis=0).max()
    return Shape(name, moved, rng.normal(size=(len(moved), 3)) * reach)


def edits(document: Document) -> dict[str, Document]:
    rig = document.rig
    first = rig.shapes[0].name
    pushed = rig.neutral.copy()
    pushed[::3] += 0.01 * np.ptp(pushed, axis=0).max()
    louder = Shape(first, rig.shapes[0].vertices, rig.shapes[0].offsets * 1.5)
    clip = Clip("quite new", {first: Curve([0.0, 0.5, 2.0], [0.0, 1.0, 0.25])})
    return {
        "as it was": document,
        "renamed": renamed(document, first, "another name"),
        "dropped": with_shapes(document, rig.shapes[1:]),
        "added": with_shapes(document, [*rig.shapes, new_shape(document)], {"brandNew": 0.25}),
        "reordered": with_shapes(document, rig.shapes[::-1]),
        "louder": with_shapes(document, [louder, *rig.shapes[1:]]),
        "all dropped": with_shapes(document, []),
        "neutral pushed": replace(document, rig=replace(rig, neutral=pushed)),
        "posed": replace(document, pose=np.linspace(0.1, 0.9, len(rig.sliders))),
        "a clip instead of another": replace(document, clips=(clip, *document.clips[1:])),
        "clips the other way round": replace(document, clips=document.clips[::-1]),
        "no clips": replace(document, clips=()),
        "parts renamed": replace(
            document, rig=replace(rig, parts=tuple(replace(part, name=f"my {part.name}") for part in rig.parts))
        ),
    }


def accessor_bytes(data: bytes, index: int) -> tuple[list[tuple[str, Any]], bytes]:
    """What an accessor says and holds, wherever it lies."""
    accessor = dict(parsed(data)[0]["accessors"][index])
    view = view_bytes(data, accessor.pop("bufferView"))
    return sorted(accessor.items(), key=str), view


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_only_read_and_written_is_the_same_file(shared_data: Path, tmp_path: Path, name: str) -> None:
    document = gltf.FORMAT.read(shared_data / name)
    gltf.FORMAT.write(document, tmp_path / "same.glb")
    again = gltf.FORMAT.read(tmp_path / "same.glb")
    assert_same_document(document, again)
    if "Robot" not in name:  # its skin weights are put right
        assert (tmp_path / "same.glb").read_bytes() == document.attachments[SOURCE]
    if "facecap.glb" not in name and "Robot" not in name:  # it is unpacked
        assert (tmp_path / "same.glb").read_bytes() == (shared_data / name).read_bytes()
    before, after = (unpack(data)[0] for data in (document.attachments[SOURCE], (tmp_path / "same.glb").read_bytes()))
    assert after == before


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if "decoded" in name else []) for name in FILES]
)
def test_every_edit_comes_back_passes_the_validator_and_leaves_the_rest_alone(
    shared_data: Path, tmp_path: Path, name: str
) -> None:
    document = gltf.FORMAT.read(shared_data / name)
    source = document.attachments[SOURCE]
    before = unpack(source)[0]
    paths = []
    for number, (edit, wanted) in enumerate(edits(document).items()):
        path = tmp_path / f"{number} {edit}.glb"
        with warnings.catch_warnings():
            if edit == "all dropped":
                warnings.simplefilter("ignore", FacewrightWarning)
            gltf.FORMAT.write(wanted, path)
        exact = edit not in ("added", "louder", "neutral pushed", "a clip instead of another")
        assert_same_document(wanted, gltf.FORMAT.read(path), 0.0 if exact else 1e-6)
        tree = unpack(path.read_bytes())[0]
        assert {key: without_indices(tree.get(key)) for key in KEPT} == {
            key: without_indices(before.get(key)) for key in KEPT
        }
        assert images(path.read_bytes()) == images(source)
        assert other_channels(path.read_bytes()) == other_channels(source)
        paths.append(path)
    assert errors(*paths) == []


def without_indices(value: Any) -> Any:
    """JSON without references to accessors, which may have other numbers."""
    if isinstance(value, dict):
        return {key: without_indices(one) for key, one in value.items() if key != "inverseBindMatrices"}
    return [without_indices(one) for one in value] if isinstance(value, list) else value


def images(data: bytes) -> list[bytes]:
    return [view_bytes(data, image["bufferView"]) for image in unpack(data)[0].get("images", [])]


def other_channels(data: bytes) -> list[Any]:
    """All channels that do not move weights, with the keys that they hold."""
    tree = unpack(data)[0]
    found = []
    for animation in tree.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            if channel["target"]["path"] != "weights":
                keys = [accessor_values(data, sampler[key]) for key in ("input", "output")]
                found.append((animation["name"], channel["target"], sampler.get("interpolation"), *keys))
    return sorted(found, key=str)


def accessor_values(data: bytes, index: int) -> bytes:
    accessor = parsed(data)[0]["accessors"][index]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    size = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}[accessor["componentType"]]
    start = accessor.get("byteOffset", 0)
    return view_bytes(data, accessor["bufferView"])[start : start + width * size * accessor["count"]]


def test_skins_keep_their_matrices_and_vertices_their_joints(shared_data: Path, tmp_path: Path) -> None:
    document = gltf.FORMAT.read(shared_data / "gltf_samples" / "RobotExpressive.glb")
    source = document.attachments[SOURCE]
    gltf.FORMAT.write(with_shapes(document, document.rig.shapes[:1]), tmp_path / "less.glb")
    data = (tmp_path / "less.glb").read_bytes()
    old, new = unpack(source)[0], unpack(data)[0]
    for before, after in zip(old["skins"], new["skins"], strict=True):
        old_one, new_one = before["inverseBindMatrices"], after["inverseBindMatrices"]
        assert accessor_bytes(source, old_one) == accessor_bytes(data, new_one)
    for before, after in zip(old["meshes"][12]["primitives"], new["meshes"][12]["primitives"], strict=True):
        for name in ("POSITION", "NORMAL", "JOINTS_0"):
            assert accessor_bytes(source, before["attributes"][name]) == accessor_bytes(data, after["attributes"][name])
        weights = np.frombuffer(accessor_values(data, after["attributes"]["WEIGHTS_0"]), "<f4").reshape(-1, 4)
        given = np.frombuffer(accessor_values(source, before["attributes"]["WEIGHTS_0"]), "<f4").reshape(-1, 4)
        np.testing.assert_allclose(weights, given / given.sum(axis=1, keepdims=True), rtol=0, atol=2e-7)


def test_what_an_edit_replaced_is_no_longer_in_the_file(shared_data: Path, tmp_path: Path) -> None:
    document = gltf.FORMAT.read(shared_data / "facecap" / "facecap_decoded.glb")
    gltf.FORMAT.write(with_shapes(document, document.rig.shapes[:5]), tmp_path / "five.glb")
    assert len((tmp_path / "five.glb").read_bytes()) < 0.2 * len(document.attachments[SOURCE])


def square(**json: Any) -> Tiny:
    tiny = Tiny(**json)
    positions = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]], float)
    up, out = np.zeros((2, 5, 3))
    up[1], out[2] = [0, 0.25, 0], [0, 0, 0.5]
    uv = tiny.accessor(np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]))
    normal = tiny.accessor(np.tile([0, 0, 1.0], (5, 1)))
    tiny.mesh(positions, [[0, 1, 2], [4, 2, 3]], [up, out], ["up", "out"], TEXCOORD_0=uv, NORMAL=normal)
    tiny.json["meshes"][0]["extras"]["artist"] = "somebody"
    half = np.sqrt(0.5)
    placed = {"rotation": [half, 0, 0, half], "scale": [2, 3, 4], "translation": [5, 6, 7]}
    return tiny.nodes({"mesh": 0, "name": "face", **placed})


def test_a_turned_and_scaled_node_is_undone_on_writing(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    rig = document.rig
    moved = replace(rig, neutral=rig.neutral + np.array([1, 2, 3]))
    gltf.FORMAT.write(replace(document, rig=moved), tmp_path / "b.glb")
    data = (tmp_path / "b.glb").read_bytes()
    tree = unpack(data)[0]
    assert tree["nodes"] == unpack(document.attachments[SOURCE])[0]["nodes"]
    local = np.frombuffer(accessor_values(data, tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"]), "<f4")
    # The node turns z to -y and y to z, then scales: its own x, y, z are the world's x/2, z/3, -y/4.
    expected = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]]) + np.array([0.5, 1, -0.5])
    np.testing.assert_allclose(local.reshape(-1, 3), expected, atol=1e-6)
    assert_same_document(replace(document, rig=moved), gltf.FORMAT.read(tmp_path / "b.glb"), 1e-6)


def test_points_that_only_a_dropped_shape_kept_apart_stay_apart(tmp_path: Path) -> None:
    tiny = Tiny()
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
    open_, wide = np.zeros((2, 6, 3))
    open_[[3, 4, 5]], wide[[1, 3]] = [0, 0, 1], [1, 0, 0]
    tiny.mesh(positions, [[0, 1, 2], [3, 4, 5]], [open_, wide], ["open", "wide"])
    document = gltf.FORMAT.read(tiny.nodes({"mesh": 0}).save(tmp_path / "a.glb"))
    assert document.rig.vertex_count == 6
    wanted = with_shapes(document, document.rig.shapes[1:])
    gltf.FORMAT.write(wanted, tmp_path / "b.glb")
    assert_same_document(wanted, gltf.FORMAT.read(tmp_path / "b.glb"))
    back = with_shapes(wanted, document.rig.shapes)
    gltf.FORMAT.write(replace(gltf.FORMAT.read(tmp_path / "b.glb"), rig=back.rig, pose=back.pose), tmp_path / "c.glb")
    assert_same_document(back, gltf.FORMAT.read(tmp_path / "c.glb"), 1e-6)


def test_normals_turn_with_a_changed_target_and_keep_with_others(tmp_path: Path) -> None:
    tiny = square()
    targets = tiny.json["meshes"][0]["primitives"][0]["targets"]
    for target in targets:
        target["NORMAL"] = tiny.accessor(np.zeros((5, 3)))
    document = gltf.FORMAT.read(tiny.save(tmp_path / "a.glb"))
    fold = Shape("fold", [2], [[0, -4.0, 0]])  # in the mesh's space: one unit along z, about the diagonal 0, 2
    wanted = with_shapes(document, [*document.rig.shapes, fold])
    gltf.FORMAT.write(wanted, tmp_path / "b.glb")
    data = (tmp_path / "b.glb").read_bytes()
    primitive = unpack(data)[0]["meshes"][0]["primitives"][0]
    assert [sorted(target) for target in primitive["targets"]] == [["NORMAL", "POSITION"]] * 3
    new = np.frombuffer(accessor_values(data, primitive["targets"][2]["NORMAL"]), "<f4").reshape(-1, 3)
    positions = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]])
    one = np.cross(positions[1] - positions[0], positions[2] - positions[0])
    other = np.cross(positions[2] - positions[0], positions[3] - positions[0])
    for vertex, sides in ((1, [one]), (3, [other]), (0, [one, other]), (4, [one, other]), (2, [one, other])):
        expected = np.sum(sides, axis=0) / np.linalg.norm(np.sum(sides, axis=0))
        np.testing.assert_allclose([0, 0, 1] + new[vertex], expected, atol=1e-6)
    assert errors(tmp_path / "b.glb") == []


def test_texture_coordinates_that_keep_the_seams_are_written_and_others_make_a_new_file(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    uvs = some(document.rig.uvs)
    wanted = replace(document, rig=replace(document.rig, uvs=Uvs(uvs.coordinates * 0.5, uvs.corners)))
    gltf.FORMAT.write(wanted, tmp_path / "b.glb")
    found = gltf.FORMAT.read(tmp_path / "b.glb")
    assert_same_document(wanted, found, 1e-6)
    assert unpack(found.attachments[SOURCE])[0]["meshes"][0]["extras"]["artist"] == "somebody"
    split = Uvs(np.arange(12).reshape(6, 2) / 12, np.arange(6))
    with pytest.warns(FacewrightWarning, match="seams"):
        gltf.FORMAT.write(replace(document, rig=replace(document.rig, uvs=split)), tmp_path / "c.glb")
    assert_same_document(
        replace(document, rig=replace(document.rig, uvs=split)), gltf.FORMAT.read(tmp_path / "c.glb"), 1e-6
    )


def test_another_topology_makes_a_new_file_and_says_so(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    less = replace(document.rig, polygons=Polygons.of(document.rig.triangles[:1]), uvs=None)
    with pytest.warns(FacewrightWarning, match="polygons are others.*without"):
        gltf.FORMAT.write(replace(document, rig=less), tmp_path / "b.glb")
    assert_same_document(replace(document, rig=less), gltf.FORMAT.read(tmp_path / "b.glb"), 1e-6)


def test_a_part_divided_in_two_is_kept_in_our_block(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    wanted = replace(document, rig=replace(document.rig, parts=(Part("left", 0, 2), Part("right", 2, 4))))
    gltf.FORMAT.write(wanted, tmp_path / "b.glb")
    assert_same_document(wanted, gltf.FORMAT.read(tmp_path / "b.glb"))


def test_sliders_wired_anew_are_kept_in_our_block_and_taken_out_with_it(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    rig = document.rig
    wired = replace(
        rig,
        shapes=(rig.shapes[0], replace(rig.shapes[1], sliders=("up",), at=(0.5,)), new_shape(document)),
        sliders=("brandNew", "up"),
        bounds=np.array([[-1, 2], [0, 1]]),
        groups=("mouth", "brow"),
        exclusive=(("up", "brandNew"),),
    )
    wanted = replace(document, rig=wired, pose=np.array([0.5, 0.75]))
    gltf.FORMAT.write(wanted, tmp_path / "b.glb")
    found = gltf.FORMAT.read(tmp_path / "b.glb")
    assert_same_document(wanted, found, 1e-6)
    gltf.FORMAT.write(replace(found, rig=document.rig, pose=document.pose), tmp_path / "c.glb")
    assert_same_document(document, gltf.FORMAT.read(tmp_path / "c.glb"))
    assert "extras" not in unpack((tmp_path / "c.glb").read_bytes())[0]


def test_unknown_keys_extensions_and_extras_survive_an_edit(tmp_path: Path) -> None:
    more = {
        "extras": {"studio": [1, {"deep": None}]},
        "extensionsUsed": ["KHR_lights_punctual", "XYZ_other"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}, "XYZ_other": {"accessor": 3}},
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "futureKey": {"kept": True},
    }
    document = gltf.FORMAT.read(square(**more).save(tmp_path / "a.glb"))
    before = unpack(document.attachments[SOURCE])[0]
    gltf.FORMAT.write(with_shapes(document, document.rig.shapes[:1]), tmp_path / "b.glb")
    after = unpack((tmp_path / "b.glb").read_bytes())[0]
    for key in more:
        assert after[key] == more[key]
    # An extension that is not known may name accessors by number, so the old ones keep their numbers.
    assert after["accessors"][: len(before["accessors"])] == before["accessors"]
    assert after["meshes"][0]["extras"]["artist"] == "somebody"


def test_a_second_instance_of_a_mesh_follows_with_weights_and_animation(tmp_path: Path) -> None:
    tiny = square()
    tiny.nodes({"mesh": 0, "name": "face"}, {"mesh": 0, "name": "twin", "weights": [0.25, 0.75]})
    times = tiny.accessor([0.0, 1.0])
    values = tiny.accessor([0.1, 0.2, 0.3, 0.4])
    tiny.json["animations"] = [
        {
            "name": "twin",
            "samplers": [{"input": times, "output": values}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "weights"}}],
        }
    ]
    document = gltf.FORMAT.read(tiny.save(tmp_path / "a.glb"))
    assert document.clips == ()
    gltf.FORMAT.write(with_shapes(document, document.rig.shapes[::-1]), tmp_path / "b.glb")
    data = (tmp_path / "b.glb").read_bytes()
    tree = unpack(data)[0]
    assert tree["nodes"][1]["weights"] == [0.75, 0.25]
    output = tree["animations"][0]["samplers"][0]["output"]
    np.testing.assert_allclose(np.frombuffer(accessor_values(data, output), "<f4"), [0.2, 0.1, 0.4, 0.3], rtol=1e-6)
    assert errors(tmp_path / "b.glb") == []


def test_a_gltf_is_written_as_one_file_and_reads_the_same(tmp_path: Path) -> None:
    document = gltf.FORMAT.read(square().save(tmp_path / "a.glb"))
    gltf.FORMAT.write(document, tmp_path / "b.gltf")
    assert (tmp_path / "b.gltf").read_bytes().startswith(b"{")
    assert_same_document(document, gltf.FORMAT.read(tmp_path / "b.gltf"))
    assert errors(tmp_path / "b.gltf") == []
