"""A drag in the browser, from the pointer event to the weights it brings, without the software renderer's share.

Beside it the bare round trip of a Ping over the same kind of socket, in the same page.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, ViewportSize, sync_playwright
from tests.browser.chromium import FLAGS, installed
from tests.browser.studio import Studio
from tests.studio.served import Served

import facewright as fw
from bench.row import Row
from facewright.rig.rig import Rig
from facewright.samples import mask

MOVES = 500
GOAL = "8 ms at 95 %"
WINDOW: ViewportSize = {"width": 1280, "height": 720}

# No frame is drawn, laid out or painted: what is measured is script, socket and solver.
STILL = """
() => {
  window.requestAnimationFrame = () => 0
  document.getElementById('studio').style.visibility = 'hidden'
  for (const panel of document.querySelectorAll('.panel, .topbar')) panel.style.contentVisibility = 'hidden'
}
"""

# A pointer goes round in circles; each move is timed until its pose was applied.
DRAG = """
async ({ x, y, radius, moves }) => {
  const canvas = document.querySelector('.viewport canvas')
  const common = { button: 0, pointerId: 1, bubbles: true }
  const point = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, ...common }))
  const pause = (time) => new Promise(done => setTimeout(done, time))
  // A browser lets timers of a still page sleep for 30 ms; a pointer comes every few.
  const channel = new MessageChannel()
  const tick = () => new Promise(done => { channel.port1.onmessage = done; channel.port2.postMessage(0) })
  const wait = async (time) => { for (const end = performance.now() + time; performance.now() < end;) await tick() }
  canvas.setPointerCapture = () => {}
  point('pointerdown', x, y)
  await pause(500)
  const times = []
  for (let i = 0; i < moves + 20; i++) {
    const angle = i / 40, reach = radius * Math.min(1, i / 60)
    const next = window.__facewright.next()
    const start = performance.now()
    point('pointermove', x + reach * Math.cos(angle), y + reach * Math.sin(angle))
    if (await Promise.race([next.then(() => true), pause(2000)]) && i >= 20) times.push(performance.now() - start)
    await wait(4)
  }
  point('pointerup', x, y)
  return times
}
"""

PING = """
async ({ count, key }) => {
  const socket = new WebSocket(`ws://${location.host}/socket?key=${key}`)
  await new Promise((done, fail) => { socket.onopen = done; socket.onerror = () => fail('the socket is refused') })
  const times = []
  for (let seq = 1; seq <= count; seq++) {
    const start = performance.now()
    socket.send(JSON.stringify({ type: 'Ping', seq }))
    await new Promise(done => {
      socket.onmessage = ({ data }) => { if (typeof data === 'string' && data.startsWith('{"type":"Pong"')) done() }
    })
    times.push(performance.now() - start)
  }
  socket.close()
  return times
}
"""


def rows() -> Iterator[Row]:
    chromium = installed()
    if chromium is None:
        print("studio_browser: no Chromium here", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield _measured("sample", fw.sample(), None, browser.new_page(viewport=WINDOW), Path(folder) / "sample")
        big = mask(vertices=10_000, shapes=150, seed=1)
        fw.save(big, Path(folder) / "mask.npz")
        yield _measured(
            "10K x 150", big, Path(folder) / "mask.npz", browser.new_page(viewport=WINDOW), Path(folder) / "mask"
        )
        browser.close()


def _measured(case: str, rig: Rig, file: Path | None, page: Page, state: Path) -> Row:
    server = Served(state, *([] if file is None else [file])).start()
    try:
        studio = Studio(page)
        studio.open(server.address)
        page.evaluate(STILL)
        x, y = studio.vertex(_mouth(rig))
        times = np.array(page.evaluate(DRAG, {"x": x, "y": y, "radius": 24, "moves": MOVES}))
        pings = np.array(page.evaluate(PING, {"count": 200, "key": server.key}))
    finally:
        server.stop()
    assert len(times) > 0.9 * MOVES, f"only {len(times)} of {MOVES} moves were answered"
    high = float(np.percentile(times, 95))
    words = f"{case}, {len(times)} moves, 95 % {high:.1f} ms"
    worst = float(np.percentile(times, 99))
    return Row("drag in Chromium", words, float(np.median(times)), worst, "ping", float(np.median(pings)), GOAL)


def _mouth(rig: Rig) -> int:
    """The vertex that some shape of the mouth moves most."""
    shape = next(each for each in rig.shapes if "mouth" in each.name.lower() and each.name.endswith("Left"))
    return int(shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()])
