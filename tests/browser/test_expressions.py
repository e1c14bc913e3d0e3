"""Expressions of an avatar: one slider moves several, and they are made, bound and renamed."""

from pathlib import Path

import pytest

from tests.avatars import MadeAvatar
from tests.browser.studio import Studio
from tests.browser.test_layers import value_of
from tests.formats.test_vrm import AVATAR, new_avatar
from tests.studio.served import Served


def shown(studio: Studio, name: str) -> float:
    found: float = next(one["value"] for one in studio.look("expressions") if one["name"] == name)
    return found


def test_an_expression_is_dragged_made_bound_and_renamed(studio: Studio, server: Served, tmp_path: Path) -> None:
    page = studio.page
    server.upload(new_avatar().save(tmp_path / "avatar.vrm"))
    studio.until(lambda: len(studio.look("expressions")) == 4, "the avatar's expressions are listed")
    studio.ready()
    page.get_by_role("tab", name="Poses").click()
    box = studio.box(page.get_by_role("slider", name="Expression blink"))
    studio.drag((box.x + 8, box.y + box.height / 2), (box.width / 2 - 8, 0), steps=4)
    studio.committed(1)
    studio.until(
        lambda: value_of(studio, "wink") == pytest.approx(0.8 * shown(studio, "blink"), abs=0.01),
        "the expression drives its shape",
    )
    assert 0.3 < shown(studio, "blink") < 0.7
    page.get_by_role("button", name="Make an expression of the present pose").click()
    studio.committed(2)
    page.get_by_label("A shape that it drives as well").select_option("raise")
    studio.committed(3)
    page.get_by_label("How far it drives raise").fill("0.5")
    page.keyboard.press("Enter")
    studio.committed(4)
    name = page.get_by_label("Another name for this expression")
    name.fill("smirk")
    page.keyboard.press("Enter")
    studio.committed(5)
    page.get_by_role("slider", name="Expression smirk").press("End")
    studio.committed(6)
    studio.until(lambda: value_of(studio, "raise") == pytest.approx(0.5, abs=0.01), "the expression drives the shape")
    studio.shot("125 expressions")
    page.get_by_role("button", name="Delete this expression").click()
    studio.committed(7)
    assert [one["name"] for one in studio.look("expressions")] == ["happy", "blink", "aa", "shout"]


@pytest.mark.long
def test_the_expressions_of_arkit_are_made_in_one_step(studio: Studio, server: Served, shared_data: Path) -> None:
    page = studio.page
    server.upload(shared_data / AVATAR)
    studio.until(lambda: len(studio.look("expressions")) == 8, "the avatar's own expressions are listed")
    studio.ready()
    page.get_by_role("tab", name="Poses").click()
    page.get_by_role("button", name="Perfect sync").click()
    studio.until(lambda: len(studio.look("expressions")) == 60, "those of ARKit are there")
    studio.committed(1)
    studio.ready()
    page.get_by_role("slider", name="Expression JawOpen").press("End")
    studio.committed(2)
    studio.until(lambda: value_of(studio, "jawOpen") == pytest.approx(1.0), "the expression opens the jaw")
    studio.shot("126 perfect sync")
    for left in (1, 0):
        page.keyboard.press("Control+z")
        studio.committed(left)
    assert len(studio.look("expressions")) == 8


@pytest.mark.long  # `perfect_sync` and the step of a session are tried without a page
def test_lashes_follow_the_face_in_the_page_as_well(studio: Studio, server: Served, tmp_path: Path) -> None:
    page, made = studio.page, MadeAvatar()
    tiny = made.tiny()
    made.add_lying_on(tiny, "lashes", made.lashes(length=1.2)[:2])
    server.upload(tiny.save(tmp_path / "avatar.vrm"))
    studio.until(lambda: len(studio.look("expressions")) == 1, "the avatar's own expression is listed")
    studio.ready()
    page.get_by_role("tab", name="Poses").click()
    page.get_by_role("button", name="Perfect sync").click()
    studio.until(lambda: len(studio.look("expressions")) == 53, "those of ARKit are there")
    studio.committed(1)
    studio.ready()
    assert [part["name"] for part in studio.look("rig")["parts"]] == ["face", "lashes"]
    for name in ("EyeBlinkLeft", "EyeBlinkRight"):
        page.get_by_role("slider", name=f"Expression {name}").press("End")
    studio.committed(3)
    studio.until(lambda: value_of(studio, "eyeBlinkRight") == pytest.approx(1.0), "the expression closes the lid")
    studio.ready()
    studio.shot("127 lashes follow")
    for left in (2, 1, 0):
        page.keyboard.press("Control+z")
        studio.committed(left)
    studio.ready()
    assert [part["name"] for part in studio.look("rig")["parts"]] == ["face"]
