"""Takes in the page: loaded, seen over the face, bound by clicks, solved while the face is worked on, scrubbed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.formats.takes import save_take
from tests.browser.studio import Studio
from tests.browser.test_studio import difference, furthest
from tests.session.acted import acted, head, long, loose
from tests.session.marker_layout import LAYOUT
from tests.studio.served import Served

FRAMES = 360
CORNERS = ("mouth_corner_left", "mouth_corner_right", "nose_bridge", "chin")

DROP = """
async ({ name, text, selector }) => {
  const data = new DataTransfer()
  data.items.add(new File([text], name))
  const target = document.querySelector(selector)
  const common = { dataTransfer: data, bubbles: true, cancelable: true }
  const over = new DragEvent('dragover', common)
  target.dispatchEvent(over)
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const seen = document.querySelector('.drop') !== null
  const drop = new DragEvent('drop', common)
  target.dispatchEvent(drop)
  return seen && over.defaultPrevented && drop.defaultPrevented
}
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("takes")
    take = acted(FRAMES).take
    for suffix in ("c3d", "trc", "csv"):
        save_take(take, folder / f"talking.{suffix}")
    save_take(loose(take), folder / "loose.c3d")
    save_take(long(20), folder / "long.c3d")
    return folder


def load(studio: Studio, path: Path) -> dict[str, Any]:
    studio.page.locator("#take").set_input_files(path)
    studio.until(lambda: (studio.look("take") or {}).get("name") == path.stem, "the take is there")
    studio.until(lambda: len(studio.look("markers") or []) > 0, "its markers are seen")
    found: dict[str, Any] = studio.look("take")
    return found


def solved(studio: Studio) -> dict[str, Any]:
    studio.page.locator("#solve").click()
    studio.until(lambda: (studio.look("fit") or {}).get("clip"), "the take is solved and compared")
    studio.page.mouse.move(660, 640)
    fit: dict[str, Any] = studio.look("fit")
    return fit


def scrub(studio: Studio, frame: int, rate: float = 60.0) -> None:
    field = studio.page.get_by_label("The frame", exact=True)
    field.fill(str(frame))
    field.press("Enter")
    studio.until(lambda: studio.look("time") == pytest.approx(frame / rate, abs=1e-4), f"frame {frame} is shown")
    studio.settle()


def by_name(studio: Studio) -> dict[str, dict[str, Any]]:
    return {marker["name"]: marker for marker in studio.look("markers")}


def test_an_empty_tab_says_what_a_take_is(studio: Studio) -> None:
    studio.page.get_by_role("tab", name="Take").click()
    studio.shot("30 no take")
    assert "C3D" in studio.page.locator(".inspector").inner_text()


def test_a_take_is_glued_by_names_solved_and_scrubbed_against_its_markers(studio: Studio, files: Path) -> None:
    take = load(studio, files / "talking.trc")
    assert take["bound"]
    assert studio.page.get_by_role("tab", name="Take").get_attribute("aria-selected") == "true"
    text = studio.page.locator(".inspector").inner_text()
    assert "41 markers · 360 frames · 6.0 s" in text
    assert "% gaps" in text
    studio.shot("31 a take by names")
    # at rest the markers sit on their points of the face
    for marker in studio.look("markers"):
        if not marker["gap"]:
            assert np.hypot(marker["x"] - marker["glued"]["x"], marker["y"] - marker["glued"]["y"]) < 6, marker
    fit = solved(studio)
    rest = studio.face()  # beside the lanes of the clip, which leave less room for the face
    assert fit["clip"] == "talking"
    assert fit["typical"] < 1.0
    assert studio.look("history.labels") == ["Load take talking", "Solve talking"]
    truth = acted(FRAMES).weights
    for frame in (150, 250, 330):
        scrub(studio, frame)
        weights = studio.look("weights")
        found = np.array([weights[name] for name in head().sliders])
        lively = [
            head().slider_index(name) for name in head().sliders if name.startswith(("jaw", "mouthSmile", "brow"))
        ]
        assert np.abs(found - truth[frame])[lively].mean() < 0.15
        seen = [marker for marker in studio.look("markers") if not marker["gap"] and not marker["behind"]]
        assert np.mean([marker["residual"] for marker in seen]) == pytest.approx(fit["mean"][frame], rel=0.25)
    studio.shot("32 solved, frame 330")
    assert difference(rest, studio.face()) > 0.005
    studio.page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("clip") is None, "the clip is undone")
    studio.page.keyboard.press("Control+Shift+z")
    studio.until(lambda: (studio.look("clip") or {}).get("name") == "talking", "and there again")


