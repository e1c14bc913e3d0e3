"""Colours of the skin as a further cue for regions."""

import numpy as np
import pytest
import scipy.sparse as sp
from tools.experiments.hand_marks import BROW, agreement, inside
from tools.experiments.region_texture import colors_of

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.regions.cleanup import within_colors
from facewright.regions.grouping import grouped
from facewright.regions.segment import segment
from tests.regions.surfaces import sheet


def one_bump() -> fw.Rig:
    return sheet(40, 20, bump=(20, 10, 16))


def halves(rig: fw.Rig, apart: float) -> Floats:
    """Two colours that meet where x is 14.5."""
    return np.where(rig.neutral[:, :1] < 14.5, 0.5, 0.5 + apart) * np.ones(3)


def test_what_moves_as_one_is_divided_where_its_colour_changes() -> None:
    rig = one_bump()
    plain = segment(rig, threshold=0.2).labels().reshape(20, 40)
    found = segment(rig, threshold=0.2, colors=halves(rig, 0.3)).labels().reshape(20, 40)
    assert plain[10, 12] == plain[10, 17]
    assert found[10, 13] == found[10, 14] != found[10, 15] == found[10, 16]


def test_one_colour_everywhere_changes_nothing() -> None:
    rig = one_bump()
    same = segment(rig, colors=np.full((rig.vertex_count, 3), 0.4))
    assert abs(same.weights - segment(rig).weights).max() < 1e-12


def test_likeness_is_less_by_the_squared_distance_of_mean_colours() -> None:
    kinds, masses = np.tile([[1.0, 0.0]], (4, 1)), np.array([1.0, 3.0, 1.0, 1.0])
    edges = np.array([[0, 1], [1, 2], [2, 3]])
    colors = np.array([[0.0], [0.0], [0.6], [0.6]])  # 1 - 0.36 between the two pairs
    assert len(set(grouped(edges, kinds, masses, least=0.63, colors=colors))) == 1
    assert len(set(grouped(edges, kinds, masses, least=0.65, colors=colors))) == 2


def test_borders_are_smoothed_along_colours_and_not_across_them() -> None:
    ring = sp.csr_array(np.array([[0.0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    found = within_colors(ring, np.array([[0.5] * 3, [0.5] * 3, [0.8] * 3])).toarray()
    assert found[0, 1] == 1
    assert found[0, 2] == found[2, 0] < 0.01


def test_colours_must_fit_the_rig_and_the_rule() -> None:
    rig = one_bump()
    with pytest.raises(BadValue, match="colours"):
        segment(rig, colors=np.zeros((3, 3)))
    with pytest.raises(BadValue, match="does not see colours"):
        segment(rig, method="threshold", colors=halves(rig, 0.1))


def test_regions_follow_lips_and_brows_that_were_marked_by_hand() -> None:
    rig = fw.sample("kenji")  # no constant was chosen on
    plain, found = (agreement(rig, segment(rig, colors=colors)) for colors in (None, colors_of("kenji")))
    assert found["lips"] > 0.8 > 0.4 > plain["lips"]
    assert found["left brow"] == pytest.approx(found["right brow"], abs=0.02)
    assert found["left brow"] > 0.5 > 0.35 > plain["left brow"]


def test_marks_contain_what_their_outline_encloses() -> None:
    x, y = np.array(BROW).mean(axis=0)
    assert inside(np.array([[x, 2.3], [0.0, 2.3], [x, 6.0]]), BROW).tolist() == [True, False, False]
    assert 1 < y < 3
