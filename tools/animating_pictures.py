"""Pictures of docs/animating.md: from an empty studio to an exported clip, by the real server and page in a Chromium.

Build the page first (`make studio`); then `python -m tools.animating_pictures`; a folder after it
is for pictures that do not go into the docs. The exported file is read back, to see
that its clip has the poses and the layer.
"""

import sys
import tempfile
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import ViewportSize, sync_playwright
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.studio import Studio
from tests.browser.test_timeline import go_to, tool, x_of, y_of
from tests.studio.served import serving

import facewright as fw

OUT = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 800}
POSES = {
    0: {"jawOpen": 0.1, "mouthSmileLeft": 0.0, "mouthSmileRight": 0.0, "browInnerUp": 0.2},
    15: {"jawOpen": 0.7, "mouthSmileLeft": 0.5, "mouthSmileRight": 0.4, "browInnerUp": 0.6},
    30: {"jawOpen": 0.2, "mouthSmileLeft": 0.9, "mouthSmileRight": 0.8, "browInnerUp": 0.1},
    45: {"jawOpen": 0.4, "mouthSmileLeft": 0.3, "mouthSmileRight": 0.3, "browInnerUp": 0.3},
}


def set_sliders(studio: Studio, values: dict[str, float]) -> None:
    for name, value in values.items():
        field = studio.page.locator(f'[data-slider="{name}"] button.value')
        field.scroll_into_view_if_needed()
        field.click()
        studio.page.keyboard.type(str(value))
        studio.page.keyboard.press("Enter")
        studio.answered()


def keys(studio: Studio, _: Path) -> None:
    """Four poses, each keyed."""
    for frame, values in POSES.items():
        if frame:
            go_to(studio, frame)
        set_sliders(studio, values)
        studio.page.keyboard.press("k")
        studio.answered()
    go_to(studio, 15)
    studio.page.locator('[data-slider="browInnerUp"]').scroll_into_view_if_needed()


def graph(studio: Studio, _: Path) -> None:
    """The curves, with the tangents of a key turned by hand."""
    studio.page.locator(".lane-names button", has_text="jawOpen").click()
    studio.page.keyboard.press("c")
    studio.page.mouse.click(x_of(studio, 1), y_of(studio, 0.2))
    studio.until(lambda: studio.look("selectedKeys"), "a key is selected")
    studio.drag((x_of(studio, 1) + 44, y_of(studio, 0.2)), (0, -25), steps=3)
    studio.answered()


def form(studio: Studio, _: Path) -> None:
    """A tool whose work is seen before it is kept."""
    studio.page.keyboard.press("Control+a")
    asked = tool(studio, "Scale values")
    asked.get_by_role("slider", name="Size").fill("70")
    studio.answered()


def layers(studio: Studio, _: Path) -> None:
    """A blink on a layer over the clip."""
    studio.page.keyboard.press("Escape")
    studio.page.keyboard.press("Escape")
    studio.page.keyboard.press("c")
    studio.page.get_by_role("tab", name="Clip").click()
    studio.page.get_by_role("button", name="Additive", exact=True).click()
    studio.until(lambda: studio.look("layer") == "additive 1", "the layer is there")
    for frame, shut in ((6, 0.0), (9, 0.9), (12, 0.0)):
        go_to(studio, frame)
        set_sliders(studio, {"eyeBlinkLeft": shut or 0.01, "eyeBlinkRight": shut or 0.01})
        studio.page.keyboard.press("k")
        studio.answered()
    go_to(studio, 9)


def sound(studio: Studio, folder: Path) -> None:
    """A line of dialogue under the keys."""
    file = folder / "line 7.wav"
    write_speech(file)
    studio.page.get_by_role("tab", name="Reference").click()
    studio.page.locator("#choose-sound").set_input_files(file)
    studio.until(lambda: (told := studio.look("reference()")) and told["drawn"], "the waveform is there")
    go_to(studio, 15)


def export(studio: Studio, _: Path) -> None:
    """The choices of an export."""
    studio.page.get_by_role("tab", name="Pose", exact=True).click()
    studio.page.locator("#export").click()
    studio.page.get_by_role("menuitem", name="With options …").click()
    studio.page.get_by_role("button", name="straight").click()


STEPS: dict[str, Callable[[Studio, Path], None]] = {
    "animating-keys": keys,
    "animating-graph": graph,
    "animating-form": form,
    "animating-layers": layers,
    "animating-sound": sound,
    "animating-export": export,
}


def write_speech(file: Path, seconds: float = 1.5, rate: int = 16_000) -> None:
    """Syllables of a buzzing voice."""
    times = np.arange(int(seconds * rate)) / rate
    loud = np.clip(np.sin(2 * np.pi * 2.6 * times), 0, 1) ** 0.6 * (0.55 + 0.45 * np.cos(2 * np.pi * 0.7 * times))
    buzz = sum(np.sin(2 * np.pi * 130 * n * times) / n for n in range(1, 9))
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((9000 * loud * buzz).astype("<i2").tobytes())


def check(studio: Studio, folder: Path) -> None:
    """Download what is chosen; its clip is, at every frame, what the poses and the layer are."""
    with studio.page.expect_download() as download:
        studio.page.get_by_role("button", name="Download").click()
    download.value.save_as(folder / "face.glb")
    (clip,) = fw.load_document(folder / "face.glb").clips
    names = ["jawOpen", "mouthSmileLeft", "mouthSmileRight", "browInnerUp"]
    for frame, values in POSES.items():
        found = clip.sample(names, np.array([frame / 30]))[0]
        np.testing.assert_allclose(found, [values[name] for name in names], atol=2e-3, err_msg=f"frame {frame}")
    blink = float(clip.curves["eyeBlinkLeft"](9 / 30))
    assert abs(blink - 0.9) < 2e-3, f"the blink of the layer is {blink}"


def main(out: Path = OUT) -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        studio = Studio(browser.new_page(viewport=SIZE, device_scale_factor=1.5))
        with serving(Path(folder) / "state") as server:
            studio.open(server.address)
            for name, step in STEPS.items():
                step(studio, Path(folder))
                studio.page.mouse.move(640, 795)
                studio.until(lambda: not studio.page.locator(".toast").count(), "all messages are gone")
                studio.rest()
                studio.page.screenshot(path=out / f"{name}.png", scale="css")
                print(f"{out.name}/{name}.png")
            check(studio, Path(folder))
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