@pytest.mark.long  # a quicker test holds the same
def test_three_clicks_bring_a_nameless_take_onto_the_face(studio: Studio, files: Path) -> None:
    take = load(studio, files / "loose.c3d")
    assert not take["bound"]
    face = studio.page.locator(".viewport canvas").first.bounding_box()
    assert face is not None
    names = dict(zip(LAYOUT, (marker["name"] for marker in take["markers"]), strict=True))
    on_page = by_name(studio)
    assert min(on_page[names[corner]]["x"] for corner in CORNERS) > face["x"] + face["width"] / 2
    studio.shot("33 a loose take")
    studio.page.keyboard.press("b")
    for count, corner in enumerate(CORNERS, 1):
        name = names[corner]
        if count % 2:  # in the view, or in the list
            spot = by_name(studio)[name]
            studio.page.mouse.click(spot["x"], spot["y"])
        else:
            studio.page.locator(".marker-list .item", has_text=name).click()
        studio.page.locator(".hint b").wait_for()
        assert studio.page.locator(".hint").inner_text().startswith(f"Click where {name}")
        studio.until(lambda n=name: studio.page.locator(".marker-list .chosen", has_text=n).count(), "it is chosen")
        studio.page.mouse.click(*studio.vertex(LAYOUT[corner]))
        studio.committed(count + 1)
        assert studio.look("take.bound") == (count >= 3)
        if count == 2:
            studio.shot("34 two pairs")
        if count >= 3:  # figures come, and with them a lane of the timeline: the face is elsewhere on the page then
            studio.until(lambda: studio.look("fit") is not None, "the head's motion is known")
            studio.settle()
    studio.shot("35 bound by clicks")
    assert len(studio.page.locator(".pairs .still").all()) == 4
    true = {names[corner]: studio.vertex(vertex) for corner, vertex in LAYOUT.items()}
    away = [np.hypot(m["glued"]["x"] - true[m["name"]][0], m["glued"]["y"] - true[m["name"]][1])
            for m in studio.look("markers") if m["glued"]]  # fmt: skip
    assert np.median(away) < 12
    studio.page.locator(".pairs button").first.click()
    studio.committed(6)
    studio.page.keyboard.press("Escape")
    studio.page.keyboard.press("Escape")
    assert studio.page.locator(".viewport.pose").count() == 1


