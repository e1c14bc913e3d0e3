"""Every kind of file is known by its content, and opened as what it is; a wrong one says what it holds instead."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from facewright.document import Document
from facewright.errors import BadFile, UnknownFormat
from facewright.formats.clips import save_clip
from facewright.formats.json_files import save_binding, save_regions
from facewright.formats.prior_file import save_prior
from facewright.formats.registry import save
from facewright.formats.takes import save_take
from facewright.image.encoded import Encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.depth import ScanSequence
from facewright.motion.take import Take
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.regions.segment import segment
from facewright.render.png import png_bytes
from facewright.rig.binding import Binding
from facewright.rig.prior import Prior
from facewright.rig.regions import Regions
from facewright.samples.mask import mask
from facewright.workflow.drag.pins_file import PinsFile
from facewright.workflow.file_kind import FileKind, kind_of, openable_suffixes
from facewright.workflow.open import ExamplePoses, Landmarks, open_any, open_as, open_face
from facewright.workflow.pose_file import PoseFile
from tests.capture.acting import acted
from tests.formats.test_scans import ply
from tests.formats.usd_needed import HAS_USD
from tests.reference.sounds import small_video, tone_file

JSON: dict[str, Any] = {
    "landmarks": {"pairs": [[1, 2], [3, 4]]},
    "pose": {"jawOpen": 0.5},
    "pins": {"pins": [{"vertex": 7, "offset": [0, 0.5, 0]}]},
    "poses": {"poses": [{"file": "smile.obj", "weights": {"smile": 1}}]},
}
TYPES = {
    "rig": Document,
    "clip": Clip,
    "take": Take,
    "binding": Binding,
    "regions": Regions,
    "landmarks": Landmarks,
    "pose": PoseFile,
    "pins": PinsFile,
    "poses": ExamplePoses,
    "picture": Encoded,
    "numbers": np.ndarray,
    "prior": Prior,
    "sound": ReferenceSound,
    "video": ReferencePlane,
    "scan": ScanSequence,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file of every kind and suffix."""
    folder = tmp_path_factory.mktemp("files")
    rig, made = mask(), acted(frames=40)
    for suffix in (".fwface", ".glb", ".gltf", ".fbx", *([".usda", ".usdz"] if HAS_USD else []), ".obj", ".npz"):
        save(rig, folder / f"rig{suffix}")
    save(rig, folder / "rig folder")
    save_clip(Clip("c", {"jawOpen": Curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]))}), folder / "clip.csv")
    for suffix in (".csv", ".trc", ".c3d"):
        save_take(made.take, folder / f"take{suffix}")
    save_binding(made.binding, folder / "binding.json")
    save_regions(segment(rig), folder / "regions.json")
    save_prior(Prior.from_names(rig), folder / "prior.json")
    for name, content in JSON.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    (folder / "pins list.json").write_text(json.dumps(JSON["pins"]["pins"]))
    (folder / "picture.png").write_bytes(png_bytes(np.random.default_rng(0).integers(0, 255, (32, 32, 3), np.uint8)))
    np.save(folder / "numbers.npy", np.arange(3.0))
    (folder / "sound.wav").write_bytes(tone_file(0.1))
    scans = folder / "scan folder"
    scans.mkdir()
    Image.fromarray(np.full((3, 4), 400, np.uint16)).save(scans / "1.png")
    lens = {"fx": 4.0, "fy": 4.0, "cx": 1.0, "cy": 1.0}
    (scans / "intrinsics.json").write_text(json.dumps(lens))
    shutil.make_archive(str(folder / "scan zip"), "zip", scans)
    matrix = np.array([[4.0, 0, 1], [0, 4, 1], [0, 0, 1]])
    np.savez(folder / "scan.npz", depth=np.ones((2, 3, 4), np.float32), intrinsics=matrix)
    (folder / "scan.ply").write_bytes(ply("ascii"))
    small_video(folder / "video.webm", seconds=0.2)
    return folder


