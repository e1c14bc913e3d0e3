"""What every command takes: sample, standard input and output, JSON, silence, folders that are missing."""

import ast
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import facewright
from facewright.cli.discover import find_commands
from facewright.errors import BadFile
from facewright.formats.clips import load_clip
from facewright.formats.registry import load, load_document, save
from facewright.formats.takes import load_take, save_take
from facewright.motion.take import Take
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from tests.cli.command import PATIENCE, Done, assert_one_paragraph, command, run, run_alone

# Windows consoles print letters of their code page alone; these are the usual ones of Western Europe and America.
CODE_PAGES = ("cp1252", "cp437")
# What is drawn, pages, names that other programs give, and the sign for what is no letter in a file.
OTHER_LETTERS = {("render", "font.py"), ("render", "text.py"), ("workflow", "report"), ("rig", "program_names.py"),
                 ("formats", "usd")}  # fmt: skip


@pytest.fixture
def rig() -> Rig:
    rng = np.random.default_rng(4)
    names = ("jawOpen", "mouthSmileLeft", "mouthSmileRight")
    shapes = tuple(Shape.from_dense(name, rng.normal(size=(20, 3))) for name in names)
    return Rig(rng.normal(size=(20, 3)), np.arange(20).reshape(5, 4), shapes)


@pytest.fixture
def face(rig: Rig, tmp_path: Path) -> Path:
    save(rig, tmp_path / "face.npz")
    return tmp_path / "face.npz"


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    (tmp_path / "talk.csv").write_text("time,jawOpen,mouthSmileLeft\n0,0,0\n0.5,1,0.25\n1,0,0.5\n")
    return tmp_path / "talk.csv"


@pytest.fixture
def markers(tmp_path: Path) -> Path:
    places = np.random.default_rng(5).normal(size=(12, 4, 3))
    places[3, 1] = np.nan
    save_take(Take(("Chin", "Brow", "LipL", "LipR"), places, 60.0, "cm"), tmp_path / "marks.c3d")
    return tmp_path / "marks.c3d"


def told(done: Done) -> Any:
    assert done.returncode == 0, done.stderr
    return msgspec.json.decode(done.stdout)


def piped(data: bytes, *words: object) -> subprocess.CompletedProcess[bytes]:
    """A command as a process whose standard input gives some bytes."""
    return subprocess.run(command(*words), input=data, capture_output=True, timeout=PATIENCE)


def test_every_command_takes_the_options_of_all_and_says_so() -> None:
    verbs = {
        "batch": ["retry"],
        "farm": ["start"],
        "prior": ["learn"],
        "rig": ["bounds"],
        "live": ["record"],
        "texture": ["mix"],
        "vrm": ["add"],
    }
    for name in find_commands():
        words = [name, *verbs.get(name, []), "--help"]
        shown = run(*words).stdout
        for option in ("--json", "--quiet", "--make-folders"):
            assert option in shown, (name, option)
    assert "--install-completion" in run("--help").stdout


@pytest.mark.parametrize("name", ["inspect", "segment", "convert", "pose"])
def test_the_embedded_head_is_named_wherever_a_face_is_asked_for(name: str, tmp_path: Path) -> None:
    (tmp_path / "pins.json").write_text('[{"vertex": 7, "offset": [0, 0.1, 0]}]')
    more: dict[str, list[object]] = {
        "convert": [tmp_path / "head.npz"],
        "pose": ["--pins", tmp_path / "pins.json", "-o", tmp_path / "pose.json"],
    }
    done = run(name, "sample", *more.get(name, []))
    assert done.returncode == 0, done.stderr


