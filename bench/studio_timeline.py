"""The timeline with a hundred thousand keys: milliseconds of script for each event, drawing of the lanes included.

Beside it the same on a clip of three keys a slider, in the same browser.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright
from tests.browser.chromium import FLAGS, installed
from tests.browser.studio import Studio
from tests.studio.served import Served

import facewright as fw
from bench.row import Row
from bench.studio_browser import WINDOW

SECONDS = 134.0
KEYS = 100_000
EVENTS = 120
GOAL = "16 ms at 99 %"

# Signals draw the lanes while the event is handled, so that its time is that of the script.
EVENT = """
async ({ kind, view, events }) => {
  const lanes = document.querySelector('.lanes .keys'), ruler = document.querySelector('.ruler')
  for (const each of [lanes, ruler]) each.setPointerCapture = () => {}
  if ((lanes.className.includes('curves') ? 'curves' : 'keys') !== view)
    document.querySelector('.timebar [aria-label=Curves]').click()
  const frame = () => new Promise(done => requestAnimationFrame(done))
  await frame()
  const { left, top, width, height } = lanes.getBoundingClientRect()
  const point = (target, type, x, y) =>
    target.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerId: 1, bubbles: true }))
  const wheel = (x, deltaY, more) =>
    lanes.dispatchEvent(new WheelEvent('wheel', { clientX: x, clientY: top + 9, deltaY, bubbles: true, ...more }))
  const along = i => left + 170 + (width - 180) * (0.5 - 0.5 * Math.cos(i / 9))
  const handle = {
    zoom: i => wheel(along(i), i % 40 < 20 ? -60 : 60, { ctrlKey: true }),
    pan: i => wheel(along(i), i % 40 < 20 ? 60 : -60, { shiftKey: true }),
    box: i => point(lanes, 'pointermove', along(i), top + 12 + (height - 14) * (0.5 - 0.5 * Math.cos(i / 7))),
    scrub: i => point(ruler, 'pointermove', along(i), top - 10),
  }[kind]
  if (kind === 'box') point(lanes, 'pointerdown', left + 165, top + 3)
  if (kind === 'scrub') point(ruler, 'pointerdown', along(0), top - 10)
  const times = []
  for (let i = 0; i < events; i++) {
    const start = performance.now()
    handle(i)
    times.push(performance.now() - start)
    await frame()
  }
  point(kind === 'scrub' ? ruler : lanes, 'pointerup', left + 200, top + 20)
  return times
}
"""


def rows() -> Iterator[Row]:
    chromium = installed()
    if chromium is None:
        print("studio_timeline: no Chromium here", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        measured = {}
        for name, keys in (("many", KEYS // 52), ("few", 3)):
            page = browser.new_page(viewport=WINDOW)
            measured[name] = _measured(page, Path(folder) / name, keys)
            page.close()
        browser.close()
    for case, times in measured["many"].items():
        own, other = np.array(times), np.array(measured["few"][case])
        worst = float(np.percentile(own, 99))
        goal = "1000 ms" if case == "open" else GOAL
        words = f"{case}, {KEYS // 52 * 52} keys"
        yield Row("timeline", words, float(np.median(own)), worst, "156 keys", float(np.median(other)), goal)


def _measured(page: Page, folder: Path, keys: int) -> dict[str, list[float]]:
    folder.mkdir()
    rig = fw.sample()
    times = np.linspace(0, SECONDS, keys)
    rng = np.random.default_rng(0)
    values = np.clip(np.cumsum(rng.normal(0, 0.02, (keys, len(rig.sliders))), axis=0) + 0.5, 0, 1)
    fw.save(fw.Document(rig, (fw.Clip.from_table("take", rig.sliders, times, values),)), folder / "take.fwface")
    server = Served(folder / "state", folder / "take.fwface").start()
    try:
        studio = Studio(page)
        studio.open(server.address)
        studio.rest()
        found = {"open": [_opened(studio)]}
        for view in ("keys", "curves"):
            for kind in ("scrub", "pan", "zoom", "box"):
                asked = {"kind": kind, "view": view, "events": EVENTS}
                found[f"{kind} {view}"] = page.evaluate(EVENT, asked)
        return found
    finally:
        server.stop()


def _opened(studio: Studio) -> float:
    """Milliseconds from loading the page to the keys being there."""
    studio.page.reload()
    studio.until(lambda: studio.look("clip") and len(studio.look("clip")["sliders"]) == 52, "the keys are there")
    return float(studio.page.evaluate("performance.now()"))
