"""`facewright live`: recorded, listed and sent over real sockets."""

import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.live.livelink import write_livelink
from tests.cli.command import PATIENCE, assert_one_paragraph, command, run, run_alone


@contextmanager
def listening(*words: object) -> Iterator[tuple[subprocess.Popen[str], tuple[str, int]]]:
    """A command that listens, and its address, which it prints."""
    process = subprocess.Popen(command("live", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"Listening on (.+):(\d+)", process.stderr.readline())
        assert found, process.stderr.read()
        yield process, (found[1], int(found[2]))
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


@contextmanager
def sending(address: tuple[str, int]) -> Iterator[None]:
    """Sends a face over and over, 200 times a second, until the block ends."""
    over = threading.Event()

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            frame = 0
            while not over.wait(0.005):
                sender.sendto(write_livelink({"jawOpen": frame % 100 / 100}, frame=frame, rate=200), address)
                frame += 1

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_ctrl_c_ends_a_recording_and_keeps_it(tmp_path: Path) -> None:
    with listening("record", "--port", 0, "-o", tmp_path / "take.fwface") as (process, address), sending(address):
        assert process.stderr is not None
        assert "Hearing Facewright" in process.stderr.readline()
        process.send_signal(subprocess.signal.SIGINT)  # type: ignore[attr-defined]
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told
    document = fw.load_document(tmp_path / "take.fwface")
    assert document.clip == "take"
    assert len(document.clips[0].curves["jawOpen"].times) >= 1


def test_a_recording_of_some_frames_has_their_values_and_times(tmp_path: Path) -> None:
    words = ("record", "--port", 0, "--frames", 20, "--json", "-o", tmp_path / "take.csv")
    with listening(*words) as (process, address), sending(address):
        shown, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told
    facts = msgspec.json.decode(shown)
    assert (facts["frames"], facts["source"]) == (20, "Facewright")
    clip = fw.load_clip(tmp_path / "take.csv")
    steps = np.diff(clip.curves["jawOpen"].times)
    np.testing.assert_allclose(np.diff(clip.curves["jawOpen"].values) / 2, steps, atol=1e-5)


def test_a_clip_is_played_to_whoever_listens(tmp_path: Path) -> None:
    times = np.arange(12) / 60
    fw.save_clip(fw.Clip.from_table("talk", ["jawOpen"], times, times[:, None] * 4), tmp_path / "talk.csv")
    words = ("record", "--port", 0, "--kind", "vmc", "--frames", 12, "-o", tmp_path / "back.csv")
    with listening(*words) as (process, (host, port)):
        done = run_alone("live", "play", tmp_path / "talk.csv", "--to", f"{host}:{port}", "--kind", "vmc", "--json")
        assert msgspec.json.decode(done.stdout)["packets"] == 12
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told
    back = fw.load_clip(tmp_path / "back.csv")
    np.testing.assert_allclose(back.curves["JawOpen"].values, times * 4, atol=1e-5)


def test_senders_are_listed_by_name() -> None:
    with listening("list", "--port", 0, "--seconds", 0.5, "--json") as (process, address), sending(address):
        shown, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told
    (found,) = msgspec.json.decode(shown)["sources"]
    assert found["name"] == "Facewright"
    assert found["received"] > 5


def test_nothing_heard_is_said_in_words(tmp_path: Path) -> None:
    done = run_alone("live", "record", "--port", 0, "--seconds", 0.01, "-o", tmp_path / "take.fwface")
    assert done.returncode == 2
    assert "no packet came to 127.0.0.1" in done.stderr
    assert not (tmp_path / "take.fwface").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("record", "--host", "0.0.0.0"), "every interface"),
        (("record", "--kind", "livelnk"), "livelink"),
        (("play", "TALK", "--to", "nowhere"), "127.0.0.1:11111"),
        (("play", "TALK", "--to", "127.0.0.1:9", "--kind", "json"), "livelink"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_paragraph(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    fw.save_clip(fw.Clip.from_table("talk", ["jawOpen"], [0, 1], [[0], [1]]), tmp_path / "talk.csv")
    given = [str(tmp_path / "talk.csv") if word == "TALK" else word for word in words]
    output = ("-o", tmp_path / "out.csv") if words[0] == "record" else ()
    assert_one_paragraph(run("live", *given, *output), told)