def test_what_was_written_kept_and_lost_is_one_json_object(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "face.glb"
    found = told(run("convert", face, out, "--json"))
    assert found["written"] == [
        {"file": str(out), "kept": ["20 vertices", "3 shapes"], "lost": [], "notes": found["written"][0]["notes"]}
    ]
    regions = told(run("segment", face, "--json", "-o", tmp_path / "regions.json"))
    assert sum(one["vertices"] for one in regions["regions"] if one["joins"]) <= 20
    assert regions["written"] == [{"file": str(tmp_path / "regions.json")}]
    edited = told(run("rig", "bounds", face, "jawOpen=0:2", "-o", tmp_path / "b.npz", "--json"))
    assert edited["done"] == ["jawOpen goes from 0 to 2"]


def test_a_mistake_is_told_as_json_too(tmp_path: Path) -> None:
    done = run("convert", tmp_path / "none.glb", tmp_path / "b.glb", "--json")
    assert done.returncode == 2
    assert msgspec.json.decode(done.stdout) == {"errors": [f"{tmp_path / 'none.glb'}: there is no such file"]}
    assert "there is no such file" in done.stderr


def test_a_line_that_cannot_be_understood_is_told_as_json_too(face: Path) -> None:
    for words in (["convert", face], ["inspect", face, "--no-such"], ["no-such"], ["rig", "bounds"]):
        done = run(*words, "--json")
        assert done.returncode == 2
        assert len(msgspec.json.decode(done.stdout)["errors"]) == 1, words


@pytest.mark.parametrize("page", [*(pytest.param(page, marks=pytest.mark.long) for page in CODE_PAGES), "ascii"])
def test_json_is_json_in_every_code_page(page: str, rig: Rig, tmp_path: Path) -> None:
    name = "nariz \N{LATIN SMALL LETTER N WITH TILDE} \N{BLACK SQUARE} \N{GRINNING FACE}"
    save(replace(rig, parts=(Part(name, 0, rig.vertex_count),)), tmp_path / "face.fwface")
    done = run_alone("inspect", tmp_path / "face.fwface", "--json", PYTHONIOENCODING=page)
    assert told(done)["parts"][0]["name"] == name


def test_silence_leaves_errors_alone(face: Path, tmp_path: Path) -> None:
    assert run("convert", face, tmp_path / "a.glb").stderr != ""
    assert run("convert", face, tmp_path / "b.glb", "--quiet").stderr == ""
    assert run("inspect", face, "-q").stdout == ""
    assert_one_paragraph(run("inspect", tmp_path / "none.glb", "-q"), "no such file")


def test_only_what_this_file_loses_is_said(face: Path, tmp_path: Path) -> None:
    assert "not kept" not in run("convert", face, tmp_path / "a.npz.glb").stderr
    document = load_document(face)
    clips = (facewright.Clip.from_table("talk", ["jawOpen"], [0, 1], [[0], [1]]),)
    save(facewright.Document(document.rig, clips=clips), tmp_path / "talking.fwface")
    done = run("convert", tmp_path / "talking.fwface", tmp_path / "talking.npz")
    assert "not kept in .npz: 1 clip" in done.stderr
    assert "material" not in done.stderr


def test_a_folder_is_made_only_if_that_is_asked_for(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "deep" / "face.glb"
    assert_one_paragraph(run("convert", face, out), "there is no folder", "--make-folders")
    assert not (tmp_path / "new").exists()
    assert run("convert", face, out, "--make-folders").returncode == 0
    assert out.is_file()


def test_saving_into_a_missing_folder_is_our_error(rig: Rig, tmp_path: Path) -> None:
    for name in ("face.glb", "face.npz", "face.fwface", "face.fbx", "face.obj", "folder"):
        with pytest.raises(BadFile, match="there is no folder"):
            save(rig, tmp_path / "none" / name)
    assert not (tmp_path / "none").exists()


def test_standard_input_and_output_take_the_place_of_files(face: Path, rig: Rig, tmp_path: Path) -> None:
    done = piped(face.read_bytes(), "convert", "-", "-", "--to", "glb")
    assert done.returncode == 0, done.stderr
    assert b"standard output: 20 vertices, 3 shapes" in done.stderr
    size = rig.size / load(done.stdout).size  # glTF is in metres
    np.testing.assert_allclose(size * load(done.stdout).neutral, rig.neutral, rtol=1e-5, atol=1e-6)
    assert b"standard input: 20 vertices" in piped(done.stdout, "inspect", "-").stdout
    assert not Path("-").exists()
    wrong = piped(b"nothing of ours", "inspect", "-")
    assert (wrong.returncode, wrong.stderr[:27]) == (2, b"facewright: standard input:")
    assert_one_paragraph(run("convert", face, "-"), "--to glb")
    assert_one_paragraph(run("convert", face, "-", "--to", "tiff"), "no format ends in '.tiff'")


def test_many_files_are_shown_and_converted_and_a_bad_one_does_not_stop_the_others(
    face: Path, weights: Path, markers: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.glb").write_bytes(b"no rig")
    done = run("inspect", face, weights, tmp_path / "bad.glb", markers)
    assert done.returncode == 2
    assert "talk.csv: a clip of weights, 1.00 s" in done.stdout
    assert "marks.c3d: a take of markers, 0.20 s, 12 frames, 60 a second, 4 markers, in cm; 97.9% seen" in done.stdout
    assert "bad.glb" in done.stderr
    found = msgspec.json.decode(run("inspect", face, weights, markers, "--json").stdout)
    assert [one["file"] for one in found["files"]] == ["face.npz", "talk.csv", "marks.c3d"]
    done = run("convert", face, tmp_path / "bad.glb", tmp_path / "{name}-new.fwface")
    assert done.returncode == 2
    assert (tmp_path / "face-new.fwface").is_file()
    assert_one_paragraph(run("convert", face, weights, tmp_path / "one.glb"), "{name}.glb")


def test_clips_and_takes_are_converted(face: Path, weights: Path, markers: Path, tmp_path: Path) -> None:
    assert run("convert", weights, tmp_path / "talk.json").returncode == 0
    again = load_clip(tmp_path / "talk.json")
    for name, curve in load_clip(weights).curves.items():
        np.testing.assert_allclose(again.curves[name](curve.times), curve.values, atol=1e-6)
    assert run("convert", weights, tmp_path / "talk.glb", "--rig", face).returncode == 0
    (clip,) = load_document(tmp_path / "talk.glb").clips
    np.testing.assert_allclose(clip.curves["jawOpen"]([0, 0.5, 1]), [0, 1, 0], atol=1e-6)
    assert run("convert", tmp_path / "talk.glb", tmp_path / "back.csv").returncode == 0
    np.testing.assert_allclose(load_clip(tmp_path / "back.csv").curves["jawOpen"]([0.5]), [1], atol=1e-6)
    assert run("convert", markers, tmp_path / "marks.csv").returncode == 0
    np.testing.assert_allclose(load_take(tmp_path / "marks.csv").positions, load_take(markers).positions, atol=1e-4)
    assert_one_paragraph(run("convert", markers, tmp_path / "marks.glb"), "facewright solve sample")
    assert_one_paragraph(run("convert", weights, tmp_path / "x.csv", "--scale", "2"), "--scale means nothing")


def test_a_file_that_is_no_take_lists_what_takes_are(face: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    done = run("solve", face, tmp_path / "notes.txt", "-o", tmp_path / "out.glb")
    assert_one_paragraph(done, ".c3d, .trc or .csv", ".json, .jsonl or .vrma", ".fwface")


def test_no_sentence_of_the_command_line_has_a_letter_that_a_windows_console_lacks() -> None:
    """Neither those of commands, nor the messages of the library that they print; pages and pictures may have it."""
    folder, wrong = Path(facewright.__file__).parent, []
    for file in sorted(folder.rglob("*.py")):
        within, tree = file.relative_to(folder).parts, ast.parse(file.read_text("utf8"))
        if within[:2] in OTHER_LETTERS:
            continue
        unseen = set() if within[0] == "cli" else docstrings(tree)  # those of commands are their help
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in unseen:
                wrong += [(file.name, node.value) for page in CODE_PAGES if not _is_in(page, node.value)]
    assert not wrong


def docstrings(tree: ast.Module) -> set[ast.AST]:
    return {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }


def _is_in(page: str, text: str) -> bool:
    try:
        text.encode(page)
    except UnicodeEncodeError:
        return False
    return True
