"""A film that was killed goes on from what was drawn: the same frames as of one that was not."""

import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.rig.head_motion import head_curves
from facewright.samples import mask
from tests.cli.command import PATIENCE, assert_one_paragraph, command, run
from tests.render.films import frames_of_video

FRAMES = 110
RIG = mask(100, 2, seed=3)


@pytest.fixture
def face(tmp_path: Path) -> Path:
    times, along = np.arange(FRAMES) / 24, np.linspace(0, 1, FRAMES)[:, None]
    far = np.ptp(RIG.neutral[:, 0]) * along * [1.0, 0, 0]
    head = head_curves(times, np.tile(np.eye(3), (FRAMES, 1, 1)), far)
    spoken = fw.Clip.from_table("talk", RIG.sliders, times, along * [1.0, 0.5])
    clip = fw.Clip("talk", {**spoken.curves, **head}, 24.0)
    fw.save(fw.Document(RIG, (clip,)), tmp_path / "face.fwface")
    return tmp_path / "face.fwface"


def words(face: Path, out: Path, *more: object) -> tuple[object, ...]:
    return ("render", face, "--clip", "talk", "--size", "48", "--renderer", "cpu", "-o", out, *more)


def ended(face: Path, out: Path, begun: str, how: int) -> None:
    """Begin a film, and end it by a signal once a file of a name is there."""
    with subprocess.Popen(command(*words(face, out, "--resume")), stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + PATIENCE
            while not list(out.parent.glob(begun)):
                assert process.poll() is None, "the film was whole before it could be killed"
                assert time.monotonic() < end, "nothing is drawn"
                time.sleep(0.005)
            process.send_signal(how)
            assert process.wait(PATIENCE) == -how
        finally:
            process.kill()


@pytest.mark.skipif(os.name != "posix", reason="processes are killed in another way on Windows")
def test_killed_frames_go_on_from_those_that_are_there(face: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "frames", tmp_path / "whole"
    ended(face, out, "frames/frame_0020.png", signal.SIGKILL)
    there = {path.name: path.stat().st_mtime_ns for path in out.glob("frame_*.png")}
    assert 20 <= len(there) < FRAMES
    again = run(*words(face, out, "--resume"))
    assert again.returncode == 0, again.stderr
    assert f"{FRAMES} of {FRAMES} frames, {len(there)} of them from before" in again.stderr
    assert {name: (out / name).stat().st_mtime_ns for name in there} == there
    assert run(*words(face, whole)).returncode == 0
    names = sorted(path.name for path in whole.iterdir())
    assert len(names) == FRAMES
    for name in names:
        assert (out / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="processes are killed in another way on Windows")
@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_killed_video_goes_on_from_its_parts(how: int, face: Path, tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    out, whole = tmp_path / "film.mp4", tmp_path / "whole.mp4"
    ended(face, out, "film.mp4.parts/part_000000_0048.mp4", how)
    assert not out.exists()
    if how == signal.SIGTERM:
        assert not (tmp_path / "film.mp4.parts" / "unfinished.mp4").exists()
    again = run(*words(face, out, "--resume"))
    assert again.returncode == 0, again.stderr
    assert "of them from before" in again.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["face.fwface", "film.mp4"]
    assert run(*words(face, whole)).returncode == 0
    (ours, rate, size), (theirs, expected, _) = frames_of_video(out), frames_of_video(whole)
    assert (len(ours), rate, size) == (FRAMES, expected, (48, 48))
    apart = np.abs(ours.astype(int)[:, None, ::4, ::4] - theirs[None, :, ::4, ::4]).mean(axis=(2, 3, 4))
    assert np.diag(apart).max() < 4  # both are compressed
    far = np.abs(np.subtract.outer(np.arange(FRAMES), np.arange(FRAMES))) > 8
    assert (np.where(far, apart, np.inf).min(axis=1) > np.diag(apart)).all()


def test_frames_of_another_film_are_not_gone_on_with(face: Path, tmp_path: Path) -> None:
    out = tmp_path / "frames"
    few = ("--end", "0.1", "--resume")
    assert run(*words(face, out, *few)).returncode == 0
    assert run(*words(face, out, *few)).returncode == 0  # it is whole
    other = run(*words(face, out, "--end", "0.1", "--resume", "--wire"))
    assert_one_paragraph(other, "frames of another film", "remove it to begin anew")
    clips = fw.load_document(face).clips
    fw.save(fw.Document(mask(110, 2, seed=3), clips), face)
    assert_one_paragraph(run(*words(face, out, *few)), "frames of another film")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--resume", "-o", "out.gif"), "a GIF cannot be resumed"),
        (("--resume", "--time", "0", "-o", "out.png"), "--resume goes on with a film"),
    ],
)
def test_what_cannot_be_resumed_says_so(face: Path, tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    placed = [str(tmp_path / word) if word.startswith("out") else word for word in more]
    done = run("render", face, "--clip", "talk", "--size", "32", *placed)
    assert_one_paragraph(done, said)
