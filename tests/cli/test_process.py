"""A command as a process: streams that are closed, readers that end, signals, and errors that are not ours."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from facewright.cli import commands
from facewright.cli.process import ended_by_signals
from facewright.document import Document
from facewright.formats.registry import save
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.rig import Part
from facewright.samples.mask import mask
from tests.cli.command import PATIENCE, assert_one_paragraph, command, run, run_alone

RIG = mask(vertices=100, shapes=1)
on_posix = pytest.mark.skipif(os.name != "posix", reason="streams and signals are others on Windows")


@pytest.fixture
def face(tmp_path: Path) -> Path:
    clip = Clip("talk", {RIG.sliders[0]: Curve([0.0, 600.0], [0.0, 1.0])}, 60.0)
    save(Document(RIG, (clip,)), tmp_path / "face.fwface")
    return tmp_path / "face.fwface"


def closed(*streams: int) -> list[str]:
    """Words that start the words after them with streams closed."""
    return [
        sys.executable,
        "-c",
        f"import os, sys; [os.close(n) for n in {streams}]; os.execv(sys.argv[1], sys.argv[1:])",
    ]


@on_posix
@pytest.mark.parametrize(
    "streams", [pytest.param((1,), marks=pytest.mark.long), pytest.param((2,), marks=pytest.mark.long), (0, 1, 2)]
)
def test_closed_streams_are_no_mistake(streams: tuple[int, ...], face: Path, tmp_path: Path) -> None:
    pages = ("--report", tmp_path / "report.html")
    done = subprocess.run([*closed(*streams), *command("inspect", face, *pages)], capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>")


@on_posix
@pytest.mark.parametrize("words", [["--json"], pytest.param([], marks=pytest.mark.long)])
def test_a_reader_that_has_ended_is_no_mistake(words: list[str], face: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command("inspect", face, *words), stdout=writing, stderr=subprocess.PIPE, timeout=PATIENCE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_letters_that_a_terminal_lacks_are_written_as_codes(tmp_path: Path) -> None:
    save(replace(RIG, parts=(Part("nariz ñ ■", 0, RIG.vertex_count),)), tmp_path / "face.fwface")
    done = run_alone("inspect", tmp_path / "face.fwface", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nariz \\xf1 \\u25a0" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file on which nothing can be written")
@pytest.mark.parametrize("words", [["--json"], pytest.param([], marks=pytest.mark.long)])
def test_output_that_cannot_be_written_is_one_paragraph(words: list[str], face: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command("inspect", face, *words), stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert done.stderr.count(b"\n") == 1


@on_posix
@pytest.mark.usefixtures("hangups")
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.long)])
def test_a_signal_to_end_leaves_no_temporary_files(name: str, face: Path, tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    number, temporary, out = getattr(signal, name), tmp_path / "temporary", tmp_path / "out"
    for folder in (temporary, out):
        folder.mkdir()
    words = command("render", face, "--clip", "talk", "--size", "32", "--renderer", "cpu", "-o", out / "film.mp4")
    with subprocess.Popen(words, env=os.environ | {"TMPDIR": str(temporary)}, stderr=subprocess.PIPE) as process:
        try:
            end = time.monotonic() + PATIENCE
            while not list(temporary.glob("facewright-*/film.mp4")):
                assert process.poll() is None
                assert time.monotonic() < end, "no temporary file appears"
                time.sleep(0.02)
            process.send_signal(number)
            assert process.wait(PATIENCE) == -number
        finally:
            process.kill()
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    assert [*temporary.iterdir(), *out.iterdir()] == []


@on_posix
def test_a_signal_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    terminated = signal.getsignal(signal.SIGTERM)
    try:
        with ended_by_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
        signal.signal(signal.SIGTERM, terminated)


@pytest.mark.parametrize(
    ("thrown", "words"),
    [
        ("ValueError('7 is no\\n  face')", "ValueError ({file}): 7 is no face. This should not happen"),
        ("OSError(28, 'No space left on device', 'out.glb')", "out.glb: No space left on device"),
        ("MemoryError()", "there is not enough memory for this ({file})"),
        ("RecursionError()", "RecursionError ({file}): RecursionError. This should not happen"),
    ],
)
def test_whatever_is_thrown_is_one_paragraph_with_the_file_s_name(
    thrown: str, words: str, face: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'"""Fail."""\n\n\ndef failing(file: str) -> None:\n    """Fail."""\n    raise {thrown}\n'
    (tmp_path / "failing.py").write_text(text)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    try:
        assert_one_paragraph(run("failing", face), words.format(file=face))
    finally:
        sys.modules.pop("facewright.cli.commands.failing", None)
