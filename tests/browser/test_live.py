"""A live face in the studio: off until switched on, watched, calibrated, recorded, undone."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.studio import Studio
from tests.live.phone import sending, sending_lines


def live(studio: Studio) -> Any:
    return studio.look("live")


def switch(page: Page) -> Any:
    return page.locator(".check", has_text="Listening").or_(page.locator(".check", has_text="Off"))


def jaw(studio: Studio) -> float:
    return float(studio.look("weights")["jawOpen"])


def test_a_phone_moves_the_face_and_is_recorded_as_one_step(studio: Studio) -> None:
    page = studio.page
    page.get_by_role("tab", name="Live").click()
    assert live(studio) is None
    studio.shot("95 live is off")
    page.get_by_label("Port that the sender sends to").fill("0")
    page.keyboard.press("Enter")
    switch(page).click()
    studio.until(lambda: live(studio), "it is listened")
    with sending(live(studio)["port"], rate=20.0):  # a page that draws by the processor has time for clicks
        studio.until(lambda: jaw(studio) > 0.1, "the face moves")
        studio.until(lambda: "Hz" in page.locator(".live-sources").inner_text(), "the sender is listed")
        assert "phone" in page.locator(".live-sources").inner_text()
        assert "lost" in page.locator(".live-sources").inner_text()
        assert page.get_by_text("ms from a packet to the page").count() == 1
        page.get_by_role("button", name="Rest", exact=True).click()
        studio.until(lambda: live(studio)["calibrated"] == "rest", "rest is known")
        page.get_by_role("button", name="Range", exact=True).click()
        studio.until(lambda: live(studio)["calibrated"] == "range", "the range is known")
        page.get_by_role("button", name="10 s").click()
        page.get_by_role("button", name="Record take").click()
        studio.until(lambda: page.locator(".live-countdown").count() == 1, "the countdown is seen from afar")
        page.get_by_role("button", name="End without keeping the take").click()
        page.get_by_role("button", name="At once").click()
        page.get_by_role("button", name="Record take").click()
        studio.until(lambda: (live(studio)["recorded"] or 0) > 20, "frames are recorded")
        assert "frames" in page.locator(".live-recording").inner_text()
        studio.shot("96 a live face is recorded")
        page.get_by_role("button", name="Finish take").click()
        studio.until(lambda: (studio.look("clip") or {}).get("name") == "live", "the take is a clip")
        studio.until(lambda: "frames" in page.locator(".live-takes").inner_text(), "the take is listed")
        page.get_by_role("button", name="Freeze").click()
        studio.until(lambda: live(studio)["frozen"], "the face stands still")
        assert studio.look("history")["labels"] == ["Record take"]
    switch(page).click()
    studio.until(lambda: live(studio) is None, "it is off again")
    assert studio.look("history")["labels"] == ["Record take"]
    page.keyboard.press("Control+z")
    studio.until(lambda: not studio.look("clip"), "the take is undone")
    studio.until(lambda: jaw(studio) == 0, "the face has its own pose")


@pytest.mark.long
def test_gains_and_names_are_set_in_the_page(studio: Studio) -> None:
    """A sender by JSON lines, with a name that means nothing to the face, and a slider that is to move half as far."""
    page = studio.page
    page.get_by_role("tab", name="Live").click()
    page.get_by_label("What sends the face").select_option("json")
    page.get_by_label("Port that the sender sends to").fill("0")
    page.keyboard.press("Enter")
    switch(page).click()
    studio.until(lambda: live(studio), "it is listened")
    page.get_by_role("slider", name="How much the face is smoothed").fill("0")
    with sending_lines(live(studio)["port"], {"jawOpen": 0.6, "wobble": 0.8}, rate=20.0):
        if live(studio)["calibrated"] != "none":  # an actor stays known when it is switched off
            page.get_by_role("button", name="Show the face as it comes").click()
        studio.until(lambda: abs(jaw(studio) - 0.6) < 1e-3, "the face moves")
        page.get_by_label("Slider that wobble drives").select_option("cheekPuff")
        studio.until(lambda: abs(studio.look("weights")["cheekPuff"] - 0.8) < 1e-3, "the name drives the slider")
        studio.slider("jawOpen").click()
        page.get_by_label("Gain of jawOpen", exact=True).fill("0.5")
        page.keyboard.press("Enter")
        studio.until(lambda: abs(jaw(studio) - 0.3) < 1e-3, "the slider moves half as far")
    switch(page).click()
    studio.until(lambda: live(studio) is None, "it is off again")
