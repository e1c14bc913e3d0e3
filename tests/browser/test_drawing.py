"""How the face is drawn: by the processor, and as a graphics card would; coarse while it moves, and sharp at rest."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import RATIO, SIZE
from tests.browser.studio import Studio
from tests.browser.test_studio import difference
from tests.studio.served import Served

# The page takes what draws for a graphics card unless its name says otherwise. Smooth outlines would differ.
CARD = """
const made = HTMLCanvasElement.prototype.getContext
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  return made.call(this, kind, { ...options, antialias: false })
}
const told = WebGL2RenderingContext.prototype.getParameter
WebGL2RenderingContext.prototype.getParameter = function (name) {
  const found = told.call(this, name)
  return typeof found === 'string' ? found.replace(/swiftshader/gi, 'card') : found
}
"""
# Widths of the canvas, in pixels of the screen for one of the page, each time that it is drawn in another size.
WATCH_RATIO = """
() => {
  const canvas = document.querySelector('.viewport canvas')
  window.ratios = []
  const changed = () => window.ratios.push(Math.round((100 * canvas.width) / canvas.clientWidth) / 100)
  new MutationObserver(changed).observe(canvas, { attributes: true })
}
"""


@pytest.fixture
def card(browser: Browser) -> Iterator[Studio]:
    """A page that draws as on a graphics card."""
    context = browser.new_context(
        reduced_motion="reduce", device_scale_factor=RATIO, viewport={"width": SIZE[0], "height": SIZE[1]}
    )
    context.add_init_script(CARD)
    yield Studio(context.new_page())
    context.close()


def test_the_processor_and_a_graphics_card_draw_the_same_face(studio: Studio, card: Studio, server: Served) -> None:
    """A card moves the vertices in its shader; without one the page moves them: shapes, regions, teeth and eyes."""
    rest = studio.face()
    page = server.page()
    page.do("FindRegions", threshold=0.75)
    page.do("SetWeights", weights={"jawOpen": 0.7, "eyeLookInLeft": 0.6, "browInnerUp": 0.8})
    page.do("SetWeights", weights={"mouthSmileLeft": 0.9}, region="left mouth and cheek")
    studio.until(lambda: studio.look("posedRegions"), "the pose has come")
    card.open(server.address)
    by_processor, by_card = studio.face(), card.face()
    assert not card.complaints
    assert difference(rest, by_processor) > 0.01
    assert difference(by_processor, by_card) < 0.002


def test_a_face_is_drawn_coarsely_while_it_moves_and_sharp_when_it_rests(studio: Studio) -> None:
    screen = studio.page.context.new_cdp_session(studio.page)
    metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
    screen.send("Emulation.setDeviceMetricsOverride", metrics)
    studio.until(lambda: studio.page.evaluate("devicePixelRatio") == 1, "the screen is a finer one")
    studio.page.evaluate(WATCH_RATIO)
    studio.drag_slider("jawOpen", 0.5)
    studio.committed(1)
    studio.rest()
    ratios = studio.page.evaluate("window.ratios")
    assert min(ratios) < 1
    assert ratios[-1] == 1
    screen.detach()
