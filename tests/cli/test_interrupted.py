"""Ctrl-C at a terminal while takes are solved."""

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pty", reason="there are no such terminals on Windows")

import facewright as fw
from facewright.formats.json_files import save_binding
from tests.capture.acting import acted
from tests.cli.terminal import Terminal


def test_ctrl_c_keeps_what_is_solved_by_then(tmp_path: Path) -> None:
    made = acted(frames=120, noise=0.01)
    fw.save(made.rig, tmp_path / "rig.npz")
    long = fw.Take(made.take.names, np.tile(made.take.positions, (100, 1, 1)), 60.0, "cm", "long")
    fw.save_take(long, tmp_path / "long.c3d")
    save_binding(made.binding, tmp_path / "bind.json")
    words = ("--bind", tmp_path / "bind.json", "-o", tmp_path / "out.csv")
    with Terminal("solve", tmp_path / "rig.npz", tmp_path / "long.c3d", *words) as terminal:
        terminal.until(r"[1-9]\d*/12000")  # frames that are solved
        terminal.press_ctrl_c()
        assert terminal.ends() == 130, terminal.told
    assert "stopped after" in terminal.told
    clip = fw.load_clip(tmp_path / "out.csv")
    frames = len(clip.times())
    assert 0 < frames < 12_000
    np.testing.assert_allclose(clip.sample(made.rig.sliders, made.take.times[20:100]), made.weights[20:100], atol=0.15)


@pytest.mark.long
def test_ctrl_c_keeps_what_each_of_several_takes_has_by_then(tmp_path: Path) -> None:
    made = acted(frames=120, noise=0.01)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    short, *longer = takes = [tmp_path / f"take{i}.c3d" for i in range(4)]
    fw.save_take(made.take, short)
    long = np.tile(made.take.positions, (150, 1, 1))
    fw.save_take(fw.Take(made.take.names, long, 60.0, "cm", "long"), longer[0])
    for path in longer[1:]:
        shutil.copyfile(longer[0], path)
    words = ("--jobs", 2, "--bind", tmp_path / "bind.json", "--make-folders", "-o", tmp_path / "out" / "{take}.csv")
    with Terminal("solve", tmp_path / "rig.npz", *takes, *words) as terminal:
        terminal.until("1/4")  # the short one is done, two others are at work
        terminal.press_ctrl_c()  # every process of the terminal hears it
        assert terminal.ends() == 130, terminal.told
    assert "Traceback" not in terminal.told
    written = {path.stem: len(fw.load_clip(path).times()) for path in (tmp_path / "out").glob("*.csv")}
    assert written.pop(short.stem) == 120
    assert 1 <= len(written) <= 2
    assert written.keys() < {path.stem for path in longer}
    for frames in written.values():
        assert 0 < frames < 18_000
