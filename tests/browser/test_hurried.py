"""What a hurried hand does on the timeline: drags too far, types nonsense, presses keys where the pointer just was."""

from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.workflow.file_kind import FileKind
from tests.browser.studio import Studio
from tests.browser.test_layers import set_slider
from tests.browser.test_timeline import curve, go_to, gutter, lanes, two_keys, x_of, y_of
from tests.studio.served import Served

DROP = """([name, content]) => {
  const data = new DataTransfer()
  data.items.add(new File([content], name))
  document.querySelector('.viewport').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
}"""


def seconds_per_pixel(studio: Studio) -> float:
    span = studio.look("span")
    return float((span["to"] - span["from"]) / (lanes(studio).width - gutter(studio)))


def is_seen(studio: Studio, time: float) -> bool:
    span = studio.look("span")
    return bool(span["from"] <= time <= span["to"])


def test_time_keeps_its_scale_while_keys_are_dragged_and_the_moment_is_always_seen(studio: Studio) -> None:
    page = studio.page
    two_keys(studio)
    page.locator(".lane-names button", has_text="jawOpen").click()
    page.keyboard.press("c")
    whole, scale = studio.look("span"), seconds_per_pixel(studio)
    for by in (-0.9, 0.9):  # of the width: beyond the first key, and beyond the last
        pixels = by * (lanes(studio).width - gutter(studio))
        studio.drag((x_of(studio, 1), y_of(studio, 0.6)), (pixels, 0), steps=12)
        studio.committed(10)
        wanted = 1 + pixels * scale
        assert min(abs(each - wanted) for each in curve(studio)["times"]) < 1 / 30, "it is where the pointer went"
        (selected,) = studio.look("selectedKeys")
        assert len(selected["times"]) == 1, "it stays selected"
        assert is_seen(studio, wanted)
        if by < 0:
            page.keyboard.press("Shift+ArrowLeft")
            studio.until(lambda at=wanted: abs(studio.look("time") - at) < 1 / 30, "the clip begins before frame 0")
            page.keyboard.press("Shift+ArrowRight")
            studio.until(lambda: studio.look("time") == pytest.approx(2), "it is the end")
        page.keyboard.press("Control+z")
        studio.committed(9)
    studio.shot("140 after drags")
    assert studio.look("span") == whole
    for frame in (90, 1500, 0):
        go_to(studio, frame)
        assert is_seen(studio, frame / 30), f"frame {frame}"
    assert studio.look("span")["from"] == pytest.approx(whole["from"]), "there is nothing before the beginning"
    page.keyboard.press("Home")
    assert studio.look("span") == whole
    ruler = studio.box(page.locator("canvas.ruler"))
    studio.drag((ruler.x + ruler.width / 2, ruler.y + 8), (3 * ruler.width, 0))
    studio.until(lambda: studio.look("time") > 2, "it went to the edge")
    studio.answered()
    assert is_seen(studio, studio.look("time"))

    # Another document forgets what was selected, zoomed and played of this one.
    go_to(studio, 1500)
    page.keyboard.press("Shift+i")
    assert studio.look("range")
    page.locator(".viewport canvas").first.click(position={"x": 300, "y": 250})  # a pin, which is selected
    studio.committed(10)
    before = studio.look("opened")
    page.keyboard.press("Control+o")
    page.get_by_role("button", name="Default 52 ARKit shapes").click()
    studio.until(lambda: studio.look("opened") not in (None, before), "another document is open")
    studio.ready()
    assert studio.look("selectedKeys") == studio.look("range") == []
    assert studio.look("span") == whole
    assert page.locator(".sliders .filters button").nth(3).inner_text() == "Selected 0"
    page.keyboard.press("c")


@pytest.mark.long
def test_keys_go_where_one_means_them(studio: Studio) -> None:
    page = studio.page
    two_keys(studio)
    search = page.get_by_label("Find a slider")
    search.fill("jaw open")
    page.keyboard.press("Control+a")
    page.keyboard.type("brow")
    assert search.input_value() == "brow", "the text is selected, and no key"
    assert studio.look("selectedKeys") == []
    search.fill("")
    frame = page.get_by_label("The frame")
    frame.fill("7777")
    frame.press("Escape")
    assert frame.input_value() == "60"
    assert studio.look("time") == pytest.approx(2)
    frame.fill("1e12")
    frame.press("Enter")
    studio.until(lambda: studio.look("time") == 86_400, "a day is the end")
    go_to(studio, 0)

    page.get_by_role("toolbar", name="Timeline").get_by_role("button", name="Key all").click()
    studio.committed(10)
    page.keyboard.press("Space")
    studio.until(lambda: studio.look("playing"), "Space plays after a click on a button, and does not press it again")
    page.keyboard.press("Space")
    studio.until(lambda: not studio.look("playing"), "it stopped")
    studio.committed(10)

    page.get_by_role("tab", name="Clip").click()
    for name in ("Additive", "Override"):
        page.get_by_role("button", name=name, exact=True).first.click()
    studio.committed(12)
    for key, layer in (("Alt+ArrowDown", "additive 1"), ("Alt+ArrowDown", ""), ("Alt+ArrowUp", "additive 1")):
        page.keyboard.press(key)
        studio.until(lambda layer=layer: studio.look("layer") == layer, f"{key} goes to the layer {layer!r}")


