"""The dope sheet and the graph are two views of the same keys, whose tangents arrive in files as they are."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.formats.gltf.container.asset import parse_glb
from facewright.motion.tangents import TANGENTS
from tests.browser.studio import Studio
from tests.browser.test_layers import key as key_slider
from tests.browser.test_timeline import curve, two_keys, x_of, y_of
from tests.reference.sounds import tone_file
from tests.studio.served import Served


def exported(studio: Studio, to: Path, **wished: str) -> Path:
    """Export with options: the format, and what is chosen in groups of buttons."""
    page = studio.page
    page.locator("#export").click()
    page.get_by_role("menuitem", name="With options …").click()
    page.get_by_role("group", name="Format").get_by_role(
        "button", name=to.suffix[1:].replace("glb", "GLB"), exact=True
    ).click()
    for group, button in wished.items():
        page.get_by_role("group", name=group).get_by_role("button", name=button, exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(to)
    return to


def samplers(file: Path) -> list[tuple[str, int]]:
    """How each channel of the first animation goes between its keys, and how many there are."""
    asset = parse_glb(file.read_bytes()).json
    found = asset["animations"][0]["samplers"]
    return [(each.get("interpolation", "LINEAR"), asset["accessors"][each["input"]]["count"]) for each in found]


@pytest.mark.long
def test_two_views_of_the_same_keys_with_every_tangent_arrive_exactly(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    two_keys(studio)  # nine steps
    page.locator(".lane-names button", has_text="jawOpen").click()
    rows = page.locator(".lane-names li, .lane-names > *").all_inner_texts()
    assert any("jawOpen" in row for row in rows)
    name = studio.box(page.locator(".lane-names button", has_text="jawOpen"))
    page.mouse.click(x_of(studio, 1), name.y + name.height / 2)
    selected, span = studio.look("selectedKeys"), studio.look("span")
    assert selected == [{"slider": "jawOpen", "times": [1]}]
    page.keyboard.press("c")
    assert studio.look("selectedKeys") == selected
    assert studio.look("span") == span
    page.keyboard.press("Shift+Home")
    near = studio.look("span")
    assert near["to"] - near["from"] == pytest.approx(0.2)
    assert near["from"] < 1 < near["to"]
    page.keyboard.press("Home")
    assert studio.look("span") == span

    menu, steps = page.get_by_label("Tangents of the selected keys"), 9
    for kind in ("linear", "step", "flat", "free"):
        menu.select_option(kind)
        steps += 1
        studio.committed(steps)
        assert curve(studio)["tangents"] == ["auto", kind, "auto"]
    page.keyboard.down("Alt")
    handle = (x_of(studio, 1) + 44, y_of(studio, 0.6))
    studio.drag(handle, (0, -30), steps=3)
    page.keyboard.up("Alt")
    studio.committed(steps + 1)
    assert curve(studio)["tangents"] == ["auto", "broken", "auto"]
    arriving, leaving = curve(studio)["slopes"][1]
    assert leaving > arriving + 0.1, "one side alone was turned"
    page.mouse.click(x_of(studio, 0), y_of(studio, 0.2))
    menu.select_option("step")
    studio.committed(steps + 2)
    page.locator(".lane-names button", has_text="browInnerUp").click()
    page.mouse.click(x_of(studio, 1), y_of(studio, 0.3))
    menu.select_option("linear")
    studio.committed(steps + 3)
    studio.shot("150 tangents of every kind")

    shown = {each["slider"]: each for each in studio.look("curves")}
    (clip,) = fw.load_document(exported(studio, tmp_path / "face.fwface")).clips
    for slider, there in shown.items():
        kept = clip.curves[slider]
        assert kept.times.tolist() == pytest.approx(there["times"])
        assert kept.tangents is not None
        assert kept.slopes is not None
        assert [TANGENTS[kind] for kind in kept.tangents] == there["tangents"]
        np.testing.assert_allclose(kept.slopes, there["slopes"])
    at = np.linspace(0, 2, 241)
    wanted = clip.sample(list(shown), at)
    glb = exported(studio, tmp_path / "face.glb", Keys="as they are")
    np.testing.assert_allclose(fw.load_document(glb).clips[0].sample(list(shown), at), wanted, atol=1e-6)
    assert {kind for kind, _ in samplers(glb)} == {"CUBICSPLINE"}
    assert max(count for _, count in samplers(glb)) < 12, "few keys"
    sampled = exported(studio, tmp_path / "sampled.glb", Keys="every frame")
    assert {count for _, count in samplers(sampled)} == {61}
    exported(studio, tmp_path / "again.glb", Keys="as they are")  # what the dialog remembers

    # The button, and the key of the keyboard, delete the selected keys and nothing else.
    delete = page.get_by_role("toolbar", name="Timeline").get_by_role("button", name="Delete the selected keys")
    for pressed in ("the button", "the key"):
        page.mouse.click(x_of(studio, 1), y_of(studio, 0.3))
        if pressed == "the button":
            delete.click()
        else:
            page.keyboard.press("Delete")
        studio.committed(steps + 4)
        assert [len(curve(studio, name)["times"]) for name in ("jawOpen", "browInnerUp")] == [3, 2], pressed
        page.keyboard.press("Control+z")
        studio.committed(steps + 3)
    page.keyboard.press("c")


def test_names_rate_textures_and_layers_of_an_export_are_as_chosen(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    key_slider(studio, "jawOpen", {0: 0.2, 30: 0.6})
    studio.committed(4)
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Additive", exact=True).click()
    key_slider(studio, "mouthSmileLeft", {30: 0.5})
    studio.committed(7)
    layered = fw.load_document(exported(studio, tmp_path / "kept.fwface", Layers="kept"))
    assert [layer.name for layer in layered.clips[0].layers] == ["additive 1"]
    flat = fw.load_document(exported(studio, tmp_path / "baked.fwface", Layers="baked"))
    assert flat.clips[0].layers == ()
    names, at = list(flat.rig.sliders), np.linspace(0, 1, 31)
    wanted = fw.bake_layers(layered).clips[0].sample(names, at)
    assert wanted.max(axis=0).tolist()[names.index("mouthSmileLeft")] == pytest.approx(0.5)
    np.testing.assert_allclose(flat.clips[0].sample(names, at), wanted, atol=1e-6)

    page.locator("#export").click()
    page.get_by_role("menuitem", name="With options …").click()
    page.get_by_role("group", name="Format").get_by_role("button", name="GLB", exact=True).click()
    page.get_by_label("Names of the shapes").select_option("arkit _L/_R")
    rate = page.get_by_label("Frames a second; 0 is the clip's own rate")
    rate.fill("24")
    rate.press("Enter")
    page.get_by_role("group", name="Textures").get_by_role("button", name="none").click()
    studio.shot("151 an export with other names")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "other.glb")
    other = fw.load_document(tmp_path / "other.glb")
    assert {"mouthSmile_L", "jawOpen"} <= set(other.rig.sliders)
    assert other.clips[0].rate == 24
    assert "images" not in parse_glb((tmp_path / "other.glb").read_bytes()).json
    found = other.clips[0].sample(["mouthSmile_L", "jawOpen"], at)
    np.testing.assert_allclose(found, wanted[:, [names.index("mouthSmileLeft"), names.index("jawOpen")]], atol=1e-4)


def told(studio: Studio) -> dict[str, Any]:
    """What an animator would miss, if it were not there again."""
    what = ("curves", "clip", "layers", "layer", "poses", "sound", "plane", "controls", "bookmarks", "weights")
    return {each: studio.look(each) for each in what}


def test_a_mornings_work_survives_a_reload_a_kill_and_every_undo(
    own_studio: Studio, own_server: Served, tmp_path: Path
) -> None:
    studio, page = own_studio, own_studio.page
    beginning = told(studio)
    key_slider(studio, "jawOpen", {0: 0.2, 30: 0.6})
    page.get_by_role("tab", name="Clip").click()
    page.get_by_role("button", name="Additive", exact=True).click()
    key_slider(studio, "mouthSmileLeft", {30: 0.5})
    page.keyboard.press("Shift+P")
    page.keyboard.press("Shift+u")
    (tmp_path / "line.wav").write_bytes(tone_file(1.0))
    page.get_by_role("tab", name="Reference").click()
    page.locator("#choose-sound").set_input_files(tmp_path / "line.wav")
    studio.until(lambda: studio.look("sound"), "the sound is there")
    page.get_by_role("tab", name="Pose", exact=True).click()
    looks = page.get_by_label("What the eyes look at", exact=True)
    looks.get_by_text("Target").click()
    studio.until(lambda: "GazeX" in studio.look("controls"), "the eyes look at a target")
    page.keyboard.press("Shift+K")
    studio.until(lambda: any(each["slider"] == "GazeX" for each in studio.look("curves")), "all is keyed")
    studio.answered()
    work, steps = told(studio), studio.look("history")["at"]
    assert steps == 12
    studio.shot("152 a morning's work")

    def is_all_there(words: str) -> None:
        studio.until(lambda: told(studio) == work, f"all is there {words}")

    page.reload()
    studio.ready()
    is_all_there("after the page was loaded anew")
    own_server.kill()
    studio.until(lambda: not studio.look("connected"), "the page notices")
    own_server.start()
    studio.until(lambda: studio.look("connected"), "the page is back")
    is_all_there("after a kill")
    for _ in range(steps):
        page.keyboard.press("Control+z")
    studio.committed(0)
    studio.until(lambda: told(studio) == beginning, "nothing is left of it")
    for _ in range(steps):
        page.keyboard.press("Control+Shift+z")
    studio.committed(steps)
    is_all_there("after all was undone and redone")
    studio.complaints.clear()  # the browser itself logs sockets that do not open
