"""`facewright render`, as a person runs it: pictures, films, sheets, and what it says to mistakes."""

import json
import re
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import facewright as fw
from facewright.cli.main import app
from facewright.image.encoded import Encoded
from facewright.render import face_picture
from facewright.render.face_renderer import FaceRenderer
from facewright.rig.head_motion import head_curves
from facewright.rig.textures import ShapeTexture
from facewright.samples import mask
from tests.cli.command import run_alone
from tests.render.films import frames_of_gif, frames_of_png, frames_of_video
from tests.some import some

RIG = mask(400, 6, seed=2)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["render", "--renderer", "cpu", *(str(word) for word in words)])


def nod(sliders: Sequence[str], *, rate: float = 10.0, frames: int = 6, sway: float = 0.0) -> fw.Clip:
    """A clip that turns one slider on, and moves the head if asked."""
    times = np.arange(frames) / rate
    clip = fw.Clip.from_table("nod", list(sliders)[:1], times, np.linspace(0, 1, frames)[:, None])
    if not sway:
        return clip
    offsets = np.linspace(0, sway, frames)[:, None] * [1.0, 0, 0]
    head = head_curves(times, np.tile(np.eye(3), (frames, 1, 1)), offsets)
    return fw.Clip("nod", dict(clip.curves) | head, rate)


@pytest.fixture
def face(tmp_path: Path) -> Path:
    path = tmp_path / "face.fwface"
    fw.save(fw.Document(RIG, clips=(nod(RIG.sliders),)), path)
    return path


def test_a_picture_is_the_pose_that_was_asked_for(face: Path, tmp_path: Path) -> None:
    pose, out = tmp_path / "pose.json", tmp_path / "out.png"
    weights = {RIG.sliders[2]: 0.8}
    for text in (weights, {"weights": weights, "status": "solved"}):
        pose.write_text(json.dumps(text))
        shown = run(face, "--pose", pose, "-o", out, "--size", "120x100", "--view", "threequarter")
        assert shown.exit_code == 0, shown.output
        wanted = face_picture(RIG, weights, size=(120, 100), view="threequarter")
        np.testing.assert_array_equal(frames_of_png(out), wanted)


def test_without_a_file_it_is_the_embedded_head_and_without_a_pose_the_file_s_own(tmp_path: Path) -> None:
    out, face = tmp_path / "out.png", tmp_path / "posed.fwface"
    assert run_alone("render", "--renderer", "cpu", "-o", out, "--size", "60").returncode == 0
    np.testing.assert_array_equal(frames_of_png(out), face_picture(fw.sample(), size=(60, 60)))
    fw.save(fw.Document(RIG, pose=RIG.weights({RIG.sliders[1]: 1.0})), face)
    assert run(face, "-o", out, "--size", "60").exit_code == 0
    np.testing.assert_array_equal(frames_of_png(out), face_picture(RIG, {RIG.sliders[1]: 1.0}, size=(60, 60)))


def test_frames_of_a_clip_are_its_poses(face: Path, tmp_path: Path) -> None:
    shown = run(face, "--clip", "nod", "-o", tmp_path / "frames", "--size", "60")
    assert shown.exit_code == 0, shown.output
    assert "6 of 6 frames" in shown.output
    files = sorted(path.name for path in (tmp_path / "frames").iterdir())
    assert files == [f"frame_{i:04d}.png" for i in range(1, 7)]
    for i, value in enumerate(np.linspace(0, 1, 6), 1):
        wanted = face_picture(RIG, {RIG.sliders[0]: value}, size=(60, 60)).astype(int)
        assert np.abs(frames_of_png(tmp_path / f"frames/frame_{i:04d}.png") - wanted).max() <= 2  # summed otherwise


def test_a_range_of_a_clip_is_its_frames_from_one_second_to_another(face: Path, tmp_path: Path) -> None:
    whole = run(face, "--clip", "nod", "-o", tmp_path / "whole", "--size", "40")
    part = run(face, "--clip", "nod", "--start", "0.2", "--end", "0.4", "-o", tmp_path / "part", "--size", "40")
    assert (whole.exit_code, part.exit_code) == (0, 0), part.output
    assert len(list((tmp_path / "part").iterdir())) == 3
    for number in range(1, 4):
        assert (tmp_path / "part" / f"frame_{number:04d}.png").read_bytes() == (
            tmp_path / "whole" / f"frame_{number + 2:04d}.png"
        ).read_bytes()


def test_frames_left_by_a_longer_film_are_told(face: Path, tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "frame_0123.png").write_bytes(b"old")
    shown = run(face, "--clip", "nod", "-o", tmp_path / "frames", "--size", "40")
    assert "1 frames of another film are still there, from frame_0123.png on" in shown.output


