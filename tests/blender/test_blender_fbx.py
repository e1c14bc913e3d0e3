"""Blender's importers, the old one in Python and the new one, agree with us about FBX files that we write and read."""

from pathlib import Path

import numpy as np
import pytest
from tests.blender.test_blender import compare
from tests.formats.test_fbx_write import bent

import facewright as fw
from facewright.rig.unit import metres_per
from facewright.samples import mask, sample


def expected(document: fw.Document, times: tuple[float, ...] = ()) -> dict[str, np.ndarray]:
    """What an importer should show: the parts at rest and in their shapes, and in some moments of the clip."""
    rig = document.rig
    evaluator, found = fw.Evaluator(rig), {}
    for part in rig.parts:
        own = slice(part.start, part.stop)
        found[f"{part.name}/neutral"] = rig.neutral[own]
        for shape in rig.shapes:
            if ((shape.vertices >= part.start) & (shape.vertices < part.stop)).any():
                found[f"{part.name}/{shape.name}"] = (rig.neutral + shape.dense(rig.vertex_count))[own]
        for time in times:
            found[f"{part.name}@{time:g}"] = evaluator(document.clips[0].sample(rig.sliders, [time])[0])[own]
    return found


def straight() -> fw.Document:
    """A clip as Blender can show it: the importers join all keys by straight lines, the new one from 0 to 1 alone."""
    rig = bent().rig
    times, values = [0.25, 0.5, 1.1, 2.0], np.random.default_rng(3).uniform(size=(4, len(rig.sliders)))
    curves = {name: fw.Curve(times, values[:, column]) for column, name in enumerate(rig.sliders)}
    return fw.Document(rig, (fw.Clip("talk", curves, 25.0),))


@pytest.mark.parametrize("importer", ["old", "new"])
@pytest.mark.parametrize("name", ["sample", "mask"])
def test_blender_shows_a_new_file_as_we_do(blender: Path, tmp_path: Path, name: str, importer: str) -> None:
    rig = sample() if name == "sample" else mask(vertices=800, shapes=12, seed=3)
    fw.save(rig, tmp_path / "face.fbx")
    compare(blender, tmp_path / "face.fbx", expected(fw.Document(rig)), rig.size, importer)


@pytest.mark.parametrize("importer", ["old", "new"])
def test_blender_plays_plain_targets_as_we_do(blender: Path, tmp_path: Path, importer: str) -> None:
    """The old importer refuses in-betweens, so that they are baked for it."""
    made = fw.plain_targets(straight()).document
    fw.save(made, tmp_path / "face.fbx")
    times = tuple(made.clips[0].times()[[0, 9, 20]].tolist())
    compare(blender, tmp_path / "face.fbx", expected(made, times), made.rig.size, importer)


@pytest.mark.parametrize("name", ["blender_331_static_blend_shape_7400_binary", "maya_blend_shape_cube_7700_binary"])
def test_blender_reads_real_files_as_we_do(blender: Path, shared_data: Path, tmp_path: Path, name: str) -> None:
    document = fw.load_document(shared_data / "fbx" / f"{name}.fbx")
    given = tmp_path / "given.fbx"
    given.write_bytes((shared_data / "fbx" / f"{name}.fbx").read_bytes())
    unit = 100 * metres_per(document.unit)
    table = {name: unit * points for name, points in expected(document).items()}  # in centimetres
    compare(blender, given, table, unit * document.rig.size, "old")
