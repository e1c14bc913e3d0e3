"""The real page in a real browser, with what a person does on it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import ConsoleMessage, Error, Locator, Page

from tests.browser.fresh import IS_FRESH, KEEP, TIDY
from tests.browser.wire import ANSWERED
from tests.studio.served import PATIENCE

SOON = 1.0  # second: a page that is not fresh then is loaded anew
SHOTS = Path(__file__).parent / "shots"
Spot = tuple[float, float]  # pixels


class Box(NamedTuple):
    """A rectangle on the page, in pixels."""

    x: float
    y: float
    width: float
    height: float


def _told(line: ConsoleMessage) -> str:
    """What the browser says and of which address, without the key that every request carries."""
    address = line.location["url"].split("key=")[0].rstrip("?&")
    return f"{line.text} {address}".rstrip()


class Studio:
    """The page, with what a person does on it."""

    def __init__(self, page: Page, *, shots: bool = False) -> None:
        self.page = page
        self.complaints: list[str] = []
        self._shots = shots  # whether pictures of the steps are kept
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(_told(line)) if line.type == "error" else None)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.ready()
        if self.page.locator("#begin").count():
            self.page.locator("#begin").click()

    def tidy(self) -> None:
        """End what is under way and leave dialogs, selections, tools and tabs, as far as keys and buttons do that."""
        if self.look("playing"):
            self.page.keyboard.press("Space")
        for _ in range(3):  # a dialog, a selection, a tool
            self.page.keyboard.press("Escape")
        for _ in range(self.look("level") or 0):  # of regions
            self.page.keyboard.press("PageDown")
        self.page.mouse.move(5, 5)
        self.page.evaluate(TIDY)
        self.answered()

    def keep_state(self) -> None:
        """Remember what a page is like that was just loaded."""
        self.rest()
        self.page.evaluate(KEEP)

    def is_fresh(self) -> bool:
        """Whether a page that was tidied up is like one that was just loaded, or soon will be."""
        self.answered()
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            self.page.evaluate(TIDY)
            if self.look("ready") and self.page.evaluate(IS_FRESH):
                return True
            self.page.wait_for_timeout(30)
        return False

    def ready(self) -> None:
        self.until(lambda: self.look("ready"), "the face is there")

    def look(self, what: str) -> Any:
        """Something of the window that the page opens for tests."""
        try:
            return self.page.evaluate(f"window.__facewright && window.__facewright.{what}")
        except Error:  # the page is just moving on
            return None

    def until(self, holds: Callable[..., Any], what: str) -> None:
        end = time.monotonic() + PATIENCE
        pause = 0.02  # asking takes time from what is waited for: the longer that takes, the more seldom
        while not holds():
            assert time.monotonic() < end, f"waited in vain until {what}"
            self.page.wait_for_timeout(1000 * pause)
            pause = min(1.25 * pause, 0.15)

    def at(self, place: list[float]) -> Spot:
        spot = self.page.evaluate("place => window.__facewright.seen(place)", place)
        return spot["x"], spot["y"]

    def vertex(self, index: int) -> Spot:
        """Where a vertex is on the page, at rest."""
        return self.at(self.look(f"vertex({index})"))

    def drag(self, start: Spot, by: Spot, *, steps: int = 4, release: bool = True) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for i in range(1, steps + 1):
            mouse.move(start[0] + by[0] * i / steps, start[1] + by[1] * i / steps)
        if release:
            mouse.up()

    def box(self, element: Locator) -> Box:
        """Where an element is."""
        found = element.bounding_box()
        assert found is not None, "it is not on the page"
        return Box(**found)

    def slider(self, name: str) -> Locator:
        return self.page.locator(f'[data-slider="{name}"] .bar')

    def drag_slider(self, name: str, share: float) -> None:
        self.slider(name).scroll_into_view_if_needed()
        box = self.box(self.slider(name))
        self.drag((box.x + 5, box.y + box.height / 2), (share * box.width, 0), steps=2)

    def committed(self, entries: int) -> None:
        """Wait until the history has so many entries that are done, none is open, and what came of them is shown."""
        self.until(
            lambda: (h := self.look("history")) and h["at"] == entries and not h["gesture"], f"{entries} steps are done"
        )
        self.answered()

    def answered(self) -> None:
        """Wait until the server has answered all that the page sent: the pose, for one, comes after the history."""
        self.until(lambda: self.page.evaluate(ANSWERED), "the server has answered")

    def face(self) -> bytes:
        """The drawn face, without what lies over it."""
        self.page.mouse.move(900, 700)  # where nothing shows a tooltip
        self.rest()
        box = self.box(self.page.locator(".viewport canvas").first)
        self._over("hidden")
        picture = self.page.screenshot(  # without the frame that shows the focus
            clip={"x": box.x + 4, "y": box.y + 4, "width": box.width - 8, "height": box.height - 8}
        )
        self._over("")
        return picture

    def _over(self, visibility: str) -> None:
        what = ".overlay, .split, .markers, .hint, .ramp-legend, .float, .moved-list, .residual, .toasts, .tooltip"
        script = "([what, v]) => { for (const e of document.querySelectorAll(what)) e.style.visibility = v }"
        self.page.evaluate(script, [what, visibility])

    def settle(self) -> None:
        """Wait until what was asked for has come, and has been drawn."""
        self.answered()
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.until(lambda: self.look("drawn") or self.look("playing"), "it is drawn")

    def rest(self) -> None:
        """Wait until it is drawn sharp, with all its textures; the processor does that soon after the last change."""
        self.settle()
        self.until(lambda: self.look("still"), "nothing changes any more")

    def shot(self, name: str) -> None:
        """Draw what was asked for, and keep a picture of it where pictures are wanted."""
        self.settle()
        if not self._shots:
            return
        if not self.look("playing"):
            self.rest()
        self.keep(name)

    def keep(self, name: str) -> None:
        """A picture of the page as it is."""
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")
