"""From a scene to a rig: parts, seams, places, names, and meshes of every kind."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.gltf_files import Tiny
from tests.some import some

from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats import gltf
from facewright.rig.names import group_of

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
TWO = np.array([[0, 1, 2], [0, 2, 3]])


def read(tiny: Tiny, tmp_path: Path) -> Document:
    return gltf.FORMAT.read(tiny.save(tmp_path / "face.glb"))


@pytest.mark.parametrize("name", ["facecap.glb", "facecap_decoded.glb"])
def test_the_captured_face_has_its_parts_its_shapes_and_no_seam_copies(shared_data: Path, name: str) -> None:
    document = gltf.FORMAT.read(shared_data / "facecap" / name)
    rig = document.rig
    assert {part.name for part in rig.parts} == {"head", "teeth", "eyeLeft", "eyeRight"}
    head = rig.part("head")
    assert head.stop - head.start == 2659
    assert len(rig.shapes) == 52
    for shape in rig.shapes:
        assert ((shape.vertices >= head.start) & (shape.vertices < head.stop)).all()
    assert len(rig.shape("tongueOut").vertices) == 0
    assert rig.groups == tuple(group_of(slider) for slider in rig.sliders)
    assert document.pose[rig.slider_index("browInnerUp")] == 0.12167
    (clip,) = document.clips
    assert {len(curve.times) for curve in clip.curves.values()} == {335}
    assert clip.rate == 30
    assert 0 <= some(rig.uvs).coordinates.min() <= some(rig.uvs).coordinates.max() <= 1


def test_a_node_placed_by_its_ancestors_places_positions_and_turns_offsets(tmp_path: Path) -> None:
    tiny = Tiny()
    offset = np.array([[0.5, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]])
    tiny.mesh(SQUARE, TWO, [offset], ["smile"])
    quarter = np.sqrt(0.5)
    tiny.nodes(
        {"name": "root", "children": [1], "translation": [10, 20, 30], "rotation": [0, 0, quarter, quarter]},
        {"name": "face", "mesh": 0, "scale": [2, 3, 4], "translation": [1, 0, 0]},
    )
    rig = read(tiny, tmp_path).rig
    scaled = SQUARE * [2, 3, 4] + [1, 0, 0]
    turned = np.column_stack([-scaled[:, 1], scaled[:, 0], scaled[:, 2]]) + np.array([10, 20, 30])
    np.testing.assert_allclose(rig.neutral, turned, atol=1e-12)
    np.testing.assert_allclose(rig.deltas()[0], [[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 8]], atol=1e-12)


def test_a_matrix_stored_by_columns_places_a_node(tmp_path: Path) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE, TWO)
    tiny.nodes({"mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]})
    np.testing.assert_allclose(read(tiny, tmp_path).rig.neutral, [[5, 6, 7], [5, 7, 7], [4, 7, 7], [4, 6, 7]])


def test_vertices_are_one_point_only_if_they_lie_together_in_every_target(tmp_path: Path) -> None:
    # 0 and 4 are copies; 1 and 5 lie together at rest, but one target parts them: an upper and a lower lip.
    positions = np.vstack([SQUARE, SQUARE[:2]])
    lips, brow = np.zeros((2, 6, 3))
    lips[[1, 5], 1] = [1, -1]
    brow[[0, 4], 2] = 0.5
    tiny = Tiny()
    tiny.mesh(positions, [[0, 1, 2], [4, 2, 3], [4, 5, 3]], [lips, brow], ["lips", "brow"])
    rig = read(tiny.nodes({"mesh": 0}), tmp_path).rig
    np.testing.assert_array_equal(rig.neutral, positions[[0, 1, 2, 3, 5]])
    assert rig.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 4, 3]]
    assert rig.shape("brow").vertices.tolist() == [0]


def test_seams_are_welded_across_the_primitives_of_a_mesh(tmp_path: Path) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE[:3], [0, 1, 2], [np.zeros((3, 3))], ["still"])
    second = {
        "attributes": {"POSITION": tiny.accessor(SQUARE[[0, 2, 3]])},
        "targets": [{"POSITION": tiny.accessor(np.zeros((3, 3)))}],
    }
    tiny.json["meshes"][0]["primitives"].append(second)
    rig = read(tiny.nodes({"mesh": 0}), tmp_path).rig
    np.testing.assert_array_equal(rig.neutral, SQUARE)
    assert rig.triangles.tolist() == TWO.tolist()


def test_texture_coordinates_are_kept_at_corners_with_v_up_as_the_texture_is_sampled(tmp_path: Path) -> None:
    tiny = Tiny()
    positions = np.vstack([SQUARE, SQUARE[:1]])
    stored = np.array([[0, 0], [2, 0], [2, 4], [0, 4], [1, 1]])
    uv = tiny.accessor(stored, "u2")
    tiny.mesh(positions, [[0, 1, 2], [4, 2, 3]], TEXCOORD_1=uv)
    moved = {"offset": [0.1, 0.2], "scale": [0.25, 0.125], "texCoord": 1}
    tiny.json["materials"] = [
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": moved}}}}
    ]
    tiny.json["textures"] = [{}]
    tiny.json["meshes"][0]["primitives"][0]["material"] = 0
    rig = read(tiny.nodes({"mesh": 0}), tmp_path).rig
    sampled = stored * [0.25, 0.125] + [0.1, 0.2]
    expected = np.column_stack([sampled[:, 0], 1 - sampled[:, 1]])[[0, 1, 2, 4, 2, 3]]
    assert rig.vertex_count == 4
    np.testing.assert_allclose(some(rig.uvs).coordinates[some(rig.uvs).corners], expected, atol=1e-12)


def test_shapes_of_several_meshes_are_one_by_name(tmp_path: Path) -> None:
    tiny = Tiny()
    up, out = np.zeros((2, 4, 3))
    up[1, 1], out[2, 2] = 1, 3
    tiny.mesh(SQUARE, TWO, [up, out], ["jawOpen", "pout"])
    tiny.mesh(SQUARE + 5, TWO, [out, up], ["tongue", "jawOpen"])
    rig = read(tiny.nodes({"mesh": 0, "name": "head"}, {"mesh": 1, "name": "teeth"}), tmp_path).rig
    assert rig.sliders == ("jawOpen", "pout", "tongue")
    assert rig.shape("jawOpen").vertices.tolist() == [1, 5]
    assert [(part.name, part.start, part.stop) for part in rig.parts] == [("head", 0, 4), ("teeth", 4, 8)]


def test_names_come_from_nodes_above_or_meshes_and_are_made_different(tmp_path: Path) -> None:
    tiny = Tiny()
    for _ in range(5):
        tiny.mesh(SQUARE, TWO, [SQUARE, SQUARE, SQUARE], ["a", "a", ""])
    tiny.json["meshes"][3]["name"] = "tooth"
    tiny.nodes({"name": "eye", "children": [1]}, {"mesh": 0}, {"mesh": 1, "name": "eye"}, {"mesh": 3}, {"mesh": 4})
    rig = read(tiny, tmp_path).rig
    assert [part.name for part in rig.parts] == ["eye", "eye 2", "tooth", "mesh 4"]
    assert rig.sliders == ("a", "a 2", "target 2")


def test_skinned_meshes_are_placed_by_their_joints_and_are_parts_only_with_targets(tmp_path: Path) -> None:
    tiny = Tiny(skins=[{"joints": [3]}])
    tiny.mesh(SQUARE, TWO, [SQUARE], ["smile"])
    tiny.mesh(SQUARE + 1, TWO)
    tiny.mesh(SQUARE + 2, TWO)
    tiny.nodes(
        {"mesh": 0, "skin": 0, "name": "head", "translation": [9, 9, 9]},
        {"mesh": 1, "skin": 0, "name": "body"},
        {"mesh": 2, "name": "eye", "translation": [0, 0, 5]},
        {"mesh": 2, "name": "eye again", "translation": [0, 0, -5]},
    )
    rig = read(tiny, tmp_path).rig
    assert [part.name for part in rig.parts] == ["head", "eye"]
    np.testing.assert_array_equal(rig.neutral, np.vstack([SQUARE - (0, 0, 5), SQUARE + 2 + [0, 0, 5]]))


def test_a_file_without_targets_is_a_rig_without_shapes(tmp_path: Path) -> None:
    tiny = Tiny(skins=[{"joints": [0]}])
    tiny.mesh(SQUARE, TWO)
    rig = read(tiny.nodes({"mesh": 0, "skin": 0}), tmp_path).rig
    assert rig.shapes == ()
    assert rig.vertex_count == 4


@pytest.mark.parametrize(
    ("mode", "indices", "triangles"),
    [
        (4, [0, 1, 2, 0, 2, 3], [[0, 1, 2], [0, 2, 3]]),
        (5, [0, 1, 3, 2], [[0, 1, 3], [1, 2, 3]]),
        (5, [0, 1, 3, 3, 2], [[0, 1, 3]]),
        (6, [0, 1, 2, 3], [[1, 2, 0], [2, 3, 0]]),
        (1, [0, 1, 2, 3], []),
        (4, None, [[0, 1, 2]]),
    ],
)
def test_every_kind_of_primitive_gives_its_triangles(
    tmp_path: Path, mode: int, indices: Any, triangles: list[Any]
) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE, indices)
    tiny.json["meshes"][0]["primitives"][0]["mode"] = mode
    rig = read(tiny.nodes({"mesh": 0}), tmp_path).rig
    assert rig.triangles.tolist() == triangles
    assert rig.vertex_count == 4


def test_ngons_are_read_only_where_they_are_declared(tmp_path: Path) -> None:
    fan = [[0, 1, 2], [0, 2, 3], [1, 2, 4], [2, 3, 4]]
    tiny = Tiny()
    tiny.mesh(np.vstack([SQUARE, [[2, 2, 2]]]), fan)
    assert read(tiny.nodes({"mesh": 0}), tmp_path).rig.polygons.counts.tolist() == [3, 3, 3, 3]
    tiny.json["extensionsUsed"] = ["FB_ngon_encoding"]
    polygons = read(tiny, tmp_path).rig.polygons
    assert [row.tolist() for row in polygons.rows()] == [[0, 1, 2, 3], [1, 2, 4], [2, 3, 4]]
    primitives = tiny.json["meshes"][0]["primitives"]
    primitives.append({**primitives[0], "extensions": {"FB_ngon_encoding": {}}})
    assert read(tiny, tmp_path).rig.polygons.counts.tolist() == [3, 3, 3, 3, 4, 3, 3]


def test_only_the_scene_that_is_shown_is_read(tmp_path: Path) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE, TWO)
    tiny.mesh(SQUARE + 7, TWO)
    tiny.nodes({"mesh": 0, "name": "a"}, {"mesh": 1, "name": "b"})
    tiny.json |= {"scenes": [{"nodes": [0]}, {"nodes": [1]}], "scene": 1}
    assert [part.name for part in read(tiny, tmp_path).rig.parts] == ["b"]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([{"mesh": 0, "children": [1]}, {"children": [0]}], "ancestors"),
        ([{"mesh": 0, "children": [0]}], "ancestors"),
        ([{"mesh": 0, "children": [1]}, {}, {"children": [1]}], "one parent"),
        ([{"mesh": 0, "children": [7]}], "child"),
        ([{"mesh": 3}], "meshes"),
        ([{"mesh": 0, "scale": [1, 2]}], "scale"),
        ([{"mesh": 0, "matrix": [1] * 15}], "matrix"),
        ([{"mesh": 0, "translation": [0, 0, "x"]}], "translation"),
        ([{"name": "empty"}], "no node"),
    ],
)
def test_a_scene_that_is_no_tree_is_refused(tmp_path: Path, nodes: list[dict[str, Any]], words: str) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE, TWO)
    tiny.nodes(*nodes)
    with pytest.raises(BadFile, match=words):
        read(tiny, tmp_path)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("meshes", 0, "primitives"), [], "no primitives"),
        (("meshes", 0, "primitives", 0, "attributes"), {}, "POSITION"),
        (("meshes", 0, "primitives", 0, "attributes", "POSITION"), 99, "accessors"),
        (("meshes", 0, "primitives", 0, "indices"), 0, "SCALAR"),
        (("meshes", 0, "primitives", 0, "mode"), 9, "mode"),
        (("meshes", 0, "primitives", 0, "targets", 0, "POSITION"), 1, "count|VEC3"),
        (("meshes", 0, "weights"), [1, 2], "weights"),
        (("accessors", 1, "count"), 2**40, "more"),
        (("nodes", 0, "mesh"), -1, "mesh"),
    ],
)
def test_a_wrong_word_in_the_json_is_refused(
    tmp_path: Path, path: tuple[Any, ...], value: dict[str, Any], words: str
) -> None:
    tiny = Tiny()
    tiny.mesh(SQUARE, TWO, [SQUARE], ["smile"])
    tiny.nodes({"mesh": 0})
    at = tiny.json
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(BadFile, match=words):
        read(tiny, tmp_path)


def test_data_that_is_claimed_a_million_times_over_is_refused(tmp_path: Path) -> None:
    tiny = Tiny()
    for _ in range(3000):
        tiny.json.setdefault("meshes", []).append({"primitives": [{"attributes": {"POSITION": 0}}]})
    tiny.accessor(np.zeros((20000, 3)))
    tiny.nodes(*({"mesh": mesh} for mesh in range(3000)))
    with pytest.raises(BadFile, match="far more geometry"):
        read(tiny, tmp_path)
