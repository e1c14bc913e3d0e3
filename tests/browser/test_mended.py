"""Small things that a person trips over: typed values, counts, groups, what a new document forgets."""

import pytest

from tests.browser.studio import Studio
from tests.studio.served import Served


@pytest.fixture
def server(skinned_server: Served) -> Served:
    """With eyes that can look at something."""
    return skinned_server


def type_value(studio: Studio, name: str, text: str) -> None:
    studio.page.locator(f'[data-slider="{name}"] button.value').click()
    studio.page.keyboard.type(text)


def test_typed_values_are_kept_on_tab_and_click_away_and_what_is_no_number_is_refused(studio: Studio) -> None:
    page = studio.page
    type_value(studio, "browInnerUp", "0.35")
    page.keyboard.press("Tab")
    studio.committed(1)
    assert studio.look("weights")["browInnerUp"] == pytest.approx(0.35)
    type_value(studio, "browDownLeft", "0,5")
    page.locator(".sliders .filters").click(position={"x": 2, "y": 2})
    studio.committed(2)
    assert studio.look("weights")["browDownLeft"] == pytest.approx(0.5)
    type_value(studio, "browInnerUp", "abc")
    page.keyboard.press("Enter")
    page.get_by_text("“abc” is no number: browInnerUp at 0.35 stays.").wait_for()
    type_value(studio, "browInnerUp", "0.9")
    page.keyboard.press("Escape")
    frame = page.get_by_label("The frame")
    frame.fill("1500")
    frame.press("Enter")
    studio.until(lambda: abs(studio.look("time") - 50) < 1e-6, "the time is 50 s")
    assert frame.evaluate("field => field.scrollWidth <= field.clientWidth"), "four digits are cut off"
    frame.fill("soon")
    frame.press("Enter")
    page.get_by_text("“soon” is no number: 1500 stays.").wait_for()
    assert studio.look("weights")["browInnerUp"] == pytest.approx(0.35)
    studio.shot("60 typed values")


def test_held_points_say_what_they_move_along_and_a_new_document_forgets_what_was_of_the_last(
    studio: Studio, server: Served
) -> None:
    page = studio.page
    peer = server.page()
    peer.do("HoldVertices", vertices=list(range(0, 3000, 40)), axes="xyz")
    peer.do("SetHolding", on=True, alpha=None)
    peer.close()
    studio.drag_slider("jawOpen", 0.8)
    note = page.locator(".moved-list p")
    note.wait_for()
    assert note.inner_text().startswith("Held points moved ")
    studio.shot("61 held points moved others along")
    eyes = page.get_by_role("group", name="What the eyes look at", exact=True)
    eyes.get_by_text("Target").click()
    studio.until(lambda: "GazeX" in studio.look("controls"), "the eyes look at a target")
    before = studio.look("opened")
    page.locator("#open").click()
    page.get_by_role("button", name="Default 52 ARKit shapes").click()
    studio.until(lambda: studio.look("opened") not in (None, before), "another document is open")
    studio.ready()
    studio.until(lambda: eyes.locator("[aria-pressed=true]").inner_text() == "Pose", "the eyes go by the pose")
    filters = page.locator(".sliders .filters button")
    studio.until(lambda: filters.nth(1).inner_text() == "Active 0", "its sliders are at rest")
    assert filters.nth(2).inner_text() == "Moved 0"
