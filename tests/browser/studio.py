"""The real server in a process of its own, and the real page in a real browser."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page

SHOTS = Path(__file__).parent / "shots"
Spot = tuple[float, float]  # pixels
PATIENCE = 90.0  # seconds; software rendering on a busy machine


class Server:
    """`facewright studio` on a state folder of its own."""

    def __init__(self, state: Path, *arguments: object) -> None:
        self._state, self._arguments = state, arguments
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> str:
        command = [sys.executable, "-m", "facewright.cli.main", "studio", "--no-browser", "--state", str(self._state)]
        quiet = os.environ | {"OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1", "COLUMNS": "300"}
        self._process = subprocess.Popen(
            [*command, *map(str, self._arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=quiet,
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if found := re.search(r"http://\S+token=\S+", line):
                self.address = found[0]
                return self.address
        raise AssertionError(f"the studio did not start: {said}")

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._end(self._process)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._end(self._process)

    @contextmanager
    def halted(self, command: str) -> Iterator[None]:
        """Processes of the studio with these words in their command stand still meanwhile."""
        assert self._process is not None
        found = _children(self._process.pid, command)
        assert found, f"no process of the studio runs {command}"
        for each in found:
            os.kill(each, signal.SIGSTOP)
        try:
            yield
        finally:
            for each in found:
                os.kill(each, signal.SIGCONT)

    def _end(self, process: subprocess.Popen[str]) -> None:
        process.wait(timeout=20)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    """A studio that keeps all it has in a folder, with one for work in it."""
    (folder / "work").mkdir()
    server = Server(folder / "state", "--folder", folder / "work", *options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _children(parent: int, command: str) -> list[int]:
    """Processes that another one started, by words of their command, as Linux tells them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            said, status = (process / "cmdline").read_text(), (process / "status").read_text()
            if command in said and f"PPid:\t{parent}\n" in status:
                found.append(int(process.name))
    return found


class Studio:
    """The page, with what a person does on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.ready()
        if self.page.locator("#begin").count():
            self.page.locator("#begin").click()

    def ready(self) -> None:
        self.until(lambda: self.look("ready"), "the face is there")

    def look(self, what: str) -> Any:
        """Something of the window that the page opens for tests."""
        try:
            return self.page.evaluate(f"window.__facewright && window.__facewright.{what}")
        except Error:  # the page is just moving on
            return None

    def until(self, holds: Callable[[], Any], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"waited in vain until {what}"
            self.page.wait_for_timeout(30)

    def at(self, place: list[float]) -> Spot:
        spot = self.page.evaluate("place => window.__facewright.seen(place)", place)
        return spot["x"], spot["y"]

    def vertex(self, index: int) -> Spot:
        """Where a vertex is on the page, at rest."""
        return self.at(self.look(f"vertex({index})"))

    def drag(self, start: Spot, by: Spot, *, steps: int = 12, release: bool = True) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for i in range(1, steps + 1):
            mouse.move(start[0] + by[0] * i / steps, start[1] + by[1] * i / steps)
        if release:
            mouse.up()

    def slider(self, name: str) -> Locator:
        return self.page.locator(f'[data-slider="{name}"] .bar')

    def drag_slider(self, name: str, share: float) -> None:
        self.slider(name).scroll_into_view_if_needed()
        box = self.slider(name).bounding_box()
        assert box is not None
        self.drag((box["x"] + 5, box["y"] + box["height"] / 2), (share * box["width"], 0))

    def committed(self, entries: int) -> None:
        """Wait until the history has so many entries that are done, and none is open."""
        self.until(
            lambda: (h := self.look("history")) and h["at"] == entries and not h["gesture"], f"{entries} steps are done"
        )

    def face(self) -> bytes:
        """The drawn face, without what lies over it."""
        self.page.mouse.move(900, 700)  # where nothing shows a tooltip
        self.rest()
        box = self.page.locator(".viewport canvas").first.bounding_box()
        assert box is not None
        self._over("hidden")
        # without the frame that shows the focus
        inner = {"x": box["x"] + 4, "y": box["y"] + 4, "width": box["width"] - 8, "height": box["height"] - 8}
        picture = self.page.screenshot(clip=inner)
        self._over("")
        return picture

    def _over(self, visibility: str) -> None:
        what = ".overlay, .split, .markers, .hint, .ramp-legend, .float, .moved-list, .residual, .toasts, .tooltip"
        script = "([what, v]) => { for (const e of document.querySelectorAll(what)) e.style.visibility = v }"
        self.page.evaluate(script, [what, visibility])

    def settle(self) -> None:
        """Until what was asked for has been drawn."""
        frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))"
        self.page.evaluate(frames)
        self.until(lambda: self.look("drawn") or self.look("playing"), "it is drawn")

    def rest(self) -> None:
        """Until it is drawn sharp, with all its textures: without a graphics card a little after the last change."""
        self.settle()
        self.until(lambda: self.look("still"), "nothing changes any more")

    def shot(self, name: str) -> None:
        SHOTS.mkdir(exist_ok=True)
        if self.look("playing"):
            self.settle()
        else:
            self.rest()
        self.page.screenshot(path=SHOTS / f"{name}.png")
