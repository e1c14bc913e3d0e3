"""Blender's importer of USD agrees with us about files that we write."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.blender.test_blender import compare
from tests.blender.test_blender_fbx import expected, straight
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.samples import mask, sample


def _in_blender(name: str) -> str:
    """Blender names an object by its prim, whose name has no spaces, and a shape key by the shape's own name."""
    part, mark, shape = name.partition("/")
    return f"{part.replace(' ', '_')}{mark}{shape}"


@pytest.mark.parametrize(
    "name",
    [
        "sample.usda",
        "mask.usda",
        pytest.param("mask.usdc", marks=NEEDS_USD),
        pytest.param("mask.usdz", marks=NEEDS_USD),
    ],
)
def test_blender_shows_a_new_file_as_we_do(blender: Path, tmp_path: Path, name: str) -> None:
    rig = sample() if name.startswith("sample") else mask(vertices=800, shapes=12, seed=3)
    fw.save(fw.Document(rig, unit="m"), tmp_path / name)
    table = {_in_blender(name): points for name, points in expected(fw.Document(rig)).items()}
    compare(blender, tmp_path / name, table, rig.size)


def test_blender_plays_plain_targets_as_we_do(blender: Path, tmp_path: Path) -> None:
    """The importer drops in-betweens, so that they are baked for it."""
    given = straight()
    clip = replace(given.clips[0], rate=24.0)  # the rate of an empty scene: the importer takes time codes for frames
    made = fw.plain_targets(replace(given, clips=(clip,), unit="m")).document
    fw.save(made, tmp_path / "face.usda")
    times = tuple(made.clips[0].times()[[0, 9, 20]].tolist())
    compare(blender, tmp_path / "face.usda", expected(made, times), made.rig.size)


def test_blender_scales_a_file_by_its_unit(blender: Path, tmp_path: Path) -> None:
    rig = mask(vertices=800, shapes=12, seed=3)
    fw.save(fw.Document(rig, unit="cm"), tmp_path / "face.usda")
    metres = {name: np.asarray(0.01 * points) for name, points in expected(fw.Document(rig)).items()}
    compare(blender, tmp_path / "face.usda", metres, 0.01 * rig.size)
