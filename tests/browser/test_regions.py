"""Regions in the studio as a person uses them: a real server, a real Chromium. Screenshots are kept in shots/."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.formats.registry import load_document
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from tests.browser.studio import Studio
from tests.browser.test_accessibility import BARE, CUT, FAINT
from tests.browser.test_studio import difference, exported_file
from tests.studio.served import Served

CHEEK = "left mouth and cheek"


@pytest.fixture(scope="module")
def rig() -> Rig:
    """The face that the studio opens."""
    return fw.sample()


@pytest.fixture(scope="module")
def regions(rig: Rig) -> fw.Regions:
    return fw.segment(rig)


def find(studio: Studio) -> None:
    studio.page.locator("#tab-regions").click()
    studio.page.locator("#find-regions").click()
    studio.until(lambda: studio.look("regions"), "regions are found")
    studio.committed(1)


def inner(rig: Rig, regions: fw.Regions, name: str) -> int:
    """A vertex on the front of the face, deep in a region, that shapes move far."""
    reach = np.linalg.norm(rig.deltas(), axis=2).sum(axis=0)
    skin = np.arange(rig.vertex_count) < rig.parts[0].stop
    front = rig.neutral[:, 2] > np.percentile(rig.neutral[:, 2], 70)
    return int((reach * (regions.field(name) > 0.9) * skin * front).argmax())


def choose(studio: Studio, rig: Rig, regions: fw.Regions, name: str) -> tuple[float, float]:
    """Choose a region by a click on the face; where it was clicked."""
    if studio.page.locator(".tools [aria-label=Region][aria-pressed=true]").count() == 0:
        studio.page.keyboard.press("r")
    spot = studio.vertex(inner(rig, regions, name))
    studio.page.mouse.move(*spot)
    studio.until(lambda: studio.look("hovered") != "", "a region lights up")
    studio.page.mouse.click(*spot)
    studio.until(lambda: studio.look("region") != "", "a region is chosen")
    return spot


def step(studio: Studio, key: str, frames: int) -> None:
    """Go through time, frame by frame."""
    for _ in range(frames):
        before = studio.look("time")
        studio.page.keyboard.press(key)
        studio.until(lambda before=before: abs(studio.look("time") - before) > 0.01, "a frame has passed")


def remembered(server: Served) -> tuple[str, int]:
    """The region and the level that the next page will begin with."""
    page = server.page()
    page.close()
    view = page.state["view"]
    return view.get("region", ""), view.get("level", 0)


def positions(studio: Studio) -> np.ndarray:
    studio.settle()
    return np.array(studio.look("positions")).reshape(-1, 3)


@pytest.mark.long  # tests/studio/test_regions.py has the same without a page
def test_regions_are_found_again_by_texture_and_by_the_rule_in_print(
    opened: Callable[[Served], Studio], skinned_server: Served
) -> None:
    studio = opened(skinned_server)
    find(studio)
    plain, counts = len(studio.look("regions")), list[int]()
    for cue in ("motion and texture", "threshold"):
        studio.page.get_by_label("What regions are found by").select_option(cue)
        studio.page.locator("#find-regions").click()
        studio.committed(2 + len(counts))
        studio.shot(f"regions by {cue}")
        counts.append(len(studio.look("regions")))
    assert counts[0] > plain > counts[1]


def test_regions_are_found_shown_and_chosen_at_any_level(studio: Studio, rig: Rig, regions: fw.Regions) -> None:
    plain = studio.face()
    find(studio)
    studio.shot("30 regions found")
    assert [each["name"] for each in studio.look("regions")] == list(regions.names)
    assert studio.page.locator(".list.regions li").count() == regions.count + 1
    coloured = studio.face()
    assert difference(coloured, plain) > 0.03
    studio.page.keyboard.press("v")
    assert studio.face() == plain
    studio.page.keyboard.press("v")
    choose(studio, rig, regions, CHEEK)
    assert studio.look("region") == CHEEK
    assert difference(coloured, studio.face()) > 0.03  # what is outside steps back
    studio.shot("31 a region is chosen")
    assert studio.page.locator(".tool-note b").inner_text() == CHEEK
    assert CHEEK in studio.page.locator(".region-strip").inner_text()
    levels = studio.look("levels")
    for level in range(1, len(levels)):
        studio.page.keyboard.press("PageUp")
        studio.until(lambda level=level: studio.look("level") == level, "the level is another")
        assert studio.look("region") in levels[level]
        assert studio.page.locator(".list.regions li").count() == len(levels[level]) + 1
    studio.shot("32 the coarsest level")
    assert CHEEK not in levels[-1]
    studio.page.keyboard.press("Escape")
    studio.until(lambda: studio.look("region") == "", "the region is left")
    studio.page.keyboard.press("Escape")
    assert studio.page.locator(".tools [aria-label=Pose][aria-pressed=true]").count() == 1


def test_a_drag_stays_inside_the_chosen_region_and_is_undone(studio: Studio, rig: Rig, regions: fw.Regions) -> None:
    find(studio)
    spot = choose(studio, rig, regions, CHEEK)
    before, seen = positions(studio), studio.face()
    studio.drag(spot, (8, -20), release=False)
    studio.until(lambda: studio.look("posedRegions") == [CHEEK], "the region follows")
    studio.shot("33 a drag in a region")
    studio.page.mouse.up()
    studio.committed(3)
    after = positions(studio)
    outside = regions.field(CHEEK) == 0
    np.testing.assert_array_equal(after[outside], before[outside])
    assert np.linalg.norm(after - before, axis=1).max() > 0.003 * rig.size
    assert difference(seen, studio.face()) > 0.001  # also where the graphics card moves it
    shown = studio.look("weights")
    assert max(shown.values()) > 0.05  # the sliders show the region's values
    studio.page.keyboard.press("Escape")
    studio.until(lambda: max(studio.look("weights").values()) == 0, "the whole face's sliders are at 0")
    studio.page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("posedRegions") == [], "it is undone")
    np.testing.assert_array_equal(positions(studio), before)
    studio.page.keyboard.press("Control+Shift+z")
    studio.until(lambda: studio.look("posedRegions") == [CHEEK], "it is done again")
    np.testing.assert_array_equal(positions(studio), after)


@pytest.mark.long
def test_from_the_whole_face_to_ever_smaller_regions(studio: Studio, rig: Rig, regions: fw.Regions) -> None:
    find(studio)
    studio.drag_slider("jawOpen", 0.3)
    studio.committed(2)
    larger = regions.names[regions.parents[regions.node(CHEEK)]]
    for level, name in ((int(regions.first[regions.node(larger)]), larger), (0, CHEEK)):
        while studio.look("level") != level:
            studio.page.keyboard.press("PageUp" if studio.look("level") < level else "PageDown")
            studio.settle()
        studio.page.locator(f'.list.regions [data-region="{name}"] .item').click()
        studio.until(lambda name=name: studio.look("region") == name, "it is chosen in the list")
        steps = studio.look("history")["at"]
        studio.drag_slider("mouthSmileLeft", 0.3)
        studio.committed(steps + 1)
    studio.shot("34 from coarse to fine")
    assert set(studio.look("posedRegions")) == {larger, CHEEK}
    assert studio.look("weights")["mouthSmileLeft"] == pytest.approx(0.6, abs=0.06)
    assert studio.look("weights")["jawOpen"] == pytest.approx(0.3, abs=0.05)
    studio.page.keyboard.press("Escape")
    studio.until(lambda: studio.look("weights")["mouthSmileLeft"] == 0, "the whole face keeps its own")


def test_a_press_outside_the_chosen_region_chooses_another(studio: Studio, rig: Rig, regions: fw.Regions) -> None:
    find(studio)
    choose(studio, rig, regions, CHEEK)
    studio.page.mouse.click(*studio.vertex(inner(rig, regions, "nose")))
    studio.until(lambda: studio.look("region") == "nose", "the other one is chosen")
    assert studio.look("pins") == []


def test_regions_are_renamed_split_merged_and_painted_by_hand(studio: Studio, rig: Rig, regions: fw.Regions) -> None:
    find(studio)
    choose(studio, rig, regions, CHEEK)
    studio.page.locator(f'.list.regions [data-region="{CHEEK}"] .item').dblclick()
    studio.page.keyboard.type("cheek")
    studio.page.keyboard.press("Enter")
    studio.until(lambda: studio.look("region") == "cheek", "it has another name")
    names = [each["name"] for each in studio.look("regions")]
    assert CHEEK not in names
    share = sum(studio.look("field('cheek')"))
    studio.page.keyboard.press("p")
    nose = studio.vertex(inner(rig, regions, "nose"))
    cheek = studio.vertex(inner(rig, regions, CHEEK))
    middle = ((nose[0] + cheek[0]) / 2, (nose[1] + cheek[1]) / 2)
    studio.drag(middle, ((cheek[0] - nose[0]) / 3, 0))
    studio.committed(3)
    studio.shot("35 a region is painted")
    assert sum(studio.look("field('cheek')")) > share
    studio.page.keyboard.press("Escape")
    studio.page.get_by_role("button", name="Split").click()
    studio.committed(4)
    studio.until(lambda: studio.look("region").endswith(" cheek"), "a half is chosen")
    studio.shot("36 a region is split")
    half = studio.look("region")
    studio.page.locator(".section.named select").select_option(index=1)
    studio.committed(5)
    assert half in [each["name"] for each in studio.look("regions")]
    studio.page.locator(".list.regions").hover()
    studio.page.get_by_role("button", name="Take all regions away").click()
    studio.until(lambda: studio.look("regions") == [], "all regions are gone")
    for _ in range(6):
        studio.page.keyboard.press("Control+z")
    studio.committed(0)


def test_a_region_s_pose_is_keyed_played_and_there_after_a_reload(
    studio: Studio, server: Served, rig: Rig, regions: fw.Regions
) -> None:
    find(studio)
    studio.page.keyboard.press("k")
    studio.committed(2)
    step(studio, ".", 10)
    choose(studio, rig, regions, CHEEK)
    studio.drag_slider("mouthSmileLeft", 0.8)
    studio.committed(3)
    studio.page.keyboard.press("k")
    studio.committed(4)
    studio.shot("37 a region is keyed")
    assert f"mouthSmileLeft @ {CHEEK}" in {curve["slider"] for curve in studio.look("curves")}
    posed = positions(studio)
    step(studio, ",", 5)
    studio.until(lambda: studio.look("weights")["mouthSmileLeft"] == pytest.approx(0.4, abs=0.04), "half the way")
    half = positions(studio)
    assert np.linalg.norm(half - posed, axis=1).max() > 0
    studio.page.keyboard.press("Space")
    studio.until(lambda: studio.look("playing"), "it plays")
    studio.until(lambda: studio.look("weights")["mouthSmileLeft"] > 0.6, "it moves")
    studio.page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stops")
    studio.page.keyboard.press("PageUp")
    studio.until(lambda: studio.look("level") == 1, "the level is another")

    def told() -> tuple[object, ...]:
        return studio.look("region"), studio.look("level"), studio.look("posedRegions")

    seen = told()
    studio.until(lambda: remembered(server) == seen[:2], "it is remembered")
    studio.page.reload()
    studio.ready()
    studio.until(lambda: told() == seen, "the region is chosen and posed as before")
    studio.shot("38 after a reload")


def test_an_exported_face_says_in_words_what_was_added(
    studio: Studio, rig: Rig, regions: fw.Regions, tmp_path: Path
) -> None:
    find(studio)
    choose(studio, rig, regions, CHEEK)
    studio.drag_slider("mouthSmileLeft", 0.8)
    studio.committed(2)
    exported_file(studio.page, "GLB", tmp_path / "face.glb")
    studio.until(lambda: "1 shape was added" in studio.page.locator(".toasts").inner_text(), "it is said")
    studio.shot("39 exported with a word")
    back = load_document(tmp_path / "face.glb")
    assert f"mouthSmileLeft @ {CHEEK}" in back.rig.sliders
    np.testing.assert_allclose(evaluate(back.rig, back.pose), positions(studio), atol=1e-4 * rig.size)


@pytest.mark.long
def test_work_in_regions_survives_a_killed_server(
    own_studio: Studio, own_server: Served, rig: Rig, regions: fw.Regions
) -> None:
    studio = own_studio
    find(studio)
    choose(studio, rig, regions, CHEEK)
    studio.drag_slider("mouthSmileLeft", 0.8)
    studio.committed(2)
    before = positions(studio)
    own_server.kill()
    studio.until(lambda: not studio.look("connected"), "the server is gone")
    own_server.start()
    studio.until(lambda: studio.look("connected") and studio.look("posedRegions") == [CHEEK], "it is all there again")
    np.testing.assert_array_equal(positions(studio), before)
    studio.complaints.clear()  # a socket that is refused is told to the console


def test_controls_of_regions_have_names_tooltips_contrast_and_room(
    studio: Studio, rig: Rig, regions: fw.Regions
) -> None:
    find(studio)
    choose(studio, rig, regions, CHEEK)
    studio.drag_slider("mouthSmileLeft", 0.5)
    studio.committed(2)
    assert studio.page.evaluate(BARE) == []
    assert studio.page.evaluate(FAINT) == []
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        studio.page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        studio.shot(f"40 regions at {width} x {height}")
        assert studio.page.evaluate(CUT) == [], f"at {width} x {height}"