@pytest.mark.long
def test_a_marker_that_sits_wrongly_is_corrected_and_one_is_left_out(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.csv")
    studio.page.locator(".marker-list .item", has_text="nose_tip").click()
    before = by_name(studio)["nose_tip"]["glued"]
    x, y = studio.vertex(LAYOUT["nose_bridge"])
    studio.page.mouse.click(x, y)
    studio.committed(2)
    after = by_name(studio)["nose_tip"]["glued"]
    assert np.hypot(after["x"] - x, after["y"] - y) < 3
    assert np.hypot(after["x"] - before["x"], after["y"] - before["y"]) > 15
    row = studio.page.locator(".marker-list li", has_text="jaw_left")
    row.hover()
    row.locator(".quiet").click()
    studio.committed(3)
    assert [m["name"] for m in studio.look("take.markers") if m["ignored"]] == ["jaw_left"]
    studio.shot("36 corrected")
    studio.page.locator("#by-names").click()
    studio.committed(4)
    for left in (3, 2, 1):
        studio.page.keyboard.press("Control+z")
        studio.committed(left)
    assert not any(m["paired"] or m["ignored"] for m in studio.look("take.markers"))


@pytest.mark.long  # a quicker test holds the same
def test_one_check_says_that_the_head_does_not_move(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.csv")
    switch = studio.page.get_by_role("switch", name="Still head")
    switch.click()
    assert solved(studio)["typical"] > 2.0  # it does move: the face cannot follow that
    switch.click()


def test_a_take_is_solved_with_the_chosen_sliders(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.csv")
    choice = studio.page.get_by_label("Which sliders the take may move.")
    choice.select_option("jaw")
    studio.committed(2)
    solved(studio)
    moved = [name for name in moving(studio, least=0.001) if not name.startswith("Head")]
    studio.shot("36 sliders of the jaw")
    assert moved
    assert all(name.startswith("jaw") for name in moved)
    studio.page.keyboard.press("Control+z")
    studio.page.keyboard.press("Control+z")
    studio.committed(1)
    assert choice.input_value() == ""


@pytest.mark.long
def test_the_face_at_rest_may_be_several_frames_and_a_pose_and_gaze_is_as_chosen(studio: Studio, files: Path) -> None:
    page = studio.page
    load(studio, files / "talking.c3d")
    scrub(studio, 40)
    page.get_by_role("button", name="The face is at rest in").click()
    scrub(studio, 90)
    page.get_by_role("button", name="It is at rest in").click()
    studio.until(lambda: studio.look("take")["neutral"] == [40, 90], "both frames are at rest")
    assert "frames 40, 90" in page.locator(".inspector").inner_text()
    page.get_by_role("button", name="It is at rest in").click()
    studio.until(lambda: studio.look("take")["neutral"] == [40], "the frame is at rest no more")
    pose = page.get_by_label("The pose of this face in which the actor's is at rest")
    pose.select_option("as it is shown")
    studio.until(
        lambda: page.get_by_text("pose it as the actor's face is at rest").count() > 0, "it is refused in words"
    )
    assert studio.look("take")["rest_pose"] == "neutral"
    studio.drag_slider("jawOpen", 0.3)
    pose.select_option("as it is shown")
    studio.until(lambda: studio.look("take")["rest_pose"] == "given", "the pose that is shown is that at rest")
    assert "At rest: jawOpen 0.30" in page.locator(".inspector").inner_text()
    studio.shot("36 face at rest")
    gaze = page.get_by_label("Whether sliders of the gaze are solved")
    gaze.select_option("as the markers tell")
    solved(studio)
    assert "gaze stays at rest" in page.locator(".inspector").inner_text()
    page.locator("#solve").scroll_into_view_if_needed()
    studio.shot("37 gaze as the markers tell")
    pose.select_option("the neutral")
    studio.until(lambda: studio.look("take")["rest_pose"] == "neutral", "the neutral is at rest again")


def test_a_map_of_names_says_which_curves_drive_which_sliders(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    page.get_by_role("tab", name="Take").click()
    (tmp_path / "odd.csv").write_text("time,Happy\n0,0\n0.5,0.8\n1,0.8\n")
    (tmp_path / "wrong.csv").write_text("Happy,mouthSmileLeftt\n")
    (tmp_path / "names.csv").write_text("Happy,mouthSmileLeft\nHappy,mouthSmileRight,0.5\n")
    page.locator("#name-map").set_input_files(tmp_path / "wrong.csv")
    studio.until(lambda: page.get_by_text("mouthSmileLeftt").count() > 0, "an unknown slider is said")
    page.locator("#name-map").set_input_files(tmp_path / "names.csv")
    studio.until(lambda: page.get_by_text("By names.csv: 2 rows").count() > 0, "the map is in use")
    page.locator("#take").set_input_files(tmp_path / "odd.csv")
    studio.until(lambda: (studio.look("clip") or {}).get("name") == "odd", "the recording is a clip")
    rate = studio.look("clip")["rate"]
    scrub(studio, round(rate), rate)
    studio.shot("38 a map of names")
    page.get_by_role("button", name="Match curves by what their names mean alone").click()
    studio.until(lambda: page.get_by_text("Matched by what they mean").count() > 0, "names count alone again")
    weights = studio.look("weights")
    assert weights["mouthSmileLeft"] == pytest.approx(0.8, abs=0.01)
    assert weights["mouthSmileRight"] == pytest.approx(0.4, abs=0.01)


def test_hovering_names_a_marker(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.csv")
    spot = by_name(studio)["chin"]
    before = studio.page.locator(".markers").screenshot()
    studio.page.mouse.move(spot["x"], spot["y"])
    studio.settle()
    studio.shot("37 a named marker")
    assert studio.page.locator(".markers").screenshot() != before


def test_the_face_is_dragged_while_a_long_take_is_solved_and_cancel_keeps_a_clip(
    studio: Studio, server: Served, files: Path
) -> None:
    load(studio, files / "long.c3d")
    studio.page.locator("#solve").click()
    studio.until(lambda: (studio.look("solving") or {}).get("done", 0) > 0, "frames are solved")
    with server.halted("spawn_main"):  # a slow browser would not be in time otherwise
        assert " a second" in studio.page.locator(".solving").inner_text()
        studio.page.keyboard.press("Shift+m")  # the face alone
        studio.drag(studio.vertex(furthest(head(), "mouthSmileLeft")), (12, -14))
        studio.until(lambda: studio.look("weights")["mouthSmileLeft"] > 0.05, "the face follows")
        studio.shot("38 solving")
        studio.page.locator("#stop-solving").click()
        studio.settle()
    studio.until(lambda: studio.look("clip") and studio.look("solving") is None, "what was solved is there")
    frames = studio.look("take.solved.frames")
    assert 900 < frames < 12_000
    assert studio.look("clip.end") == pytest.approx((frames - 1) / 120, abs=0.01)
    assert f"Stopped after {frames} of 12000 frames" in studio.page.locator(".inspector").inner_text()
    assert studio.look("history.labels")[-2:] == ["Drag pin", "Solve long"]
    studio.shot("39 cancelled")


@pytest.mark.long
def test_worst_frames_are_jumped_to_and_the_head_moves_when_it_is_let(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.trc")
    fit = solved(studio)
    visited = []
    for _ in range(2):
        before = studio.look("time")
        studio.page.keyboard.press("j")
        studio.until(lambda before=before: studio.look("time") != before, "another frame is shown")
        visited.append(round(studio.look("time") * 60))
    assert visited == fit["worst"][:2]
    lane = studio.page.locator(".residuals").bounding_box()
    assert lane is not None
    studio.page.mouse.click(lane["x"] + 0.7 * lane["width"], lane["y"] + lane["height"] - 6)
    studio.until(lambda: round(studio.look("time") * 60) not in visited, "the clicked frame is shown")
    studio.settle()
    still = studio.face()
    held = by_name(studio)
    studio.page.keyboard.press("n")
    studio.settle()
    studio.shot("40 head motion")
    assert difference(still, studio.face()) > 0.01
    moved = by_name(studio)
    assert max(abs(moved[name]["x"] - held[name]["x"]) for name in held) > 4
    for name, marker in moved.items():  # they go with the face
        if marker["glued"] and held[name]["glued"]:
            here = np.hypot(marker["x"] - marker["glued"]["x"], marker["y"] - marker["glued"]["y"])
            there = np.hypot(held[name]["x"] - held[name]["glued"]["x"], held[name]["y"] - held[name]["glued"]["y"])
            assert here == pytest.approx(there, abs=4)
    pins = len(studio.look("pins"))
    studio.page.mouse.click(*_on_nose(studio))
    studio.until(lambda: len(studio.look("pins")) == pins + 1, "a pin is set on the turned face")
    studio.answered()  # its place comes after it
    place = studio.look("pins")[-1]["place"]
    assert np.linalg.norm(np.array(place) - head().neutral[LAYOUT["nose_tip"]]) < 0.08 * head().size


def _on_nose(studio: Studio) -> tuple[float, float]:
    glued = by_name(studio)["nose_tip"]["glued"]
    return glued["x"], glued["y"]


@pytest.mark.long
def test_playing_moves_markers_and_face_together(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.trc")
    studio.page.keyboard.press("Space")  # the markers alone, without a clip
    studio.until(lambda: studio.look("time") > 0.4, "time goes by")
    studio.page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stopped")
    solved(studio)
    studio.page.keyboard.press("Space")
    studio.until(lambda: studio.look("playing"), "it plays")
    first = by_name(studio)["chin"]
    studio.until(lambda: abs(by_name(studio)["chin"]["y"] - first["y"]) > 3, "the chin's marker moves")
    off = {m["name"]: m["residual"] for m in studio.look("markers") if m["residual"] is not None and m["residual"] > 8}
    assert not off
    studio.page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stopped")


@pytest.mark.long
def test_everything_is_there_again_after_a_reload_and_after_a_kill(
    own_studio: Studio, own_server: Served, files: Path
) -> None:
    studio = own_studio
    load(studio, files / "talking.trc")
    solved(studio)
    scrub(studio, 200)
    before = studio.look("take"), studio.look("clip"), studio.look("weights")
    studio.page.reload()
    studio.ready()
    studio.until(lambda: studio.look("markers") and studio.look("fit"), "take and figures are back")
    assert studio.look("take") == before[0]
    own_server.kill()
    own_server.start()
    studio.until(lambda: studio.look("connected"), "the page is connected again")
    studio.until(lambda: studio.look("take") == before[0], "the take is there")
    assert studio.look("clip") == before[1]
    scrub(studio, 200)
    assert studio.look("weights") == pytest.approx(before[2], abs=1e-6)
    studio.complaints.clear()  # the browser itself logs sockets that do not open


def test_a_file_dropped_anywhere_on_the_page_is_taken(studio: Studio, files: Path) -> None:
    for selector, name in ((".timeline", "talking.csv"), (".viewport", "talking.trc")):
        text = (files / name).read_text()
        assert studio.page.evaluate(DROP, {"name": f"{selector[1:]}.{name[-3:]}", "text": text, "selector": selector})
        studio.until(lambda s=selector: (studio.look("take") or {}).get("name") == s[1:], f"{name} is loaded")
    assert studio.page.evaluate(DROP, {"name": "broken.trc", "text": "nothing", "selector": ".inspector"})
    studio.page.locator(".toast.problem").first.wait_for()
    assert "PathFileType" in studio.page.locator(".toast.problem").first.inner_text()
    assert studio.look("take")["name"] == "viewport"
    studio.complaints.clear()  # the browser itself logs answers that refuse


@pytest.mark.long  # a quicker test holds the same
def test_a_wrong_unit_and_rate_are_put_right_in_the_panel(studio: Studio, files: Path) -> None:
    load(studio, files / "talking.csv")
    studio.page.get_by_label("What the numbers in the file are", exact=False).select_option("mm")
    studio.until(lambda: studio.look("take.unit") == "mm", "the unit is another")
    assert "no face" in studio.page.locator(".notes").first.inner_text()
    studio.shot("41 wrong unit")
    studio.page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("take.unit") == "cm", "undone")
    field = studio.page.get_by_label("Frames a second of the take", exact=False)
    field.fill("30")
    field.press("Enter")
    studio.until(lambda: studio.look("take.rate") == 30, "the rate is another")


def test_a_binding_is_saved_and_loaded_again(studio: Studio, files: Path, tmp_path: Path) -> None:
    load(studio, files / "talking.csv")
    with studio.page.expect_download() as download:
        studio.page.get_by_label("Save the binding as binding.json", exact=False).click()
    download.value.save_as(tmp_path / "binding.json")
    assert len(json.loads((tmp_path / "binding.json").read_text())["markers"]) == 41
    studio.page.get_by_label("All markers loose again").click()
    studio.until(lambda: not studio.look("take.bound"), "it is loose")
    studio.page.locator("#binding").set_input_files(tmp_path / "binding.json")
    studio.until(lambda: studio.look("take.bound"), "it is bound again")
    assert "bound by a file" in studio.page.locator(".inspector").inner_text()


@pytest.mark.long  # a quicker test holds the same
@pytest.mark.parametrize("name", ["EyebrowsMoCap", pytest.param("JawMoCap", marks=pytest.mark.long)])
def test_real_markers_are_bound_and_solved_on_the_embedded_head(studio: Studio, shared_data: Path, name: str) -> None:
    take = load(studio, shared_data / "mocap_markers" / f"{name}.csv")
    assert take["bound"]
    assert len(take["markers"]) == 41
    fit = solved(studio)
    assert fit["typical"] < 2.0
    worst = int(np.nanargmax(fit["mean"]))
    scrub(studio, worst)
    studio.shot(f"42 {name}, worst frame")
    studio.page.set_viewport_size({"width": 1920, "height": 1080})
    studio.settle()
    studio.shot(f"43 {name} at 1920 x 1080")


def moving(studio: Studio, *, least: float) -> list[str]:
    """Sliders whose curves have values at least so far apart. The page finds them: so many values take long to send."""
    script = """least => window.__facewright.curves
      .filter(({ values }) => Math.max(...values) - Math.min(...values) >= least).map(({ slider }) => slider)"""
    found: list[str] = studio.page.evaluate(script, least)
    return found


def test_phone_weights_and_the_clip_of_another_head_play_by_names(studio: Studio, shared_data: Path) -> None:
    studio.page.locator("#take").set_input_files(shared_data / "mocap_livelink" / "alex_rom_3.csv")
    studio.until(lambda: (studio.look("clip") or {}).get("name") == "alex_rom_3", "the recording is there")
    assert len([slider for slider in moving(studio, least=0.0) if slider in head().sliders]) == 52
    assert studio.look("take") is None
    scrub(studio, 600, studio.look("clip.rate"))
    talking = studio.look("weights")
    assert max(talking.values()) > 0.2
    assert max(talking.values()) <= 1.0
    rest = studio.face()
    studio.shot("44 phone weights")
    studio.page.locator("#take").set_input_files(shared_data / "facecap" / "facecap.glb")
    studio.until(lambda: "alex" not in (studio.look("clip") or {}).get("name", "alex"), "the other clip is there")
    assert len([slider for slider in moving(studio, least=0.05) if slider in head().sliders]) > 20
    studio.page.keyboard.press("Space")
    studio.until(lambda: studio.look("playing") and 0.5 < studio.look("time") < 11.0, "it plays")  # it is 11 s long
    studio.page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stopped")
    assert difference(rest, studio.face()) > 0.002
    studio.shot("45 the clip of another head")
