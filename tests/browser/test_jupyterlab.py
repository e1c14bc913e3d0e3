"""The example in JupyterLab, and the widget in marimo: a slider moves Python's value, and Python the slider."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.forked import PATIENCE
from tests.notebook.servers import jupyterlab, marimo

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "16_in_a_notebook.ipynb"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1200, "height": 900}, device_scale_factor=1)
    page.set_default_timeout(1000 * PATIENCE)
    expect.set_options(timeout=1000 * PATIENCE)
    yield page
    page.close()


def drag(page: Page, bar: Locator, share: float) -> None:
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 5, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 + share * box["width"], y, steps=5)
    page.mouse.up()


def test_the_example_runs_in_jupyterlab_and_its_sliders_are_bound_both_ways(
    page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shutil.copy(EXAMPLE, tmp_path / "face.ipynb")
    with jupyterlab(tmp_path) as address:
        page.goto(f"{address}/lab/tree/face.ipynb?reset")
        cells = page.locator(".jp-Notebook .jp-CodeCell")
        expect(cells).to_have_count(8)
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        first, asked = cells.nth(0), cells.nth(1)
        expect(cells.nth(7).locator("canvas")).to_have_count(2)
        assert page.locator(".jp-RenderedText[data-mime-type*=error]").count() == 0

        # Python has set the smile after the widget was shown.
        expect(first.get_by_role("slider", name="mouthSmileLeft")).to_have_attribute("aria-valuenow", "0.70")
        jaw = first.get_by_role("slider", name="jawOpen")
        expect(jaw).to_have_attribute("aria-valuenow", "0.20")
        first.get_by_role("searchbox").fill("jawop")
        drag(page, jaw, 0.5)
        expect(jaw).to_have_attribute("aria-valuenow", re.compile("0[.](6[89]|7[0-2])"))
        now = float(jaw.get_attribute("aria-valuenow") or 0)

        asked.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Control+Enter")
        said = asked.locator(".jp-OutputArea-output")
        expect(said).to_contain_text(f"'jawOpen': {now:.2f}"[:-1])
        if request.config.getoption("--shots"):
            page.screenshot(path=str(ROOT / "tests" / "browser" / "shots" / "jupyterlab.png"))


MARIMO = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import facewright as fw

    view = mo.ui.anywidget(fw.view(fw.sample(), pose={"jawOpen": 0.2}, height=320))
    view
    return mo, view


@app.cell
def _(mo, view):
    mo.md(f"Python has {view.value['pose'][view.rig.slider_index('jawOpen')]:.2f}")
    return


@app.cell
def _(mo, view):
    smile = mo.ui.button(label="smile", on_click=lambda _: setattr(view.widget, "pose", {"mouthSmileLeft": 0.6}))
    smile
    return


if __name__ == "__main__":
    app.run()
"""


def test_the_widget_is_bound_both_ways_in_marimo(page: Page, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    script = tmp_path / "face.py"
    script.write_text(MARIMO, encoding="utf-8")
    with marimo(script) as address:
        page.goto(address)
        jaw = page.get_by_role("slider", name="jawOpen")
        expect(jaw).to_have_attribute("aria-valuenow", "0.20")
        expect(page.get_by_text("Python has 0.20")).to_be_visible()
        page.get_by_role("searchbox").fill("jawop")
        drag(page, jaw, 0.5)
        expect(jaw).not_to_have_attribute("aria-valuenow", "0.20")
        expect(page.get_by_text(f"Python has {jaw.get_attribute('aria-valuenow')}")).to_be_visible()
        page.get_by_role("button", name="smile").click()
        expect(jaw).to_have_attribute("aria-valuenow", "0.00")
        if request.config.getoption("--shots"):
            page.screenshot(path=str(ROOT / "tests" / "browser" / "shots" / "marimo.png"))
