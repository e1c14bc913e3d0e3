"""Picking on the face: sliders that move a point light up, by how far, and a click offers them on any pose."""

import numpy as np
from playwright.sync_api import expect

import facewright as fw
from tests.browser.studio import Studio


def furthest(rig: fw.Rig, vertex: int) -> list[str]:
    """The sliders by how far they move a vertex of the embedded head, whose shapes are all targets at 1."""
    moved = {shape.sliders[0]: np.linalg.norm(shape.dense(rig.vertex_count)[vertex]) for shape in rig.shapes}
    most = max(moved.values())
    return sorted((name for name, by in moved.items() if by > 0.05 * most), key=lambda name: -moved[name])


def test_a_point_lights_its_sliders_and_a_click_offers_them_to_drag_on_a_posed_face(studio: Studio) -> None:
    page, rig = studio.page, fw.sample()
    part = rig.part("head")
    smile = next(shape for shape in rig.shapes if shape.name == "mouthSmileLeft")
    inside = (smile.vertices >= part.start) & (smile.vertices < part.stop)
    vertex = int(smile.vertices[inside][np.linalg.norm(smile.offsets[inside], axis=1).argmax()])
    page.keyboard.press("i")
    page.mouse.move(*studio.vertex(vertex))
    studio.until(lambda: studio.look("lit"), "sliders light up")
    wanted = furthest(rig, vertex)
    shown = studio.look("lit")
    assert set(shown) & set(wanted[:3]) == set(wanted[:3])
    assert shown.index(wanted[0]) <= 1  # the pointer may be on a vertex beside it
    expect(page.locator(".pick-names li").first).to_have_text(shown[0])
    studio.shot("95 sliders of a point")
    page.mouse.click(*studio.vertex(vertex))
    menu = page.locator(".pick-menu")
    menu.wait_for()
    row = menu.locator('[data-pick="mouthSmileLeft"] .bar')
    box = studio.box(row)
    studio.drag((box.x + 5, box.y + box.height / 2), (0.8 * box.width, 0), steps=3)
    studio.committed(1)
    assert studio.look("weights")["mouthSmileLeft"] > 0.7
    studio.shot("96 menu of a point")
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    posed = np.reshape(studio.look("positions"), (-1, 3))[vertex].tolist()
    page.mouse.move(*studio.at(posed))
    studio.until(lambda: "mouthSmileLeft" in studio.look("lit"), "the posed point is found where it is now")
    page.keyboard.press("Escape")
    studio.until(lambda: not studio.look("lit"), "no slider is lit any more")
