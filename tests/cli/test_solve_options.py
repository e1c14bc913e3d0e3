"""What `facewright solve` can be told about a take, an actor and a rig."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.capture.solver import solve_take
from facewright.cli.solve_inputs import marker_pairs
from facewright.errors import BadValue
from facewright.formats.json_files import load_binding, save_binding, save_regions
from tests.capture.acting import acted
from tests.capture.test_followers import JAW, toothless
from tests.capture.test_names_and_places import FACE, actor
from tests.capture.test_regional import halves
from tests.cli.command import assert_one_paragraph, run


def test_markers_are_chosen_by_patterns(tmp_path: Path) -> None:
    fw.save_take(actor(), tmp_path / "t.csv")
    chosen = ("--without", "*cheek*", "--without", "ForeHead_M", "--save-bind", tmp_path / "b.json")
    done = run("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv", *chosen)
    assert done.returncode == 0, done.stderr
    assert set(load_binding(tmp_path / "b.json").markers) == set(FACE) - {"Lcheek_Down", "Rcheek_Down", "ForeHead_M"}
    only = ("--only", "*eye*", "--only", "Mouth*", "--only", "Chin", "--save-bind", tmp_path / "c.json")
    done = run("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv", *only)
    assert done.returncode == 0, done.stderr
    assert "NoseHead" not in load_binding(tmp_path / "c.json").markers
    assert_one_paragraph(
        run("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv", "--only", "Toe*"), "Leye_Up"
    )


def test_sliders_are_chosen_by_names_and_sets(tmp_path: Path) -> None:
    fw.save_take(actor(), tmp_path / "t.csv")
    words = ("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv")
    done = run(*words, "--sliders", "jaw", "--sliders", "browInnerUp")
    assert done.returncode == 0, done.stderr
    rig = fw.sample()
    moved = np.flatnonzero(weights_in(tmp_path / "o.csv").any(axis=0))
    group = dict(zip(rig.sliders, rig.groups, strict=True))
    assert {rig.sliders[i] for i in moved} <= {name for name in rig.sliders if group[name] == "jaw"} | {"browInnerUp"}
    assert len(moved)
    assert_one_paragraph(run(*words, "--sliders", "no such"), "set of sliders")


def test_a_prior_is_that_of_a_file_or_of_the_rig_s_document(tmp_path: Path) -> None:
    take, rig = actor(), fw.sample()
    fw.save_take(take, tmp_path / "t.csv")
    rng = np.random.default_rng(0)
    habits = np.clip(rng.normal(size=(300, 3)) @ rng.normal(size=(3, len(rig.sliders))) / 3, 0, 1)
    prior = fw.Prior.learn(rig, habits)
    fw.save_prior(prior, tmp_path / "habits.json")
    fw.save(fw.Document(rig, prior=prior), tmp_path / "face.fwface")
    for rig_name, name, more in (
        ("sample", "given", ("--prior", tmp_path / "habits.json")),
        (tmp_path / "face.fwface", "own", ()),
    ):
        done = run("solve", rig_name, tmp_path / "t.csv", "-o", tmp_path / f"{name}.csv", *more)
        assert done.returncode == 0, done.stderr
    expected = fw.solve_take(rig, take, prior=prior).weights
    assert np.abs(expected - fw.solve_take(rig, take).weights).max() > 1e-3
    for name in ("given", "own"):
        np.testing.assert_allclose(weights_in(tmp_path / f"{name}.csv"), expected, atol=1e-5)
    (tmp_path / "none.json").write_text("{}")
    words = ("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv", "--prior", tmp_path / "none.json")
    assert_one_paragraph(run(*words), "prior")


def test_unlabelled_markers_are_no_part_of_it(tmp_path: Path) -> None:
    take = actor()
    stray = np.random.default_rng(0).uniform(-30, 30, size=(len(take), 2, 3))
    more = fw.Take((*take.names, "*23", "unlabeled7"), np.concatenate([take.positions, stray], axis=1), 60.0, "cm")
    for name, one in (("with", more), ("bare", take)):
        fw.save_take(one, tmp_path / f"{name}.c3d")
        done = run("solve", "sample", tmp_path / f"{name}.c3d", "-o", tmp_path / f"{name}.csv")
        assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(weights_in(tmp_path / "with.csv"), weights_in(tmp_path / "bare.csv"), atol=1e-6)


def weights_in(path: Path) -> np.ndarray:
    clip = fw.load_clip(path)
    return clip.sample(fw.sample().sliders, clip.times())


def test_a_mirrored_take_is_found_out_and_solved_as_its_image(tmp_path: Path) -> None:
    fw.save_take(actor(), tmp_path / "t.csv")
    fw.save_take(actor().mirrored("x"), tmp_path / "m.csv")
    done = [run("solve", "sample", tmp_path / f"{n}.csv", "-o", tmp_path / f"{n}-out.csv") for n in ("t", "m")]
    assert "mirror image" in done[1].stderr
    assert "mirror image" not in done[0].stderr
    np.testing.assert_allclose(weights_in(tmp_path / "t-out.csv"), weights_in(tmp_path / "m-out.csv"), atol=1e-6)
    told = run("solve", "sample", tmp_path / "m.csv", "-o", tmp_path / "x.csv", "--mirrored")
    assert told.returncode == 0, told.stderr
    np.testing.assert_array_equal(weights_in(tmp_path / "x.csv"), weights_in(tmp_path / "m-out.csv"))


def test_an_actors_rest_and_range_are_taken_from_a_recording(tmp_path: Path) -> None:
    times = np.arange(60) / 30
    wave = 0.5 - 0.5 * np.cos(np.pi * times)
    made = {"range": 0.1 + 0.4 * wave, "take": 0.1 + 0.2 * wave}
    for name, values in made.items():
        fw.save_clip(fw.Clip.from_table(name, ["jawOpen"], times, values[:, None]), tmp_path / f"{name}.csv")
    for option, top in (("--rest", 0.2), ("--range", 0.5)):
        done = run("solve", "sample", tmp_path / "take.csv", "-o", tmp_path / "o.csv", option, tmp_path / "range.csv")
        assert done.returncode == 0, done.stderr
        jaw = fw.load_clip(tmp_path / "o.csv").curves["jawOpen"].values
        assert jaw.min() == pytest.approx(0.0, abs=0.01)
        assert jaw.max() == pytest.approx(top, abs=0.02)
    both = ("--rest", tmp_path / "range.csv", "--range", tmp_path / "range.csv")
    assert_one_paragraph(run("solve", "sample", tmp_path / "take.csv", "-o", tmp_path / "o.csv", *both), "--range")


def test_the_recording_may_be_one_of_markers(tmp_path: Path) -> None:
    made = acted(frames=60)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    weights = np.clip(0.25 + 0.5 * made.weights, 0, 1)
    seen = made.binding.places(fw.evaluate(made.rig, weights))
    fw.save_take(replace(made.take, positions=seen), tmp_path / "rom.trc")
    words = ("solve", tmp_path / "rig.npz", tmp_path / "rom.trc", "--bind", tmp_path / "bind.json")
    done = run(*words, "-o", tmp_path / "o.csv", "--rest", tmp_path / "rom.trc")
    assert done.returncode == 0, done.stderr
    clip = fw.load_clip(tmp_path / "o.csv")
    found = clip.sample(made.rig.sliders, clip.times())
    assert found[found.sum(axis=1).argmin()].mean() < 0.05


@pytest.mark.parametrize("smooth", ["euro", "6"])
def test_smoothing_calms_what_shakes_and_keeps_what_moves(tmp_path: Path, smooth: str) -> None:
    times = np.arange(240) / 60
    wave = 0.5 - 0.4 * np.cos(np.pi * times)
    shaking = np.clip(wave + 0.03 * np.random.default_rng(0).normal(size=240), 0, 1)
    fw.save_clip(fw.Clip.from_table("t", ["jawOpen"], times, shaking[:, None]), tmp_path / "t.csv")
    done = run("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.fwface", "--smooth", smooth)
    assert done.returncode == 0, done.stderr
    found = fw.load_document(tmp_path / "o.fwface").clips[-1].sample(["jawOpen"], times)[:, 0]
    assert np.abs(np.diff(found, 2)).mean() < 0.4 * np.abs(np.diff(shaking, 2)).mean()
    assert np.abs(found - wave)[10:-10].mean() < 0.05


@pytest.mark.parametrize("tolerance", [0.005, 0.05])
def test_fewer_keys_stay_within_the_tolerance_that_is_said(tmp_path: Path, tolerance: float) -> None:
    made = acted(frames=90)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    fw.save_take(made.take, tmp_path / "t.c3d")
    words = ("solve", tmp_path / "rig.npz", tmp_path / "t.c3d", "--bind", tmp_path / "bind.json")
    for out, more in (("all", ()), ("few", ("--keys", tolerance))):
        done = run(*words, "-o", tmp_path / f"{out}.fwface", *more)
        assert done.returncode == 0, done.stderr
    every, few = (fw.load_document(tmp_path / f"{out}.fwface").clips[-1] for out in ("all", "few"))
    apart = np.abs(every.sample(made.rig.sliders, every.times()) - few.sample(made.rig.sliders, every.times()))
    assert apart.max() <= tolerance * (1 + 1e-6)
    keys = [sum(len(clip.curves[name].times) for name in made.rig.sliders) for clip in (every, few)]
    assert keys[1] < 0.6 * keys[0]


@pytest.mark.parametrize("suffix", [".glb", ".fwface"])
def test_what_regions_add_is_in_the_file_and_said(tmp_path: Path, suffix: str) -> None:
    made = acted(frames=40, head=False)
    regions = halves(made.rig)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    fw.save_take(made.take, tmp_path / "t.c3d")
    save_regions(regions, tmp_path / "regions.json")
    words = ("solve", tmp_path / "rig.npz", tmp_path / "t.c3d", "--bind", tmp_path / "bind.json")
    done = run(*words, "--regions", tmp_path / "regions.json", "--method", "convex", "-o", tmp_path / f"o{suffix}")
    assert done.returncode == 0, done.stderr
    document = fw.load_document(tmp_path / f"o{suffix}")
    clip = document.clips[-1]
    assert any(" @ " in name for name in clip.curves)
    if suffix == ".fwface":
        assert document.regions is not None
        return
    assert "added for what differs between regions" in done.stderr
    solved = solve_take(made.rig, fw.load_take(tmp_path / "t.c3d"), made.binding, regions, method="convex")
    weights = clip.sample(document.rig.sliders, solved.times)
    played = fw.Playback(solved, residual=False)(np.arange(0, 40, 8))
    np.testing.assert_allclose(fw.evaluate(document.rig, weights[::8]), played, atol=0.02 * made.rig.size / 20)


def test_teeth_that_no_shape_moves_go_with_the_jaw_in_the_file(tmp_path: Path) -> None:
    fw.save(toothless(*JAW), tmp_path / "bare.glb")
    fw.save_take(actor(), tmp_path / "t.csv")
    done = run("solve", tmp_path / "bare.glb", tmp_path / "t.csv", "-o", tmp_path / "out.glb")
    assert done.returncode == 0, done.stderr
    rig = fw.load(tmp_path / "out.glb")
    opened = fw.evaluate(rig, rig.weights({"jawOpen": 1.0})) - rig.neutral
    lower = next(part for part in rig.parts if "lower teeth" in part.name)
    assert np.linalg.norm(opened[lower.start : lower.stop], axis=1).min() > 1.0


def test_the_heads_motion_is_in_the_animation_and_moves_a_node(tmp_path: Path) -> None:
    made = acted(frames=60)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    fw.save_take(made.take, tmp_path / "t.c3d")
    words = ("solve", tmp_path / "rig.npz", tmp_path / "t.c3d", "--bind", tmp_path / "bind.json")
    assert run(*words, "-o", tmp_path / "o.glb").returncode == 0
    clip = fw.load_document(tmp_path / "o.glb").clips[-1]
    solved = solve_take(made.rig, fw.load_take(tmp_path / "t.c3d"), made.binding)
    for name in ("HeadYaw", "HeadX", "HeadZ"):
        found = clip.sample([name], solved.times)[:, 0]
        np.testing.assert_allclose(found, solved.clip.curves[name].values, atol=2e-4 * made.rig.size)
        assert np.ptp(found) > 0.05
    assert b'"path":"translation"' in (tmp_path / "o.glb").read_bytes().replace(b" ", b"")


@pytest.mark.parametrize("pair", ["Chin", "=3", "Chin=", "Chin=-1", "Chin=1.5", "Chin=²"])
def test_what_is_no_pair_of_a_marker_and_a_vertex_is_refused_in_words(pair: str) -> None:
    with pytest.raises(BadValue, match="such as Chin=1204"):
        marker_pairs([pair])


def test_a_point_cache_has_the_faces_that_meet_the_markers(tmp_path: Path) -> None:
    fw.save_take(actor(), tmp_path / "t.csv")
    cache, bound = tmp_path / "o.npz", tmp_path / "b.json"
    words = ("solve", "sample", tmp_path / "t.csv", "-o", tmp_path / "o.csv", "--save-bind", bound)
    done = run(*words, "--cache", cache)
    assert done.returncode == 0, done.stderr
    solved = solve_take(fw.sample(), fw.load_take(tmp_path / "t.csv"), load_binding(bound))
    expected = np.concatenate(list(fw.Playback(solved).chunks()))
    with np.load(cache, allow_pickle=False) as found:
        np.testing.assert_allclose(found["positions"], expected, atol=1e-3)
        np.testing.assert_allclose(found["times"], solved.times)
    assert_one_paragraph(run(*words, "--cache", tmp_path / "o.abc"), ".pc2, .mdd or .npz")
