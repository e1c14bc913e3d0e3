"""Write docs/pictures/studio-take.png: the studio with a solved take, in a real browser. The page must be built."""

import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Server, Studio
from tests.session.acted import acted

from facewright.formats.takes import save_take

TARGET = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "studio-take.png"
FRAME = 312


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        take = Path(folder) / "dialogue.c3d"
        save_take(replace(acted(600).take, name="dialogue"), take)
        server = Server(Path(folder) / "state")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            server.start()
            _picture(Studio(browser.new_page(viewport={"width": 1440, "height": 860})), server.address, take)
        finally:
            browser.close()
            server.stop()
    print(TARGET)


def _picture(studio: Studio, address: str, take: Path) -> None:
    studio.open(address)
    studio.page.locator("#take").set_input_files(take)
    studio.page.locator("#solve").click()
    studio.until(lambda: studio.look("fit") and studio.look("fit.clip"), "the take is solved and compared")
    field = studio.page.get_by_label("The frame", exact=True)
    field.fill(str(FRAME))
    field.press("Enter")
    studio.page.keyboard.press("2")
    for close in studio.page.locator(".toast button").all():
        close.click()
    studio.page.mouse.move(700, 845)
    studio.settle()
    studio.page.screenshot(path=TARGET)


if __name__ == "__main__":
    main()
