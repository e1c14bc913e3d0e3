"""The picture of docs/tracking.md that shows the studio: a depth sequence over the face, solved, by the real server
and page in a Chromium.

Build the page first (`make studio`); then `python -m tools.tracking_pictures`. The sequence is depth of the embedded
head as a camera of 160 x 120 pixels would measure it.
"""

import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import ViewportSize, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Studio
from tests.browser.test_takes import scrub
from tests.studio.served import serving
from tests.tracking.depth_of import LENS, before_camera, depth_of

import facewright as fw

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 800}
FRAMES, RATE, SHOWN = 45, 30.0, 16


def write_sequence(path: Path) -> None:
    """A word and a smile, while the head turns; one frame was dropped, and one half covered by a hand."""
    rig, times = fw.sample(), np.arange(FRAMES) / RATE
    depth = []
    for i, at in enumerate(times):
        pose = {
            "jawOpen": 0.35 * (1 - np.cos(9 * at)) / 2,
            "mouthSmileLeft": min(0.9 * at, 0.8),
            "mouthSmileRight": min(0.8 * at, 0.7),
            "browInnerUp": 0.5 * np.sin(3 * at) ** 2,
        }
        place = before_camera(rig, yaw=14 * np.sin(3 * at), away=0.42)
        depth.append(depth_of(rig, rig.pose(pose), place, noise=0.0008, seed=i).depth)
    depth[30] = np.where(np.arange(LENS.width) < 85, 0, depth[30]).astype(np.float32)
    depth[9] = np.zeros_like(depth[9])
    matrix = np.array([[LENS.fx, 0, LENS.cx], [0, LENS.fy, LENS.cy], [0, 0, 1]])
    np.savez(path, depth=np.stack(depth), intrinsics=matrix, time=times)


def draw(studio: Studio, file: Path) -> None:
    studio.page.get_by_role("tab", name="Take").click()
    studio.page.locator("#scan-file").set_input_files(file)
    studio.until(lambda: studio.look("scan"), "the sequence is there")
    studio.page.locator("#track").click()
    studio.until(lambda: studio.look("scan")["tracked"], "it is solved")
    scrub(studio, SHOWN, RATE)
    studio.until(lambda: studio.look("cloud")["frame"] == SHOWN, "the cloud is that of the frame")
    studio.page.get_by_role("button", name="¾").click()
    studio.page.evaluate("document.getElementById('scan-section').scrollIntoView()")
    studio.page.mouse.move(640, 795)
    studio.until(lambda: not studio.page.locator(".toast").count(), "all messages are gone")
    studio.rest()
    studio.page.screenshot(path=OUT / "tracking-studio.png", scale="css")
    print("pictures/tracking-studio.png")


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "smile and talk.npz"
        write_sequence(file)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        studio = Studio(browser.new_page(viewport=SIZE, device_scale_factor=1.5))
        with serving(Path(folder) / "state") as server:
            studio.open(server.address)
            draw(studio, file)
        browser.close()


if __name__ == "__main__":
    main()
