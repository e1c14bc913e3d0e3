"""`facewright segment`, as a person runs it."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import facewright as fw
from facewright.cli.main import app
from facewright.formats.json_files import load_regions
from facewright.samples import mask
from facewright.samples.skin.embedded import embedded_skin
from tests.cli.command import run_alone


@pytest.fixture
def rig_file(tmp_path: Path) -> Path:
    path = tmp_path / "face.npz"
    fw.save(mask(900, 20, seed=4), path)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["segment", *(str(word) for word in words)])


@pytest.mark.usefixtures("small_pictures")
def test_regions_and_a_picture_are_written_and_listed(rig_file: Path, tmp_path: Path) -> None:
    out, picture = tmp_path / "regions.json", tmp_path / "regions.png"
    shown = run(rig_file, "--threshold", "0.6", "-o", out, "--picture", picture)
    assert shown.exit_code == 0, shown.output
    regions = load_regions(out, fw.load(rig_file))
    wanted = fw.segment(fw.load(rig_file), threshold=0.6)
    np.testing.assert_array_equal(regions.weights.toarray(), wanted.weights.toarray())
    for name in regions.names_at():
        assert name in shown.output
    assert f"{regions.count} regions, {regions.levels} levels" in shown.output
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_regions_go_into_the_face_s_own_file(rig_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "face.fwface"
    assert run(rig_file, "--levels", "3", "-o", out).exit_code == 0
    document = fw.load_document(out)
    assert document.regions is not None
    assert document.regions.levels == 3
    np.testing.assert_allclose(document.regions.weights.sum(axis=0), 1)


def test_a_texture_is_a_further_cue_and_one_is_needed_for_it(rig_file: Path, tmp_path: Path) -> None:
    out, face = tmp_path / "regions.json", tmp_path / "face.fwface"
    document = fw.Document(fw.sample(), textures=embedded_skin("default", fw.sample()))
    fw.save(document, face)
    assert run(face, "--texture", "-o", out).exit_code == 0
    wanted = fw.segment(document.rig, colors=fw.skin_colors(document))
    assert load_regions(out, document.rig).names == wanted.names
    told = run(rig_file, "--texture")
    assert told.exit_code == 2
    assert "no texture" in told.output


def test_nothing_needs_to_be_written(rig_file: Path) -> None:
    assert "regions" in run_alone("segment", rig_file).stdout


@pytest.mark.parametrize(
    "words", [["--threshold", "7"], ["--levels", "1"], ["--picture", "out.jpg"], ["-o", "regions.txt"]]
)
def test_mistakes_are_one_readable_line(rig_file: Path, words: list[str]) -> None:
    shown = run(rig_file, *words)
    assert shown.exit_code == 2
    assert "facewright:" in shown.output
    assert "Traceback" not in shown.output
