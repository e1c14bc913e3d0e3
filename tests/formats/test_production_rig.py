"""A real rig with in-betweens and combinations: it is what its table says, and every format brings it back."""

import json
import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.formats.usd_needed import NEEDS_USD

import facewright as fw
from facewright.rig.combine import Combine

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "production_rig"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the production rig is not here: no folder shared/data beside the checkout"
)


@cache
def document() -> fw.Document:
    example = runpy.run_path(str(ROOT / "examples" / "14_a_production_rig.py"))
    found = example["production_rig"](FOLDER)
    assert isinstance(found, fw.Document)
    return found


def by_the_table(weights: np.ndarray, controls: list[str]) -> np.ndarray:
    """Shape values (frames, s), by the words of the data: products of values and of interpolated knots."""
    columns = []
    for entry in json.loads((FOLDER / "structure.json").read_text()):
        value = np.ones(len(weights))
        for factor in entry["factors"]:
            given = weights[:, controls.index(factor["slider"])]
            value = value * (given if factor["knots"] is None else np.interp(given, factor["knots"], [0, 1, 0]))
        columns.append(value)
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.long)])
def test_all_frames_are_those_of_the_table(step: int) -> None:
    rig = document().rig
    with np.load(FOLDER / "controls.npz") as data:
        weights, controls = data["weights"].astype(np.float64), data["names"].tolist()
    assert len(weights) == 2000
    weights = weights[::step]
    wanted = by_the_table(weights, controls)
    np.testing.assert_allclose(Combine(rig)(weights), wanted, atol=1e-12)
    with np.load(FOLDER / "rig.npz") as data:
        deltas, neutral = data["deltas"].astype(np.float64).reshape(267, -1), data["neutral"]
    evaluate = fw.Evaluator(rig)
    for start in range(0, len(weights), 250):
        rows = slice(start, start + 250)
        true = neutral + (wanted[rows] @ deltas).reshape(-1, *neutral.shape)
        assert np.abs(evaluate(weights[rows]) - true).max() <= 1e-5 * rig.size


@pytest.mark.parametrize(
    "target",
    [
        "rig.fwface",
        "rig.glb",
        "rig.fbx",
        pytest.param("rig.usda", marks=(NEEDS_USD, pytest.mark.long)),
        "rig.npz",
        pytest.param("rig", marks=pytest.mark.long),
    ],
)
def test_every_format_brings_the_rig_back(target: str, tmp_path: Path) -> None:
    rig = document().rig
    fw.save(fw.Document(rig), tmp_path / target)
    back = fw.load(tmp_path / target)
    assert [(one.name, one.factors, one.additive) for one in back.shapes] == [
        (one.name, one.factors, one.additive) for one in rig.shapes
    ]
    weights = document().clips[0].sample(rig.sliders)[100:2000:250]
    assert np.abs(fw.evaluate(back, weights) - fw.evaluate(rig, weights)).max() <= 1e-5 * rig.size


def test_plain_targets_play_the_same_animation() -> None:
    made = fw.plain_targets(document())
    rig = document().rig
    assert len(made.made) == 195
    assert made.document.rig.is_linear
    times = np.arange(0, 2000, 97) / 30
    one = document().clips[0].sample(rig.sliders, times)
    other = made.document.clips[0].sample(made.document.rig.sliders, times)
    off = np.abs(fw.evaluate(made.document.rig, other) - fw.evaluate(rig, one)).max()
    assert off <= 1e-9 * rig.size
    few = fw.plain_targets(document(), tolerance=1e-3)
    assert len(few.dropped) > 20
    assert 0 < few.error < 0.02
