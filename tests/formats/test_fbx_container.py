"""Nodes: binary and text say the same, old text too, and what is damaged, encrypted or too much is refused in words."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.fbx_files import add_channel, add_geometry, add_model, fbx_bytes
from tests.formats.fbx_nodes import all_nodes, binary_of, nodes_of, text_of
from tests.formats.format_rigs import assert_same_rig, document
from tests.formats.old_fbx import OLD

import facewright as fw
from facewright.errors import BadFile
from facewright.formats.fbx.container.binary import PackedArray
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.write.encode import element
from facewright.formats.fbx.write.objects import WrittenObjects

DOCUMENT = document(["a", "b", "c", "d", 'e "quoted"', "f"], 3)


def written() -> bytes:
    file = io.BytesIO()
    fw.save(DOCUMENT, file, format="fbx")
    return file.getvalue()


def small() -> WrittenObjects:
    objects = WrittenObjects()
    geometry = add_geometry(objects, add_model(objects, "face"))
    add_channel(objects, geometry, "open", [(100.0, np.array([2]), np.ones((1, 3)))])
    return objects


def test_text_and_binary_of_the_same_nodes_give_the_same_document() -> None:
    root = nodes_of(written())
    text = text_of(root)
    one, other = fw.load_document(text), fw.load_document(binary_of(root))
    assert_same_rig(one.rig, other.rig)
    np.testing.assert_array_equal(one.pose, other.pose)
    for a, b in zip(one.clips, other.clips, strict=True):
        assert tuple(a.curves) == tuple(b.curves)
        for name in a.curves:
            np.testing.assert_allclose(a.curves[name].values, b.curves[name].values, atol=1e-6)


def test_old_text_has_its_mesh_its_shapes_and_its_percentages_in_the_model() -> None:
    found = fw.load_document(OLD.encode())
    rig = found.rig
    np.testing.assert_array_equal(rig.neutral, [[0, 2, 0], [1, 2, 0], [1, 3, 0], [0, 3, 0]])
    assert rig.polygons.rows()[0].tolist() == [0, 1, 2, 3]
    assert (rig.sliders, found.pose.tolist()) == (("open",), [0.25])
    np.testing.assert_array_equal(rig.shapes[0].vertices, [1, 2])
    np.testing.assert_array_equal(rig.shapes[0].offsets, [[0, 0, 3], [0, 0, 1]])
    assert found.materials is not None
    assert found.materials[0].color == (0.5, 0.25, 1.0, 1.0)
    clip = found.clips[0]
    assert (clip.name, clip.rate) == ("blink", 25)
    times = [0.5, 1.0, 1.9, 2.0, 2.5, 3.0]
    # Straight, then held, then a cubic from 0.5 that arrives at 0 with a slope of 2 a second
    np.testing.assert_allclose(clip.curves["open"](times), [0.5, 1.0, 1.0, 0.5, 0.25 - 0.25, 0.0], atol=1e-12)
    np.testing.assert_allclose(clip.curves["HeadX"]([0.0, 0.5, 1.0]), [0, 1.5, 3], atol=1e-12)


def test_every_version_of_records_is_read() -> None:
    """Below 7500 places have 32 bits; below 7000 arrays are single values."""
    wide = written()
    narrow = struct.pack("<I", 7400).join([wide[:23], _narrow(nodes_of(wide).children)])
    assert_same_rig(fw.load(narrow), fw.load(wide))


def _narrow(nodes: list[FbxNode]) -> bytes:
    """Records of 32 bits, with arrays that are not packed."""
    out = bytearray()

    def put(node: FbxNode, start: int) -> None:
        values = b"".join(_value(value) for value in node.values)
        at = len(out)
        out.extend(bytes(13) + node.name.encode() + values)
        for child in node.children:
            put(child, start)
        if node.children or not node.values:
            out.extend(bytes(13))
        struct.pack_into("<IIIB", out, at, start + len(out), len(node.values), len(values), len(node.name))

    for node in nodes:
        put(node, 27)
    return bytes(out + bytes(13))


def _value(value: Any) -> bytes:
    if isinstance(value, PackedArray):
        numbers = value.numbers().astype(value.kind)
        letter = {"<f8": b"d", "<f4": b"f", "<i4": b"i", "<i8": b"l"}[value.kind]
        return letter + struct.pack("<III", numbers.size, 0, numbers.nbytes) + numbers.tobytes()
    if isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(data)) + data
    return b"L" + struct.pack("<q", value) if isinstance(value, int) else b"D" + struct.pack("<d", value)


def changed(name: str, *values: Any) -> bytes:
    """The written file with other values in the first node of a name."""
    root = nodes_of(written())
    node = next(one for one in all_nodes(root) if one.name == name)
    node.values = list(values)
    return binary_of(root)


WRONG: dict[str, Callable[[], bytes]] = {
    "the file ends": lambda: written()[:3000],
    "encrypted": lambda: changed("EncryptionType", 1),
    "version 5.8": lambda: b"; FBX 5.8.0 project file\nFBXHeaderExtension: {\n FBXVersion: 5800\n}\n",
    "version 9": lambda: written()[:23] + struct.pack("<I", 9000) + written()[27:],
    "big-endian": lambda: written()[:22] + b"\1" + written()[23:],
    "no FBX file": lambda: b"hello",
    "it is empty": lambda: b"",
    "no multiple of 3": lambda: changed("Vertices", np.arange(4.0)),
    "names vertex": lambda: changed("PolygonVertexIndex", np.array([0, 1, ~99], np.int32)),
    "has no end": lambda: changed("PolygonVertexIndex", np.array([0, 1, 2], np.int32)),
    "moves vertex 99": lambda: _far(),
    "an axis": lambda: fbx_bytes(small(), ("UpAxis", "int", 7)),
    "same axis": lambda: fbx_bytes(small(), ("UpAxis", "int", 2)),
    "two targets at": lambda: _twice(),
    "no model of the file has a mesh": lambda: fbx_bytes(WrittenObjects()),
    "parts of themselves": lambda: _circle(),
    "the JSON cannot be read": lambda: written().replace(b'{\n "sliders"', b'{{ "sliders"'),
}
_WORDS = {"an axis": "axes are 0, 1 and 2", "version 9": "version 9", "same axis": "have the same axis"}


def _far() -> bytes:
    objects = WrittenObjects()
    target = (100.0, np.array([99]), np.ones((1, 3)))
    add_channel(objects, add_geometry(objects, add_model(objects, "face")), "open", [target])
    return fbx_bytes(objects)


def _twice() -> bytes:
    objects = WrittenObjects()
    target = (50.0, np.array([1]), np.ones((1, 3)))
    add_channel(objects, add_geometry(objects, add_model(objects, "face")), "open", [target, target])
    return fbx_bytes(objects)


def _circle() -> bytes:
    objects = WrittenObjects()
    one = add_model(objects, "one", sort="Null")
    two = add_model(objects, "two", above=one)
    objects.connect(one, two)
    add_geometry(objects, two)
    return fbx_bytes(objects)


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused_in_words(what: str) -> None:
    with pytest.raises(BadFile, match=_WORDS.get(what, what)):
        fw.load(WRONG[what](), format="fbx")


def test_an_array_is_not_inflated_beyond_what_it_claims() -> None:
    """The claim counts, and a stream that has more or less is refused before all of it is in memory."""
    for claimed in (10, 1_000_000):
        packed = PackedArray("<f8", claimed, True, memoryview(zlib.compress(bytes(80_000))), ReadBudget(100))
        with pytest.raises(BadFile, match="an array claims"):
            packed.numbers()
    huge = PackedArray("<f8", 2**32 - 1, True, memoryview(zlib.compress(bytes(80))), ReadBudget(100))
    with pytest.raises(BadFile, match="far more bytes"):
        huge.numbers()


def test_a_geometry_that_many_models_and_channels_refer_to_is_read_so_often_only() -> None:
    objects = WrittenObjects()
    model = add_model(objects, "face")
    points = np.zeros((30_000, 3))
    geometry = add_geometry(objects, model, points=points)
    rows = np.arange(30_000, dtype=np.int32)
    inside = [element("Indexes", rows), element("Vertices", np.zeros((30_000, 3)))]
    shape = objects.add("Geometry", "s", "Shape", lambda: inside)
    deformer = objects.add("Deformer", "d", "BlendShape", lambda: [element("Version", 100)])
    objects.connect(deformer, geometry)
    for number in range(300):
        channel = objects.add("Deformer", f"c{number}", "BlendShapeChannel", lambda: [element("DeformPercent", 0.0)])
        objects.connect(channel, deformer)
        objects.connect(shape, channel)
    with pytest.raises(BadFile, match="far more"):
        fw.load(fbx_bytes(objects))


def test_an_image_is_looked_for_in_the_file_s_own_folder_only(tmp_path: Path) -> None:
    from facewright.formats.fbx.scene.materials import texture_files
    from facewright.formats.fbx.scene.objects import FbxScene

    (tmp_path / "in").mkdir()
    for path in ("secret.png", "in/skin.png"):
        (tmp_path / path).write_bytes(b"\x89PNG")
    for name, found in (("../secret.png", []), (str(tmp_path / "secret.png"), []), ("..\\in\\skin.png", ["skin.png"])):
        objects = small()
        objects.add("Texture", "t", "", lambda name=name: [element("RelativeFilename", name)])  # type: ignore[misc]
        data = fbx_bytes(objects)
        scene = FbxScene(7500, nodes_of(data), ReadBudget(len(data)))
        assert [path.name for path in texture_files(scene, tmp_path / "in")] == found
