"""The picture of docs/live.md: the tab Live while a take is recorded, by the real server and page in a Chromium.

Build the page first (`make studio`); then `python -m tools.live_pictures`.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Studio
from tests.live.phone import sending
from tests.studio.served import serving

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 1080}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "state") as server, sync_playwright() as start:
        browser = start.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        studio = Studio(page)
        studio.open(server.address)
        page.get_by_role("tab", name="Live").click()
        page.get_by_label("Port that the sender sends to").fill("0")
        page.keyboard.press("Enter")
        page.locator(".check", has_text="Off").first.click()
        studio.until(lambda: studio.look("live"), "it is listened")
        with sending(studio.look("live")["port"], subject="Anna's phone"):
            studio.until(lambda: "Hz" in page.locator(".live-sources").inner_text(), "the sender is listed")
            page.get_by_role("button", name="At once").click()
            page.get_by_role("button", name="Record take").click()
            studio.until(lambda: (studio.look("live")["recorded"] or 0) > 40, "a first take is recorded")
            page.get_by_role("button", name="Finish take").click()
            studio.until(lambda: studio.look("live")["takes"], "it is listed")
            page.get_by_label("Record take", exact=True).click()
            studio.until(lambda: (studio.look("live")["recorded"] or 0) > 40, "frames are recorded")
            page.get_by_role("button", name="Freeze").click()  # a picture of a face that moves is blurred
            studio.until(lambda: studio.look("live")["frozen"], "the face stands still")
            page.get_by_role("heading", name="Live face").scroll_into_view_if_needed()
            page.mouse.move(640, 600)
            studio.settle()
            page.screenshot(path=OUT / "live-studio.png")
        browser.close()


if __name__ == "__main__":
    main()
