"""`facewright register`, and faces of another topology given to `transfer` and `build`."""

import json
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.formats.registry import load
from facewright.samples.mask import MaskGrid, mask
from tests.build.faces import bent
from tests.cli.command import assert_one_paragraph, run, run_alone

SOURCE, FINE = mask(vertices=500, shapes=4, seed=3), mask(vertices=900, shapes=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A template, a face of another topology, and pairs of points by hand."""
    ours, theirs = MaskGrid.of(500).places(), MaskGrid.of(900).places()
    chosen = np.random.default_rng(4).choice(len(ours), 14, replace=False)
    pairs = [(int(i), int(((theirs - ours[i]) ** 2).sum(axis=1).argmin())) for i in chosen]
    fw.save(SOURCE, tmp_path / "template.npz")
    fw.save(fw.Rig(bent(FINE), FINE.polygons), tmp_path / "face.obj")
    (tmp_path / "pairs.json").write_text(json.dumps({"pairs": pairs}))
    return tmp_path


@pytest.mark.usefixtures("small_pictures")
def test_the_fitted_mesh_is_the_librarys_and_the_report_shows_it(folder: Path) -> None:
    done = run(
        "register", folder / "template.npz", folder / "face.obj", "--landmarks", folder / "pairs.json",
        "-o", folder / "fitted.obj", "--report", folder / "out.html",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "14 pairs given" in done.stderr
    assert "a good fit" in done.stderr
    pairs = json.loads((folder / "pairs.json").read_text())["pairs"]
    wanted = fw.register(SOURCE, load(folder / "face.obj"), pairs).fitted
    np.testing.assert_allclose(load(folder / "fitted.obj").neutral, wanted, atol=1e-5 * SOURCE.size)
    page = (folder / "out.html").read_text()
    assert page.count("<img") == 9
    assert "how far apart" in page


def test_a_face_of_another_topology_gets_the_shapes_on_its_own_vertices(folder: Path) -> None:
    done = run(
        "transfer", folder / "template.npz", folder / "face.obj", "--landmarks", folder / "pairs.json",
        "--topology", "target", "-o", folder / "rig.fwface",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = load(folder / "rig.fwface")
    assert made.vertex_count == FINE.vertex_count
    assert made.shape_names == SOURCE.shape_names
    assert "registered: 14 pairs given" in done.stderr
    pairs = json.loads((folder / "pairs.json").read_text())["pairs"]
    wanted = fw.transfer(SOURCE, load(folder / "face.obj"), pairs, topology="target")
    np.testing.assert_allclose(made.deltas(), wanted.deltas(), atol=1e-9 * SOURCE.size)
    own = run(
        "transfer", folder / "template.npz", folder / "face.obj", "--landmarks", folder / "pairs.json",
        "--topology", "template", "-o", folder / "other.fwface",
    )  # fmt: skip
    assert own.returncode == 0, own.stderr
    assert load(folder / "other.fwface").vertex_count == SOURCE.vertex_count
    wanted = fw.transfer(SOURCE, load(folder / "face.obj"), pairs, topology="template")
    np.testing.assert_allclose(load(folder / "other.fwface").deltas(), wanted.deltas(), atol=1e-9 * SOURCE.size)


def test_poses_of_a_face_of_another_topology_shape_its_rig(folder: Path) -> None:
    slider = SOURCE.sliders[1]
    pairs = json.loads((folder / "pairs.json").read_text())["pairs"]
    face = fw.transfer(SOURCE, load(folder / "face.obj"), pairs, topology="target")
    fw.save(fw.Rig(fw.evaluate(face, {slider: 0.8}), face.polygons), folder / "pose.obj")
    done = run(
        "build", folder / "template.npz", folder / "face.obj", "--landmarks", folder / "pairs.json",
        "--topology", "target", "--pose", f"{folder / 'pose.obj'}:{slider}=0.8", "-o", folder / "rig.fwface",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert load(folder / "rig.fwface").vertex_count == FINE.vertex_count


def test_without_anything_that_tells_what_belongs_together_pairs_are_asked_for(folder: Path) -> None:
    done = run_alone("register", folder / "template.npz", folder / "face.obj", "-o", folder / "fitted.obj")
    assert done.returncode == 2
    assert_one_paragraph(done)
    assert "pairs" in done.stderr
    assert not (folder / "fitted.obj").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "pairs"), ('{"pairs": [[1]]}', "pairs"), ('{"pairs": [[0, 999999], [1, 2], [3, 4]]}', "999999")],
)
def test_a_wrong_file_of_pairs_is_told(folder: Path, text: str, words: str) -> None:
    (folder / "pairs.json").write_text(text)
    done = run(
        "register", folder / "template.npz", folder / "face.obj", "--landmarks", folder / "pairs.json",
        "-o", folder / "fitted.obj",
    )  # fmt: skip
    assert done.returncode == 2
    assert_one_paragraph(done)
    assert words in done.stderr
