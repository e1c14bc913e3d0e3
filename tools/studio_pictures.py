"""Pictures of the studio in docs/: the real server, the real page, a Chromium.

Build the page first (`make studio`); then `PYTHONPATH=. python tools/studio_pictures.py`.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Server, Studio

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE = {"width": 1280, "height": 720}
CORNER = 2781  # a vertex beside the left corner of the mouth


def regions(studio: Studio) -> None:
    """A mouth corner dragged inside its region."""
    studio.page.locator("#tab-regions").click()
    studio.page.locator("#find-regions").click()
    studio.committed(1)
    studio.drag_slider("jawOpen", 0.12)
    studio.committed(2)
    studio.page.keyboard.press("r")
    spot = studio.vertex(CORNER)
    studio.page.mouse.click(*spot)
    studio.until(lambda: studio.look("region"), "a region is chosen")
    studio.drag(spot, (9, -15))
    studio.committed(4)
    studio.page.mouse.move(640, 705)


PICTURES = {"studio-regions": regions}


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name in sys.argv[1:] or PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                server = Server(Path(folder) / "state")
                studio = Studio(browser.new_page(viewport=SIZE))
                try:
                    studio.open(server.start())
                    PICTURES[name](studio)
                    studio.settle()
                    studio.page.screenshot(path=OUT / f"{name}.png")
                finally:
                    server.stop()
            print(f"{OUT.name}/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
