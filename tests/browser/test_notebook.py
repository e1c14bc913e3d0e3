"""The notebook's widget in a real browser: the bundled page and the widget in Python keep each other's pose."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import facewright as fw
from facewright.notebook.widget import FaceView
from tests.notebook.page import Shown, kept_messages

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
    shown.still()
    np.testing.assert_allclose(shown.positions(), fw.evaluate(view.rig, view.pose), atol=1e-5 * size)
    assert shown.sent < 5000 < shown.opened / 100, "the mesh was sent again"


def test_shot(show):
    doc = fw.sample()
    s = show(doc, pose={"jawOpen": .6})
    s.still(); s.page.screenshot(path="/tmp/nb1.png")
    v = s.view
    s2 = show(doc, pose={"jawOpen": .6}, other_pose={"mouthSmileLeft":1,"mouthSmileRight":1}, names=("open","smile"))
    s2.still(); s2.page.screenshot(path="/tmp/nb2.png")
    s2.view.arrangement="split"; s2.still(); s2.page.screenshot(path="/tmp/nb3.png")
    s2.view.arrangement="over"; s2.still(); s2.page.screenshot(path="/tmp/nb4.png")
    p = fw.evaluate(doc,{"jawOpen": .6})-fw.evaluate(doc)
    s.view.heat = np.linalg.norm(p,axis=1); s.view.heat_label="moved by jawOpen"
    s.still(); s.page.screenshot(path="/tmp/nb5.png")
