"""Shapes are touched up with brushes on the face: a stroke is one step, drawn at once, and only the shape is sent."""

from collections.abc import Callable

import numpy as np
import pytest

import facewright as fw
from facewright.rig.rig import Rig
from tests.browser.studio import Studio
from tests.studio.served import Served

SHAPE = "browInnerUp"


@pytest.fixture(scope="module")
def rig() -> Rig:
    """The face that the studio opens."""
    return fw.sample()


@pytest.fixture
def touching(opened: Callable[[Served], Studio], server: Served) -> Studio:
    """The tab with a shape chosen for the brush."""
    studio = opened(server)
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Touch up", exact=True).click()
    studio.page.get_by_label("The shape that the brush changes").select_option(SHAPE)
    studio.page.locator("#touch-up").click()
    studio.committed(1)  # it was off, and is shown
    return studio


def positions(studio: Studio) -> np.ndarray:
    studio.ready()
    studio.settle()
    return np.array(studio.look("positions")).reshape(-1, 3)


def test_a_stroke_changes_the_face_at_once_and_is_undone_as_one_step(touching: Studio, rig: Rig) -> None:
    page, requests = touching.page, []
    before = positions(touching)
    np.testing.assert_allclose(
        before[: rig.parts[0].stop], fw.evaluate(rig, {SHAPE: 1.0})[: rig.parts[0].stop], atol=1e-4
    )
    page.on("request", lambda request: requests.append(request.url) if "/geometry/" in request.url else None)
    vertex = int(np.linalg.norm(rig.shape(SHAPE).dense(rig.vertex_count)[: rig.parts[0].stop], axis=1).argmax())
    spot = touching.at(before[vertex].tolist())
    page.get_by_role("button", name="Grab", exact=True).click()
    page.get_by_label("Strength of the brush").fill("1")
    touching.drag(spot, (0, -24), release=False)
    touching.until(lambda: np.abs(positions(touching) - before).max() > 0.005 * rig.size, "the face follows")
    touching.shot("rig touch 1 grab")
    page.mouse.up()
    touching.committed(2)
    grabbed = positions(touching)
    moved = np.linalg.norm(grabbed - before, axis=1)
    assert moved.max() > 0.9 * moved[vertex] > 0
    assert (moved > 0).sum() < 0.2 * len(moved)  # what lies outside the brush stays
    page.keyboard.press("Control+z")
    touching.committed(1)
    np.testing.assert_allclose(positions(touching), before, atol=1e-6)
    page.keyboard.press("Control+Shift+z")
    touching.committed(2)
    np.testing.assert_array_equal(positions(touching), grabbed)
    assert not requests  # the page was sent the shape, not the whole rig
    touching.page.reload()
    np.testing.assert_allclose(positions(touching), grabbed, atol=1e-6)  # as the whole rig has it


@pytest.mark.long
def test_brushes_smooth_and_erase_on_both_sides_alike(touching: Studio, rig: Rig) -> None:
    page = touching.page
    before = positions(touching)
    vertex = int(np.linalg.norm(rig.shape(SHAPE).dense(rig.vertex_count)[: rig.parts[0].stop], axis=1).argmax())
    page.get_by_role("button", name="Erase", exact=True).click()
    page.get_by_role("switch", name="Both sides alike").click()
    page.get_by_label("Strength of the brush").fill("1")
    spot = touching.at(before[vertex].tolist())
    touching.drag(spot, (30, 6), steps=6)
    touching.committed(2)
    touching.shot("rig touch 2 erased on both sides")
    found = touching.look("history")
    assert found["labels"] == [f"Show {SHAPE}", f"Erase {SHAPE}"]
    moved = np.linalg.norm(positions(touching) - before, axis=1)
    sides = fw.edit.symmetry(rig)
    paired = sides.partner >= 0
    np.testing.assert_allclose(moved[paired], moved[sides.partner[paired]], atol=0.02 * moved.max())
    neutral = fw.evaluate(rig)
    assert (
        np.linalg.norm(positions(touching) - neutral, axis=1)[vertex]
        < 0.2 * np.linalg.norm(before - neutral, axis=1)[vertex]
    )
    page.keyboard.press("Escape")
    assert page.locator(".tool-note").count() == 0
