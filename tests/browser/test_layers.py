"""Layers over a clip: posed and keyed by themselves, weighed, ordered, muted and merged, and undone."""

import numpy as np
import pytest

import facewright as fw
from tests.browser.studio import Studio
from tests.browser.test_timeline import go_to, x_of


def set_slider(studio: Studio, name: str, value: float) -> None:
    studio.page.locator(f'[data-slider="{name}"] button.value').click()
    studio.page.keyboard.type(str(value))
    studio.page.keyboard.press("Enter")


def value_of(studio: Studio, name: str) -> float:
    return float(studio.page.locator(f'[data-slider="{name}"] button.value').inner_text())


def key(studio: Studio, name: str, values: dict[int, float]) -> None:
    """Key a slider at frames, the first of which is the one at hand."""
    for number, (frame, value) in enumerate(values.items()):
        if number:
            go_to(studio, frame)
        set_slider(studio, name, value)
        studio.page.keyboard.press("k")


@pytest.mark.long
def test_two_layers_over_a_clip(studio: Studio) -> None:
    page = studio.page
    key(studio, "jawOpen", {0: 0.2, 30: 0.6})
    studio.committed(4)
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Additive", exact=True).click()
    studio.committed(5)
    assert studio.look("layer") == "additive 1"
    assert studio.look("curves") == []
    set_slider(studio, "jawOpen", 0.9)
    studio.committed(6)
    page.keyboard.press("k")
    studio.committed(7)
    assert [(each["slider"], each["values"]) for each in studio.look("curves")] == [("jawOpen", pytest.approx([0.3]))]
    assert studio.look("left") is None
    weight = page.get_by_role("slider", name="Weight of additive 1")
    box = studio.box(weight)
    studio.drag((box.x + box.width - 8, box.y + box.height / 2), (-box.width / 2 + 8, 0), steps=5)
    studio.committed(8)
    assert studio.look("layers")[0]["weight"] == pytest.approx(0.5, abs=0.05)
    page.get_by_role("textbox", name="How much the layer counts").fill("0.5")
    page.keyboard.press("Enter")
    studio.committed(9)
    studio.until(lambda: value_of(studio, "jawOpen") == pytest.approx(0.75, abs=0.006), "half of the layer counts")
    page.get_by_role("button", name="Key the weight at this frame").click()
    studio.committed(10)
    go_to(studio, 0)
    page.get_by_role("textbox", name="The weight at this frame").fill("0")
    page.keyboard.press("Enter")
    studio.committed(11)
    studio.until(lambda: value_of(studio, "jawOpen") == pytest.approx(0.2, abs=0.006), "the layer is off at the start")
    assert [each["slider"] for each in studio.look("curves")] == ["(layer weight)", "jawOpen"]
    page.get_by_role("button", name="Override", exact=True).first.click()
    studio.committed(12)
    set_slider(studio, "browInnerUp", 0.4)
    page.keyboard.press("k")
    studio.committed(14)
    studio.shot("110 two layers")
    page.get_by_label("The layer that is posed and keyed").select_option("additive 1")
    studio.until(lambda: studio.look("layer") == "additive 1", "the layer is chosen")
    start = (x_of(studio, 1), studio.box(page.locator(".lanes .keys")).y + 10)
    page.mouse.click(*start)
    studio.until(lambda: len(studio.look("selectedKeys")) == 2, "the keys of the layer and its weight are selected")
    studio.shot("111 keys of a layer")
    page.get_by_role("button", name="Mute override 1").click()
    studio.committed(15)
    assert not studio.look("layers")[1]["played"]
    page.get_by_role("button", name="Solo additive 1").click()
    page.get_by_role("button", name="Move this layer up").click()
    studio.committed(17)
    assert [each["name"] for each in studio.look("layers")] == ["override 1", "additive 1"]
    studio.shot("112 muted and solo")
    page.get_by_role("button", name="Give this layer another name").click()
    page.get_by_role("textbox", name="Rename the layer").fill("smile")
    page.keyboard.press("Enter")
    studio.committed(18)
    page.get_by_role("button", name="Solo smile").click()
    page.get_by_role("button", name="Mute override 1").click()
    studio.committed(20)
    page.get_by_role("button", name="Merge this layer").click()
    studio.committed(21)
    assert [(each["name"], each["kind"]) for each in studio.look("layers")] == [("override 1", "override")]
    go_to(studio, 30)
    studio.until(lambda: value_of(studio, "jawOpen") == pytest.approx(0.75, abs=0.006), "merging changed nothing")
    page.get_by_role("button", name="Delete this layer").click()
    studio.committed(22)
    studio.until(lambda: value_of(studio, "jawOpen") == pytest.approx(0.6, abs=0.006), "the clip is as it was")
    for _ in range(18):
        page.keyboard.press("Control+z")
    studio.committed(4)
    assert studio.look("layers") == []
    for _ in range(18):
        page.keyboard.press("Control+Shift+z")
    studio.committed(22)


def test_held_points_stay_in_every_frame_of_a_clip(studio: Studio) -> None:
    page = studio.page
    key(studio, "browInnerUp", {0: 0.0, 30: 0.8})
    studio.committed(3)
    page.get_by_role("tab", name="Clip").click()
    hold = page.get_by_role("button", name="Hold points over the clip")
    assert hold.is_disabled()
    page.keyboard.press("w")
    lifted = fw.sample().shape("browInnerUp")
    brow = int(lifted.vertices[np.linalg.norm(lifted.offsets, axis=1).argmax()])
    x, y = studio.vertex(brow)
    studio.drag((x - 15, y), (30, 0))
    studio.committed(4)
    go_to(studio, 0)
    hold.click()
    studio.committed(5)
    assert studio.look("layer") == "held points 1"
    go_to(studio, 30)
    studio.until(lambda: value_of(studio, "browInnerUp") < 0.5, "the layer takes back what the slider does to the brow")
    studio.shot("113 points held over a clip")
