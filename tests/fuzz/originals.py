"""One small, rich file of every kind that is read, and how it is read and used."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
from PIL import Image

import facewright as fw
from facewright.document import PlacedPin
from facewright.formats.clips import load_clip, save_clip
from facewright.formats.gltf.container.asset import parse_glb
from facewright.formats.json_files import load_binding, load_landmarks, load_regions, save_binding, save_regions
from facewright.formats.name_map import load_name_map
from facewright.formats.npy import load_numbers
from facewright.formats.scans import load_scan
from facewright.formats.takes import load_take, save_take
from facewright.image.codec import encoded, pixels
from facewright.rig.binding import bind_vertices
from facewright.rig.captured import Captured, SolvedClip
from facewright.rig.expression import Expression
from facewright.rig.expression_edit import pose_with_expressions
from facewright.samples import mask
from facewright.tracking.observed import observed
from facewright.workflow.build.poses_file import load_poses
from facewright.workflow.drag.hold_file import load_hold
from facewright.workflow.drag.pins_file import load_pins
from facewright.workflow.open import open_any
from facewright.workflow.pose_file import load_pose
from tests.formats.fbx_nodes import nodes_of, text_of
from tests.formats.old_fbx import OLD
from tests.formats.test_vrm import new_avatar
from tests.formats.test_vrm_animation import animation
from tests.formats.usd_needed import HAS_USD
from tests.fuzz import media_files, mutate
from tests.fuzz.beside import NAME
from tests.fuzz.kept_files import save_kept, use_everything, use_journal, use_record
from tests.fuzz.media_files import HAS_FFMPEG, save_media
from tests.image.ktx2_files import HERE

RIG = mask(vertices=100, shapes=4, seed=3)
LARGER = mask(vertices=300, shapes=8, seed=3)
HAPPY = fw.Clip.from_table("happy", ["Happy", "Puff"], [0.0, 1.0], [[0.0, 0.5], [1.0, 0.5]])
_SEEN = (16, 12)  # pixels of a depth image
MARKERS = {f"m{i}": 9 * i for i in range(8)}
TEXTURES = {"etc1s.ktx2": "etc1s-alpha.ktx2", "uastc.ktx2": "uastc-zstd.ktx2"}

_JSON = [*mutate.BYTES, mutate.text_token, mutate.gltf_json, mutate.json_numbers, mutate.json_numbers, mutate.json_many]
_TABLE = [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line, mutate.table_many]
_ZIP = [*mutate.BYTES, mutate.zip_member, mutate.zip_member, mutate.zip_member, mutate.zip_claims, mutate.zip_bomb]
_HEAD = [*mutate.BYTES, mutate.header_words]
_GLB = [*mutate.BYTES, *[mutate.glb_json, mutate.glb_numbers] * 3, mutate.glb_cycle, mutate.glb_many]
FORMATS: dict[str, list[mutate.Mutation]] = {
    "rig.glb": _GLB,
    "larger.glb": _GLB,
    "draco.glb": _GLB,
    "meshopt.glb": _GLB,
    "avatar.vrm": [*_GLB, *[mutate.glb_json, mutate.glb_numbers] * 2],
    "rig.gltf": [mutate.gltf_json, mutate.gltf_json, mutate.json_numbers, mutate.json_many, *mutate.BYTES],
    "linked.gltf": [mutate.gltf_json, mutate.json_numbers],
    "wave.vrma": _GLB,
    "rig.fbx": [*mutate.BYTES, *[mutate.fbx_nodes] * 5, mutate.fbx_connections],
    "text.fbx": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line, mutate.fbx_nodes],
    "old.fbx": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line],
    "rig.fwface": _ZIP,
    "everything.fwface": [*_ZIP, mutate.scan_frame, mutate.scan_frame],
    "earlier.fwface": _ZIP,
    "rig.npz": _ZIP,
    "rig.obj": _TABLE,
    "rig.zip": _ZIP,
    "clip.csv": _TABLE,
    "livelink.csv": _TABLE,
    "openface.csv": _TABLE,
    "weights.json": _JSON,
    "audio2face.json": _JSON,
    "names.csv": _TABLE,
    "take.csv": _TABLE,
    "take.trc": _TABLE,
    "take.c3d": [*mutate.BYTES, mutate.header_words, mutate.header_words],
    "etc1s.ktx2": mutate.BYTES,
    "uastc.ktx2": mutate.BYTES,
    "skin.png": mutate.BYTES,
    "skin.jpg": mutate.BYTES,
    "skin.webp": mutate.BYTES,
    "numbers.npy": mutate.BYTES,
    "prior.json": _JSON,
    "depth.npz": _ZIP,
    "depth.png": mutate.BYTES,
    "intrinsics.json": _JSON,
    "scan.ply": [*mutate.BYTES, mutate.text_token, mutate.text_token, mutate.text_line, mutate.header_words],
    "binary.ply": [*mutate.BYTES, mutate.text_token, mutate.header_words],
    "scan.obj": _TABLE,
    "scan.zip": [*mutate.BYTES, *[mutate.zip_member] * 3, mutate.zip_claims],
    "line.wav": _HEAD,
    **dict.fromkeys(media_files.PICTURES, _HEAD),
    "journal": [*mutate.BYTES, mutate.journal_record, mutate.journal_record],
    "record.json": _JSON,
    "hold.json": _JSON,
    **dict.fromkeys(("regions.json", "binding.json", "pins.json", "pose.json", "poses.json", "landmarks.json"), _JSON),
}
_USD: dict[str, list[mutate.Mutation]] = {
    "rig.usda": [
        *mutate.BYTES,
        mutate.text_token,
        mutate.text_line,
        *[mutate.usda_numbers, mutate.usda_references] * 4,
    ],
    "rig.usdc": [*mutate.BYTES, mutate.flipped, mutate.overwritten, mutate.header_words],
    "rig.usdz": [*mutate.BYTES, *[mutate.usdz_layer] * 3, mutate.zip_claims],
}
_MEDIA: dict[str, list[mutate.Mutation]] = dict.fromkeys(("line.mp3", "actor.mp4"), mutate.BYTES)  # read by ffmpeg
if HAS_USD:
    FORMATS |= _USD
if HAS_FFMPEG:
    FORMATS |= _MEDIA
_RARE = 5  # USD files and media are read by a process each, which takes longer: one of five turns has some
TURNS = [*[name for name in FORMATS if name not in _USD | _MEDIA] * _RARE, *(name for name in FORMATS if name in _USD)]
_RARER = 4  # ffmpeg takes ten times as long as any other reader
TURNS = [*TURNS * _RARER, *(name for name in FORMATS if name in _MEDIA)]


def originals(folder: Path) -> dict[str, bytes]:
    """The bytes of the files by name; what the linked one refers to is under `NAME`."""
    times = [0.0, 0.1, 0.2, 0.4]
    clip = fw.Clip.from_table("talk", RIG.sliders, times, [[0.1 * i] * len(RIG.sliders) for i in range(4)])
    regions = fw.segment(RIG)
    skin, smile = (
        encoded(np.full((4, 4, 3), level, np.uint8), kind) for level, kind in ((9, "image/png"), (99, "image/webp"))
    )
    textures = fw.Textures(skin, (fw.ShapeTexture(RIG.shape_names[:2], smile),), skin, ("face",))
    pins = (PlacedPin(id=1, vertex=7), PlacedPin(id=2, triangle=3, barycentric=(0.5, 0.25, 0.25), hold=True))
    pose = np.full(len(RIG.sliders), 0.2)
    prior = fw.Prior.learn(RIG, np.random.default_rng(2).random((20, len(RIG.sliders))))
    document = fw.Document(RIG, (clip,), pose=pose, regions=regions, textures=textures, pins=pins, prior=prior)
    for name in ("rig.glb", "rig.gltf", "rig.fbx", "rig.npz", "rig.obj", "rig.zip"):
        fw.save(document, folder / name)
    fw.save(fw.Document(LARGER, regions=fw.segment(LARGER)), folder / "larger.glb")
    for name in _USD if HAS_USD else {}:
        fw.save(document, folder / name)
    local = np.full((len(regions.names), len(RIG.sliders)), 0.1)
    solved = SolvedClip("talk", np.array([0, 0, 1, 0]), np.array([[1, 2]]))
    captured = Captured(_take_of(), binding=bind_vertices(RIG, MARKERS), solved=solved)
    fw.save(replace(document, local=local, captured=captured), folder / "rig.fwface")
    save_clip(clip, folder / "clip.csv")
    save_clip(clip, folder / "livelink.csv", style="livelink")
    (folder / "openface.csv").write_text(
        "frame, face_id, timestamp, confidence, success, gaze_0_x, AU12_r, AU45_r, AU12_c\n"
        + "".join(f"{i}, 0, {i / 30:.3f}, 0.9, {i % 3}, 0.1, {i % 5}, 1.5, 1\n" for i in range(1, 6))
    )
    (folder / "weights.json").write_text(
        '[{"timestamp_ms": 0, "faceBlendshapes": [{"categories": [{"categoryName": "Happy", "score": 0.5}]}]},'
        ' {"timestamp_ms": 33, "faceBlendshapes": []}, {"timestamp_ms": 66, "blendShapes": {"Happy": 1.0}}]'
    )
    (folder / "audio2face.json").write_text(
        '{"exportFps": 60.0, "numFrames": 2, "facsNames": ["Happy", "Puff"], "weightMat": [[0.1, 0.2], [0.3, 0.4]]}'
    )
    (folder / "names.csv").write_text(f"source,target,factor\nHappy,{RIG.sliders[0]},0.5\nPuff,{RIG.sliders[1]},\n")
    _save_takes(folder)
    _save_json(folder, regions)
    fw.save_prior(prior, folder / "prior.json")
    _save_compressed(folder)
    new_avatar().save(folder / "avatar.vrm")
    (folder / "text.fbx").write_bytes(text_of(nodes_of((folder / "rig.fbx").read_bytes())))
    (folder / "old.fbx").write_text(OLD)
    for name, kept in TEXTURES.items():
        (folder / name).write_bytes((HERE / kept).read_bytes())
    picture = np.random.default_rng(1).integers(0, 256, (16, 12, 3), np.uint8)
    for name, media in (("skin.png", "image/png"), ("skin.jpg", "image/jpeg"), ("skin.webp", "image/webp")):
        (folder / name).write_bytes(encoded(picture, media).data)
    np.save(folder / "numbers.npy", np.eye(3))
    _save_scans(folder)
    animation(folder / "wave.vrma")
    save_kept(folder)
    save_media(folder)
    return {name: (folder / name).read_bytes() for name in (*FORMATS, NAME)}


def _save_scans(folder: Path) -> None:
    """A depth image, its intrinsics, a sequence of two of them, and the face as points and as a mesh."""
    depth = np.random.default_rng(4).integers(400, 420, (_SEEN[1], _SEEN[0]), np.uint16)
    with BytesIO() as file:
        Image.fromarray(depth).save(file, "PNG")
        (folder / "depth.png").write_bytes(file.getvalue())
    matrix = [[20.0, 0, 7.5], [0, 20.0, 5.5], [0, 0, 1]]
    (folder / "intrinsics.json").write_text(
        json.dumps({"matrix": matrix, "width": _SEEN[0], "height": _SEEN[1], "times": [0.5]})
    )
    np.savez(folder / "depth.npz", depth=np.stack([depth, depth]), intrinsics=np.array(matrix), time=np.array([0, 0.1]))
    points, triangles = 0.01 * RIG.neutral.astype("<f4"), RIG.triangles[:40].astype("<i4")
    head = (
        f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [" ".join(map(str, row)) for row in points.tolist()]
    faces = [f"3 {a} {b} {c}" for a, b, c in triangles.tolist()]
    (folder / "scan.ply").write_text("ply\nformat ascii 1.0\n" + head + "\n".join([*rows, *faces, ""]))
    sizes = np.full((len(triangles), 1), 3, "u1")
    packed = np.hstack([sizes, triangles.view("u1").reshape(len(triangles), 12)])
    begin = ("ply\nformat binary_little_endian 1.0\n" + head).encode()
    (folder / "binary.ply").write_bytes(begin + points.tobytes() + packed.tobytes())
    corners = [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles.tolist()]
    (folder / "scan.obj").write_text("\n".join([*(f"v {row}" for row in rows), *corners, ""]))
    members = [(name, (folder / name).read_bytes()) for name in ("depth.png", "intrinsics.json")]
    (folder / "scan.zip").write_bytes(mutate.zipped(members))


def _scan(path: Path) -> object:
    """Every frame, prepared for being compared with a face."""
    sequence = load_scan(path)
    seen = [observed(frame) for frame in sequence.frames if frame is not None and frame.seen]
    return [each.measured(each.places(50)) for each in seen]


def _depth_folder(path: Path) -> object:
    """A folder with a depth image and intrinsics, one of which is broken."""
    with TemporaryDirectory(dir=path.parent) as folder:
        for name in ("depth.png", "intrinsics.json"):
            whole = path if path.name == name else path.parent.parent / "files" / name
            shutil.copyfile(whole if whole.exists() else path.parent / name, Path(folder) / name)
        return _scan(Path(folder))


def _take_of() -> fw.Take:
    moved = fw.evaluate(RIG, {RIG.sliders[0]: 0.5})[list(MARKERS.values())]
    rest = RIG.neutral[list(MARKERS.values())]
    return fw.Take(tuple(MARKERS), np.stack([rest, moved, rest, moved]), 60.0, "cm")


def _save_takes(folder: Path) -> None:
    take = _take_of()
    for suffix in ("csv", "trc", "c3d"):
        save_take(take, folder / f"take.{suffix}")


def _save_json(folder: Path, regions: fw.Regions) -> None:
    save_regions(regions, folder / "regions.json")
    save_binding(bind_vertices(RIG, MARKERS), folder / "binding.json")
    texts = {
        "pins": {"pins": [{"vertex": 7, "offset": [0, 0.5, 0], "strength": 2}, {"vertex": 9, "hold": True}]},
        "pose": {"weights": {RIG.sliders[0]: 0.5, RIG.sliders[1]: 1}},
        "poses": {"poses": [{"file": "smile.obj", "weights": {RIG.sliders[0]: 0.5}, "name": "smile"}]},
        "hold": [{"vertices": [7, 9], "axes": "y"}, {"vertices": [12]}],
        "landmarks": {"pairs": [[12, 34], [56, "chin"]], "names": ["a", "b"]},
    }
    for name, text in texts.items():
        (folder / f"{name}.json").write_text(json.dumps(text))


def _save_compressed(folder: Path) -> None:
    """Files with compressed geometry, and one whose buffer is a file beside it."""
    from tests.formats.hostile import draco_face, meshopt_face

    draco_face(folder / "draco.glb", primitives=2, side=6)
    meshopt_face(folder / "meshopt.glb")
    plain = parse_glb((folder / "rig.glb").read_bytes())
    data = bytes(plain.binary)
    buffers = [{"uri": NAME, "byteLength": len(data)}] * 2
    (folder / "linked.gltf").write_bytes(msgspec.json.encode({**plain.json, "buffers": buffers}))
    (folder / NAME).write_bytes(data)


def _picture(path: Path) -> object:
    found = open_any(path)
    return pixels(found) if isinstance(found, fw.Encoded) else found


def _pins(path: Path) -> object:
    found = load_pins(path)
    pins = [
        fw.Pin(
            vertex=pin.vertex,
            triangle=pin.triangle,
            barycentric=None if pin.barycentric is None else np.array(pin.barycentric),
            target=None if pin.target is None else np.array(pin.target),
            axes=pin.axes,
            plane=None if pin.plane is None else np.array(pin.plane),
            strength=pin.strength,
            hold=pin.hold or pin.target is None,
        )
        for pin in found.pins[:50]
    ]
    return fw.solve_pose(RIG, pins, found.start, locked=found.locked)


def _held(path: Path) -> object:
    """A pose in which the held points stay."""
    goal = RIG.neutral[0] + 0.01 * RIG.size
    return fw.PoseSolver(RIG).drag([fw.Pin(vertex=0, target=goal)], held=load_hold(path)).to([goal])


def _take(path: Path) -> object:
    take = load_take(path)
    if len(take) * len(take.names) > 2000:
        return take
    return fw.solve_take(RIG, take, bind_vertices(RIG, MARKERS))


def _binding(path: Path) -> object:
    binding = load_binding(path)
    take = fw.Take(tuple(MARKERS), np.repeat(RIG.neutral[list(MARKERS.values())][None], 3, axis=0), 60.0, "cm")
    return fw.solve_take(RIG, take, binding)


def _avatar(path: Path) -> object:
    """The document, posed by its expressions, edited and written."""
    document = fw.load_document(path)
    pose_with_expressions(
        document.rig, document.expressions, document.pose, {one.name: 0.7 for one in document.expressions[:20]}
    )
    changed = replace(document, expressions=(*document.expressions, Expression("of our own, at the end")))
    fw.save(changed, path.with_name("again.vrm"))  # a broken one may be a plain glTF file, which is refused
    return document


def _rig(path: Path) -> object:
    """The document, posed where its rig is small."""
    document = fw.load_document(path)
    rig = document.rig
    if rig.vertex_count and rig.vertex_count * len(rig.shapes) < 100_000:
        fw.solve_pose(rig, [fw.Pin(vertex=0, target=rig.neutral[0] + 0.01 * rig.size)], document.pose)
    return document


def _prior(path: Path) -> object:
    """A pose by the prior, where it knows the rig."""
    solver = fw.PoseSolver(RIG, prior=fw.load_prior(path).on(RIG))
    return solver.solve([fw.Pin(vertex=0, target=RIG.neutral[0] + 0.01 * RIG.size)], method="natural")


USES: dict[str, Callable[[Path], object]] = {
    "clip.csv": load_clip,
    **dict.fromkeys(
        ("livelink.csv", "openface.csv", "weights.json", "audio2face.json"),
        lambda path: fw.retarget(load_clip(path), RIG),
    ),
    "names.csv": lambda path: fw.retarget(HAPPY, RIG, names=load_name_map(path)),
    **dict.fromkeys(("take.csv", "take.trc", "take.c3d"), _take),
    **dict.fromkeys(("etc1s.ktx2", "uastc.ktx2", "skin.png", "skin.jpg", "skin.webp"), _picture),
    "numbers.npy": load_numbers,
    "avatar.vrm": _avatar,
    "regions.json": load_regions,
    "binding.json": _binding,
    "pins.json": _pins,
    "pose.json": lambda path: fw.evaluate(RIG, load_pose(path, RIG)),
    "poses.json": load_poses,
    "landmarks.json": load_landmarks,
    "prior.json": _prior,
    "wave.vrma": lambda path: fw.retarget(load_clip(path), RIG),
    "hold.json": _held,
    "everything.fwface": use_everything,
    "journal": use_journal,
    "record.json": use_record,
    "scan.zip": _scan,
    **media_files.USES,
    **dict.fromkeys(("depth.npz", "scan.ply", "binary.ply", "scan.obj"), _scan),
    **dict.fromkeys(("depth.png", "intrinsics.json"), _depth_folder),
}


def used(name: str, path: Path) -> object:
    """Read a file and do with it what it is for."""
    return USES.get(name, _rig)(path)