@pytest.mark.parametrize(("fps", "count"), [(None, 6), (4, 3), (20, 11)])
def test_a_video_has_a_frame_for_each_moment_at_the_rate_that_was_asked_for(
    face: Path, tmp_path: Path, fps: int | None, count: int
) -> None:
    out = tmp_path / "out.mp4"
    words = ["--fps", fps] if fps else []
    shown = run(face, "--clip", "nod", "-o", out, "--size", "75x64", *words)
    assert shown.exit_code == 0, shown.output
    frames, rate, size = frames_of_video(out)
    assert (len(frames), rate, size) == (count, fps or 10, (76, 64))  # videos have even sizes
    last = face_picture(RIG, {RIG.sliders[0]: 1.0}, size=(75, 64))
    assert np.abs(frames[-1][:, :75].astype(int) - last).mean() < 4


def test_a_gif_has_the_colours_and_the_time_of_its_frames(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gif"
    assert run(face, "--clip", "nod", "-o", out, "--size", "90").exit_code == 0
    frames, delays = frames_of_gif(out)
    assert len(frames) == 6
    assert delays == [100] * 6
    last = face_picture(RIG, {RIG.sliders[0]: 1.0}, size=(90, 90))
    assert np.abs(frames[-1].astype(int) - last).mean() < 5


def test_one_moment_of_a_clip_is_a_picture(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run(face, "--clip", "nod", "--time", 0.25, "-o", out, "--size", "60").exit_code == 0
    np.testing.assert_array_equal(frames_of_png(out), face_picture(RIG, {RIG.sliders[0]: 0.5}, size=(60, 60)))


def test_the_head_moves_as_in_the_clip_inside_the_picture_and_can_be_held(tmp_path: Path) -> None:
    face = tmp_path / "face.fwface"
    fw.save(fw.Document(RIG, clips=(nod(RIG.sliders, sway=RIG.size / 3),)), face)
    columns = {}
    for name, words in (("moving", []), ("still", ["--still"])):
        assert run(face, "--clip", "nod", "-o", tmp_path / name, "--size", "90x60", *words).exit_code == 0
        shots = [frames_of_png(path) for path in sorted((tmp_path / name).iterdir())]
        lit = [np.flatnonzero(shot.max(axis=2).max(axis=0) > 110) for shot in shots]
        columns[name] = [float(row.mean()) for row in lit]
        assert all(row.min() > 0 and row.max() < 89 for row in lit)
    assert np.ptp(columns["still"]) < 3
    assert (np.diff(columns["moving"]) > 2).all()


def test_heat_and_wire_are_drawn_and_heat_may_change_with_the_frames(face: Path, tmp_path: Path) -> None:
    out, numbers = tmp_path / "out.png", tmp_path / "error.npy"
    plain = face_picture(RIG, size=(80, 80)).astype(int)
    np.save(numbers, np.linspace(0, 1, RIG.vertex_count))
    for words in (["--heat", numbers], ["--wire"]):
        assert run(face, "-o", out, "--size", "80", *words).exit_code == 0
        assert np.abs(frames_of_png(out) - plain).mean() > 2
    np.save(numbers, np.linspace(0, 1, 6 * RIG.vertex_count).reshape(6, -1).astype(np.float32))
    assert run(face, "--clip", "nod", "-o", tmp_path / "frames", "--size", "60", "--heat", numbers).exit_code == 0
    shots = [frames_of_png(path) for path in sorted((tmp_path / "frames").iterdir())]
    middle = [float(shot[25:35, 25:35].mean()) for shot in shots]
    assert (np.diff(middle) > 1).all()  # brighter as the numbers grow


def test_whoever_draws_it_is_the_same_picture(face: Path, tmp_path: Path) -> None:
    drawn = {}
    for name in ("auto", "cpu"):
        assert run(face, "-o", tmp_path / "out.png", "--size", "90", "--renderer", name).exit_code == 0
        drawn[name] = frames_of_png(tmp_path / "out.png")
    assert np.abs(drawn["auto"] - drawn["cpu"]).mean() < 1


def test_eyes_look_at_a_point_or_into_the_camera(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    eyes = {}
    for look in ("", "camera", "1000,0,300", "-1000,0,300"):
        words = ["--look", look] if look else []
        assert run("-o", out, "--size", "240", "--view", "30", *words).exit_code == 0
        eyes[look] = frames_of_png(out)
    assert all(np.abs(eyes[look] - eyes[""]).max() > 60 for look in eyes if look)
    assert np.abs(eyes["1000,0,300"] - eyes["-1000,0,300"]).max() > 60


def test_a_texture_is_laid_over_the_face_and_a_document_s_own_changes_with_the_pose(tmp_path: Path) -> None:
    out, skin, face = tmp_path / "out.png", tmp_path / "skin.png", tmp_path / "face.fwface"
    colors = {"green": (30, 220, 40), "blue": (30, 40, 220)}
    for name, color in colors.items():
        Image.fromarray(np.full((32, 32, 3), color, np.uint8)).save(tmp_path / f"{name}.png")
    Image.fromarray(np.full((32, 32, 3), colors["green"], np.uint8)).save(skin)
    fw.save(RIG, face)
    assert run(face, "--texture", skin, "-o", out, "--size", "80").exit_code == 0
    middle = frames_of_png(out)[30:50, 30:50].mean(axis=(0, 1))
    assert middle[1] > 1.5 * middle[[0, 2]].max()
    pictures = {name: Encoded((tmp_path / f"{name}.png").read_bytes()) for name in colors}
    textures = fw.Textures(pictures["green"], (ShapeTexture((RIG.shape_names[0],), pictures["blue"]),))
    fw.save(fw.Document(RIG, clips=(nod(RIG.sliders),), textures=textures), face)
    assert run(face, "--clip", "nod", "-o", tmp_path / "frames", "--size", "80").exit_code == 0
    first, last = (
        frames_of_png(tmp_path / f"frames/frame_{i:04d}.png")[30:50, 30:50].mean(axis=(0, 1)) for i in (1, 6)
    )
    assert first[1] > 1.5 * first[2]
    assert last[2] > 1.5 * last[1]
    assert run(face, "--sheet", "-o", out, "--size", "40").exit_code == 0
    sheet = frames_of_png(out)
    assert (sheet[..., 2] > 1.5 * sheet[..., 1] + 20).any()  # the tile of the blue shape
    assert (sheet[..., 1] > 1.5 * sheet[..., 2] + 20).any()


def test_a_sheet_shows_every_shape_and_many_shapes_take_pages(
    face: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(face, "--sheet", "-o", tmp_path / "one.png", "--size", "40").exit_code == 0
    assert frames_of_png(tmp_path / "one.png").shape[0] > 80  # more than a row
    monkeypatch.setattr("facewright.render.shape_sheet.PAGE", 3)
    shown = run(face, "--sheet", "-o", tmp_path / "many.png", "--size", "40")
    assert shown.exit_code == 0, shown.output
    assert sorted(path.name for path in tmp_path.glob("many*")) == ["many-1.png", "many-2.png", "many-3.png"]


@pytest.mark.parametrize("out", ["frames", "out.mp4", "out.gif"])
def test_ctrl_c_leaves_a_whole_shorter_film(
    face: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    drawn = []
    real = FaceRenderer.of

    def of(self: FaceRenderer, positions: np.ndarray, **options: Any) -> np.ndarray:
        shot = real(self, positions, **options)
        if shot.shape[0] == 60:  # not the preview of a GIF
            drawn.append(shot)
        if len(drawn) == 3:
            signal.raise_signal(signal.SIGINT)  # os.kill would end the process on Windows
        return shot

    assert threading.current_thread() is threading.main_thread()
    monkeypatch.setattr(FaceRenderer, "of", of)
    shown = run(face, "--clip", "nod", "-o", tmp_path / out, "--size", "60")
    assert shown.exit_code == 130
    count = int(some(re.search(r"(\d) of 6 frames", shown.output))[1])
    assert 1 <= count < 6  # some are drawn ahead of those that are written
    if out == "frames":
        assert [frames_of_png(path).shape for path in sorted((tmp_path / out).iterdir())] == [(60, 60, 3)] * count
    else:
        found = frames_of_video(tmp_path / out)[0] if out.endswith("mp4") else frames_of_gif(tmp_path / out)[0]
        assert len(found) == count


def test_a_film_that_fails_leaves_the_old_one(face: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for out in ("out.mp4", "out.gif"):
        (tmp_path / out).write_bytes(b"old")
        calls: list[int] = []

        def of(self: FaceRenderer, positions: np.ndarray, calls: list[int] = calls, **options: Any) -> np.ndarray:
            calls.append(1)
            if len(calls) > 10:
                raise MemoryError("no room")
            return np.zeros((60, 60, 3), np.uint8)

        monkeypatch.setattr(FaceRenderer, "of", of)
        shown = run(face, "--clip", "nod", "--fps", 30, "-o", tmp_path / out, "--size", "60")
        assert shown.exit_code == 2
        assert "no room" in shown.output
        assert (tmp_path / out).read_bytes() == b"old"
        assert not list(tmp_path.glob(".out*"))


MISTAKES = {
    "an unknown clip": (["--clip", "nid", "-o", "out.mp4"], "no clip named 'nid'; did you mean nod?"),
    "a film of no clip": (["-o", "out.mp4"], "films need --clip"),
    "a picture of a clip": (["--clip", "nod", "-o", "out.png"], "--time makes a picture of one moment"),
    "an unknown ending": (["-o", "out.jpg"], "a picture is written as .png"),
    "an unknown ending of a film": (["--clip", "nod", "-o", "out.avi"], "a clip is written as a folder"),
    "a moment of no clip": (["--time", "1", "-o", "out.png"], "--time is a moment of a clip"),
    "a pose and a clip": (["--pose", "p.json", "--clip", "nod", "-o", "out.mp4"], "give one of"),
    "an unknown view": (["--view", "back", "-o", "out.png"], "no view named 'back'"),
    "a size of words": (["--size", "large", "-o", "out.png"], "such as 1080 or 1920x1080"),
    "a size of nothing": (["--size", "0", "-o", "out.png"], "16 to 4096"),
    "a range of no clip": (["--start", "1", "-o", "out.png"], "name one with --clip"),
    "a range beside the clip": (["--clip", "nod", "--start", "9", "-o", "out.mp4"], "nothing of it is from 9"),
    "a rate of nothing": (["--clip", "nod", "--fps", "0", "-o", "out.mp4"], "frames a second"),
    "an unknown renderer": (["--renderer", "vulkan", "-o", "out.png"], "no renderer named 'vulkan'"),
    "eyes on nothing": (["--look", "up", "-o", "out.png"], "eyes look at `camera` or at a point"),
    "no such texture": (["--texture", "none.png", "-o", "out.png"], "there is no such file"),
    "no such pose": (["--pose", "none.json", "-o", "out.png"], "there is no such file"),
    "no such heat": (["--heat", "none.npy", "-o", "out.png"], "there is no such file"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_words_before_any_work(
    face: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words, said = MISTAKES[name]
    shown = run(face, *words)
    assert shown.exit_code == 2, shown.output
    assert said in shown.output
    assert "Traceback" not in shown.output
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("out", "frames"))]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"jawOpn": 0.5}, "no slider named 'jawOpn'"),
        ({"weights": {"jawOpen": "wide"}}, "A pose looks like"),
        ([1, 2], "A pose looks like"),
        (b"{broken", "A pose looks like"),
    ],
)
def test_poses_that_cannot_be_are_told_in_words(face: Path, tmp_path: Path, content: object, said: str) -> None:
    path = tmp_path / "pose.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    shown = run(face, "--pose", path, "-o", tmp_path / "out.png")
    assert shown.exit_code == 2
    assert said in shown.output
    assert "pose.json" in shown.output


HEATS: dict[str, tuple[np.ndarray | bytes, str]] = {
    "another length": (np.zeros(7), "one number for each of the 400 vertices"),
    "a block": (np.zeros((2, 2, 400)), "one number for each of the 400 vertices"),
    "not finite": (np.full(400, np.nan), "not finite"),
    "text": (np.array(["a"] * 400), "must hold numbers"),
    "a pickle": (np.array([{}] * 400, object), "must hold numbers"),
    "no array": (b"hello", "no array"),
    "a lie": (b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (400,), }", "no array"),
}


@pytest.mark.parametrize("name", HEATS)
def test_heat_that_cannot_be_is_told_in_words(face: Path, tmp_path: Path, name: str) -> None:
    content, said = HEATS[name]
    path = tmp_path / "heat.npy"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content, allow_pickle=True)
    shown = run(face, "--heat", path, "-o", tmp_path / "out.png")
    assert shown.exit_code == 2
    assert said in shown.output


def test_heat_for_other_frames_than_the_clip_has_is_told(face: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "heat.npy", np.zeros((4, 400)))
    shown = run(face, "--clip", "nod", "--heat", tmp_path / "heat.npy", "-o", tmp_path / "out.mp4")
    assert shown.exit_code == 2
    assert "heat for 4 frames, but the clip has 6" in shown.output


def test_where_nothing_can_be_written_it_is_told_before_the_work(face: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "out.png").mkdir()
    refused = {tmp_path / "file" / "out.png": "nothing can be written", tmp_path / "out.png": "is a folder"}
    for out, words in refused.items():
        shown = run(face, "-o", out)
        assert shown.exit_code == 2
        assert "Traceback" not in shown.output
        assert "out.png" in shown.output
        assert words in shown.output
