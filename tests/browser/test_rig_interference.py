"""Interference in the workbench: all pairs are compared, one is looked at, softened, and the rig compared again."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import facewright as fw
from tests.browser.studio import Studio
from tests.browser.test_accessibility import BARE, CUT
from tests.browser.test_studio import difference
from tests.studio.served import Served

CUT_NAMES = """
() => [...document.querySelectorAll('.pairs .item span')]
  .filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => e.innerText)
"""


@pytest.fixture
def comparing(opened: Callable[[Served], Studio], server: Served) -> Studio:
    """The part of the tab, after the comparison that begins by itself."""
    studio = opened(server)
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Interference", exact=True).click()
    studio.until(lambda: (now := told(studio))["found"] and now["current"], "all pairs are compared")
    return studio


def told(studio: Studio) -> dict[str, Any]:
    found: dict[str, Any] = studio.look("interference")
    return found


def positions(studio: Studio) -> np.ndarray:
    studio.ready()
    studio.settle()
    return np.array(studio.look("positions")).reshape(-1, 3)


@pytest.mark.long
def test_a_fighting_pair_is_seen_softened_and_compared_again(comparing: Studio) -> None:
    page, rig = comparing.page, fw.sample()
    head = slice(0, rig.parts[0].stop)
    expected = fw.interference(rig, pairs=100)
    found = told(comparing)["found"]
    assert [(p["first"], p["second"]) for p in found["pairs"]] == [(p.first, p.second) for p in expected.pairs]
    chosen = next(p for p in expected.pairs if p.interference > 0.3 and p.twin)
    rest = comparing.face()
    page.locator(f'[data-pair="{chosen.first} {chosen.second}"] .item').click()
    comparing.until(lambda: told(comparing)["shown"], "where the two meet is known")
    both = {chosen.first: 1.0, chosen.second: 1.0}
    posed = positions(comparing)
    np.testing.assert_allclose(posed[head], fw.evaluate(rig, both)[head], atol=1e-4)
    assert comparing.look("history")["labels"] == []  # the pose itself stays
    comparing.shot("rig interference 1 pair")
    assert difference(rest, comparing.face()) > 0
    assert page.evaluate(BARE) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(CUT_NAMES) == []
    page.locator("#soften-pair").click()
    comparing.committed(1)
    names = [shape["name"] for shape in comparing.look("shapes")][len(rig.shapes) :]
    assert names == [f"{chosen.first}_{chosen.second}", "_".join(chosen.twin or ())]
    softened = fw.edit.soften_pair(rig, names[0], both)
    comparing.until(lambda: np.abs(positions(comparing) - posed).max() > 1e-3 * rig.size, "the face is softened")
    np.testing.assert_allclose(positions(comparing)[head], fw.evaluate(softened, both)[head], atol=1e-4)
    comparing.until(lambda: page.get_by_text("The rig has changed since.").count() == 1, "it is said")
    page.keyboard.press("Control+z")
    comparing.committed(0)
    comparing.until(lambda: np.abs(positions(comparing) - posed).max() < 1e-4, "the face is as before")
    assert page.get_by_text("The rig has changed since.").count() == 0  # the rig is the one that was compared
    page.get_by_role("button", name="Look at no pair").click()
    np.testing.assert_allclose(positions(comparing)[head], rig.neutral[head], atol=1e-4)


@pytest.mark.long
def test_the_matrix_the_table_and_the_shapes_lead_to_what_they_name(comparing: Studio) -> None:
    page, rig = comparing.page, fw.sample()
    found = told(comparing)["found"]
    matrix, count = comparing.box(page.locator(".matrix")), len(found["sliders"])
    i, j = 3, 40
    page.mouse.click(matrix.x + (j + 0.5) * matrix.width / count, matrix.y + (i + 0.5) * matrix.height / count)
    assert told(comparing)["pair"] == [found["sliders"][i], found["sliders"][j]]
    page.get_by_role("button", name="Look at no pair").click()
    page.get_by_role("button", name="shared", exact=True).click()
    shares = [float(cell) for cell in page.locator(".pairs tbody td:nth-child(3)").all_text_contents()]
    assert shares == sorted(shares, reverse=True)
    page.locator(".pairs .item").first.click()
    first, second = told(comparing)["pair"]
    page.get_by_role("button", name="Empty combination").click()
    comparing.committed(1)
    page.get_by_role("button", name="Pose it").click()
    comparing.committed(2)
    on = [name for name, value in zip(rig.shape_names, comparing.look("values"), strict=False) if value]
    assert sorted(on) == sorted([first, second])
    assert told(comparing)["pair"] is None
    page.locator("#find-interference").click()
    comparing.until(lambda: told(comparing)["current"], "the rig is compared again")
    dead = page.locator(".findings .item", has_text=f"{first}_{second} moves nothing")
    comparing.shot("rig interference 2 findings")
    dead.click()
    assert page.locator(".section.named h2").first.text_content() == f"{first}_{second}"
