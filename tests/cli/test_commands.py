"""What every command has in common, and the short commands."""

import inspect
import re
import shlex
import subprocess
from importlib import import_module
from pathlib import Path

import msgspec
import numpy as np
import pytest

import facewright
from facewright.cli.discover import find_commands
from facewright.formats.registry import load_document, save
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from tests.cli.command import PATIENCE, assert_one_paragraph, command, run, run_alone
from tests.formats.usd_needed import NEEDS_USD


@pytest.fixture
def rig() -> Rig:
    rng = np.random.default_rng(2)
    names = (
        "jawOpen",
        "mouthSmile_L",
        "mouthSmile_R",
        "eyeBlink_L",
        "a shape with a rather long name, told in full, to the end",
    )
    shapes = tuple(Shape.from_dense(name, rng.normal(size=(20, 3))) for name in names)
    faces = np.arange(20).reshape(5, 4)
    return Rig(rng.normal(size=(20, 3)), faces, shapes)


@pytest.fixture
def file(rig: Rig, tmp_path: Path) -> Path:
    save(rig, tmp_path / "face.npz")
    return tmp_path / "face.npz"


def test_the_version_is_said() -> None:
    assert run_alone("--version").stdout == f"facewright {facewright.__version__}\n"


def test_a_pipe_gets_every_name_in_full_and_no_colours(file: Path, rig: Rig) -> None:
    done = run_alone("inspect", file, COLUMNS="40")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "…" not in done.stdout
    for name in rig.sliders:
        assert any(line.split()[: len(name.split())] == name.split() for line in done.stdout.splitlines())
    assert "one-sided: eyeBlink_L has no partner on the other side of the face" in done.stdout


def test_json_is_one_object_with_everything(file: Path, rig: Rig) -> None:
    told = msgspec.json.decode(run("inspect", file, "--json").stdout)
    assert told["file"] == "face.npz"
    assert told["vertices"] == 20
    assert told["polygons"] == {"triangles": 0, "quads": 5, "n-gons": 0}
    assert [shape["name"] for shape in told["shapes"]] == list(rig.shape_names)
    reach = [float(np.linalg.norm(shape.offsets, axis=1).max()) for shape in rig.shapes]
    assert [shape["reach"] for shape in told["shapes"]] == pytest.approx(reach)
    assert [finding["kind"] for finding in told["findings"]] == ["one-sided"]
    assert "interference" not in told


