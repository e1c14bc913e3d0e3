"""Several sliders at once: selected, dragged, reset and keyed together."""

import pytest
from playwright.sync_api import expect

from tests.browser.studio import Studio

BROWS = ("browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight")


@pytest.mark.long
def test_selected_sliders_move_together_each_within_its_bounds_and_are_reset_and_keyed_as_one_step(
    studio: Studio,
) -> None:
    page = studio.page
    studio.drag_slider("browInnerUp", 0.7)
    studio.committed(1)
    before = studio.look("weights")["browInnerUp"]
    page.get_by_label("Select all brow sliders").click()
    expect(page.locator(".selection-strip")).to_contain_text("5 selected")
    studio.slider("cheekPuff").click(modifiers=["Control"])
    expect(page.locator(".selection-strip")).to_contain_text("6 selected")
    studio.shot("80 selected sliders")
    studio.drag_slider("browDownLeft", 0.5)
    studio.committed(2)
    weights = studio.look("weights")
    moved = weights["browDownLeft"]
    assert 0.4 < moved < 0.6
    assert weights["browInnerUp"] == 1.0, "it stops at its bound"
    assert {weights[name] for name in (*BROWS, "cheekPuff")} == {moved, 1.0}
    page.keyboard.press("Control+z")
    studio.committed(1)
    assert studio.look("weights")["browInnerUp"] == pytest.approx(before)
    assert studio.look("weights")["browDownLeft"] == 0
    page.keyboard.press("Control+Shift+z")
    studio.committed(2)
    page.locator(".selection-strip").get_by_role("button", name="Key").click()
    studio.committed(3)
    assert {curve["slider"] for curve in studio.look("curves")} == {*BROWS, "cheekPuff"}
    studio.slider("browDownLeft").click()
    expect(page.locator(".selection-strip")).to_have_count(0)
    studio.slider("browInnerUp").click(modifiers=["Shift"])
    expect(page.locator(".selection-strip")).to_contain_text("3 selected")
    studio.shot("81 a range of sliders")
    page.locator(".selection-strip").get_by_role("button", name="Reset").click()
    studio.committed(4)
    weights = studio.look("weights")
    assert [weights[name] for name in BROWS] == [0, 0, 0, moved, moved]
    studio.slider("browDownLeft").focus()
    page.keyboard.press("Control+ArrowRight")
    studio.committed(5)
    weights = studio.look("weights")
    assert [weights[name] for name in BROWS] == pytest.approx([0.1, 0.1, 0.1, moved, moved])
