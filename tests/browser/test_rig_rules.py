"""Rules of the modeller in the workbench: painted on the face, changed, broken in a pose, their worst poses found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.report.breaches import breaches
from facewright.rig import edit
from tests.browser.studio import Studio
from tests.browser.test_studio import difference
from tests.studio.served import Served

JAW, BROW = "jawOpen", "browInnerUp"


@pytest.fixture
def ruling(opened: Callable[[Served], Studio], server: Served) -> Studio:
    """The part of the tab that is about rules."""
    studio = opened(server)
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Rules", exact=True).click()
    return studio


def rules(studio: Studio) -> dict[str, Any]:
    return {rule["name"]: rule for rule in studio.look("rules")}


def most_moved(rig: fw.Rig, shape: str) -> int:
    """The vertex of the head's front that a shape moves most."""
    return int(np.linalg.norm(rig.shape(shape).dense(rig.vertex_count)[: rig.parts[0].stop], axis=1).argmax())


@pytest.mark.long
def test_a_rule_is_painted_changed_broken_and_undone(ruling: Studio) -> None:
    page, rig = ruling.page, fw.sample()
    chin = most_moved(rig, JAW)
    page.locator("#paint-rule").click()
    ruling.drag(ruling.vertex(chin), (16, 0), steps=3)
    ruling.committed(1)
    made = rules(ruling)["rule 1"]
    assert chin in made["vertices"]
    assert (made["kind"], made["broken"]) == ("within", 0)
    assert made["allowed"] == pytest.approx(0.01 * rig.size, rel=1e-6)
    page.keyboard.down("Shift")
    ruling.drag(ruling.vertex(chin), (1, 0), steps=1)
    page.keyboard.up("Shift")
    ruling.committed(2)
    assert chin not in rules(ruling)["rule 1"]["vertices"]
    page.keyboard.press("Control+z")
    ruling.committed(1)
    assert rules(ruling)["rule 1"]["vertices"] == made["vertices"]
    page.keyboard.press("Escape")
    assert page.locator(".tool-note").count() == 0
    kept = ruling.face()
    ruling.drag_slider(JAW, 0.9)
    ruling.committed(2)
    broken = rules(ruling)["rule 1"]
    posed = rig.neutral + ruling.look("values")[rig.shape_names.index(JAW)] * rig.shape(JAW).dense(rig.vertex_count)
    moved = np.linalg.norm(posed - rig.neutral, axis=1)[broken["vertices"]]
    assert broken["broken"] == (moved > 0.01 * rig.size).sum() > 0
    np.testing.assert_allclose(np.array(broken["excess"]) * rig.size, np.maximum(moved - 0.01 * rig.size, 0), atol=1e-4)
    ruling.shot("rig rules 1 broken")
    assert difference(kept, ruling.face()) > 0
    ruling.until(lambda: page.get_by_text("1 rule is broken in this pose.").count() == 1, "it is said")
    page.get_by_label("How far its points may go").fill("90")
    page.get_by_label("How far its points may go").press("Enter")
    ruling.committed(3)
    assert rules(ruling)["rule 1"]["broken"] == 0
    field = page.locator(".section.named .text-input")
    field.fill("chin")
    field.press("Enter")
    ruling.committed(4)
    assert list(rules(ruling)) == ["chin"]
    page.get_by_role("button", name="Delete the rule").click()
    ruling.committed(5)
    assert rules(ruling) == {}
    page.keyboard.press("Control+z")
    ruling.committed(4)
    page.reload()
    ruling.ready()
    assert list(rules(ruling)) == ["chin"]


@pytest.mark.long
def test_a_rule_of_a_region_lets_only_some_sliders_move_it_and_its_worst_pose_is_shown(
    ruling: Studio, server: Served, tmp_path: Path
) -> None:
    page, rig = ruling.page, fw.sample()
    document = fw.Document(rig, regions=fw.segment(rig))
    assert document.regions is not None
    brow = most_moved(rig, BROW)
    region = document.regions.names[int(document.regions.labels()[brow])]
    fw.save(document, tmp_path / "regions.fwface")
    server.upload(tmp_path / "regions.fwface")
    ruling.until(lambda: ruling.look("file")["name"] == "regions", "the document is open")
    ruling.ready()
    page.get_by_role("button", name="Only these sliders").click()
    page.get_by_label("The rule is about the points of a region").select_option(region)
    ruling.committed(1)
    page.get_by_label("A slider that may move its points, too").select_option("browDownLeft")
    ruling.committed(2)
    made = rules(ruling)[region]
    assert (made["kind"], made["sliders"]) == ("only", ["browDownLeft"])
    assert brow in made["vertices"]
    page.locator("#check-rules").click()
    ruling.until(lambda: (now := ruling.look("ruleCheck"))["breaches"] and now["current"], "the worst poses are found")
    found = ruling.look("ruleCheck")
    ruled = edit.add_rule(rig, fw.OnlyMovedBy(region, np.array(made["vertices"]), ("browDownLeft",)))
    expected = breaches(ruled)
    assert [b["pose"] for b in found["breaches"]] == [dict(b.pose) for b in expected]
    assert found["current"]
    page.locator(".breaches .item").first.click()
    ruling.committed(3)
    worst = rules(ruling)[region]
    assert worst["furthest"] / rig.size == pytest.approx(expected[0].distance, rel=1e-4)
    assert worst["broken"] > 0
    ruling.shot("rig rules 2 worst pose of a region")
    page.get_by_label("A slider that may move its points, too").select_option(next(iter(expected[0].pose)))
    ruling.committed(4)
    ruling.until(lambda: page.get_by_text("The rig has changed since").count() == 1, "it is said")
    assert rules(ruling)[region]["broken"] == 0
