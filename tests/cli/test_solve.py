"""`facewright solve`."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.formats.json_files import save_binding, save_regions
from tests.capture.acting import acted
from tests.capture.test_names_and_places import actor
from tests.capture.test_regional import halves
from tests.cli.command import assert_one_paragraph, run, run_alone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = acted(frames=90, gaps=0.02, noise=0.01)
    fw.save(made.rig, tmp_path / "rig.npz")
    save_binding(made.binding, tmp_path / "bind.json")
    fw.save_take(made.take, tmp_path / "one.c3d")
    fw.save_take(acted(frames=70, seed=4).take, tmp_path / "two.trc")
    return tmp_path


def test_a_take_becomes_a_clip_of_the_rig_and_a_report_that_asks_nobody(folder: Path) -> None:
    done = run_alone(
        "solve", folder / "rig.npz", folder / "one.c3d", "--bind", folder / "bind.json",
        "-o", folder / "out.glb", "--report", folder / "out.html",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "90 frames" in done.stderr
    assert "frames/s" in done.stderr
    made = acted(frames=90, gaps=0.02, noise=0.01)
    clip = fw.load_document(folder / "out.glb").clips[0]
    np.testing.assert_allclose(clip.sample(made.rig.sliders, made.take.times), made.weights, atol=0.1)
    assert "HeadX" in clip.curves
    page = (folder / "out.html").read_text("utf8")
    assert "http" not in page.replace("http-equiv", "")
    for word in ("Residual over time", "Worst frames", "Sliders", "marker 17", made.rig.sliders[0]):
        assert word in page


@pytest.mark.parametrize("suffix", [".csv", ".fwface"])
def test_other_ways_to_write_it(folder: Path, suffix: str) -> None:
    out = folder / f"out{suffix}"
    done = run(
        "solve", folder / "rig.npz", folder / "one.c3d", "--bind", folder / "bind.json", "-o", out,
        "--smooth", "6", "--keys", "0.01",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    clip = fw.load_clip(out) if suffix == ".csv" else fw.load_document(out).clips[0]
    assert set(acted().rig.sliders) < set(clip.curves)
    if suffix == ".fwface":
        assert len(clip.curves[acted().rig.sliders[0]].times) < 60


@pytest.mark.usefixtures("small_pictures")
def test_regions_and_residual_shapes(folder: Path) -> None:
    save_regions(halves(acted().rig), folder / "regions.json")
    done = run(
        "solve", folder / "rig.npz", folder / "one.c3d", "--bind", folder / "bind.json", "--regions",
        folder / "regions.json", "--residual", "-o", folder / "out.fwface", "--report", folder / "out.html",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = fw.load_document(folder / "out.fwface")
    assert "residual01" in document.rig.sliders
    assert "2 regions" in (folder / "out.html").read_text("utf8")


def test_several_takes_at_once_and_one_that_is_broken_does_not_stop_the_others(folder: Path) -> None:
    (folder / "broken.c3d").write_bytes((folder / "one.c3d").read_bytes()[:700])
    takes = [folder / name for name in ("one.c3d", "two.trc", "broken.c3d")]
    done = run_alone(
        "solve", folder / "rig.npz", *takes, "--bind", folder / "bind.json", "-o", folder / "out" / "{take}.csv",
        "--jobs", 2, "--make-folders",
    )  # fmt: skip
    assert done.returncode == 2
    assert "broken.c3d" in done.stderr
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["batch", "one.csv", "two.csv"]
    assert len(fw.load_clip(folder / "out" / "two.csv").times()) == 70


def test_markers_are_bound_by_names_and_the_binding_is_kept_for_the_next_take(tmp_path: Path) -> None:
    fw.save_take(actor(frames=60), tmp_path / "first.csv")
    done = run("solve", "sample", tmp_path / "first.csv", "-o", tmp_path / "a.csv", "--save-bind", tmp_path / "b.json")
    assert done.returncode == 0, done.stderr
    again = run("solve", "sample", tmp_path / "first.csv", "-o", tmp_path / "b.csv", "--bind", tmp_path / "b.json")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()


def test_a_wrong_unit_is_found_and_the_right_one_offered(tmp_path: Path) -> None:
    fw.save_take(actor(frames=60, unit="m"), tmp_path / "t.trc")
    done = run("solve", "sample", tmp_path / "t.trc", "-o", tmp_path / "a.csv")
    assert done.returncode == 0
    assert "--unit cm" in done.stderr
    assert "--unit" not in run("solve", "sample", tmp_path / "t.trc", "-o", tmp_path / "a.csv", "--unit", "cm").stderr


def test_clips_of_weights_are_retargeted_by_names(tmp_path: Path) -> None:
    times = np.arange(30) / 30
    phone = fw.Clip.from_table("phone", ["JawOpen", "Gizmo"], times, np.stack([times, times], axis=1))
    fw.save_clip(phone, tmp_path / "phone.csv")
    done = run("solve", "sample", tmp_path / "phone.csv", "-o", tmp_path / "out.glb")
    assert done.returncode == 0, done.stderr
    assert "Gizmo" in done.stderr
    clip = fw.load_document(tmp_path / "out.glb").clips[0]
    np.testing.assert_allclose(clip.curves["jawOpen"].values, times, atol=1e-6)
    again = run("solve", "sample", tmp_path / "out.glb", "-o", tmp_path / "again.csv")
    assert again.returncode == 0, again.stderr
    np.testing.assert_allclose(fw.load_clip(tmp_path / "again.csv").curves["jawOpen"].values, times, atol=1e-6)


def test_what_cannot_be_is_one_readable_paragraph(folder: Path) -> None:
    rig, take = folder / "rig.npz", folder / "one.c3d"
    assert_one_paragraph(
        run("solve", rig, take, "-o", folder / "out.bvh"),
        ".glb, .gltf, .vrm, .fbx, .usda, .usdc, .usdz, .fwface or .csv",
    )
    assert_one_paragraph(run("solve", rig, take, folder / "two.trc", "-o", folder / "out.csv"), "{take}.csv")
    assert_one_paragraph(run("solve", rig, take, "-o", folder / "out.csv"), "give pairs of marker and vertex")
    assert_one_paragraph(run("solve", rig, take, "-o", folder / "out.csv", "--smooth", "much"), "cutoff in Hz")
    assert_one_paragraph(run("solve", rig, take, "-o", folder / "out.csv", "--pair", "Chin"), "Chin=1204")
    assert_one_paragraph(run("solve", rig, folder / "none.csv", "-o", folder / "out.csv"), "no such file")
    assert_one_paragraph(
        run("solve", rig, take, "--bind", folder / "bind.json", "-o", folder / "out.csv", "--report", "out.pdf"),
        ".html",
    )
