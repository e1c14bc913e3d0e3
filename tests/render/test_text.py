import string

import numpy as np
import pytest
from numpy.typing import NDArray

from facewright.render import draw_text
from facewright.render.font import GLYPHS
from facewright.render.text import fit_text, text_width

PRINTABLE = list(map(chr, range(33, 127)))


def ink(text: str, cap: int = 12, width: int = 300) -> NDArray[np.uint8]:
    picture = np.zeros((60, width, 3), np.uint8)
    draw_text(picture, text, (20, 40), cap=cap, color=(1, 1, 1))
    return picture[:, :, 0]


def test_every_printable_ascii_character_has_its_own_glyph() -> None:
    assert set(PRINTABLE) <= set(GLYPHS)
    drawn = {letter: ink(letter).tobytes() for letter in PRINTABLE}
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("cap", [8, 12, 18])
def test_no_letter_is_cut_off_or_runs_into_the_next(cap: int) -> None:
    for letter in GLYPHS:
        alone, width = ink(letter, cap), text_width(letter, cap)
        columns = np.flatnonzero(alone.any(axis=0))
        assert alone.max() > 150, letter
        assert columns[-1] - 20 <= width, letter
        following = ink(letter + "|", cap)
        np.testing.assert_array_less(alone.sum(), following.sum(), err_msg=letter)
        assert following[:, 20:].any(), letter


def test_small_letters_stand_on_the_baseline_and_capitals_are_cap_high() -> None:
    rows = np.flatnonzero((ink("x", 12) > 128).any(axis=1))
    assert rows[-1] == 39
    rows = np.flatnonzero((ink("H", 12) > 128).any(axis=1))
    assert rows[-1] - rows[0] in (12, 13)


def test_a_line_is_as_wide_as_the_sum_of_its_letters() -> None:
    assert text_width("browDown_L", 12) == sum(text_width(c, 12) for c in "browDown_L")
    assert text_width("", 12) == 0


def test_text_that_does_not_fit_is_cut_and_says_so() -> None:
    name = string.ascii_letters
    for width in (10, 60, 200):
        short = fit_text(name, 12, width)
        assert text_width(short, 12) <= width
        assert short == "" or (short.endswith("…") and name.startswith(short[:-1]))
    assert fit_text("abc", 12, 500) == "abc"


def test_text_outside_the_picture_is_left_out_without_harm() -> None:
    picture = np.zeros((20, 20, 4), np.uint8)
    for at in ((-500, 10), (500, 10), (10, -500), (10, 500), (-4, 8), (15, 22)):
        draw_text(picture, "Wg", at)
    assert picture.any()
    assert not picture[0, 19].any()


def test_an_unknown_character_is_shown_as_a_box_and_not_dropped() -> None:
    assert ink("漢").any()
