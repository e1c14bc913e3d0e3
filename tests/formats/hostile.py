"""Small files that claim, repeat or nest more than they hold, each made by a function (folder) -> path."""

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from tests.formats.gltf_files import Tiny
from tests.image.ktx2_files import HERE

Maker = Callable[[Path], Path]
SizedMaker = Callable[[Path, int], Path]
POINTS = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
MANY = 20_000
FILES: dict[str, Maker] = {}
WHOLE: dict[str, Maker] = {}  # those of FILES that are larger in the long run


def hostile(make: Maker) -> Maker:
    FILES[make.__name__] = make
    return make


def sized(*, part: int, whole: int) -> Callable[[SizedMaker], SizedMaker]:
    """A file that takes seconds to read: a small one for every run of the tests, the whole for the long one."""

    def register(make: SizedMaker) -> SizedMaker:
        FILES[make.__name__] = lambda folder: make(folder, part)
        WHOLE[make.__name__] = lambda folder: make(folder, whole)
        return make

    return register


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def saved(tiny: Tiny, path: Path) -> Path:
    tiny.json["buffers"] = [{"byteLength": len(tiny.binary)}]
    text = json.dumps(tiny.json).encode()
    text += b" " * (-len(text) % 4)
    body = tiny.binary + bytes(-len(tiny.binary) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(body))
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(body), b"BIN\0") + body
    return written(path, head + chunks)


def triangle() -> Tiny:
    tiny = Tiny()
    tiny.mesh(POINTS, [[0, 1, 2]], [np.eye(3)], ["smile"])
    return tiny.nodes({"mesh": 0})


def arrays(path: Path, **members: Any) -> Path:
    np.savez_compressed(path, **members)
    return path


# Tables of markers


@hostile
def names_of_separators(folder: Path) -> Path:
    return written(folder / "take.csv", "time," + "_" * 100_000 + "1\n0,1\n")


@hostile
def comments_before_nothing(folder: Path) -> Path:
    return written(folder / "face.obj", " \t  #\n" * 3000 + "x")


@hostile
def a_trc_of_many_names(folder: Path) -> Path:
    names = "".join(f"{i}\t\t\t" for i in range(60_000))
    head = "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tUnits\n60\tmm\nFrame#\tTime\t"
    return written(folder / "take.trc", head + names + "\n\n1\t0\t" + "0\t" * 180_000 + "\n")


@hostile
def a_trc_of_names_and_no_cells(folder: Path) -> Path:
    names = "".join(f"{i}\t\t\t" for i in range(20_000))
    head = "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tUnits\n60\tmm\nFrame#\tTime\t"
    rows = "".join(f"{i}\t0\t" + "\t" * 40_000 + "\n" for i in range(3)) + "".join(f"{i}\n" for i in range(20_000))
    return written(folder / "take.trc", head + names + "\n\n" + rows)


@hostile
def a_marker_table_of_gaps(folder: Path) -> Path:
    header = ",".join(f"m{i}_{axis}" for i in range(1000) for axis in "xyz")
    at = [*range(300), *range(28_000, 28_300)]
    return written(folder / "take.csv", f"frame,{header}\n" + "".join(f"{i}" + "," * 3000 + "\n" for i in at))


