"""Two rigs side by side in the workbench: a second one is opened, its shapes are listed by distance and shown."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.browser.test_accessibility import BARE, CUT
from tests.browser.test_studio import difference


def told(studio: Studio) -> dict[str, Any] | None:
    found: dict[str, Any] | None = studio.look("comparison")
    return found


def names(studio: Studio) -> list[str]:
    rows = studio.page.locator(".list.compared li").all()
    return [row.get_attribute("data-compared") or "" for row in rows]


def both(studio: Studio, shape: str) -> tuple[np.ndarray, np.ndarray]:
    """Both faces, once they have a shape."""
    studio.until(lambda: (f := studio.look("comparedFaces")) and f["shape"] == shape, f"both have {shape}")
    studio.settle()
    found = studio.look("comparedFaces")
    return np.reshape(found["one"], (-1, 3)), np.reshape(found["two"], (-1, 3))


def stage(studio: Studio) -> bytes:
    studio.page.mouse.move(5, 5)
    studio.rest()
    return studio.page.locator(".compare-stage canvas").screenshot()


def test_a_second_rig_is_compared_shape_by_shape_and_in_the_pose(studio: Studio, tmp_path: Path) -> None:
    page, rig = studio.page, fw.sample()
    other = fw.edit.drop_shape(fw.edit.scale_shape(rig, "jawOpen", 0.4), "tongueOut")
    other = fw.edit.add_shape(fw.edit.scale_shape(other, "browInnerUp", 1.5), fw.Shape("extra", [5], [[0, 0.1, 0]]))
    fw.save(other, tmp_path / "second.fwface")
    page.locator("#tab-rig").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.set_input_files("#compare-upload", tmp_path / "second.fwface")
    studio.until(lambda: told(studio), "both are compared")
    info = told(studio)
    assert info is not None
    assert (info["name"], info["obstacle"]) == ("second", "")
    assert names(studio) == ["", "tongueOut", "extra", "jawOpen", "browInnerUp"]
    expected = {shape.name: shape.distance for shape in fw.compare_rigs(rig, other).shapes}
    for shape in info["shapes"]:
        if shape["name"] and shape["other"]:
            assert abs(shape["distance"] - expected[shape["name"]]) < 1e-5
    page.locator('[data-compared="jawOpen"] .item').click()
    one, two = both(studio, "jawOpen")
    delta = rig.shape("jawOpen").dense(rig.vertex_count)
    np.testing.assert_allclose(one, rig.neutral + delta, atol=1e-4)
    np.testing.assert_allclose(two, rig.neutral + 0.4 * delta, atol=1e-4)
    studio.shot("rig compare 1 side by side")
    assert page.evaluate(BARE) == []
    assert page.evaluate(CUT) == []
    coloured = stage(studio)
    page.get_by_role("button", name="Distance", exact=True).click()
    assert difference(coloured, stage(studio)) > 0
    page.get_by_role("button", name="Distance", exact=True).click()
    page.get_by_role("button", name="Split", exact=True).click()
    divider = page.locator(".compare-divider")
    for _ in range(5):
        divider.press("ArrowLeft")
    studio.shot("rig compare 2 split")
    assert divider.get_attribute("aria-valuenow") == "40"
    page.get_by_role("switch", name="Only those that differ").click()
    assert len(names(studio)) == 1 + len(rig.shapes) + 1
    page.locator('[data-compared=""] .item').click()
    both(studio, "")
    studio.drag_slider("jawOpen", 0.6)
    studio.committed(1)
    weight = studio.look("values")[rig.shape_names.index("jawOpen")]
    studio.until(lambda: np.abs(both(studio, "")[1] - rig.neutral).max() > 0.1, "the second rig follows the pose")
    np.testing.assert_allclose(both(studio, "")[0], rig.neutral + weight * delta, atol=1e-3)
    np.testing.assert_allclose(both(studio, "")[1], rig.neutral + 0.4 * weight * delta, atol=1e-3)
    assert studio.look("history")["labels"] == ["Move jawOpen"]  # comparing is no step
    page.get_by_role("button", name="Compare no more").click()
    studio.until(lambda: told(studio) is None, "the second rig is dropped")
    assert page.locator(".compare-stage").count() == 0


@pytest.mark.long
def test_a_rig_of_another_topology_is_refused_in_words(studio: Studio, tmp_path: Path) -> None:
    fw.save(mask(vertices=300, shapes=4), tmp_path / "mask.fwface")
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Compare", exact=True).click()
    studio.page.set_input_files("#compare-upload", tmp_path / "mask.fwface")
    studio.page.get_by_text("register one to the other first").wait_for()
    assert told(studio) is None
    studio.complaints = [line for line in studio.complaints if "400" not in line]  # the browser's own line about it
