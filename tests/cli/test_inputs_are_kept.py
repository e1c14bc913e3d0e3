"""No command writes over a file that it reads, whatever the file is called; each says what the written file keeps."""

import os
from pathlib import Path

import msgspec
import pytest

from facewright.cli.discover import find_commands
from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.samples.mask import mask
from tests.cli.command import assert_one_paragraph, run

_LINES = {
    "build": "build {0} {1} --poses {2} --pose {3}:jaw=1 --landmarks {4} --prior {4} -o {out}",
    "convert": "convert {0} {out}",
    "inspect": "inspect {0} --report {out}",
    "pose": "pose {0} --pins {1} --regions {2} --prior {3} -o {out}",
    "live": "live record --rig {0} --map {1} -o {out}",
    "prior": "prior learn {0} {1} {2} --map {3} -o {out}",
    "register": "register {0} {1} --landmarks {2} -o {out}",
    "render": "render {0} --texture {1} --pose {2} --heat {3} -o {out}",
    "rig": "rig combine {0} jaw --sculpt {1} --pose {2} -o {out}",
    "segment": "segment {0} -o {out}",
    "solve": "solve {0} {1} {2} --bind {3} --regions {4} --rest {5} -o {{take}}.csv --save-bind {out}",
    "texture": "texture {0} --map jaw={1} --neutral {2} --mask {3} --pose {4} -o {out}",
    "track": "track {0} {1} --prior {2} -o {out}",
    "transfer": "transfer {0} {1} --landmarks {2} -o {out}",
    "vrm": "vrm add {0} happy jaw=1 -o {out}",
}  # the files that are read have numbers
_SUFFIXES = {"inspect": ".html", "render": ".png"}  # of what is written; of the others .glb
_OTHERS = {
    "build": ["build 0.glb 0.obj --landmarks 1.html --pose 0.glb:jaw=1 -o rig.glb --report 1.html", "1.html"],
    "register": ["register sample 0.obj -o fitted.obj --report 1.html --landmarks 1.html", "1.html"],
    "segment": ["segment 1.png --picture 1.png", "1.png"],
    "solve": ["solve sample 1.csv -o 1.csv", "1.csv"],
}


def test_every_command_that_writes_is_tried() -> None:
    assert set(_LINES) | {"batch", "farm", "poses", "studio"} == set(find_commands())


