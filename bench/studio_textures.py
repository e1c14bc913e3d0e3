"""What a frame of the studio costs the page's script with 8 and 16 textures of 2048 x 2048, while a pin is dragged.

Beside it the same face without textures. Drawing itself is the graphics card's and not counted.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright
from tests.browser import studio as browser_studio
from tests.browser.chromium import FLAGS, installed
from tests.browser.studio import Studio
from tests.studio.served import Served

import facewright as fw
from bench.row import Row
from bench.studio_browser import WINDOW
from facewright.document import Document
from facewright.image.codec import encoded
from facewright.image.encoded import Encoded
from facewright.rig.textures import Textures

SIZE = 2048
SHAPES = ("jawOpen", "mouthSmileLeft", "mouthSmileRight", "browInnerUp", "cheekPuff", "mouthPucker", "noseSneerLeft",
          "noseSneerRight", "mouthFrownLeft", "mouthFrownRight", "browDownLeft", "browDownRight", "cheekSquintLeft",
          "cheekSquintRight", "eyeSquintLeft", "eyeSquintRight")  # fmt: skip
COUNTS = (8, 16)
FRAMES = 40

# A pointer goes round in circles on the mouth; after each frame, what its script took.
DRAG = """
async ({ x, y, frames }) => {
  const canvas = document.querySelector('.viewport canvas')
  canvas.setPointerCapture = () => {}
  const point = (type, x, y) => canvas.dispatchEvent(
    new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerId: 1, bubbles: true }))
  const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)))
  point('pointerdown', x, y)
  const times = []
  for (let i = 0; i < frames + 5; i++) {
    const next = window.__facewright.next()
    point('pointermove', x + 20 * Math.cos(i / 3), y + 20 * Math.sin(i / 3))
    await Promise.race([next, new Promise(done => setTimeout(done, 1000))])
    await drawn()
    if (i >= 5) times.push(window.__facewright.scriptTime)
  }
  point('pointerup', x, y)
  return times
}
"""


def rows() -> Iterator[Row]:
    chromium = installed()
    if chromium is None:
        print("studio_textures: no Chromium here", file=sys.stderr)
        return
    browser_studio.PATIENCE = 300.0  # type: ignore[attr-defined]  # a software renderer takes its time to unpack nine large textures
    rig = fw.sample()
    bare = Document(rig, pose=rig.weights(dict.fromkeys(SHAPES, 0.1)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        plain, _ = _measured(browser, bare, Path(folder) / "bare")
        for count in COUNTS:
            dressed = replace(bare, textures=_textures(count))
            times, megabytes = _measured(browser, dressed, Path(folder) / f"dressed {count}")
            case = f"{count} textures of {SIZE}, {len(times)} frames, {megabytes:.0f} MB on the card"
            median, worst = float(np.median(times)), float(np.percentile(times, 99))
            yield Row("script of a studio frame", case, median, worst, "no textures", float(np.median(plain)))
        browser.close()


def _measured(browser: Browser, document: Document, folder: Path) -> tuple[np.ndarray, float]:
    folder.mkdir()
    fw.save(document, folder / "face.fwface")
    server = Served(folder / "state", folder / "face.fwface").start()
    page = browser.new_page(viewport=WINDOW)
    try:
        studio = Studio(page)
        studio.open(server.address)
        studio.until(lambda: studio.look("mix")["complete"], "textures are there")
        smile = document.rig.shape("mouthSmileLeft")
        x, y = studio.vertex(int(smile.vertices[np.linalg.norm(smile.offsets, axis=1).argmax()]))
        times = np.array(page.evaluate(DRAG, {"x": x, "y": y, "frames": FRAMES}))
        return times, studio.look("mix")["bytes"] / 2**20
    finally:
        page.close()
        server.stop()


def _textures(count: int) -> Textures:
    textures = Textures(_picture(0), parts=("head",))
    for number, shape in enumerate(SHAPES[:count], start=1):
        textures = textures.with_map((shape,), _picture(number))
    return textures


def _picture(seed: int) -> Encoded:
    rng = np.random.default_rng(seed)
    tile = rng.integers(90, 200, (64, 64, 3), dtype=np.uint8)
    return encoded(np.tile(tile, (SIZE // 64, SIZE // 64, 1)), "image/jpeg")