def test_what_draws_and_what_writes_rigs_is_loaded_only_where_it_is_needed(file: Path) -> None:
    done = run_alone("inspect", file, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    assert "facewright.report.summary" in done.stderr
    assert "facewright.render" not in done.stderr
    assert "facewright.workflow.export" not in done.stderr


def test_a_file_that_is_not_there_is_one_paragraph(tmp_path: Path) -> None:
    assert_one_paragraph(run_alone("inspect", tmp_path / "none.glb"), "none.glb", "there is no such file")


@pytest.mark.parametrize("suffix", ["glb", "gltf", "fbx", "usda", "usdz", "npz", "fwface", "obj"])
def test_an_empty_file_is_one_paragraph(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"empty.{suffix}").write_bytes(b"")
    assert_one_paragraph(run("inspect", tmp_path / f"empty.{suffix}"), f"empty.{suffix}")


@pytest.mark.parametrize("suffix", ["glb", "gltf", "fbx", "usda", "usdz", "npz", "fwface", "obj"])
def test_a_wrong_file_is_one_paragraph(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"wrong.{suffix}").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    assert_one_paragraph(run("inspect", tmp_path / f"wrong.{suffix}"), f"wrong.{suffix}")


def test_an_unknown_suffix_names_those_that_are_known(tmp_path: Path) -> None:
    (tmp_path / "face.blend").write_bytes(b"BLENDER")
    assert_one_paragraph(
        run("inspect", tmp_path / "face.blend"), ".blend", ".glb", ".fbx", ".usda", ".fwface", ".npz", ".obj"
    )


def test_a_folder_without_obj_files_is_one_paragraph(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert_one_paragraph(run("inspect", tmp_path), ".obj")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read even by root")
def test_an_unreadable_file_is_one_paragraph(tmp_path: Path) -> None:
    (tmp_path / "face.npz").symlink_to("/proc/self/mem")
    assert_one_paragraph(run("inspect", tmp_path / "face.npz"), "face.npz")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_debug_anywhere_on_the_line_shows_where_it_comes_from(place: int, tmp_path: Path) -> None:
    arguments: list[object] = ["inspect", tmp_path / "none.glb"]
    arguments.insert(place, "--debug")
    done = (run, run, run_alone)[place](*arguments)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "BadFile" in done.stderr


def test_what_the_line_lacks_is_said_with_code_two() -> None:
    for arguments in (["inspect"], ["bogus"], ["convert", "a"], ["inspect", "a", "--jsonn"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "Usage:" in done.stderr


def test_a_name_cannot_speak_to_the_terminal(tmp_path: Path) -> None:
    wicked = "[red]x[/red]\x1b]0;title\x07\x1b[31m"
    save(Rig(np.eye(3), [[0, 1, 2]], (Shape(wicked, [0], [[1, 0, 0]]),)), tmp_path / "face.fwface")
    done = run_alone("inspect", tmp_path / "face.fwface", FORCE_COLOR="1", TERM="xterm-256color")
    assert done.returncode == 0, done.stderr
    assert "[red]x[/red]\\x1b]0;title\\x07\\x1b[31m" in re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    assert "\x1b]" not in done.stdout
    assert "\x07" not in done.stdout


def test_a_reader_that_goes_away_is_no_mistake(file: Path) -> None:
    line = f"{shlex.join(command('inspect', file, '--json'))} | head -c 1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "{"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "target",
    ["out.glb", "out.gltf", "out.fbx", pytest.param("out.usda", marks=NEEDS_USD), "out.fwface", "out.npz", "folder"],
)
def test_converted_rigs_are_the_same(target: str, file: Path, rig: Rig, tmp_path: Path) -> None:
    done = run("convert", file, tmp_path / target)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    back = load_document(tmp_path / target).rig
    order = [back.shape_names.index(name) for name in rig.shape_names]
    np.testing.assert_allclose(back.deltas()[order].sum(axis=(1, 2)), rig.deltas().sum(axis=(1, 2)), atol=1e-4)
    assert set(back.shape_names) == set(rig.shape_names)


def test_names_and_scale_are_changed_together(file: Path, rig: Rig, tmp_path: Path) -> None:
    done = run_alone("convert", file, tmp_path / "out.fwface", "--names", "arkit", "--scale", "0.01")
    assert done.returncode == 0, done.stderr
    assert "3 of 5 sliders renamed to arkit; not known there: a shape with a rather long name" in done.stderr
    back = load_document(tmp_path / "out.fwface").rig
    assert back.sliders == ("jawOpen", "mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", rig.sliders[4])
    np.testing.assert_allclose(back.neutral, 0.01 * rig.neutral)
    np.testing.assert_allclose(back.deltas(), 0.01 * rig.deltas())


def test_clips_follow_the_new_names(shared_data: Path, tmp_path: Path) -> None:
    run("convert", shared_data / "facecap" / "facecap_decoded.glb", tmp_path / "out.fwface", "--names", "arkit")
    document = load_document(tmp_path / "out.fwface")
    assert set(document.clips[0].curves) == set(document.rig.sliders) == set(facewright.rig.names.ARKIT)


@pytest.mark.parametrize(
    ("options", "word"),
    [(["--names", "arki"], "did you mean arkit?"), (["--scale", "0"], "positive"), (["--scale", "nan"], "positive")],
)
def test_a_wrong_option_is_one_paragraph_and_writes_nothing(options: list[str], word: str, file: Path) -> None:
    assert_one_paragraph(run("convert", file, file.parent / "out.glb", *options), word)
    assert not (file.parent / "out.glb").exists()


def test_a_file_is_not_written_over_itself_for_nothing(file: Path) -> None:
    before = file.read_bytes()
    assert_one_paragraph(run("convert", file, file), "is the file that is read")
    assert file.read_bytes() == before


def test_an_unknown_target_is_one_paragraph(file: Path) -> None:
    assert_one_paragraph(run("convert", file, file.parent / "out.blend"), ".blend", ".glb", ".fbx")


def test_a_warning_is_one_line_and_the_command_goes_on(rig: Rig, tmp_path: Path) -> None:
    save(rig, tmp_path / "face.gltf")
    told = msgspec.json.decode((tmp_path / "face.gltf").read_bytes())
    told["images"] = [{"uri": "gone.png"}]
    (tmp_path / "face.gltf").write_bytes(msgspec.json.encode(told))
    done = run_alone("inspect", tmp_path / "face.gltf")
    assert done.returncode == 0
    assert done.stderr == "facewright: the image 'gone.png' is not beside the file\n"


def test_a_bare_list_of_pins_and_names_that_look_like_markup_will_do(tmp_path: Path) -> None:
    name = "[/bold]jaw[red]"
    save(Rig(np.eye(3), np.array([[0, 1, 2]]), (Shape(name, [0], [[0.0, 1.0, 0.0]]),)), tmp_path / "face.npz")
    (tmp_path / "pins.json").write_bytes(b'[{"vertex": 0, "offset": [0, 0.5, 0]}, {"vertex": 1, "hold": true}]')
    done = run_alone("pose", tmp_path / "face.npz", "--pins", tmp_path / "pins.json", "-o", tmp_path / "pose.json")
    assert done.returncode == 0, done.stderr
    assert name in done.stderr
    assert msgspec.json.decode((tmp_path / "pose.json").read_bytes())["weights"][name] == pytest.approx(0.5, abs=0.02)


def test_a_pose_starts_where_the_file_left_it_or_where_the_pins_say(tmp_path: Path) -> None:
    rig = Rig(np.eye(3), np.array([[0, 1, 2]]), (Shape("jaw", [0], [[0.0, 1.0, 0.0]]),))
    save(facewright.Document(rig, pose=[0.25]), tmp_path / "face.npz")
    for start, weights in (("", {"jaw": 0.25}), (', "start": {}', {}), (', "start": {"jaw": 0.75}', {"jaw": 0.75})):
        (tmp_path / "pins.json").write_text(f'{{"pins": []{start}}}')
        run("pose", tmp_path / "face.npz", "--pins", tmp_path / "pins.json", "-o", tmp_path / "pose.json")
        assert msgspec.json.decode((tmp_path / "pose.json").read_bytes())["weights"] == weights


def test_what_regions_add_is_baked_for_other_programs_and_said(tmp_path: Path) -> None:
    rig = facewright.sample()
    regions = facewright.segment(rig)
    local = np.zeros((len(regions.names), len(rig.sliders)))
    local[regions.node("mouth"), rig.slider_index("jawOpen")] = 0.5
    times = [0.0, 1.0]
    clip = facewright.Clip(
        "talk", {"jawOpen": facewright.Curve(times, [0.0, 0.3]), "jawOpen @ nose": facewright.Curve(times, [0.0, 0.4])}
    )
    save(facewright.Document(rig, (clip,), regions=regions, local=local), tmp_path / "face.fwface")
    shown = run("convert", tmp_path / "face.fwface", tmp_path / "face.glb")
    assert shown.returncode == 0, shown.stderr
    assert "2 shapes were added for what differs between regions" in " ".join(shown.stderr.split())
    back = load_document(tmp_path / "face.glb")
    assert back.local is None
    assert back.pose[back.rig.slider_index("jawOpen @ mouth")] == pytest.approx(0.5)
    np.testing.assert_allclose(back.clips[0].curves["jawOpen @ nose"]([0.0, 0.5, 1.0]), [0.0, 0.2, 0.4], atol=1e-6)
    save(rig, tmp_path / "rest.fwface")
    own, baked, rest = (_picture(tmp_path / name) for name in ("face.fwface", "face.glb", "rest.fwface"))
    assert np.abs(own - baked).mean() < 0.1 * np.abs(own - rest).mean()
    again = run("convert", tmp_path / "face.fwface", tmp_path / "again.fwface")
    assert "added" not in again.stderr
    np.testing.assert_array_equal(load_document(tmp_path / "again.fwface").local, local)


def _picture(face: Path) -> np.ndarray:
    """A face as `facewright render` draws it."""
    from PIL import Image

    assert run("render", face, "-o", face.with_suffix(".png"), "--size", "200").returncode == 0
    return np.asarray(Image.open(face.with_suffix(".png")), np.float64)


def test_every_command_begins_its_own_help_with_the_words_of_the_list() -> None:
    for name, found in find_commands().items():
        own = inspect.getdoc(getattr(import_module(f"facewright.cli.commands.{name}"), name))
        assert own is not None
        assert own.startswith(found.summary.rstrip("."))


def test_a_mistyped_command_is_told_the_right_one() -> None:
    done = run_alone("inspct")
    assert done.returncode == 2
    assert "Did you mean 'inspect'?" in done.stderr


def test_a_pose_that_cannot_be_written_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    shown = run("pose", tmp_path / "none.glb", "--pins", tmp_path / "none.json", "-o", tmp_path / "out.txt")
    assert shown.returncode == 2
    known = ".json, .obj, .glb, .gltf, .vrm, .fbx, .usda, .usdc, .usdz, .fwface or .png"
    assert_one_paragraph(shown, f"out.txt: a pose is written as {known}")


def test_plain_targets_are_written_for_other_programs(tmp_path: Path) -> None:
    plain = facewright.sample()
    rig = facewright.edit.extract_corrective(plain, "both", {"jawOpen": 1.0, "mouthSmileLeft": 0.5}, plain.neutral)
    values = np.array([[0, 0], [0.5, 0.25], [1, 0.75]])
    clip = facewright.Clip.from_table("talk", ["jawOpen", "mouthSmileLeft"], [0, 0.5, 1], values)
    facewright.save(facewright.Document(rig, (clip,)), tmp_path / "face.fwface")
    done = run("convert", tmp_path / "face.fwface", tmp_path / "plain.glb", "--plain")
    assert done.returncode == 0
    assert "1 in-between" in done.stderr
    back = facewright.load_document(tmp_path / "plain.glb")
    assert back.rig.is_linear
    now, before = back.clips[0].sample(back.rig.sliders, [0.5]), clip.sample(rig.sliders, [0.5])
    assert np.abs(facewright.evaluate(back.rig, now) - facewright.evaluate(rig, before)).max() < 1e-6 * rig.size
    refused = run("convert", tmp_path / "face.fwface", tmp_path / "other.glb", "--tolerance", "0.1")
    assert refused.returncode == 2
    assert "give both" in refused.stderr