@pytest.mark.parametrize("command", _LINES)
def test_no_command_writes_over_a_file_that_it_reads(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    suffix = _SUFFIXES.get(command, ".glb")
    names = [f"{number}{suffix}" for number in range(6)]
    for name in names:
        Path(name).write_bytes(b"mine")
    used = [name for number, name in enumerate(names) if f"{{{number}}}" in _LINES[command]]
    if "--poses" in _LINES[command]:
        Path(names[2]).write_bytes(msgspec.json.encode({"poses": [{"file": names[5], "weights": {}}]}))
        used.append(names[5])
    before = {name: Path(name).read_bytes() for name in names}
    for name in used:
        line = _LINES[command].format(*names, out=name)
        assert_one_paragraph(run(*line.split()), name, "is the file that is read")
    assert {name: Path(name).read_bytes() for name in names} == before


@pytest.mark.parametrize("command", _OTHERS)
def test_neither_do_other_outputs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line, name = _OTHERS[command]
    for other in ("0.obj", "0.glb", name):
        Path(other).write_bytes(b"mine")
    assert_one_paragraph(run(*line.split()), name, "that is read")
    assert Path(name).read_bytes() == b"mine"


def test_one_take_is_not_written_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv"):
        Path(name).write_bytes(b"mine")
    Path("c").mkdir()
    Path("c/b.trc").write_bytes(b"mine")
    assert_one_paragraph(run("solve", "sample", "a.csv", "b.csv", "-o", "{take}.csv"), "a.csv is the file that is read")
    assert_one_paragraph(run("solve", "sample", "c/b.trc", "--rest", "b.csv", "-o", "b.csv"), "b.csv is the file")


@pytest.mark.parametrize("spelling", ["link.glb", "twin.glb", "sub/../face.glb", "{absolute}/face.glb"])
def test_other_names_of_a_file_are_that_file(spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("face.glb").write_bytes(b"mine")
    Path("link.glb").symlink_to("face.glb")
    os.link("face.glb", "twin.glb")
    written = spelling.format(absolute=tmp_path)
    assert_one_paragraph(run("transfer", "sample", "face.glb", "-o", written), "is the file that is read")
    assert Path("face.glb").read_bytes() == b"mine"
    assert Path("link.glb").is_symlink()


def test_files_that_a_file_refers_to_are_read_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(mask(vertices=100, shapes=2), "face.gltf")
    told = msgspec.json.decode(Path("face.gltf").read_bytes())
    told["images"] = [{"uri": "skin.png"}]
    Path("face.gltf").write_bytes(msgspec.json.encode(told))
    Path("skin.png").write_bytes(b"mine")
    assert_one_paragraph(run("render", "face.gltf", "-o", "skin.png"), "skin.png is the file that is read with")
    save(mask(vertices=100, shapes=2), "faces")
    assert_one_paragraph(run("transfer", "sample", "faces/neutral.obj", "-o", "faces"), "neutral.obj is the file")
    assert_one_paragraph(run("convert", "faces", "faces"), "is the file that is read with faces")
    assert Path("skin.png").read_bytes() == b"mine"


def test_what_is_changed_may_take_the_place_of_what_it_was(tmp_path: Path) -> None:
    save(mask(vertices=100, shapes=2), tmp_path / "face.fwface")
    assert run("convert", tmp_path / "face.fwface", tmp_path / "face.fwface", "--scale", "2").returncode == 0


def test_a_mesh_alone_is_said_to_have_no_shapes_and_no_clips(tmp_path: Path) -> None:
    rig = mask(vertices=100, shapes=3)
    clip = Clip("talk", {rig.sliders[0]: Curve([0.0, 1.0], [0.0, 1.0])})
    save(Document(rig, (clip,)), tmp_path / "face.fwface")
    said = run("convert", tmp_path / "face.fwface", tmp_path / "face.obj").stderr
    assert f"face.obj: {rig.vertex_count} vertices\n" in said
    assert "face.obj: not kept in .obj: 3 shapes, 1 clip; .fwface keeps everything" in said
    assert load_document(tmp_path / "face.obj").rig.shapes == ()
    said = run("convert", tmp_path / "face.fwface", tmp_path / "face.npz").stderr
    assert f"face.npz: {rig.vertex_count} vertices, 3 shapes\n" in said
    assert "not kept in .npz: 1 clip" in said
    said = run("convert", tmp_path / "face.fwface", tmp_path / "face.glb").stderr
    assert f"face.glb: {rig.vertex_count} vertices, 3 shapes, 1 clip\n" in said
    assert "not kept" not in said
    (tmp_path / "pins.json").write_text("[]")
    pins = ("--pins", tmp_path / "pins.json")
    said = run("pose", tmp_path / "face.fwface", *pins, "-o", tmp_path / "posed.obj").stderr
    assert "not kept in .obj: 3 shapes, 1 clip" in said
    said = run("segment", tmp_path / "face.fwface", "-o", tmp_path / "parts.npz").stderr
    assert "not kept in .npz: 1 clip, 3 regions" in said


def test_transferred_shapes_that_a_file_has_no_place_for_are_said(tmp_path: Path) -> None:
    save(mask(vertices=400, shapes=4), tmp_path / "template.npz")
    said = run("transfer", tmp_path / "template.npz", tmp_path / "template.npz", "-o", tmp_path / "out.obj").stderr
    assert "4 shapes" in said
    assert "not kept in .obj: 4 shapes" in said


def test_several_clips_in_a_table_are_said_to_be_one(tmp_path: Path) -> None:
    rig = mask(vertices=100, shapes=3)
    clips = (Clip(name, {rig.sliders[0]: Curve([0.0, 1.0], [0.0, 1.0])}) for name in ("talk", "nod"))
    save(Document(rig, clips), tmp_path / "face.fwface")
    said = run("solve", tmp_path / "face.fwface", tmp_path / "face.fwface", "-o", tmp_path / "out.csv").stderr
    assert "a table keeps one clip; not in it: talk" in said
