"""A signal to end is answered wherever it finds the program, and leaves no lock and no file behind."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.cli.process import ended_by_signals
from facewright.samples import mask
from facewright.solve import threads
from tests.cli.command import PATIENCE, command

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals are others on Windows")
_TRACED = ("threading", "concurrent", "facewright")
_MOMENTS = 3000  # steps of the interpreter in which the results of six items are taken


def sleeping(item: int) -> int:
    time.sleep(0.002)
    return item


def killed_at(moment: int) -> None:
    """Take results from threads, and send a signal to oneself at a step of the interpreter."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _TRACED:
            return None
        frame.f_trace_opcodes = True
        count += event == "opcode"
        if count == moment:
            sys.settrace(None)
            os.kill(os.getpid(), signal.SIGTERM)
        return trace

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with ended_by_signals():
        results = threads.ahead_on_threads(sleeping, range(6))
        sys.settrace(trace)
        list(results)
        sys.settrace(None)
        os.kill(os.getpid(), signal.SIGTERM)  # it was done before


def status_of(moment: int) -> int:
    """The status with which a forked process ends that is killed at a moment."""
    process = os.fork()
    if process == 0:
        try:
            killed_at(moment)
        finally:
            os._exit(1)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return status
        time.sleep(0.001)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    pytest.fail(f"a signal at step {moment} is not answered")


@pytest.mark.parametrize("step", [101, pytest.param(1, marks=pytest.mark.long)])
def test_a_signal_at_any_step_of_taking_results_ends_the_program(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_cores", lambda: 2)
    for moment in range(1, _MOMENTS, step):
        assert os.waitstatus_to_exitcode(status_of(moment)) == -signal.SIGTERM


@pytest.mark.long  # `test_process` has two such signals
def test_signals_at_200_moments_of_a_film_leave_no_file(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    rig, chosen = mask(100, 2, seed=3), random.Random(1)
    times = np.arange(14_400) / 24
    clip = fw.Clip.from_table("talk", rig.sliders, times, np.sin(times)[:, None] * [0.5, 0.5])
    fw.save(fw.Document(rig, (clip,)), tmp_path / "face.fwface")
    temporary, out = tmp_path / "temporary", tmp_path / "out"
    for folder in (temporary, out):
        folder.mkdir()
    words = ("render", tmp_path / "face.fwface", "--clip", "talk", "--size", "48", "--renderer", "cpu")
    for _ in range(200):
        started = subprocess.Popen(
            command(*words, "-o", out / "film.mp4"), env=os.environ | {"TMPDIR": str(temporary)}, stderr=subprocess.PIPE
        )
        with started as process:
            try:
                end = time.monotonic() + PATIENCE
                while not list(temporary.glob("facewright-*")):
                    assert process.poll() is None
                    assert time.monotonic() < end, "no temporary file appears"
                    time.sleep(0.001)
                time.sleep(chosen.uniform(0, 0.4))
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE) == -signal.SIGTERM
                assert process.stderr is not None
                assert b"Traceback" not in process.stderr.read()
            finally:
                process.kill()
        assert [*temporary.iterdir(), *out.iterdir()] == []
