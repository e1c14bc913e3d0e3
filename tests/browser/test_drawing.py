"""How the face is drawn: by the processor, and as a graphics card would; coarse while it moves, and sharp at rest."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import RATIO, SIZE
from tests.browser.studio import Studio
from tests.browser.test_studio import difference
from tests.browser.wire import LISTEN
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


Opener = Callable[..., Studio]


@pytest.fixture
def alone(browser: Browser) -> Iterator[Opener]:
    """Opens a page of its own, with a script that runs before the page's."""
    with ExitStack() as open_:

        def page(ratio: float, script: str = "") -> Studio:
            context = browser.new_context(
                reduced_motion="reduce", device_scale_factor=ratio, viewport={"width": SIZE[0], "height": SIZE[1]}
            )
            open_.callback(context.close)
            context.add_init_script(LISTEN + script)
            return Studio(context.new_page())

        yield page


@pytest.mark.long  # a quicker test holds the same
def test_the_processor_and_a_graphics_card_draw_the_same_face(studio: Studio, alone: Opener, server: Served) -> None:
    """A card moves the vertices in its shader; without one the page moves them: shapes, regions, teeth and eyes."""
    rest = studio.face()
    page = server.page()
    page.do("FindRegions", threshold=0.75)
    page.do("SetWeights", weights={"jawOpen": 0.7, "eyeLookInLeft": 0.6, "browInnerUp": 0.8})
    page.do("SetWeights", weights={"mouthSmileLeft": 0.9}, region="left mouth and cheek")
    studio.until(lambda: studio.look("posedRegions"), "the pose has come")
    card = alone(RATIO, CARD)
    card.open(server.address)
    by_processor, by_card = studio.face(), card.face()
    assert not card.complaints
    assert difference(rest, by_processor) > 0.01
    assert difference(by_processor, by_card) < 0.002


def test_a_face_is_drawn_coarsely_while_it_moves_and_sharp_when_it_rests(alone: Opener, server: Served) -> None:
    studio = alone(1)
    studio.open(server.address)
    studio.page.evaluate(WATCH_RATIO)
    studio.slider("jawOpen").scroll_into_view_if_needed()
    bar = studio.box(studio.slider("jawOpen"))
    start = (bar.x + 5, bar.y + bar.height / 2)
    studio.drag(start, (0.5 * bar.width, 0), release=False)
    shares = itertools.cycle((0.3, 0.5))

    def drawn_coarsely() -> bool:
        """Whether it was, with the slider moved once more: a busy browser may draw nothing during a short move."""
        studio.page.mouse.move(start[0] + next(shares) * bar.width, start[1])
        return bool(studio.page.evaluate("window.ratios.some((ratio) => ratio < 1)"))

    studio.until(drawn_coarsely, "the moving face is drawn with fewer pixels")
    studio.page.mouse.up()
    studio.committed(1)
    studio.rest()
    assert studio.page.evaluate("window.ratios")[-1] == 1
    assert not studio.complaints
