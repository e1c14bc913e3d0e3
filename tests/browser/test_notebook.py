"""The notebook's widget in a real browser: the bundled page and the widget in Python keep each other's pose."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

import facewright as fw
from facewright.notebook.widget import FaceView
from tests.notebook.page import CANVASES, Shown, kept_messages
from tests.notebook.pictured import pictured

Show = Callable[..., Shown]


@pytest.fixture
def show(browser: Browser) -> Iterator[Show]:
    opened: list[Shown] = []

    def one(face: fw.Rig | fw.Document, **options: Any) -> Shown:
        with kept_messages():
            view = fw.view(face, height=360, **options)
        assert isinstance(view, FaceView)
        opened.append(Shown(browser, view))
        return opened[-1]

    yield one
    for each in opened:
        each.close()


def test_a_slider_moves_the_face_and_python_and_python_moves_the_slider(show: Show) -> None:
    shown = show(fw.sample())
    view, page = shown.view, shown.page
    page.get_by_role("searchbox").fill("jaw op")
    bar = page.get_by_role("slider", name="jawOpen")
    assert page.get_by_role("slider").count() == 1
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 + 0.4 * box["width"], box["y"] + 5, steps=4)
    page.mouse.up()
    shown.until(lambda: abs(view.pose["jawOpen"] - 0.4) < 0.02, "the slider has not reached Python")
    shown.still()
    size = view.rig.size
    np.testing.assert_allclose(shown.positions(), fw.evaluate(view.rig, view.pose), atol=1e-5 * size)

    view.pose = view.pose | {"jawOpen": 0.8, "mouthSmileLeft": 0.5}
    shown.exchange()
    assert bar.get_attribute("aria-valuenow") == "0.80"
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Show only sliders that are not at 0").click()
    assert {one.get_attribute("aria-label") for one in page.get_by_role("slider").all()} == {
        "jawOpen",
        "mouthSmileLeft",
    }
    shown.still()
    np.testing.assert_allclose(shown.positions(), fw.evaluate(view.rig, view.pose), atol=1e-5 * size)
    assert shown.sent < 5000 < shown.opened / 100, "the mesh was sent again"


def test_a_clip_is_played_by_the_page_and_told_to_python(show: Show) -> None:
    rig = fw.sample()
    times = [0.0, 0.5, 1.0]
    clip = fw.Clip("talk", {"jawOpen": fw.Curve(times, [0.0, 0.9, 0.0]), "HeadYaw": fw.Curve(times, [0.0, 0.4, 0.0])})
    shown = show(rig, clip=clip)
    view, page = shown.view, shown.page
    page.get_by_role("button", name="Play the clip").click()
    shown.until(lambda: view.playing and view.time > 0, "the clip does not play")
    shown.until(lambda: view.pose["jawOpen"] > 0.2, "the pose of the clip is not told")
    page.get_by_role("button", name="Pause").click()
    shown.until(lambda: not view.playing, "that it stands still is not told")
    assert f"{view.time:.2f} /" in page.locator(".notebook-time").inner_text()
    view.time = 0.5
    shown.exchange()
    assert view.pose["jawOpen"] == 0.9
    assert page.get_by_text("0.50 / 1.00 s").is_visible()
    turned = page.evaluate(f"{CANVASES}[0].viewport.face.root.matrix.elements.slice(0, 3)")
    assert np.arctan2(-turned[2], turned[0]) == pytest.approx(0.4, abs=1e-5)
    view.play()
    shown.exchange()
    view.pose = {"jawOpen": 0.1}
    shown.until(lambda: not view.playing, "a pose that is set does not end the clip")
    assert view.pose["jawOpen"] == 0.1


@pytest.mark.long
def test_two_faces_are_seen_by_one_camera_and_the_second_follows_by_names_or_has_its_own_pose(show: Show) -> None:
    rig, other = fw.sample(), fw.sample("edith")
    shown = show(rig, other=other, pose={"jawOpen": 0.5}, names=("one", "two"))
    shown.still()
    np.testing.assert_allclose(shown.positions(1), fw.evaluate(other, {"jawOpen": 0.5}), atol=1e-5 * other.size)
    shown.view.other_pose = {"mouthPucker": 1.0}
    shown.view.arrangement = "over"
    shown.still()
    np.testing.assert_allclose(shown.positions(1), fw.evaluate(other, {"mouthPucker": 1.0}), atol=1e-5 * other.size)
    np.testing.assert_allclose(shown.positions(0), fw.evaluate(rig, {"jawOpen": 0.5}), atol=1e-5 * rig.size)
    shown.page.get_by_role("button", name="Split", exact=True).click()
    shown.until(lambda: shown.view.arrangement == "split", "the arrangement is not told")
    shown.page.mouse.move(600, 200)
    shown.page.mouse.down()
    shown.page.mouse.move(660, 200, steps=3)
    shown.page.mouse.up()
    cameras = shown.page.evaluate(f"{CANVASES}.map(({{ viewport }}) => viewport.camera.position.toArray())")
    assert cameras[0] == cameras[1]
    assert abs(cameras[0][0]) > 0.1


def test_numbers_of_vertices_and_pictures_of_the_file_colour_the_face(show: Show) -> None:
    shown = show(pictured(fw.sample()))
    shown.still()
    shown.until(lambda: blue(shown) > 1.5, "the picture of the file is not shown")
    shown.view.heat = np.arange(shown.view.rig.vertex_count, dtype=float)
    shown.view.heat_label = "number of the vertex"
    shown.still()
    assert blue(shown) < 1.3
    legend = shown.page.get_by_role("figure", name="Colours of the values").inner_text()
    assert [line for line in legend.split("\n") if line] == ["number of the vertex", "0", "3430", "6860"]
    shown.view.heat = None
    shown.still()
    assert blue(shown) > 1.5


def blue(shown: Shown) -> float:
    """How blue the middle of the face is, beside its red."""
    picture = Image.open(BytesIO(shown.page.locator("canvas").screenshot())).convert("RGB")
    middle = np.asarray(picture, float)[picture.height // 3 : picture.height // 2, picture.width // 2 - 6 :][:, :12]
    red, _, blue = middle.mean(axis=(0, 1))
    return float(blue / red)
