"""The timeline with a hundred thousand keys: milliseconds of script for each event and the frame that shows it.

The browser counts the time that its page's thread ran scripts, so that other work of the machine counts for nothing.
Beside it the same on a clip of three keys a slider, in the same browser.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright
from tests.browser.chromium import FLAGS, installed
from tests.browser.studio import Studio
from tests.studio.served import Served

import facewright as fw
from bench.row import Row
from bench.studio_browser import WINDOW

SECONDS = 134.0
KEYS = 100_000
EVENTS = 120
OPENINGS = 7
GOAL = "16 ms at 99 %"

THERE = "() => window.__facewright?.curves.length === 52 ? performance.now() : 0"

# `window.event(i)` is an event and the frame after it.
PREPARE = """
async ({ kind, view }) => {
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
  window.event = async i => { handle(i); await frame() }
  window.finish = () => point(kind === 'scrub' ? ruler : lanes, 'pointerup', left + 200, top + 20)
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
        profile = page.context.new_cdp_session(page)
        profile.send("Performance.enable", {"timeDomain": "threadTicks"})
        studio.open(server.address)
        studio.rest()
        found = {"open": [_opened(studio) for _ in range(OPENINGS)]}
        for view in ("keys", "curves"):
            for kind in ("scrub", "pan", "zoom", "box"):
                page.evaluate(PREPARE, {"kind": kind, "view": view})
                found[f"{kind} {view}"] = [_script(page, profile, i) for i in range(EVENTS)]
                page.evaluate("window.finish()")
        return found
    finally:
        server.stop()


def _script(page: Page, profile: CDPSession, i: int) -> float:
    """Milliseconds that scripts ran for one event."""
    before = _ran(profile)
    page.evaluate("i => window.event(i)", i)
    return _ran(profile) - before


def _ran(profile: CDPSession) -> float:
    metrics = profile.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration"))


def _opened(studio: Studio) -> float:
    """Milliseconds from loading the page to the keys of all curves being there."""
    studio.page.reload()
    return float(studio.page.wait_for_function(THERE).json_value())
