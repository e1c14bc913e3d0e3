"""Sliders in the workbench: bounds, groups, order, negative ends, exclusive pairs, ties and sets; the face follows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator

import facewright as fw
from tests.browser.studio import Studio
from tests.browser.test_rig import positions, press, sliders, undone_and_redone
from tests.session.rigged import rigged
from tests.studio.served import Served

Opened = Callable[[fw.Document, str], Studio]


@pytest.fixture
def bench(opened: Callable[[Served], Studio], server: Served, tmp_path: Path) -> Opened:
    """Opens a document, and the tab's part for sliders."""

    def open_part(document: fw.Document, name: str) -> Studio:
        studio = opened(server)
        fw.save(document, tmp_path / f"{name}.fwface")
        server.upload(tmp_path / f"{name}.fwface")
        studio.until(lambda: studio.look("file")["name"] == name, "the document is open")
        studio.ready()
        studio.page.locator("#tab-rig").click()
        studio.page.locator(".rig-parts").get_by_role("button", name="Sliders").click()
        return studio

    return open_part


def select(studio: Studio, *names: str) -> None:
    for i, name in enumerate(names):
        row = studio.page.locator(f'[data-bench-slider="{name}"] .item')
        row.click(modifiers=["Control"] if i else [])


def section(studio: Studio, title: str) -> Locator:
    return studio.page.locator(".section", has=studio.page.get_by_role("heading", name=title))


def info(studio: Studio, name: str) -> dict[str, object]:
    return next(slider for slider in studio.look("rig")["sliders"] if slider["name"] == name)


def items(listed: Locator) -> list[str]:
    return [item.inner_text() for item in listed.locator(".item").all()]


@pytest.mark.long
def test_sliders_get_bounds_groups_another_order_and_negative_ends(bench: Opened) -> None:
    studio = bench(rigged(), "rigged")
    page = studio.page
    select(studio, "jawOpen")
    high, toasts = page.get_by_label("The highest value", exact=False), page.locator(".toasts")
    high.fill("-2")
    high.press("Enter")
    studio.until(lambda: "the lowest value 0 is above the highest, -2" in toasts.inner_text(), "it is refused")
    assert high.input_value() == "1.00"
    high.fill("0.6")
    high.press("Enter")
    studio.committed(1)
    assert info(studio, "jawOpen")["high"] == 0.6
    assert studio.look("weights")["jawOpen"] == pytest.approx(0.6)  # it was 1
    undone_and_redone(studio, 1, lambda: studio.look("weights")["jawOpen"])
    group = page.get_by_label("Put the selected sliders into this group", exact=False)
    group.fill("chin")
    group.press("Enter")
    studio.committed(2)
    assert info(studio, "jawOpen")["group"] == "chin"
    press(studio, "Move down in the order of sliders")
    studio.committed(3)
    assert sliders(studio)[:2] == ["smileLeft", "jawOpen"]
    studio.shot("sliders 1 chosen")
    select(studio, "blinkLeft", "sneer")
    before = positions(studio)
    name = page.get_by_label("The name of the slider that has both as its ends")
    assert name.input_value() == "blinkLeft_sneer"
    name.fill("blinkSneer")
    name.press("Enter")
    studio.shot("sliders 2 two ends")
    press(studio, "Make one slider of both")
    studio.committed(4)
    assert "sneer" not in sliders(studio)
    both = info(studio, "blinkSneer")
    assert (both["low"], both["high"]) == (-1, 1)
    np.testing.assert_allclose(positions(studio), before, atol=1e-6)
    assert "blinkSneer" in [curve["slider"] for curve in studio.look("curves")]
    undone_and_redone(studio, 4, lambda: sliders(studio))
    studio.slider("blinkSneer").press("Home")  # its low end: the eye shuts
    studio.committed(5)
    assert np.abs(positions(studio) - before).max() > 1e-3
    studio.shot("sliders 3 a negative end")
    shut = positions(studio)
    press(studio, "Part at 0")
    studio.committed(6)
    assert {"blinkLeft", "sneer"} <= set(sliders(studio))
    np.testing.assert_allclose(positions(studio), shut, atol=1e-6)
    studio.until(lambda: "blinkLeft\nor sneer" in items(section(studio, "Exclusive pairs")), "the pair is listed")


@pytest.mark.long
def test_pairs_are_proposed_ties_and_sets_are_made_in_words(bench: Opened) -> None:
    rig = fw.sample()
    rig = replace(rig, exclusive=())
    studio = bench(fw.Document(rig), "plain")
    page = studio.page
    pairs = section(studio, "Exclusive pairs")
    pairs.get_by_text("Proposed 10").wait_for()
    pairs.scroll_into_view_if_needed()
    pairs.get_by_label("Exclude mouthLeft and mouthRight").hover()
    studio.shot("sliders 4 proposed pairs")
    pairs.get_by_label("Exclude jawLeft and jawRight").click()
    studio.committed(1)
    assert items(pairs.get_by_role("list", name="Exclusive pairs")) == ["jawLeft\nor jawRight"]
    pairs.get_by_text("Proposed 9").wait_for()
    pairs.get_by_role("button", name="Add all").click()
    studio.committed(2)
    assert len(studio.look("rig")["exclusive"]) == 10
    pairs.get_by_label("Allow jawLeft with jawRight").click()
    studio.committed(3)
    pairs.get_by_text("Proposed 1").wait_for()
    undone_and_redone(studio, 3, lambda: studio.look("rig")["exclusive"])

    ties = section(studio, "Ties")
    assert items(ties) == ["mouthClose to jawOpen"]
    ties.get_by_label("Untie mouthClose from jawOpen").click()
    studio.committed(4)
    ties.get_by_label("Tie a slider to another", exact=False).click()
    ties.get_by_label("The slider that goes no further than the other").select_option("mouthPucker")
    ties.get_by_label("The slider that it follows").select_option("mouthFunnel")
    ties.get_by_role("button", name="Tie", exact=True).click()
    studio.committed(5)
    assert items(ties) == ["mouthPucker to mouthFunnel"]

    page.get_by_label("Filter the list of sliders").fill("smile")
    select(studio, "mouthSmileLeft", "mouthSmileRight")
    sets = section(studio, "Sets")
    sets.get_by_label("selected sliders as a set", exact=False).fill("grin")
    page.keyboard.press("Enter")
    studio.committed(6)
    sets.get_by_label("Which sliders drags may move").select_option(label="grin")
    studio.committed(7)
    studio.until(lambda: sets.locator("[data-set=grin]").count() == 1, "the set is listed")
    sets.scroll_into_view_if_needed()
    studio.shot("sliders 5 ties and sets")
    assert studio.look("history")["labels"][3:] == [
        "Untie mouthClose from jawOpen",
        "Tie mouthPucker to mouthFunnel",
        "Keep set grin",
        "Drag with mouthSmileLeft and 1 more",
    ]
    page.locator("#tab-pose").click()
    chosen = page.get_by_label("Which sliders drags may move", exact=False).first
    assert chosen.evaluate("select => select.selectedOptions[0].label") == "grin"
