"""Pictures of the studio in docs/: the real server, the real page, a Chromium.

Build the page first (`make studio`); then `python -m tools.studio_pictures`.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Studio
from tests.session.acted import acted
from tests.studio.served import serving

import facewright as fw
from facewright.formats.takes import save_take

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 720}
FRAME = 312  # of the take
CORNER = 2781  # a vertex beside the left corner of the mouth
BROW = 2462  # on the outer end of the left brow


def posing(studio: Studio) -> None:
    """A mouth corner and a brow dragged; the sliders follow."""
    for vertex, by in ((CORNER, (10, -12)), (BROW, (0, -9))):
        studio.drag(studio.vertex(vertex), by)
        studio.until(lambda: not studio.look("dragging"), "the pin is let go")
    studio.page.mouse.move(640, 705)


def regions(studio: Studio) -> None:
    """A mouth corner dragged inside its region."""
    studio.page.locator("#tab-regions").click()
    studio.page.locator("#find-regions").click()
    studio.committed(1)
    studio.drag_slider("jawOpen", 0.12)
    studio.committed(2)
    studio.page.keyboard.press("r")
    spot = studio.vertex(CORNER)
    studio.page.mouse.click(*spot)
    studio.until(lambda: studio.look("region"), "a region is chosen")
    studio.drag(spot, (9, -15))
    studio.committed(4)
    studio.page.mouse.move(640, 705)


def solved(told: dict[str, Any]) -> bool:
    return bool(told["built"] and told["built"]["current"] and not told["doing"])


def build(studio: Studio) -> None:
    """A rig built from three poses of another person, one of them beside the rig's own version of it."""
    person = fw.sample("kenji")
    poses = {
        "neutral": {},
        "jawOpen": {"jawOpen": 1.0},
        "smile": {"mouthSmileLeft": 1.0, "mouthSmileRight": 0.9, "cheekSquintLeft": 0.5},
        "surprise": {"jawOpen": 0.5, "browInnerUp": 1.0, "eyeWideLeft": 0.8, "eyeWideRight": 0.8},
    }
    studio.page.locator("#tab-build").click()
    studio.page.get_by_role("button", name="Load a neutral…").click()
    with tempfile.TemporaryDirectory() as folder:
        for name, weights in poses.items():
            positions = fw.evaluate(person, weights)
            fw.save(
                fw.Rig(positions, person.polygons, parts=person.parts, uvs=person.uvs), Path(folder) / f"{name}.obj"
            )
        studio.page.set_input_files("#build-upload", Path(folder) / "neutral.obj")
        studio.until(lambda: studio.look("build.rest"), "the neutral is there")
        studio.page.get_by_role("button", name="Add poses…").click()
        studio.page.set_input_files("#build-upload", [Path(folder) / f"{name}.obj" for name in list(poses)[1:]])
        studio.until(lambda: len(studio.look("build.poses")) == len(poses) - 1, "the poses are there")
    studio.until(lambda: solved(studio.look("build")), "the rig is there")
    studio.page.locator('[data-pose="surprise"] .pose-pick').click()
    studio.page.wait_for_selector(".heat-legend")
    studio.page.mouse.move(640, 705)
    studio.page.wait_for_timeout(2000)  # small pictures and the light on the faces come a little later


def take(studio: Studio) -> None:
    """A solved take over the face."""
    studio.page.set_viewport_size({"width": 1440, "height": 860})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dialogue.c3d"
        save_take(replace(acted(600).take, name="dialogue"), file)
        studio.page.locator("#take").set_input_files(file)
        studio.page.locator("#solve").click()
        studio.until(lambda: studio.look("fit") and studio.look("fit.clip"), "the take is solved and compared")
    field = studio.page.get_by_label("The frame", exact=True)
    field.fill(str(FRAME))
    field.press("Enter")
    studio.page.keyboard.press("2")
    studio.until(lambda: not studio.page.locator(".toast").count(), "all messages are gone")
    studio.page.mouse.move(700, 845)


def textures(studio: Studio) -> None:
    """The mix of several expressions, plain on the left and in two bands on the right."""
    for name in ("browInnerUp", "mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight", "jawOpen"):
        studio.drag_slider(name, 0.4)
    studio.page.locator("#tab-textures").click()
    studio.page.get_by_role("button", name="Split", exact=True).click()
    studio.page.keyboard.press("F2")
    studio.page.keyboard.press("F3")
    studio.page.mouse.move(640, 705)


PICTURES = {
    "studio": posing,
    "studio-regions": regions,
    "studio-build": build,
    "studio-take": take,
    "textures-studio": textures,
}


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name in sys.argv[1:] or PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                studio = Studio(browser.new_page(viewport=SIZE, device_scale_factor=1.5))
                with serving(Path(folder) / "state") as server:
                    studio.open(server.address)
                    PICTURES[name](studio)
                    studio.rest()
                    studio.page.screenshot(path=OUT / f"{name}.png", scale="css")
            print(f"{OUT.name}/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
