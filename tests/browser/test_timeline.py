"""The timeline as an animator uses it: keys, tangents, lanes, zooming, what was left without a key."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator

from facewright import Clip, Curve, Document, sample, save
from tests.browser.studio import Box, Studio


def lanes(studio: Studio) -> Box:
    return studio.box(studio.page.locator(".lanes .keys"))


def gutter(studio: Studio) -> float:
    small = "getComputedStyle(document.documentElement).getPropertyValue('--small')"
    return 14 * float(studio.page.evaluate(f"parseFloat({small})"))


def height(studio: Studio) -> float:
    return studio.box(studio.page.locator(".timeline")).height


def x_of(studio: Studio, time: float) -> float:
    """Where a time is on the page."""
    span, box, left = studio.look("span"), lanes(studio), gutter(studio)
    share = float((time - span["from"]) / (span["to"] - span["from"]))
    return box.x + left + share * (box.width - left)


def y_of(studio: Studio, value: float) -> float:
    """Where a value is in the graph, whose values go from 0 to 1."""
    box = lanes(studio)
    return box.y + box.height - 10 - value * (box.height - 20)


def go_to(studio: Studio, frame: int) -> None:
    field = studio.page.get_by_label("The frame")
    field.fill(str(frame))
    field.press("Enter")
    studio.until(lambda: abs(studio.look("time") - frame / 30) < 1e-6, f"it is frame {frame}")
    studio.answered()


def curve(studio: Studio, slider: str = "jawOpen") -> dict:  # type: ignore[type-arg]
    return next(each for each in studio.look("curves") if each["slider"] == slider)


def two_keys(studio: Studio) -> None:
    """jawOpen and browInnerUp keyed at frames 0, 30 and 60."""
    steps = 0
    for frame, jaw in ((0, 0.2), (30, 0.6), (60, 0.8)):
        if frame:
            go_to(studio, frame)
        for name, value in (("jawOpen", jaw), ("browInnerUp", 0.5 * jaw)):
            studio.page.locator(f'[data-slider="{name}"] button.value').click()
            studio.page.keyboard.type(str(value))
            studio.page.keyboard.press("Enter")
            steps += 1
            studio.committed(steps)
        studio.page.keyboard.press("k")
        steps += 1
        studio.committed(steps)


def key(studio: Studio, name: str) -> Locator:
    return studio.page.get_by_role("toolbar", name="Keys").get_by_role("button", name=name, exact=True)


def test_what_changed_is_keyed_and_keys_are_dragged_within_bounds_and_turned(studio: Studio) -> None:
    page = studio.page
    two_keys(studio)
    assert {each["slider"] for each in studio.look("curves")} == {"jawOpen", "browInnerUp"}
    assert curve(studio)["tangents"] == ["auto"] * 3
    assert curve(studio)["slopes"][1][0] > 0.1, "a key on the way up is not flat"
    page.locator(".lane-names button", has_text="jawOpen").click()
    page.keyboard.press("c")
    studio.shot("70 curves with tangents")
    start = (x_of(studio, 1), y_of(studio, 0.6))
    studio.drag(start, (0, -400), steps=8)
    studio.committed(10)
    assert curve(studio)["values"] == pytest.approx([0.2, 1.0, 0.8])
    page.keyboard.press("Control+z")
    studio.committed(9)
    page.keyboard.down("Shift")
    studio.drag((x_of(studio, 1), y_of(studio, 0.6)), (0, -0.6 * (lanes(studio).height - 20)), steps=4)
    page.keyboard.up("Shift")
    studio.committed(10)
    assert curve(studio)["values"][1] == pytest.approx(1.2, abs=0.03), "no more than the pointer went"
    page.keyboard.press("Control+z")
    studio.committed(9)

    page.mouse.click(x_of(studio, 1), y_of(studio, 0.6))
    page.get_by_label("Tangents of the selected keys").select_option("flat")
    studio.committed(10)
    assert curve(studio)["tangents"] == ["auto", "flat", "auto"]
    studio.drag((x_of(studio, 1) + 44, y_of(studio, 0.6)), (0, -30), steps=3)
    studio.committed(11)
    assert curve(studio)["tangents"][1] == "free"
    assert curve(studio)["slopes"][1][0] == curve(studio)["slopes"][1][1] > 0.1
    studio.shot("71 a turned tangent")
    value = page.get_by_label("Value of the selected keys")
    value.fill("0.25")
    value.press("Enter")
    studio.committed(12)
    frame = page.get_by_label("Frame of the first selected key; the others move along")
    frame.fill("45")
    frame.press("Enter")
    studio.committed(13)
    assert (curve(studio)["times"][1], curve(studio)["values"][1]) == (pytest.approx(1.5), pytest.approx(0.25))
    page.keyboard.press("c")  # the next page would begin with curves
    page.keyboard.press("Escape")
    assert page.get_by_label("Tangents that new keys get").input_value() == "auto"


def tool(studio: Studio, name: str) -> Locator:
    """Choose a tool for the selected keys; its form, if it has one."""
    studio.page.locator("#key-tools").click()
    studio.page.get_by_role("menuitem", name=name).first.click()
    return studio.page.locator(".key-form")


def many_keys(studio: Studio, folder: Path) -> None:
    """A clip of 31 keys of two sliders, a little beside whole frames."""
    times = np.arange(31) / 30 + 0.005
    wave = 0.5 + 0.4 * np.sin(7 * times)
    linear = {"jawOpen": Curve(times, wave), "browInnerUp": Curve(times, 0.5 * wave)}
    save(Document(sample(), (Clip("many", linear),)), folder / "many.fwface")
    studio.page.set_input_files("#take", folder / "many.fwface")
    studio.until(lambda: studio.look("clip") and studio.look("clip")["name"] == "many", "the clip is there")
    studio.answered()


@pytest.mark.long
def test_tools_show_what_they_do_at_once_and_are_one_step_or_none(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    many_keys(studio, tmp_path)
    page.keyboard.press("c")
    page.keyboard.press("Control+a")
    before = curve(studio)
    form = tool(studio, "Reduce")
    studio.until(lambda: len(curve(studio)["times"]) < 25, "fewer keys are seen before it is kept")
    studio.shot("75 a tool's form, with what it does")
    assert "of 62 keys are left" in form.inner_text()
    form.get_by_role("button", name="Cancel").click()
    studio.committed(1)
    assert curve(studio) == before
    form = tool(studio, "Reduce")
    form.get_by_role("textbox").fill("0.05")
    page.keyboard.press("Enter")
    studio.committed(2)
    assert len(curve(studio)["times"]) < 12
    page.keyboard.press("Control+z")
    studio.committed(1)

    tool(studio, "Snap to frames")
    studio.committed(2)
    assert curve(studio)["times"] == pytest.approx([i / 30 for i in range(31)])
    assert sum(len(each["times"]) for each in studio.look("selectedKeys")) == 62, "what moved stays selected"
    rough = curve(studio)["values"]
    form = tool(studio, "Smooth")
    form.get_by_role("slider", name="Passes").fill("20")
    page.keyboard.press("Enter")
    studio.committed(3)
    assert np.ptp(curve(studio)["values"]) < 0.9 * np.ptp(rough)
    form = tool(studio, "Scale values")
    form.get_by_role("slider", name="Size").fill("150")
    studio.until(lambda: max(curve(studio)["values"]) > 1, "it is seen at once")
    page.keyboard.press("Enter")
    studio.committed(4)

    # The graph zooms in value about the pointer, and shows all again.
    whole, box = studio.look("valueRange"), lanes(studio)
    assert whole["high"] > 1
    page.mouse.move(box.x + gutter(studio) + 10, box.y + 0.25 * box.height)
    page.mouse.wheel(0, -400)
    studio.until(
        lambda: studio.look("valueRange")["high"] < 0.9 * whole["high"], "its numbers are nearer to each other"
    )
    zoomed = studio.look("valueRange")
    studio.shot("76 the graph zoomed in value")
    page.mouse.move(box.x + 0.6 * box.width, box.y + 0.5 * box.height)
    page.mouse.down(button="middle")
    page.mouse.move(box.x + 0.6 * box.width, box.y + 0.5 * box.height + 30, steps=2)
    page.mouse.up(button="middle")
    studio.until(lambda: studio.look("valueRange")["low"] > zoomed["low"] + 0.05, "it is moved")
    page.keyboard.press("Home")
    assert studio.look("valueRange") == whole

    # A slider for breakdowns and one for blending act while they are dragged; each is one step.
    page.keyboard.press("Escape")
    page.locator(".lane-names button", has_text="jawOpen").click()
    go_to(studio, 45)
    steps = 4
    for name, kind in (("Breakdown", "to the last key"), ("Blend", "to the key before")):
        place = studio.box(page.get_by_role("slider", name=name))
        start = (place.x + place.width / 2, place.y + place.height / 2)
        studio.drag(start, (-0.3 * place.width, 0), steps=3, release=False)
        studio.until(lambda: studio.look("history")["gesture"], f"{name} is seen while it is dragged, {kind}")
        page.mouse.up()
        steps += 1
        studio.committed(steps)
    assert len(curve(studio)["times"]) == 32
    end = curve(studio)["values"][-1]
    tool(studio, "Repeat with offset")
    studio.committed(steps + 1)
    assert curve(studio)["outside"] == "offset"
    assert curve(studio, "browInnerUp")["outside"] == "hold", "of the selected slider alone"
    studio.shot("77 a curve that repeats with an offset")
    assert curve(studio)["values"][-1] == end
    for _ in range(steps + 1):
        page.keyboard.press("Control+z")
    studio.committed(0)
    page.keyboard.press("c")
    page.keyboard.press("Escape")


def test_keys_are_copied_mirrored_stretched_and_tweened(studio: Studio) -> None:
    page = studio.page
    for frame, smile in ((0, "0"), (20, "0.8")):
        if frame:
            go_to(studio, frame)
        page.locator('[data-slider="mouthSmileLeft"] button.value').click()
        page.keyboard.type(smile)
        page.keyboard.press("Enter")
        page.keyboard.press("k")
    studio.until(
        lambda: studio.look("clip") and len(curve(studio, "mouthSmileLeft")["times"]) == 2, "there are two keys"
    )
    page.locator(".lane-search").fill("smileleft")
    studio.until(lambda: page.locator(".lane-names .of-curve").count() == 1, "one lane is left")
    box = lanes(studio)
    studio.drag((x_of(studio, -0.05), box.y + 42), (x_of(studio, 0.75) - x_of(studio, -0.05), 40), steps=3)
    studio.until(lambda: len(studio.look("selectedKeys")) == 1, "the keys of one lane are selected")
    studio.shot("72 a box of keys")
    page.keyboard.press("Control+c")
    go_to(studio, 40)
    page.keyboard.press("Control+Shift+v")
    studio.until(lambda: 60 / 30 in curve(studio, "mouthSmileRight")["times"], "they are pasted on the other side")
    assert curve(studio, "mouthSmileRight")["values"][-1] == pytest.approx(0.8)
    tool(studio, "Stretch in time")
    studio.until(lambda: curve(studio, "mouthSmileLeft")["times"][-1] == pytest.approx(40 / 30), "they are stretched")
    page.keyboard.press("Enter")
    go_to(studio, 10)
    page.keyboard.press("Escape")
    page.locator('[data-slider="mouthSmileLeft"] .bar .name').click()
    between = page.get_by_role("slider", name="Breakdown")
    between.focus()
    between.press("ArrowRight")
    studio.until(lambda: len(curve(studio, "mouthSmileLeft")["times"]) == 3, "there is a breakdown")
    assert curve(studio, "mouthSmileLeft")["values"][1] == pytest.approx(0.8 * 0.51)


def test_lanes_fold_the_timeline_zooms_pans_plays_a_range_and_can_be_made_taller(studio: Studio) -> None:
    page = studio.page
    two_keys(studio)
    page.keyboard.press("Escape")
    page.locator(".lane-names .of-group button", has_text="jaw").click()
    assert page.locator(".lane-names .of-curve").all_inner_texts() == ["browInnerUp"]
    page.locator(".lane-names .of-group button", has_text="jaw").click()
    whole = studio.look("span")
    at = x_of(studio, 1)
    page.mouse.move(at, lanes(studio).y + 30)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -500)
    page.keyboard.up("Control")
    studio.until(lambda: studio.look("span")["to"] < 0.7 * whole["to"], "it is zoomed")
    assert x_of(studio, 1) == pytest.approx(at, abs=1.5), "what is under the pointer stays"
    zoomed = studio.look("span")
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 100)
    page.keyboard.up("Shift")
    studio.until(lambda: studio.look("span")["from"] > zoomed["from"], "it is moved along")
    go_to(studio, 0)
    assert studio.look("span")["from"] <= 0 <= studio.look("span")["to"], "the moment is seen"
    page.keyboard.press("Home")
    studio.until(lambda: studio.look("span") == whole, "all is seen")
    go_to(studio, 15)
    page.keyboard.press("Shift+i")
    go_to(studio, 45)
    page.keyboard.press("Shift+o")
    assert studio.look("range") == pytest.approx([0.5, 1.5])
    page.keyboard.press("Space")
    seen: list[float] = []

    def looped() -> bool:
        seen.append(studio.look("time"))
        return len(seen) > 3 and any(b < a for a, b in pairwise(seen))

    studio.until(looped, "the range begins again")
    page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stopped")
    assert all(0.5 - 1e-6 <= time <= 1.5 + 1e-6 for time in seen[1:])
    before, top = height(studio), studio.box(page.locator(".timeline")).y
    studio.drag((600, top), (0, -120), steps=3)
    studio.until(
        lambda: height(studio) == pytest.approx(before + 120, abs=4),
        "it is taller",
    )
    studio.shot("73 a taller timeline with a range")
    page.get_by_role("button", name="Play all of the clip").click()
    page.locator(".splitter").dblclick()
    studio.until(lambda: height(studio) == pytest.approx(before, abs=1), "as before")


def test_a_pose_that_is_left_without_a_key_can_be_keyed_and_poses_key_themselves(
    studio: Studio,
) -> None:
    page = studio.page
    two_keys(studio)
    page.locator('[data-slider="jawOpen"] button.value').click()
    page.keyboard.type("0.1")
    page.keyboard.press("Enter")
    studio.committed(10)
    go_to(studio, 20)
    note = page.locator(".left-pose")
    note.wait_for()
    assert "frame 60 was not keyed: jawOpen" in note.inner_text()
    studio.shot("74 a pose that was left")
    note.get_by_role("button", name="Key it at 60").click()
    studio.committed(11)
    assert curve(studio)["values"][2] == pytest.approx(0.1)
    assert studio.look("time") == pytest.approx(2)
    assert note.count() == 0
    key(studio, "Auto").click()
    studio.until(lambda: studio.look("keying")["auto_key"], "poses key themselves")
    go_to(studio, 90)
    studio.drag_slider("browInnerUp", 0.4)
    studio.committed(12)
    assert curve(studio, "browInnerUp")["times"][-1] == pytest.approx(3)
    assert note.count() == 0
    page.keyboard.press("Control+z")
    studio.until(lambda: curve(studio, "browInnerUp")["times"][-1] == pytest.approx(2), "pose and key are one step")
    key(studio, "Auto").click()
    studio.until(lambda: not studio.look("keying")["auto_key"], "as before")


def test_a_clip_is_renamed_in_a_window_of_the_page(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    many_keys(studio, tmp_path)

    def ask() -> None:
        page.locator('[data-tip="Give this clip another name"]').click()
        studio.until(lambda: page.get_by_role("textbox", name="Rename the clip").is_visible(), "a name is asked for")

    ask()
    studio.shot("76 another name for a clip")
    page.keyboard.type("speech")
    page.keyboard.press("Escape")
    assert studio.look("clip")["name"] == "many", "Escape keeps the name"
    ask()
    page.keyboard.type("speech")  # the old name is selected
    page.keyboard.press("Enter")
    studio.until(lambda: studio.look("clip")["name"] == "speech", "the clip has the other name")
    studio.committed(2)
    page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("clip")["name"] == "many", "it is one step")
