import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facewright.errors import BadValue
from facewright.texture.detail import Detail, DetailChoice, over_time, shares

STEP = 1 / 30


def test_the_neutral_has_what_the_maps_leave() -> None:
    np.testing.assert_allclose(shares([0.2, 0.3]), [0.5, 0.2, 0.3])
    np.testing.assert_allclose(shares([0.9, 0.7, -0.1]), [0, 0.9, 0.7, 0])


def test_a_still_pose_shows_the_detail_of_its_largest_weight() -> None:
    assert Detail.at([0.2, 0.3]).map == 0
    assert Detail.at([0.2, 0.6]).map == 2
    assert Detail.at([0.5, 0.5]).map == 1  # of equal ones the first
    assert Detail.at([0.2, 0.6], DetailChoice("neutral")).map == 0


def test_weights_that_tremble_about_each_other_do_not_flicker() -> None:
    rng = np.random.default_rng(1)
    rows = 0.5 + 0.04 * rng.uniform(-1, 1, (300, 2))
    assert len({detail.map for detail in over_time(rows, STEP)}) == 1
    eager = [detail.map for detail in over_time(rows, STEP, DetailChoice(margin=0, fade=0))]
    assert np.count_nonzero(np.diff(eager)) > 50


def test_a_lasting_change_is_followed_and_takes_as_long_as_it_should() -> None:
    rows = np.array([[1.0, 0.0]] * 5 + [[0.2, 0.8]] * 20)
    details = over_time(rows, STEP, DetailChoice(fade=0.25))
    fading = [detail for detail in details if detail.share < 1]
    assert [detail.map for detail in details[:5]] == [1] * 5
    assert details[-1] == Detail(2, 1, 1.0)
    assert len(fading) == 8  # of 30 frames a second, in a quarter of one
    assert all(detail.map == 2 and detail.former == 1 for detail in fading)


def test_a_change_that_is_taken_back_turns_round_where_it_is() -> None:
    rows = np.array([[1.0, 0.0]] * 2 + [[0.0, 1.0]] * 4 + [[1.0, 0.0]] * 20)
    details = over_time(rows, STEP, DetailChoice(fade=0.25))
    of_second = [d.share if d.map == 2 else 1 - d.share if d.former == 2 else 0.0 for d in details]
    assert max(of_second) < 0.6
    assert max(np.abs(np.diff(of_second))) < 1.01 * STEP / 0.25
    assert of_second[-1] == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=2, max_size=60))
def test_no_detail_ever_comes_or_goes_faster_than_the_fade(rows: list[list[float]]) -> None:
    choice = DetailChoice(fade=0.25)
    amounts = []
    for detail in over_time(rows, STEP, choice):
        amount = np.zeros(4)
        amount[detail.former] += 1 - detail.share
        amount[detail.map] += detail.share
        amounts.append(amount)
    assert np.abs(np.diff(amounts, axis=0)).max() <= 1.0001 * STEP / choice.fade


def test_neutral_always_means_always() -> None:
    rows = np.random.default_rng(2).uniform(size=(20, 3))
    assert set(over_time(rows, STEP, DetailChoice("neutral"))) == {Detail()}


def test_choices_that_make_no_sense_are_told_in_words() -> None:
    with pytest.raises(BadValue, match="dominant or the neutral"):
        DetailChoice("loudest")
    with pytest.raises(BadValue, match="margin"):
        DetailChoice(margin=1)
