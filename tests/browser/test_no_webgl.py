"""A browser that cannot draw in 3D is told so, and shows the face by the server's own renderer."""

from playwright.sync_api import Browser

from tests.browser.studio import Studio
from tests.studio.served import Served

NO_WEBGL = """
const made = HTMLCanvasElement.prototype.getContext
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return String(kind).startsWith('webgl') ? null : made.call(this, kind, ...rest)
}
"""
# The picture as it is shown, for comparison; nothing while the next one comes.
PIXELS = """
image => {
  if (!image.complete) return ''
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 60
  const flat = canvas.getContext('2d')
  flat.drawImage(image, 0, 0, 60, 60)
  return [...flat.getImageData(0, 0, 60, 60).data].join()
}
"""


def test_without_webgl_the_server_draws_and_sliders_work(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(NO_WEBGL)
    studio = Studio(context.new_page())
    try:
        page = studio.page
        page.goto(server.address)
        page.get_by_role("alert").filter(has_text="This browser has no WebGL").wait_for()
        picture = page.get_by_alt_text("The face, drawn by the server")
        studio.until(lambda: picture.evaluate("image => image.complete && image.naturalWidth") == 480, "it is drawn")
        first = picture.evaluate(PIXELS)
        studio.until(lambda: page.locator('[data-slider="jawOpen"]').count(), "the sliders are there")
        if page.locator("#begin").count():
            page.locator("#begin").click()
        studio.drag_slider("jawOpen", 0.8)
        studio.until(lambda: studio.look("weights")["jawOpen"] > 0.5, "the slider moves")
        studio.until(lambda: picture.evaluate(PIXELS) not in ("", first), "the picture shows another face")
        studio.keep("80 without WebGL")
    finally:
        context.close()
    assert not studio.complaints, studio.complaints