def test_every_file_is_opened_as_what_it_is(folder: Path) -> None:
    seen = set()
    for path in folder.iterdir():
        if path.suffix in (".bin", ".mtl"):
            continue
        kind = path.stem.split()[0]
        assert kind_of(path) == kind, path
        assert isinstance(open_any(path), TYPES[kind]), path
        seen.add(kind)
    assert seen == set(TYPES) == set(FileKind)


def test_a_byte_order_mark_before_json_is_passed_over(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.json"):
        marked = tmp_path / path.name
        marked.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        kind = path.stem.split()[0]
        assert kind_of((path.name, marked.read_bytes())) == kind
        assert isinstance(open_any(marked), TYPES[kind]), path


def test_the_content_counts_more_than_the_suffix(folder: Path) -> None:
    assert kind_of(("face.txt", (folder / "rig.glb").read_bytes())) is FileKind.RIG
    assert kind_of(("face.json", (folder / "rig.gltf").read_bytes())) is FileKind.RIG
    assert kind_of(("photo.obj", (folder / "picture.png").read_bytes())) is FileKind.PICTURE
    assert kind_of(("recording.txt", (folder / "take.c3d").read_bytes())) is FileKind.TAKE
    assert kind_of(("any.csv", (folder / "take.csv").read_bytes())) is FileKind.TAKE


def test_what_nothing_is_known_about_says_what_would_have_worked() -> None:
    with pytest.raises(UnknownFormat, match=r"letter\.doc.*a rig \(.*\.glb.*a take of markers \(\.c3d") as found:
        kind_of(("letter.doc", b"Dear all"))
    assert len(str(found.value)) < 200
    assert [line for line in found.value.known if ".glb" in line and ".usdz" in line] == [found.value.known[0]]
    assert len(found.value.known) == len(FileKind)
    with pytest.raises(UnknownFormat, match=r"other\.json is JSON of no kind that is opened"):
        kind_of(("other.json", b'{"colour": "red"}'))
    with pytest.raises(UnknownFormat, match=r"cut\.wav does not hold what its name says, a sound"):
        kind_of(("cut.wav", b"RIFFno"))
    with pytest.raises(BadFile, match=r"none\.glb is empty"):
        kind_of(("none.glb", b""))
    with pytest.raises(BadFile, match=r"cut\.json.*no whole JSON"):
        kind_of(("cut.json", b'{"pairs": [[1'))


def test_a_file_of_another_kind_is_named_by_what_it_holds(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"regions\.json: this file holds regions, but no binding of markers"):
        open_as(folder / "regions.json", Binding)
    with pytest.raises(BadFile, match=r"take\.c3d: this file holds a take of markers, but no rig .*\.glb"):
        open_as(folder / "take.c3d", Document)
    with pytest.raises(BadFile, match=r"none\.json: there is no such file"):
        open_as(folder / "none.json", Landmarks)
    with pytest.raises(BadFile, match="there is no such file"):
        open_any(folder / "none.glb")


def test_a_file_that_cannot_be_read_keeps_its_readers_words(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_bytes(b'{"pairs": [[1')
    with pytest.raises(BadFile, match="such a file is"):
        open_as(tmp_path / "cut.json", Landmarks)


def test_an_upload_is_called_by_its_own_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "upload.csv").write_bytes((folder / "clip.csv").read_bytes())
    clip = open_any(tmp_path / "upload.csv", name="smile.csv")
    assert isinstance(clip, Clip)
    assert clip.name == "smile"
    (tmp_path / "upload.glb").write_bytes(b"glTF")
    with pytest.raises(BadFile, match=r"face\.glb") as problem:
        open_any(tmp_path / "upload.glb", name="face.glb")
    assert "upload" not in str(problem.value)


def test_the_embedded_head_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "jawOpen" in open_face("sample").rig.sliders
    monkeypatch.chdir(tmp_path)
    save(mask(), tmp_path / "sample")
    assert "jawOpen" not in open_face("sample").rig.sliders


def test_suffixes_are_those_of_the_kinds() -> None:
    assert openable_suffixes(FileKind.TAKE) == [".c3d", ".trc", ".csv"]
    assert {".fwface", ".glb", ".obj", ".csv", ".c3d", ".json", ".png", ".npy"} <= set(openable_suffixes())
