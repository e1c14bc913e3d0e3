"""The studio as a person uses it: a real server, a real Chromium. Screenshots of each step are kept in shots/."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

import facewright as fw
from facewright.rig.rig import Rig
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.studio.served import Served


@pytest.fixture(scope="module")
def rig() -> Rig:
    """The face that the studio opens."""
    return fw.sample()


def furthest(rig: Rig, shape: str) -> int:
    """The vertex that a shape moves most."""
    found = next(each for each in rig.shapes if each.name == shape)
    return int(found.vertices[np.linalg.norm(found.offsets, axis=1).argmax()])


def difference(a: bytes, b: bytes) -> float:
    """Share of pixels that clearly differ between two pictures."""
    first, second = (np.asarray(Image.open(io.BytesIO(each)).convert("RGB"), np.int16) for each in (a, b))
    return float((np.abs(first - second).max(axis=2) > 12).mean())


def inside(rig: Rig, weights: dict[str, float]) -> bool:
    values = np.array([weights[name] for name in rig.sliders])
    return bool((values >= rig.bounds[:, 0] - 1e-6).all() and (values <= rig.bounds[:, 1] + 1e-6).all())


def moved(before: dict[str, float], after: dict[str, float]) -> set[str]:
    return {name for name in before if abs(after[name] - before[name]) > 1e-3}


def test_a_slider_moves_the_face_and_double_click_resets_it(studio: Studio) -> None:
    studio.shot("01 opened")
    rest = studio.face()
    studio.drag_slider("jawOpen", 0.8)
    studio.committed(1)
    studio.shot("02 a slider")
    assert studio.look("weights")["jawOpen"] == pytest.approx(0.8, abs=0.05)
    assert difference(rest, studio.face()) > 0.01
    studio.slider("jawOpen").dblclick(position={"x": 20, "y": 8})
    studio.until(lambda: studio.look("weights")["jawOpen"] == 0, "it is reset")
    assert difference(rest, studio.face()) < 0.001


def test_a_typed_value_is_taken_and_kept_inside_its_bounds(studio: Studio) -> None:
    studio.page.locator('[data-slider="browInnerUp"] button.value').click()
    studio.page.keyboard.type("0.35")
    studio.page.keyboard.press("Enter")
    studio.until(lambda: studio.look("weights")["browInnerUp"] == pytest.approx(0.35), "the value is taken")
    studio.slider("browInnerUp").focus()
    studio.page.keyboard.press("End")
    studio.until(lambda: studio.look("weights")["browInnerUp"] == 1, "it is at its end")
    studio.page.locator('[data-slider="browDownLeft"] button.value').click()
    studio.page.keyboard.type("7")
    studio.page.keyboard.press("Enter")
    studio.until(lambda: studio.look("weights")["browDownLeft"] > 0, "a value comes")
    assert studio.look("weights")["browDownLeft"] == 1
    assert studio.look("weights")["browInnerUp"] == 1


def test_dragging_a_pin_moves_sliders_inside_their_bounds_and_can_be_undone(studio: Studio, rig: Rig) -> None:
    rest, before = studio.face(), studio.look("weights")
    corner = studio.vertex(furthest(rig, "mouthSmileLeft"))
    studio.drag(corner, (30, -34), release=False)
    studio.until(lambda: len(moved(before, studio.look("weights"))) > 0, "the face follows")
    studio.shot("03 dragging a pin")
    studio.page.mouse.up()
    studio.committed(2)  # the pin, the drag
    posed, after = studio.face(), studio.look("weights")
    studio.shot("04 after the drag")
    assert any("mouth" in name for name in moved(before, after))
    assert inside(rig, after)
    assert difference(rest, posed) > 0.005

    studio.page.keyboard.press("Control+z")
    studio.until(lambda: studio.look("weights") == before, "the drag is undone")
    assert difference(rest, studio.face()) < 0.001
    studio.shot("05 undone")
    studio.page.keyboard.press("Control+Shift+z")
    studio.until(lambda: studio.look("weights") == after, "the drag is done again")
    assert difference(posed, studio.face()) < 0.001


def test_a_natural_face_goes_along_on_the_other_side_and_only_what_is_touched_does_not(
    studio: Studio, rig: Rig
) -> None:
    styles = studio.page.get_by_role("group", name="What moves along with the point that is dragged")
    assert styles.locator("[aria-pressed=true]").inner_text() == "Automatic"
    corner = studio.vertex(furthest(rig, "mouthSmileLeft"))
    smiles = {}
    for style, pin in (("Only what I touch", 1), ("A natural face", 0)):  # pins that a drag sets
        styles.get_by_text(style).click()
        studio.committed(1 if pin else 3)
        assert styles.locator("[aria-pressed=true]").inner_text() == style
        studio.drag(corner, (12, -14))
        studio.committed(3 if pin else 4)  # the style, the pin, perhaps the other style, the drag
        smiles[style] = studio.look("weights")["mouthSmileRight"]
        if pin:
            studio.page.keyboard.press("Control+z")
            studio.committed(2)
    assert studio.page.locator(".goes-by").inner_text() == "Natural, by the names of the sliders"
    studio.shot("04 a natural face")
    assert smiles["Only what I touch"] == 0
    assert smiles["A natural face"] > 0.05


def test_a_natural_face_goes_by_what_was_learned_from_the_clips_until_that_is_forgotten(studio: Studio) -> None:
    learn = studio.page.get_by_role("button", name="Learn from this face’s clips")
    learn.click()
    studio.page.get_by_text("no clips to learn from").wait_for()
    studio.drag_slider("jawOpen", 0.5)
    studio.committed(1)
    studio.page.keyboard.press("k")
    studio.committed(2)
    learn.click()
    studio.committed(3)
    assert studio.page.locator(".goes-by").inner_text().startswith("Natural, learned from ")
    studio.shot("04 learned")
    studio.page.get_by_role("button", name="Forget").click()
    studio.committed(4)
    assert studio.page.locator(".goes-by").inner_text() == "Natural, by the names of the sliders"


def test_only_a_prior_is_opened_as_one(studio: Studio, rig: Rig, tmp_path: Path) -> None:
    fw.save_prior(fw.Prior.learn(rig, [rig.weights({"jawOpen": 0.5})]), tmp_path / "habits.json")
    (tmp_path / "pose.json").write_text('{"weights": {"jawOpen": 1}}')
    file = studio.page.get_by_label("A prior to open")
    file.set_input_files(tmp_path / "pose.json")
    studio.page.get_by_text("pose.json holds no prior").wait_for()
    file.set_input_files(tmp_path / "habits.json")
    studio.committed(1)
    assert studio.look("history")["labels"] == ["Use prior habits"]
    assert studio.page.locator(".goes-by").inner_text() == "Natural, learned from 1 pose"


def test_escape_takes_a_drag_back(studio: Studio, rig: Rig) -> None:
    before = studio.look("weights")
    studio.drag(studio.vertex(furthest(rig, "mouthSmileLeft")), (30, -30), release=False)
    studio.until(lambda: studio.look("weights") != before, "the face follows")
    studio.page.keyboard.press("Escape")
    studio.page.mouse.up()
    studio.committed(1)
    studio.until(lambda: studio.look("weights") == before, "the pose is as before")
    assert studio.look("history")["at"] == 1  # the pin alone
    studio.until(lambda: studio.page.get_by_text("Moved 0", exact=True).count() == 1, "it is said")


def test_a_pin_out_of_reach_says_why(studio: Studio, rig: Rig) -> None:
    studio.drag(studio.vertex(furthest(rig, "mouthSmileLeft")), (190, -60), release=False)
    studio.until(lambda: studio.look("misses"), "the residual is shown")
    studio.shot("06 out of reach")
    assert studio.look("misses")[0]["reason"]
    assert studio.page.locator(".residual").inner_text()
    assert inside(rig, studio.look("weights"))
    studio.page.mouse.up()


def test_a_held_brow_stays_while_the_mouth_is_dragged(studio: Studio, rig: Rig) -> None:
    brow = furthest(rig, "browInnerUp")
    studio.page.keyboard.press("w")
    x, y = studio.vertex(brow)
    studio.drag((x - 30, y), (60, 0))
    studio.committed(1)
    held = studio.look("held")["vertices"]
    assert brow in held
    studio.page.keyboard.press("Shift+H")
    studio.committed(2)
    studio.page.keyboard.press("q")
    studio.shot("07 brows held")
    corner = studio.vertex(furthest(rig, "mouthSmileLeft"))
    studio.drag(corner, (26, -30))
    studio.committed(4)
    studio.shot("08 mouth dragged, brows held")
    weights = studio.look("weights")
    offsets = fw.evaluate(rig, rig.weights(weights)) - rig.neutral
    lips = furthest(rig, "mouthSmileLeft")
    assert np.linalg.norm(offsets[held], axis=1).max() < 0.05 * np.linalg.norm(offsets[lips])
    assert np.linalg.norm(offsets[lips]) > 0


def test_keys_play_and_survive_saving_reloading_and_export(
    studio: Studio, server: Served, rig: Rig, tmp_path: Path
) -> None:
    page = studio.page
    page.keyboard.press("k")
    studio.committed(1)
    studio.drag_slider("jawOpen", 0.7)
    studio.drag_slider("mouthSmileLeft", 0.6)
    studio.committed(3)
    frame = page.get_by_label("The frame")
    frame.fill("30")
    frame.press("Enter")
    studio.until(lambda: abs(studio.look("time") - 1) < 1e-6, "the time is 1 s")
    # Going to a time shows the clip's pose there, so the second pose is made after it.
    studio.drag_slider("jawOpen", 0.7)
    studio.drag_slider("mouthSmileLeft", 0.6)
    studio.committed(5)
    second = studio.look("weights")
    page.keyboard.press("k")
    studio.committed(6)
    page.keyboard.press("c")
    studio.shot("09 two keys, curves")
    page.keyboard.press("c")
    page.locator("#play").click()
    studio.until(lambda: studio.look("playing"), "it plays")
    seen: set[float] = set()

    def moves() -> bool:
        seen.add(round(studio.look("weights")["jawOpen"], 2))
        return len(seen) > 3

    studio.until(moves, "the face moves")
    studio.shot("10 playing")
    page.locator("#play").click()
    studio.until(lambda: not studio.look("playing"), "it stopped")
    frame.fill("30")
    frame.press("Enter")
    studio.until(lambda: studio.look("weights") == pytest.approx(second, abs=1e-6), "the second key is shown")

    save_as(studio, "work/face.fwface")
    clip, curves = studio.look("clip"), studio.look("curves")
    page.reload()
    studio.ready()
    studio.until(lambda: studio.look("clip") == clip, "the clip is there")
    assert studio.look("curves") == curves
    assert studio.look("weights") == pytest.approx(second, abs=1e-6)
    studio.shot("11 reloaded")

    document = fw.load_document(server.folder / "face.fwface")
    assert document.pose == pytest.approx(rig.weights(second), abs=1e-6)
    assert [each.name for each in document.clips] == [clip["name"]]
    exported = exported_file(page, "GLB", tmp_path / "face.glb")
    loaded = fw.load_document(exported)
    pose = dict(zip(loaded.rig.sliders, loaded.pose.tolist(), strict=True))
    assert pose == pytest.approx(second, abs=1e-5)
    sampled = loaded.clips[0].sample(loaded.rig.sliders, np.array([1.0]))[0]
    assert dict(zip(loaded.rig.sliders, sampled, strict=True)) == pytest.approx(second, abs=1e-5)


def test_a_file_that_another_program_wrote_is_saved_over_only_if_one_says_so(studio: Studio, server: Served) -> None:
    page, file = studio.page, server.folder / "shared.fwface"
    studio.drag_slider("jawOpen", 0.7)
    studio.committed(1)
    save_as(studio, "work/shared.fwface")
    fw.save(fw.Document(fw.sample()), file)
    studio.drag_slider("mouthSmileLeft", 0.6)
    studio.committed(2)
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog", name="Save over another file?")
    asked.get_by_text("work/shared.fwface has been changed by another program").wait_for()
    studio.shot("12b another file")
    asked.get_by_role("button", name="Save elsewhere…").click()
    page.locator("dialog input[type=text]").fill("work/shared too.fwface")
    page.locator("dialog .button.strong", has_text="Save").click()
    studio.until(lambda: studio.look("file")["saves_to"] == "work/shared too.fwface", "it is saved elsewhere")
    assert not fw.load_document(file).pose.any()
    fw.save(fw.Document(fw.sample()), server.folder / "shared too.fwface")
    page.keyboard.press("Control+s")
    asked.get_by_role("button", name="Save over it").click()
    studio.until(lambda: fw.load_document(server.folder / "shared too.fwface").pose.any(), "it is saved over")
    asked.wait_for(state="detached")


def test_the_licences_of_what_is_bundled_are_reached_from_the_help(studio: Studio) -> None:
    page = studio.page
    page.keyboard.press("?")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Licences of what this page is made of").click()
    shown = opened.value.locator("body").inner_text()
    opened.value.close()
    for package in ("three ", "preact ", "@preact/signals "):
        assert f"\n{package}" in shown
    assert "The MIT License" in shown
    page.keyboard.press("Escape")


def save_as(studio: Studio, name: str) -> None:
    page = studio.page
    page.keyboard.press("Control+s")
    page.locator("dialog input[type=text]").fill(name)
    studio.shot("12 saving")
    page.locator("dialog .button.strong", has_text="Save").click()
    studio.until(lambda: not studio.look("file")["unsaved"], "it is saved")


def exported_file(page: Page, entry: str, path: Path) -> Path:
    page.locator("#export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=entry).first.click()
    download.value.save_as(path)
    return path


def test_the_page_comes_back_after_the_server_was_killed_in_a_drag(
    own_studio: Studio, own_server: Served, rig: Rig
) -> None:
    studio = own_studio
    studio.drag_slider("jawOpen", 0.5)
    studio.committed(1)
    kept = studio.look("weights")
    studio.drag(studio.vertex(furthest(rig, "mouthSmileLeft")), (30, -30), release=False)
    studio.until(lambda: studio.look("weights") != kept, "the face follows")
    own_server.kill()
    studio.until(lambda: not studio.look("connected"), "the page notices")
    studio.shot("13 server gone")
    studio.page.mouse.up()
    own_server.start()
    studio.until(lambda: studio.look("connected"), "the page is back")
    studio.until(lambda: studio.look("weights") == pytest.approx(kept), "the last committed pose is there")
    assert studio.look("history")["labels"] == ["Move jawOpen", "Add pin"]
    studio.drag_slider("browInnerUp", 0.4)
    studio.until(lambda: studio.look("weights")["browInnerUp"] > 0.3, "work goes on")
    studio.shot("14 back again")
    studio.complaints.clear()  # the browser itself logs sockets that do not open


@pytest.mark.parametrize(
    ("name", "sliders"),
    [
        pytest.param("facecap/facecap.glb", 52, id="facecap"),
        pytest.param("ict_face/ict_face.npz", 57, id="ict", marks=pytest.mark.long),
    ],
)
def test_real_faces_open_and_can_be_dragged(studio: Studio, shared_data: Path, name: str, sliders: int) -> None:
    studio.page.keyboard.press("Control+o")
    studio.page.locator(".card").first.wait_for()
    studio.shot("15 opening")
    studio.page.locator("#upload").set_input_files(shared_data / name)
    studio.until(lambda: Path(name).stem in studio.look("file")["name"], "the face is open")
    studio.ready()
    assert len(studio.look("rig")["sliders"]) == sliders
    before, rest = studio.look("weights"), studio.face()
    studio.shot(f"16 {Path(name).stem}")
    rig = fw.load(shared_data / name)
    pose = fw.evaluate(rig, rig.weights(before))
    smile = next(each for each in rig.sliders if each.startswith("mouthSmile") and each.endswith("L"))
    studio.drag(studio.at(pose[furthest(rig, smile)].tolist()), (14, -14))
    studio.committed(2)
    studio.shot(f"17 {Path(name).stem} dragged")
    after = studio.look("weights")
    assert any("mouth" in slider for slider in moved(before, after))
    assert inside(rig, after)
    assert difference(rest, studio.face()) > 0.002


def test_a_flood_of_moves_leaves_no_queue(studio: Studio, rig: Rig) -> None:
    """A pointer that moves a thousand times a second: soon after it stops the face is where the last move wants it."""
    x, y = studio.vertex(furthest(rig, "mouthSmileLeft"))
    before = studio.page.evaluate(FLOOD, {"x": x, "y": y, "moves": 1000})
    studio.committed(2)
    flooded = studio.look("weights")
    assert studio.look("applied") - before < 1000
    studio.page.keyboard.press("Control+z")
    studio.committed(1)
    studio.until(lambda: not any(studio.look("weights").values()), "the pin is back where it was")
    studio.drag((x, y), (20, -20))
    studio.committed(2)
    assert studio.look("weights") == pytest.approx(flooded, abs=0.02)


FLOOD = """
async ({ x, y, moves }) => {
  const canvas = document.querySelector('.viewport canvas')
  const common = { button: 0, pointerId: 1, bubbles: true }
  const point = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, ...common }))
  canvas.setPointerCapture = () => {}
  point('pointerdown', x, y)
  while (window.__facewright.history.at !== 1) await new Promise(done => setTimeout(done, 10)) // until the pin is set
  const before = window.__facewright.applied
  const start = performance.now()
  for (let i = 0; i < moves; i++) {
    while (performance.now() - start < i) await new Promise(done => setTimeout(done, 0))
    point('pointermove', x + 30 * Math.cos(i), y + 30 * Math.sin(i))
  }
  point('pointermove', x + 20, y - 20)
  point('pointerup', x + 20, y - 20)
  delete canvas.setPointerCapture // the page stays open
  return before
}
"""


def test_another_face_takes_over_the_clip_by_slider_names(studio: Studio) -> None:
    studio.drag_slider("jawOpen", 0.6)
    studio.committed(1)
    studio.page.keyboard.press("k")
    studio.committed(2)
    curves = studio.look("curves")
    first = studio.look("rig")["id"]
    studio.page.keyboard.press("Control+o")
    studio.page.get_by_role("switch", name="Keep the pose").click()
    drawn = "[...document.querySelectorAll('.card img')].filter(image => image.naturalWidth === 112).length"
    studio.until(lambda: studio.page.evaluate(drawn) >= 8, "each of the people has a picture, once for each set")
    studio.page.locator(".card", has_text="Amara").first.click()
    studio.until(lambda: studio.look("rig")["id"] != first, "the other face is open")
    studio.ready()
    studio.shot("18 another person, same clip")
    assert studio.look("curves") == curves
    assert studio.look("weights")["jawOpen"] == pytest.approx(0.6, abs=0.05)
    shown = studio.page.locator('[data-slider="jawOpen"] .value').get_by_text(re.compile(r"^\d"))
    assert shown.inner_text() == f"{studio.look('weights')['jawOpen']:.2f}"


def test_a_file_that_is_being_read_is_shown_and_can_be_cancelled(
    studio: Studio, server: Served, tmp_path: Path
) -> None:
    fw.save(mask(600, 8), tmp_path / "small.fwface")
    page = studio.page
    page.keyboard.press("Control+o")
    page.locator("#upload").set_input_files(tmp_path / "small.fwface")
    studio.until(lambda: studio.look("file")["name"] == "small", "the face is open")
    studio.ready()
    with server.halted("spawn_main"):  # the process that reads files
        page.keyboard.press("Control+o")
        page.locator("#upload").set_input_files(tmp_path / "small.fwface")
        page.locator("#loading").wait_for()
        assert "Reading small.fwface" in page.locator("#loading").inner_text()
        studio.shot("18 reading a file")
        page.locator("#stop-loading").click()
        page.locator("#loading").wait_for(state="detached")
    problem = page.locator(".toast.problem")
    problem.wait_for()
    assert "Reading small.fwface was stopped." in problem.inner_text()
    studio.complaints = [said for said in studio.complaints if "400" not in said]  # the browser's own line about it


def test_a_dropped_file_that_cannot_be_opened_says_what_could(studio: Studio) -> None:
    studio.page.evaluate(
        """() => {
          const data = new DataTransfer()
          data.items.add(new File(['hello'], 'notes.txt'))
          const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          document.querySelector('.viewport').dispatchEvent(drop)
        }"""
    )
    toast = studio.page.locator(".toast.problem")
    toast.wait_for()
    assert "notes.txt" in toast.inner_text()
    assert ".glb" in toast.inner_text()
