"""Sliders of the production rig, with its recorded animation: pairs that are proposed, joined and parted again."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.report.opposites import opposites
from facewright.workflow.two_ends import join_in_document, part_in_document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "14_a_production_rig.py"


@pytest.fixture(scope="module")
def production(shared_data: Path) -> fw.Document:
    folder = shared_data / "production_rig"
    if not folder.exists():
        pytest.skip("the production rig is not here")
    document = runpy.run_path(str(EXAMPLE))["production_rig"](folder)
    assert isinstance(document, fw.Document)
    return document


def test_the_animation_never_has_a_proposed_pair_on_together(production: fw.Document) -> None:
    rig, clip = production.rig, production.clips[0]
    found = opposites(rig, production.clips)
    by_name = {(each.first, each.second) for each in found if each.by_name}
    assert {("mouthLeft", "mouthRight"), ("eyesLookLeft_L", "eyesLookRight_L")} <= by_name
    weights = clip.sample(rig.sliders)
    for each in found:
        one, other = (weights[:, rig.slider_index(name)] for name in (each.first, each.second))
        assert np.minimum(one, other).max() <= 0.1
    assert len(found) < len(opposites(rig))  # it has others on together that move oppositely


def test_its_sliders_joined_and_parted_play_the_animation_as_before(production: fw.Document) -> None:
    joined = join_in_document(production, "eyesLookRight_L", "eyesLookLeft_L", name="gaze")
    parted = part_in_document(joined, "gaze")
    times = production.clips[0].times()[::97]
    before = fw.evaluate(production.rig, production.clips[0].sample(production.rig.sliders, times))
    for document in (joined, parted):
        now = fw.evaluate(document.rig, document.clips[0].sample(document.rig.sliders, times))
        np.testing.assert_allclose(now, before, atol=1e-9 * production.rig.size)
    gaze = joined.clips[0].curves["gaze"].values
    assert gaze.min() < -0.1
    assert gaze.max() > 0.1
