"""The pictures of docs/notebook.md: the example in JupyterLab, and the widget with two faces and with a heat map.

Build the page (`make test-page`) and let `make test-notebook` install JupyterLab first; then
`python -m tools.notebook_pictures`.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.notebook.page import Shown, kept_messages
from tests.notebook.servers import jupyterlab

import facewright as fw

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "pictures"
EXAMPLE = ROOT / "examples" / "16_in_a_notebook.ipynb"
DRAWN = 4000  # milliseconds in which all canvases of a notebook are drawn sharp


def main() -> None:
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        in_jupyterlab(browser)
        compared(browser)
        heated(browser)
        browser.close()


def in_jupyterlab(browser: Browser) -> None:
    """The first cells of the example, after they have run."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLE, Path(folder) / "face.ipynb")
        with jupyterlab(Path(folder)) as address:
            page = browser.new_page(viewport={"width": 1160, "height": 860})
            page.goto(f"{address}/lab/tree/face.ipynb?reset")
            page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
            page.keyboard.press("Control+b")  # the list of files goes
            page.locator(".jp-CodeCell").first.locator(".jp-InputArea-editor").click()
            for _ in range(5):
                page.keyboard.press("Shift+Enter")
            page.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output").wait_for()
            page.locator(".jp-MarkdownCell").first.scroll_into_view_if_needed()
            page.wait_for_timeout(DRAWN)
            page.screenshot(path=OUT / "notebook-jupyterlab.png")
            page.close()


def compared(browser: Browser) -> None:
    with kept_messages():
        view = fw.view(
            fw.sample(),
            pose={"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "jawOpen": 0.15},
            other=fw.sample("edith"),
            names=("the default person", "edith, by the same sliders"),
            height=420,
        )
    keep(Shown(browser, view, width=1100, ratio=1), "notebook-compared.png")


def heated(browser: Browser) -> None:
    rig = fw.sample()
    pose = {"mouthPucker": 0.8, "browInnerUp": 0.6}
    with kept_messages():
        view = fw.view(rig, pose=pose, heat=np.linalg.norm(fw.evaluate(rig, pose) - rig.neutral, axis=1), height=420)
    view.heat_label = "how far the pose moves each vertex, cm"
    keep(Shown(browser, view, width=1100, ratio=1), "notebook-heat.png")


def keep(shown: Shown, name: str) -> None:
    shown.still()
    shown.page.screenshot(path=OUT / name)
    shown.close()


if __name__ == "__main__":
    main()
