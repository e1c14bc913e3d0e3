"""In-betweens and combinations in the workbench: listed, drawn, made at a pose, driven, converted, checked."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.browser.test_accessibility import BARE, CUT, FAINT
from tests.browser.test_rig import positions, press
from tests.session.rigged import rigged
from tests.studio.served import Served

CHOICE_SHOWS_ITS_WORDS = """
() => {
  const choice = document.querySelector('.corrective-filter select')
  const style = getComputedStyle(choice)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = style.font
  const room = choice.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  return pen.measureText(choice.selectedOptions[0].text).width <= room
}
"""


@pytest.fixture
def bench(opened: Callable[[Served], Studio], server: Served, tmp_path: Path) -> Studio:
    """The part of the tab, with the jaw open and half a smile."""
    return open_on_correctives(opened(server), server, replace(rigged(), local=None), tmp_path)


def open_on_correctives(studio: Studio, server: Served, document: Document, tmp_path: Path) -> Studio:
    """The part of the tab, with a document."""
    fw.save(document, tmp_path / "rigged.fwface")
    server.upload(tmp_path / "rigged.fwface")
    studio.until(lambda: studio.look("file")["name"] == "rigged", "the document is open")
    studio.ready()
    studio.page.locator("#tab-rig").click()
    press(studio, "Correctives")
    return studio


def choose(studio: Studio, name: str) -> None:
    studio.page.locator(f'[data-corrective="{name}"] .item').click()


def info(studio: Studio, name: str) -> dict[str, Any]:
    return next(each for each in studio.look("correctives") if each["name"] == name)


def number(studio: Studio, within: str, which: int, value: float) -> None:
    field = studio.page.locator(f"{within} .number input").nth(which)
    field.fill(str(value))
    field.press("Enter")


def test_correctives_are_listed_drawn_driven_converted_and_checked(bench: Studio) -> None:
    page = bench.page
    rows = page.locator(".list.correctives li")
    assert rows.count() == 2  # the end of the slider with an in-between is drawn, and not listed
    page.get_by_label("List those that this slider drives").select_option("jawOpen")
    assert rows.count() == 1
    assert "0.50" in rows.inner_text()  # 1 x 0.5
    choose(bench, "jawSmile")
    assert page.locator(".plots .plot").count() == 2
    bench.shot("rig correctives 1 combination")
    before = positions(bench)
    for corner in range(3):
        page.get_by_label("The next pose to check").click()
        page.get_by_text(f"{corner + 1} of 3").wait_for()
        bench.committed(1)  # one step, whichever corner is shown
        if corner == 0:
            assert info(bench, "jawSmile")["corners"][0] == [1, 1]
            assert bench.look("values")[info(bench, "jawSmile")["index"]] == pytest.approx(1)
            assert np.abs(positions(bench) - before).max() > 1e-3
            bench.shot("rig correctives 2 corner")
    press(bench, "Back")
    bench.committed(0)
    np.testing.assert_allclose(positions(bench), before, atol=1e-6)

    page.get_by_label("What smileLeft gives: its value, or a hat that is 1 at a value of its own").select_option("hat")
    bench.committed(1)
    assert info(bench, "jawSmile")["factors"][1]["at"] == 0.5
    number(bench, '[data-factor="smileLeft"]', 0, 0.25)
    bench.committed(2)
    assert info(bench, "jawSmile")["factors"][1]["curve"] == [[0, 0], [0.25, 0], [0.5, 1], [1, 0]]
    page.get_by_label("Let another slider drive it, too").select_option("sneer")
    bench.committed(3)
    assert [each["slider"] for each in info(bench, "jawSmile")["factors"]] == ["jawOpen", "smileLeft", "sneer"]
    for check in (BARE, FAINT, CUT):
        assert page.evaluate(check) == []
    bench.shot("rig correctives 3 hat")
    page.get_by_label("Take sneer away").click()
    bench.committed(4)
    number(bench, '[data-factor="smileLeft"]', 1, 0.2)
    page.get_by_text("the knots 0.25, 0.2, 1 are out of order").wait_for()
    bench.committed(4)
    page.keyboard.press("Escape")

    page.get_by_label("List those that this slider drives").select_option("")
    choose(bench, "puckerHalf")
    assert page.locator(".plot .curve").count() == 2
    before = positions(bench)
    press(bench, "Addition")
    bench.committed(5)
    assert info(bench, "puckerHalf")["additive"]
    bench.shot("rig correctives 4 in-between")
    np.testing.assert_allclose(positions(bench), before, atol=1e-6)
    page.keyboard.press("Control+z")
    bench.committed(4)
    assert not info(bench, "puckerHalf")["additive"]


@pytest.mark.long
def test_of_a_face_that_opens_posed_the_sliders_that_are_furthest_on_are_ticked(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    pose = np.array([0.2, 0.9, 0.8, 0.0, 0.3, 0.7, 0.6, 0.1])
    studio = open_on_correctives(opened(server), server, replace(rigged(), local=None, pose=pose), tmp_path)
    page = studio.page
    ticks = page.locator("[data-proposed] input[type=checkbox]")
    studio.until(lambda: ticks.count() == 7, "all that are on are listed")
    on = [each.get_attribute("aria-label") for each in ticks.all() if each.is_checked()]
    assert on == ["smileLeft", "smileRight", "blinkLeft", "blinkRight"]
    page.get_by_text("4 of 7 sliders that are on are ticked").wait_for()
    page.locator('[data-proposed="browUp"] input[type=checkbox]').check()
    page.locator('[data-proposed="smileRight"] input[type=checkbox]').uncheck()
    studio.shot("rig correctives 8 posed")
    page.locator("#make-corrective").click()
    studio.committed(1)
    made = studio.look("correctives")[-1]
    assert [each["slider"] for each in made["factors"]] == ["smileLeft", "browUp", "blinkLeft", "blinkRight"]
    assert page.evaluate(CHOICE_SHOWS_ITS_WORDS)


def test_a_corrective_is_made_at_the_pose_from_the_face_and_from_a_sculpt(bench: Studio, tmp_path: Path) -> None:
    page = bench.page
    shown = page.locator("[data-proposed]")
    assert [shown.nth(i).get_attribute("data-proposed") for i in range(shown.count())] == ["jawOpen", "smileLeft"]
    page.locator("#make-corrective").click()
    bench.committed(1)
    assert [(each["slider"], each["at"]) for each in info(bench, "jawOpen x smileLeft 0.5")["factors"]] == [
        ("jawOpen", 1), ("smileLeft", 0.5)
    ]  # fmt: skip
    bench.shot("rig correctives 5 made")

    rest = rigged().rig
    posed = fw.evaluate(rest, replace(rigged(), local=None).pose)
    sculpt = posed + 0.3 * (posed - rest.neutral)
    fw.save(fw.Rig(sculpt, rest.polygons), tmp_path / "sculpt.obj")
    fw.save(mask(vertices=300, shapes=1, seed=2), tmp_path / "other.obj")
    page.get_by_label("Name of the new corrective").fill("sculpted")
    page.set_input_files("#sculpt-file", tmp_path / "other.obj")
    page.get_by_text("in the part Shapes can be registered").wait_for()
    bench.complaints = [line for line in bench.complaints if "400" not in line]  # it was refused
    page.locator("#make-corrective").scroll_into_view_if_needed()
    bench.shot("rig correctives 6 refused")
    page.set_input_files("#sculpt-file", tmp_path / "sculpt.obj")
    bench.committed(2)
    np.testing.assert_allclose(positions(bench), sculpt, atol=2e-6 * rest.size)
    bench.shot("rig correctives 7 sculpted")

    page.locator('[data-proposed="smileLeft"] input[type=checkbox]').uncheck()
    number(bench, '[data-proposed="jawOpen"]', 0, 0.5)
    press(bench, "This face")
    page.locator("#make-corrective").click()
    bench.committed(3)
    made = info(bench, "jawOpen 0.5")
    assert (made["kind"], made["additive"]) == ("in-between", True)
    after = bench.look("correctives")
    page.keyboard.press("Control+z")
    bench.committed(2)
    assert bench.look("correctives") != after
    page.keyboard.press("Control+Shift+z")
    bench.committed(3)
    assert bench.look("correctives") == after


@pytest.mark.parametrize("kind", ["glb", pytest.param("fbx", marks=pytest.mark.long)])
def test_a_clip_is_exported_with_plain_targets(bench: Studio, tmp_path: Path, kind: str) -> None:
    page = bench.page
    page.locator("#export").click()
    bench.shot(f"rig correctives 7 {kind} of the menu")
    page.get_by_text(f"{kind.upper()}, plain targets …").click()
    page.get_by_role("switch", name="Leave out what is hardly seen").click()
    bench.shot("rig correctives 8 plain targets")
    page.get_by_role("switch", name="Leave out what is hardly seen").click()
    with page.expect_download() as download:
        press(bench, "Download")
    download.value.save_as(tmp_path / f"plain.{kind}")
    page.get_by_text("3 in-betweens and combinations are targets with their own keys now.").wait_for()
    plain = fw.load_document(tmp_path / f"plain.{kind}")
    wanted = fw.plain_targets(replace(rigged(), local=None)).document
    assert plain.rig.is_linear
    frames = wanted.clips[0].times()
    one, other = (fw.evaluate(each.rig, each.clips[0].sample(each.rig.sliders, frames)) for each in (wanted, plain))
    np.testing.assert_allclose(other, one, atol=1e-6 * wanted.rig.size)
    assert np.abs(one - one[0]).max() > 1e-3
    page.keyboard.press("Control+o")
    page.locator("#upload").set_input_files(tmp_path / f"plain.{kind}")
    bench.until(lambda: bench.look("file")["name"] == "plain", "the exported file is open")
    bench.ready()
    assert {one["name"] for one in bench.look("rig")["sliders"]} == set(plain.rig.sliders)
    bench.shot(f"rig correctives 9 {kind} opened again")
