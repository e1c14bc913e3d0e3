"""A live face in the studio: off until switched on, watched, calibrated, recorded, undone."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.studio import Studio
from tests.live.phone import sending


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
    with sending(live(studio)["port"]):
        studio.until(lambda: jaw(studio) > 0.1, "the face moves")
        studio.until(lambda: "Hz" in page.locator(".live-sources").inner_text(), "the sender is listed")
        assert "phone" in page.locator(".live-sources").inner_text()
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