@hostile
def a_c3d_of_equal_labels(folder: Path) -> Path:
    points = 255 * 100
    labels = [b"same", *(b"*%d" % i for i in range(1, 255))]
    groups = b"".join(
        _c3d_parameter(b"LABELS%s" % (b"" if i == 0 else b"%d" % (i + 1)), labels) for i in range(points // 255)
    )
    numbers = _c3d_number(b"USED", points - 65536 if points > 32767 else points)
    numbers += _c3d_number(b"DATA_START", 2 + -(-len(groups) // 512)) + _c3d_number(b"FRAMES", 1)
    rate = struct.pack("<bb", 4, 1) + b"RATE" + struct.pack("<hbbfb", 9, 4, 0, 60.0, 0)
    scale = struct.pack("<bb", 5, 1) + b"SCALE" + struct.pack("<hbbfb", 9, 4, 0, -1.0, 0)
    body = struct.pack("<bb", 5, -1) + b"POINT" + struct.pack("<hb", 3, 0) + numbers + rate + scale + groups
    blocks = -(-(len(body) + 4) // 512)
    header = struct.pack("<BBHHHHHfHHf", 2, 0x50, points, 0, 1, 1, 0, -1.0, 2 + blocks, 0, 60.0).ljust(512, b"\0")
    parameters = (struct.pack("<BBBB", 1, 0x50, min(blocks, 255), 84) + body).ljust(512 * blocks, b"\0")
    return written(folder / "take.c3d", header + parameters + bytes(16 * (points + 64)))


def _c3d_number(name: bytes, value: int) -> bytes:
    return struct.pack("<bb", len(name), 1) + name + struct.pack("<hbbhb", 7, 2, 0, value, 0)


def _c3d_parameter(name: bytes, labels: list[bytes]) -> bytes:
    size = max(map(len, labels))
    data = struct.pack("<bbBB", -1, 2, size, len(labels)) + b"".join(label.ljust(size) for label in labels)
    return struct.pack("<bb", len(name), 1) + name + struct.pack("<h", len(data) + 3) + data + b"\0"


# glTF


@hostile
def one_draco_view_for_many_primitives(folder: Path) -> Path:
    return draco_face(folder / "face.glb", primitives=6000, side=150)


def draco_face(path: Path, *, primitives: int, side: int) -> Path:
    """A grid under Draco compression, shown by very many primitives."""
    import DracoPy

    grid = np.stack(np.meshgrid(range(side), range(side), [0]), axis=-1).reshape(-1, 3).astype(float)
    quads = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([quads[:, None] + [0, 1, side], quads[:, None] + [1, side + 1, side]])
    data = DracoPy.encode(grid, faces, preserve_order=True)
    unique = DracoPy.decode(data).attributes[0]["unique_id"]
    tiny = Tiny(extensionsUsed=["KHR_draco_mesh_compression"])
    view = tiny.view(data)
    shown = []
    for _ in range(primitives):
        for count, kind, component in ((len(grid), "VEC3", 5126), (3 * len(faces), "SCALAR", 5125)):
            tiny.json["accessors"].append({"count": count, "type": kind, "componentType": component})
        at = len(tiny.json["accessors"]) - 2
        packed = {"bufferView": view, "attributes": {"POSITION": unique}}
        extensions = {"KHR_draco_mesh_compression": packed}
        shown.append({"attributes": {"POSITION": at}, "indices": at + 1, "extensions": extensions})
    tiny.json["meshes"] = [{"primitives": shown}]
    return saved(tiny.nodes({"mesh": 0}), path)


def meshopt_face(path: Path) -> Path:
    """A triangle beside a view under meshopt compression, whose bytes are literals."""
    tiny = triangle()
    data = b"\xa1" + b"\xff" * 3 + bytes(96) + bytes(24)
    packed = {"buffer": 0, "byteOffset": len(tiny.binary), "byteLength": len(data), "count": 8, "byteStride": 12}
    tiny.binary += data
    view = {"buffer": 0, "byteLength": 96, "extensions": {"EXT_meshopt_compression": packed | {"mode": "ATTRIBUTES"}}}
    tiny.json["bufferViews"].append(view)
    tiny.json["accessors"].append({"bufferView": 3, "count": 3, "type": "VEC3", "componentType": 5126})
    tiny.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = 3
    tiny.json["extensionsUsed"] = ["EXT_meshopt_compression"]
    return saved(tiny, path)


@sized(part=5_000, whole=20_000)
def n_gons_in_many_primitives(folder: Path, size: int) -> Path:
    tiny = triangle()
    primitive = {key: value for key, value in tiny.json["meshes"][0]["primitives"][0].items() if key != "targets"}
    tiny.json["extensionsUsed"] = ["FB_ngon_encoding"]
    tiny.json["meshes"] = [{"primitives": [primitive] * size}]
    return saved(tiny, folder / "face.glb")


@sized(part=5_000, whole=20_000)
def many_targets_with_clips(folder: Path, size: int) -> Path:
    tiny = triangle()
    names = [f"s{i}" for i in range(size)]
    mesh = tiny.json["meshes"][0]
    mesh["primitives"][0]["targets"] *= size
    mesh["extras"] = {"targetNames": names}
    times, weights = tiny.accessor([0.0]), tiny.accessor(np.zeros(size), "u1")
    curves = [{"slider": name, "times": [0.0], "values": [0.0]} for name in names]
    tiny.json["animations"] = [
        {
            "samplers": [{"input": times, "output": weights}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
            "extras": {"facewright": {"curves": curves}},
        }
    ] * 2
    return saved(tiny, folder / "face.glb")


@hostile
def many_clips_of_many_targets(folder: Path) -> Path:
    tiny = triangle()
    mesh = tiny.json["meshes"][0]
    mesh["primitives"][0]["targets"] *= 2000
    times, weights = tiny.accessor([0.0]), tiny.accessor(np.zeros(2000), "u1")
    animation = {
        "samplers": [{"input": times, "output": weights}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
    }
    tiny.json["animations"] = [animation] * 2000
    return saved(tiny, folder / "face.glb")


@hostile
def one_buffer_for_many(folder: Path) -> Path:
    tiny = triangle()
    written(folder / "data.bin", tiny.binary.ljust(8 << 20, b"\0"))
    tiny.json["buffers"] = [{"uri": "data.bin", "byteLength": 8 << 20}] * 800
    for index in range(1, 800):
        tiny.json["bufferViews"].append({"buffer": index, "byteLength": 8 << 20})
    return written(folder / "face.gltf", json.dumps(tiny.json))


@hostile
def one_image_for_many(folder: Path) -> Path:
    tiny = triangle()
    written(folder / "data.bin", tiny.binary)
    written(folder / "skin.png", b"\x89PNG" + bytes(8 << 20))
    tiny.json["buffers"] = [{"uri": "data.bin", "byteLength": len(tiny.binary)}]
    tiny.json["images"] = [{"uri": "skin.png"} for _ in range(800)]
    return written(folder / "face.gltf", json.dumps(tiny.json))


@hostile
def one_picture_for_many_shapes(folder: Path) -> Path:
    tiny = triangle()
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 4, 4)
    view = tiny.view(png.ljust(4 << 20, b"\0"))
    place = {"bufferView": view}
    maps = [{"shapes": [f"s{i}"], "picture": place} for i in range(MANY)]
    tiny.json["extras"] = {"facewright": {"textures": {"neutral": place, "maps": maps}}}
    return saved(tiny, folder / "face.glb")


def _meshopt(folder: Path, data: bytes, count: int, stride: int, views: int, mode: str) -> Path:
    tiny = triangle()
    packed: dict[str, Any] = {"buffer": 0, "byteOffset": len(tiny.binary), "byteLength": len(data), "count": count}
    packed |= {"byteStride": stride, "mode": mode}
    tiny.binary += data
    view = {"buffer": 0, "byteLength": count * stride, "extensions": {"EXT_meshopt_compression": packed}}
    tiny.json["bufferViews"] += [view] * views
    tiny.json["extensionsUsed"] = ["EXT_meshopt_compression"]
    return saved(tiny, folder / "face.glb")


@hostile
def zeros_under_meshopt(folder: Path) -> Path:
    count, stride = 1_900_000, 256
    blocks = -(-count // 32)
    return _meshopt(folder, b"\xa1" + b"\xaa" * (64 * blocks) + bytes(256 + 64), count, stride, 1, "ATTRIBUTES")


@hostile
def one_meshopt_stream_for_many(folder: Path) -> Path:
    triangles = 200_000
    return _meshopt(folder, b"\xe1" + b"\xf0" * triangles + bytes(16), 3 * triangles, 2, 400, "TRIANGLES")


@hostile
def lists_of_empties(folder: Path) -> Path:
    tiny = triangle()
    for kind in ("nodes", "materials", "textures", "images", "skins", "scenes", "samplers", "cameras"):
        tiny.json.setdefault(kind, [])
        tiny.json[kind] += [{}] * MANY
    tiny.json["animations"] = [{"samplers": [], "channels": []}] * MANY
    tiny.json["extensionsUsed"] = [""] * MANY
    names = [{"name": f"s{i}"} for i in range(MANY)]
    tiny.json["extras"] = {"facewright": {"sliders": [{"name": "smile"}, *names[1:]], "parts": [], "shapes": []}}
    return saved(tiny, folder / "face.glb")


@sized(part=1500, whole=5000)
def a_mesh_for_every_node(folder: Path, size: int) -> Path:
    tiny = triangle()
    tiny.json["meshes"] *= size
    return saved(tiny.nodes(*({"mesh": i} for i in range(size))), folder / "face.glb")


@hostile
def nodes_in_a_row(folder: Path) -> Path:
    tiny = triangle()
    return saved(tiny.nodes({"mesh": 0}, *({"children": [i]} for i in range(MANY))), folder / "face.glb")


@hostile
def a_device_for_a_buffer(folder: Path) -> Path:
    tiny = triangle()
    os.symlink("/dev/zero", folder / "data.bin")
    tiny.json["buffers"] = [{"uri": "data.bin", "byteLength": len(tiny.binary)}]
    return written(folder / "face.gltf", json.dumps(tiny.json))


@hostile
def a_pipe_for_a_buffer(folder: Path) -> Path:
    tiny = triangle()
    os.mkfifo(folder / "data.bin")
    tiny.json["buffers"] = [{"uri": "data.bin", "byteLength": len(tiny.binary)}]
    return written(folder / "face.gltf", json.dumps(tiny.json))


@hostile
def links_in_a_circle(folder: Path) -> Path:
    tiny = triangle()
    os.symlink("b.bin", folder / "a.bin")
    os.symlink("a.bin", folder / "b.bin")
    tiny.json["buffers"] = [{"uri": "a.bin", "byteLength": len(tiny.binary)}]
    return written(folder / "face.gltf", json.dumps(tiny.json))


def _pipe(suffix: str) -> Maker:
    def make(folder: Path) -> Path:
        os.mkfifo(folder / f"pipe{suffix}")
        return folder / f"pipe{suffix}"

    return make


for _suffix in (".glb", ".gltf", ".fbx", ".fwface", ".npz", ".obj", ".csv", ".trc", ".c3d", ".json", ".npy", ".png"):
    FILES[f"a_pipe_named_{_suffix}"] = _pipe(_suffix)


# Arrays


@hostile
def shapes_of_nothing(folder: Path) -> Path:
    names = np.array([f"s{i}" for i in range(MANY)])
    deltas = np.zeros((MANY, 3, 3), np.float32)
    return arrays(folder / "face.npz", neutral=np.eye(3), deltas=deltas, names=names, faces=np.array([[0, 1, 2]]))


@hostile
def corners_of_one_byte(folder: Path) -> Path:
    faces, deltas = np.zeros((80_000_000, 3), np.uint8), np.zeros((0, 3, 3))
    return arrays(folder / "face.npz", neutral=np.eye(3), deltas=deltas, names=np.zeros(0, "U1"), faces=faces)


@hostile
def thousands_of_similar_names(folder: Path) -> Path:
    shapes = [{"name": f"{'ab' * 200}{i}", "sliders": ["ba" * 200]} for i in range(10_000)]
    sliders = [{"name": f"{'ab' * 200}{i}"} for i in range(10_000)]
    names = np.array([shape["name"] for shape in shapes])
    about = np.array(json.dumps({"shapes": shapes, "sliders": sliders}))
    deltas, faces = np.zeros((10_000, 3, 3), np.float32), np.array([[0, 1, 2]])
    return arrays(folder / "face.npz", neutral=np.eye(3), deltas=deltas, names=names, faces=faces, facewright=about)


@sized(part=250_000, whole=1_000_000)
def a_face_of_very_many_corners(folder: Path, size: int) -> Path:
    return written(folder / "face.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf" + " 1/1/1 2/1/1 3/1/1" * size + "\nvt 0 0\n")


# Pictures


@hostile
def a_jpeg_of_many_scans(folder: Path) -> Path:
    from PIL import Image

    out = BytesIO()
    Image.fromarray(np.zeros((4096, 4096), np.uint8)).save(out, "JPEG", progressive=True)
    data = out.getvalue()
    start = data.rfind(b"\xff\xda")
    scan = data[start : data.rfind(b"\xff\xd9")]
    return written(folder / "skin.jpg", data[:start] + scan * 2000 + b"\xff\xd9")


def _ktx2(name: str, width: int, height: int, level: bytes, unpacked: int) -> bytes:
    """A stored file with another size and another first level."""
    data = bytearray((HERE / name).read_bytes())
    struct.pack_into("<II", data, 20, width, height)
    struct.pack_into("<3Q", data, 80, len(data), len(level), unpacked)
    return bytes(data) + level


@sized(part=4096, whole=8192)
def zeros_as_uastc(folder: Path, size: int) -> Path:
    import zstandard

    level = zstandard.ZstdCompressor(19).compress(bytes(size**2))
    return written(folder / "skin.ktx2", _ktx2("uastc-zstd.ktx2", size, size, level, size**2))


# JSON


@hostile
def regions_of_nothing(folder: Path) -> Path:
    regions = [{"name": f"r{i}", "own": [i], "parent": MANY} for i in range(MANY)]
    whole = {"name": "whole", "level": 1}
    text = {"format": "facewright regions", "version": 1, "vertices": MANY, "regions": [*regions, whole]}
    return written(folder / "regions.json", json.dumps(text))


@hostile
def empty_regions(folder: Path) -> Path:
    regions = [{"name": f"r{i}"} for i in range(MANY)]
    text = {"format": "facewright regions", "version": 1, "vertices": 0, "regions": regions}
    return written(folder / "regions.json", json.dumps(text))


@hostile
def a_bomb_in_a_zip(folder: Path) -> Path:
    path = folder / "face.fwface"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("document.json", b" " * (300 << 20))
    return path


@sized(part=4096, whole=8192)
def zeros_as_zlib(folder: Path, size: int) -> Path:
    data = bytearray(_ktx2("uastc-zstd.ktx2", size, size, zlib.compress(bytes(size**2), 9), size**2))
    struct.pack_into("<I", data, 44, 3)  # the scheme
    return written(folder / "skin.ktx2", bytes(data))


@hostile
def a_repeated_pattern_as_uastc(folder: Path) -> Path:
    import zstandard

    some = np.random.default_rng(1).integers(0, 256, (1 << 14, 16), np.uint8)
    some[:, 0] &= 0xFC  # mode 11
    level = zstandard.ZstdCompressor(3).compress(some.tobytes() * 256)
    return written(folder / "skin.ktx2", _ktx2("uastc-zstd.ktx2", 8192, 8192, level, 1 << 26))
