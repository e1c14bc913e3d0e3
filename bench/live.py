"""A live face, from the packet that is sent to its weights in the page, in Chromium.

A sender on this machine sends Live Link packets 60 times a second, each with a jaw of its own, by which the page's
weights tell which packet they are from. Beside it the bare round trip of a Ping in the same page. The flood sends 1000
a second: the age of what is shown in its second half, beside that in its first, which grows if packets wait in a queue.

The first row lays nothing out: it is server, socket and script. The second has the page's panels painted meanwhile, and
the third the face as well, all by the processor, as on a machine without a graphics card: what arrives then waits for
the painting, and shares the cores with it.
"""

import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright
from tests.browser.chromium import FLAGS, installed
from tests.browser.studio import Studio
from tests.studio.served import Served

from bench.row import Row
from bench.studio_browser import PING, STILL, WINDOW
from facewright.live.livelink import write_livelink

GOAL = "10 ms at 95 %"
STEPS = 8000  # different values of the jaw

# The jaw and the wall clock in milliseconds of every pose that comes, for some time.
WATCH = """
async ({ seconds }) => {
  const found = [], end = performance.now() + 1000 * seconds
  const pause = new Promise(done => setTimeout(done, 1000 * seconds))
  while (performance.now() < end) {
    await Promise.race([window.__facewright.next(), pause])
    found.push([performance.timeOrigin + performance.now(), window.__facewright.weights.jawOpen])
  }
  return found
}
"""


def rows(seconds: float = 10.0) -> Iterator[Row]:
    chromium = installed()
    if chromium is None:
        print("live: no Chromium here", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        server = Served(Path(folder) / "state").start()
        try:
            page = browser.new_page(viewport=WINDOW)
            port = _listening(page, server)
            _ages(page, port, 60.0, 2.0)  # the first frames compile scripts and shaders
            drawn = _ages(page, port, 60.0, seconds)
            page.evaluate(STILL)
            painted = _ages(page, port, 60.0, seconds)
            page.evaluate("document.body.style.display = 'none'")
            bare = _ages(page, port, 60.0, seconds)
            pings = np.array(page.evaluate(PING, {"count": 200, "key": server.key}))
            flood = _ages(page, port, 1000.0, seconds / 2)
        finally:
            server.stop()
            browser.close()
    for words, ages in (("nothing laid out", bare), ("panels painted", painted), ("all drawn", drawn)):
        case = f"{words}, {len(ages)} packets at 60 Hz, 95 % {np.percentile(ages, 95):.1f} ms"
        median, worst = np.percentile(ages, [50, 99]).tolist()
        yield Row("live, packet to page", case, median, worst, "ping", float(np.median(pings)), GOAL)
    first, second = np.array_split(flood, 2)
    yield Row(
        "live, 1000 packets a second", f"age of {len(flood)} faces shown, second half", float(np.median(second)),
        float(np.percentile(second, 99)), "first half", float(np.median(first)), "does not grow",
    )  # fmt: skip


def _listening(page: Page, server: Served) -> int:
    """Switch the tab Live on at a free port, without smoothing; returns the port."""
    studio = Studio(page)
    studio.open(server.address)
    page.get_by_role("tab", name="Live").click()
    page.get_by_label("Port that the sender sends to").fill("0")
    page.keyboard.press("Enter")
    page.locator(".check", has_text="Off").first.click()
    studio.until(lambda: studio.look("live"), "it is listened")
    page.get_by_role("slider", name="How much the face is smoothed").fill("0")
    studio.until(lambda: studio.look("live")["smooth"] == 0, "nothing is smoothed")
    return int(studio.look("live")["port"])


def _ages(page: Page, port: int, rate: float, seconds: float) -> np.ndarray:
    """Milliseconds from a packet being sent to its weights being in the page, for those that were shown."""
    sent: dict[int, float] = {}
    over = threading.Event()

    def send() -> None:
        start, number = time.monotonic(), 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            while not over.wait(max(0.0, start + number / rate - time.monotonic())):
                packet = write_livelink({"jawOpen": number % STEPS / STEPS}, frame=number, rate=round(rate))
                sent[number % STEPS] = 1000 * time.time()
                sender.sendto(packet, ("127.0.0.1", port))
                number += 1

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        found = page.evaluate(WATCH, {"seconds": seconds})
    finally:
        over.set()
        thread.join()
    numbers = [round(jaw * STEPS) for _, jaw in found]
    new = [i for i in range(1, len(found)) if numbers[i] != numbers[i - 1] and numbers[i] in sent]
    return np.array([found[i][0] - sent[numbers[i]] for i in new])