def test_the_panel_does_not_jump_to_the_take_when_the_window_changes(
    studio: Studio, shared_data: Path, tmp_path: Path
) -> None:
    page = studio.page
    rows = (shared_data / "mocap_markers" / "JawMoCap.csv").read_text().splitlines()
    (tmp_path / "jaw.csv").write_text("\n".join(rows[:40]) + "\n")
    page.locator("#take").set_input_files(tmp_path / "jaw.csv")
    tab = page.locator("[role=tab][aria-selected=true]")
    studio.until(lambda: tab.inner_text() == "Take", "its tab is shown, once")
    page.get_by_role("tab", name="Poses").click()
    for width in (800, 600, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        studio.settle()
    assert tab.inner_text() == "Poses"


def test_wrong_files_are_refused_in_few_words_with_all_kinds_on_demand(studio: Studio) -> None:
    page = studio.page
    for name, content, words in (
        ("empty.glb", "", "empty.glb is empty"),
        ("a.wav", "RIFFno", "a.wav does not hold what its name says, a sound"),
        ("red.json", '{"colour": "red"}', "red.json is JSON of no kind that is opened"),
        ("notes.txt", "hello", "notes.txt is no file that is opened"),
    ):
        page.evaluate(DROP, [name, content])
        page.locator(".toast.problem", has_text=words).wait_for()
    studio.shot("141 wrong files")
    box = studio.box(page.locator(".toast.problem", has_text="notes.txt"))
    assert box.width * box.height < 0.06 * 1280 * 720, "few words"
    known = page.locator(".toast.problem", has_text="notes.txt").locator("details")
    known.locator("summary").click()
    listed = known.locator("li").all_inner_texts()
    assert any(line.startswith("a rig: .fwface .glb") for line in listed)
    assert len(listed) == len(FileKind)
    studio.shot("142 all kinds of files")
    studio.complaints.clear()  # the browser tells of a refused request


@pytest.mark.long
def test_poses_are_flipped_added_kept_to_what_is_chosen_and_come_from_files_and_other_windows(
    studio: Studio, server: Served
) -> None:
    page = studio.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def is_pose(**values: float) -> None:
        def on() -> dict[str, float]:
            return {name: round(value, 3) for name, value in studio.look("weights").items() if value}

        studio.until(lambda: on() == values, f"the pose is {values}")
        studio.answered()

    page.evaluate(DROP, ["smile.json", '{"weights": {"mouthSmileLeft": 0.8, "jawOpen": 0.3}}'])
    is_pose(mouthSmileLeft=0.8, jawOpen=0.3)
    studio.committed(1)
    page.get_by_role("tab", name="Poses").click()
    page.keyboard.press("Shift+P")
    studio.committed(2)
    page.get_by_role("button", name="Flip").click()
    is_pose(mouthSmileRight=0.8, jawOpen=0.3)
    page.get_by_role("button", name="R to L").click()
    is_pose(mouthSmileLeft=0.8, mouthSmileRight=0.8, jawOpen=0.3)
    set_slider(studio, "mouthSmileLeft", 0.1)
    page.locator(".pose-tile", has_text="pose 1").click()
    page.get_by_role("switch", name="Additive").click()
    page.get_by_role("button", name="Apply", exact=True).click()
    is_pose(mouthSmileLeft=0.9, mouthSmileRight=0.8, jawOpen=0.6)
    page.get_by_role("switch", name="Additive").click()
    page.keyboard.press("Shift+R")
    is_pose()
    studio.slider("mouthSmileLeft").click()
    page.get_by_role("switch", name="Selected sliders only").click()
    page.get_by_role("button", name="Apply", exact=True).click()
    is_pose(mouthSmileLeft=0.8)
    page.get_by_role("switch", name="Selected sliders only").click()
    studio.shot("143 a pose for selected sliders")
    page.get_by_role("button", name="Copy this pose as text").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+R")
    is_pose()
    other = Studio(page.context.new_page())
    try:
        other.page.goto(server.address)
        other.ready()
        other.page.get_by_role("tab", name="Poses").click()
        other.page.get_by_role("button", name="Paste", exact=True).first.click()
        is_pose(mouthSmileLeft=0.8, jawOpen=0.3)
    finally:
        other.page.close()
    assert not other.complaints

    # In a region the pose is that of its vertices alone.
    page.keyboard.press("Shift+R")
    is_pose()
    steps = studio.look("history")["at"]
    page.get_by_role("tab", name="Regions").click()
    page.get_by_role("button", name="Find regions").click()
    studio.committed(steps + 1)
    rig = fw.sample()
    smile = next(shape for shape in rig.shapes if shape.name == "mouthSmileLeft")
    corner = int(smile.vertices[np.linalg.norm(smile.offsets, axis=1).argmax()])
    page.keyboard.press("r")
    page.mouse.click(*studio.vertex(corner))
    studio.until(lambda: studio.look("region"), "a region is chosen")
    page.get_by_role("tab", name="Poses").click()
    page.locator(".pose-tile", has_text="pose 1").click()
    page.get_by_role("button", name="Apply", exact=True).click()
    studio.committed(steps + 2)
    assert studio.look("weights")["mouthSmileLeft"] == pytest.approx(0.8), "it is on in the region"
    studio.shot("144 a pose in a region")
    shown = np.reshape(studio.look("positions"), (-1, 3))
    moved = np.linalg.norm(shown - rig.neutral, axis=1)
    jaw = next(shape for shape in rig.shapes if shape.name == "jawOpen")
    lengths = np.linalg.norm(jaw.offsets, axis=1)
    chin = jaw.vertices[lengths.argmax()]
    assert moved[corner] > 0.3 * np.linalg.norm(smile.offsets, axis=1).max()
    assert moved[chin] < 0.1 * 0.3 * lengths.max(), "the chin stays"
    page.keyboard.press("Escape")
    studio.until(lambda: not studio.look("region"), "the region is left")
    is_pose()
