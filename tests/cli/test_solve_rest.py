"""The face at rest on the command line: frames, a take, a pose; and a head that does not move."""

import json
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.cli.solve_inputs import frames_at_rest, pose_at_rest
from facewright.errors import BadValue
from facewright.formats.json_files import load_binding
from facewright.samples import mask
from tests.cli.command import run

RIG = mask(vertices=150, shapes=5, seed=3)
MARKERS = {f"m{i}": 17 * i for i in range(8)}


def test_frames_at_rest_are_numbers_and_ranges_or_a_file() -> None:
    assert frames_at_rest("") == ()
    assert frames_at_rest("12") == (12,)
    assert frames_at_rest("3, 40-43,7") == (3, 40, 41, 42, 43, 7)
    assert frames_at_rest("rest take.c3d") == Path("rest take.c3d")
    for wrong in ("-4", "7-3", "1-99999999", "4--5"):
        with pytest.raises(BadValue, match="such as 12 or 3,40-60"):
            frames_at_rest(wrong)
    assert (pose_at_rest(""), pose_at_rest("solved"), pose_at_rest("p.json")) == (None, "solved", Path("p.json"))


@pytest.fixture
def words(tmp_path: Path) -> tuple[object, ...]:
    at = list(MARKERS.values())
    rest, moved = RIG.neutral[at], fw.evaluate(RIG, {RIG.sliders[0]: 0.5})[at]
    gap = np.full_like(rest, np.nan)
    fw.save(RIG, tmp_path / "rig.npz")
    fw.save_take(fw.Take(tuple(MARKERS), np.array([gap, gap, moved, rest, moved]), 60.0, "cm"), tmp_path / "take.csv")
    fw.save_take(fw.Take(tuple(MARKERS), np.array([rest] * 3), 60.0, "cm"), tmp_path / "rest.csv")
    (tmp_path / "pose.json").write_text(json.dumps({RIG.sliders[0]: 0.5}))
    pairs = [word for name, vertex in MARKERS.items() for word in ("--pair", f"{name}={vertex}")]
    out = ("-o", tmp_path / "out.csv", "--save-bind", tmp_path / "bind.json", "--unit", "cm")
    return ("solve", tmp_path / "rig.npz", tmp_path / "take.csv", *pairs, *out)


def test_a_rest_without_markers_is_refused_in_words(words: tuple[object, ...]) -> None:
    done = run(*words, "--neutral", "1")
    assert done.returncode == 2
    assert "frame 1 shows no marker" in " ".join(done.stderr.split())


def test_rest_is_taken_from_frames_from_a_take_and_from_a_pose(words: tuple[object, ...], tmp_path: Path) -> None:
    found = []
    for more in (("--neutral", "3,0"), ("--neutral", tmp_path / "rest.csv"), ("--rest-pose", tmp_path / "pose.json")):
        done = run(*words, *more)
        assert done.returncode == 0, done.stderr
        binding = load_binding(tmp_path / "bind.json")
        found.append(binding.to_rig(binding.rest))
    np.testing.assert_allclose(found[0], found[1], atol=1e-3)
    moved = fw.evaluate(RIG, {RIG.sliders[0]: 0.5}) - RIG.neutral
    assert np.abs(found[2] - found[1]).max() < 0.2 * np.abs(moved).max()
    assert f"at rest the face has {RIG.sliders[0]} 0.50" in done.stderr


def test_a_still_head_is_asked_for_by_a_word(words: tuple[object, ...], tmp_path: Path) -> None:
    done = run(*words, "--head", "still")
    assert done.returncode == 0, done.stderr
    clip = fw.load_clip(tmp_path / "out.csv")
    assert not any(clip.curves[name].values.any() for name in ("HeadYaw", "HeadX", "HeadZ"))
    assert run(*words, "--head", "fixed").returncode == 2
