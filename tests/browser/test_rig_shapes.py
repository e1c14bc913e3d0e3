"""The workbench's shapes: every edit is made on the page, the face shows it at once, and it is undone and redone."""

import base64
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.rig.rig import Rig
from tests.browser.studio import Studio
from tests.browser.test_rig import choose, names, opened_on_shapes, positions, press, sliders, undone_and_redone
from tests.session.rigged import rigged
from tests.session.test_shape_file import other_topology, sculpt, whole
from tests.studio.served import Served

DROP = """
content => {
  const data = new DataTransfer()
  data.items.add(new File([Uint8Array.from(atob(content), letter => letter.charCodeAt(0))], 'other.fwface'))
  const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
  document.querySelector('.viewport').dispatchEvent(drop)
}
"""


@pytest.fixture
def bench(opened: Callable[[Served], Studio], server: Served, tmp_path: Path) -> Studio:
    """The tab with a small face, posed as one whole."""
    return opened_on_shapes(opened(server), server, whole(), tmp_path)


def tile(studio: Studio, label: str) -> None:
    studio.page.locator(".shape-tools .tile", has_text=label).click()


def seen(studio: Studio) -> list[list[float]]:
    """Where the vertices of the face are, as far as single precision tells."""
    found: list[list[float]] = np.round(positions(studio), 4).tolist()
    return found


def take_file(studio: Studio, path: Path) -> None:
    studio.page.get_by_label("Take shapes from a file").set_input_files(path)
    studio.until(lambda: (studio.look("shapeFile") or {}).get("name") == path.stem, "the file was read")


def test_shapes_are_mirrored_flipped_symmetrised_scaled_and_pruned(bench: Studio) -> None:
    page = bench.page
    choose(bench, "smileLeft")
    tile(bench, "Show")
    bench.committed(1)
    before = seen(bench)
    tile(bench, "Flip")
    bench.committed(2)
    undone_and_redone(bench, 2, lambda: seen(bench))
    tile(bench, "Symmetry")
    bench.shot("rig shapes 1 symmetry")
    press(bench, "Mean")
    bench.committed(3)
    undone_and_redone(bench, 3, lambda: seen(bench))
    assert seen(bench) != before
    tile(bench, "Mirror")
    bench.committed(4)
    rig = fw.edit.symmetrise_shape(fw.edit.flip_shape(whole().rig, "smileLeft").rig, "smileLeft").rig
    reaches = {shape["name"]: shape["reach"] for shape in bench.look("shapes")}
    assert reaches["smileRight"] == pytest.approx(reaches["smileLeft"], rel=1e-3)
    assert reaches["smileLeft"] == pytest.approx(np.linalg.norm(rig.shape("smileLeft").offsets, axis=1).max(), rel=1e-3)

    tile(bench, "Strength")
    slider = page.get_by_label("Strength of the shape")
    picture = page.locator(".shape-about .thumb").get_attribute("src")
    box = bench.box(slider)
    bench.drag((box.x + box.width / 2, box.y + box.height / 2), (40, 0), release=False)
    bench.until(lambda: seen(bench) != before and bench.look("history")["gesture"], "the face follows the slider")
    bench.shot("rig shapes 2 strength")
    page.keyboard.press("Control+z")  # refused in words: the drag goes on, and is one step
    page.get_by_text("is still going on").wait_for()
    page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2)
    page.mouse.up()
    bench.committed(5)
    bench.until(
        lambda: page.locator(".shape-about .thumb").get_attribute("src") != picture, "the picture is drawn anew"
    )
    undone_and_redone(bench, 5, lambda: seen(bench))

    tile(bench, "Prune")
    page.get_by_label("Tolerance of pruning").fill("-2")
    found = page.locator(".decision [role=status]")
    bench.until(lambda: "of" in found.inner_text() and "Counting" not in found.inner_text(), "the vertices are counted")
    small, of = (int(word) for word in found.inner_text().split() if word.isdigit())
    bench.shot("rig shapes 3 prune")
    support = {shape["name"]: shape["support"] for shape in bench.look("shapes")}["smileLeft"]
    assert of == support > small > 0
    press(bench, "Drop them")
    bench.committed(6)
    assert {shape["name"]: shape["support"] for shape in bench.look("shapes")}["smileLeft"] == support - small
    undone_and_redone(bench, 6, lambda: seen(bench))
    bench.until(lambda: f"{small} offsets of smileLeft dropped." in page.locator(".toasts").inner_text(), "it is said")


@pytest.mark.long
def test_shapes_are_split_with_a_falloff_that_is_seen_merged_ordered_and_grouped(bench: Studio) -> None:
    page = bench.page
    choose(bench, "jawOpen")
    face = bench.face()
    before = seen(bench)
    tile(bench, "Split")
    bench.until(lambda: bench.face() != face, "the halves are coloured on the face")
    narrow = bench.face()
    page.get_by_label("Width of the falloff").fill("0.4")
    bench.until(lambda: bench.face() not in (face, narrow), "the falloff is wider on the face")
    bench.shot("rig shapes 4 split")
    press(bench, "Split in two")
    bench.committed(1)
    assert {"jawOpenLeft", "jawOpenRight"} < set(sliders(bench))
    np.testing.assert_allclose(np.array(seen(bench)), np.array(before), atol=2e-4)
    undone_and_redone(bench, 1, lambda: names(bench))
    assert page.locator(".toast.problem").count() == 0

    choose(bench, "jawOpenLeft")
    tile(bench, "Merge")
    assert page.get_by_label("The shape to merge it with").input_value() == "jawOpenRight"
    bench.shot("rig shapes 5 merge")
    press(bench, "Merge both")
    bench.committed(2)
    assert "jawOpen" in sliders(bench)
    np.testing.assert_allclose(np.array(seen(bench)), np.array(before), atol=2e-4)
    undone_and_redone(bench, 2, lambda: names(bench))

    listed = names(bench)
    choose(bench, "sneer")
    at = listed.index("sneer")
    press(bench, "Move it up in the list")
    bench.committed(3)
    assert names(bench).index("sneer") == at - 1
    undone_and_redone(bench, 3, lambda: names(bench))
    page.set_viewport_size({"width": 1280, "height": 1400})  # both are in view: nothing scrolls during the drag
    page.locator('[data-shape="sneer"]').drag_to(page.locator('[data-shape="browUp"]'))
    bench.committed(4)
    assert names(bench).index("sneer") == names(bench).index("browUp") - 1
    group = page.get_by_label("Group of the shape")
    group.fill("wrinkles")
    group.press("Enter")
    bench.committed(5)
    assert {shape["group"] for shape in bench.look("shapes") if shape["name"] == "sneer"} == {"wrinkles"}
    bench.shot("rig shapes 6 ordered and grouped")


@pytest.mark.long
def test_shapes_come_from_the_pose_from_sculpts_and_from_other_rigs(bench: Studio, tmp_path: Path) -> None:
    page = bench.page
    target = sculpt().rig.neutral
    fw.save(Rig(target, whole().rig.polygons), tmp_path / "puffed.obj")
    fw.save(whole(), tmp_path / "other.fwface")
    posed = positions(bench)
    press(bench, "Add the face as it is posed as a new shape, with a slider of its own")
    bench.committed(1)
    assert "pose" in sliders(bench)
    undone_and_redone(bench, 1, lambda: names(bench))

    take_file(bench, tmp_path / "puffed.obj")
    bench.shot("rig shapes 7 sculpt")
    choose(bench, "jawSmile")
    press(bench, "Add corrective")
    bench.committed(2)
    np.testing.assert_allclose(positions(bench), target, atol=1e-4 * whole().rig.size)
    undone_and_redone(bench, 2, lambda: seen(bench))
    page.keyboard.press("Control+z")
    bench.committed(1)
    np.testing.assert_allclose(positions(bench), posed, atol=1e-4 * whole().rig.size)
    press(bench, "Fit jawSmile")
    bench.committed(2)
    np.testing.assert_allclose(positions(bench), target, atol=1e-4 * whole().rig.size)
    press(bench, "Add as shape")
    bench.committed(3)
    assert "puffed" in sliders(bench)
    press(bench, "Take no more shapes from this file")
    bench.until(lambda: bench.look("shapeFile") is None, "the file is closed")

    choose(bench, "browUp")
    tile(bench, "Replace")
    bench.shot("rig shapes 8 replace")
    press(bench, "By the pose")
    bench.committed(4)
    page.evaluate(DROP, base64.b64encode((tmp_path / "other.fwface").read_bytes()).decode())
    bench.until(lambda: (bench.look("shapeFile") or {}).get("name") == "other", "the dropped file was read")
    page.get_by_label("Filter shapes of the file").fill("blink")
    assert page.locator(".file-shapes li").count() == 2
    page.locator(".file-shapes .item", has_text="blinkLeft").click()
    bench.shot("rig shapes 9 another rig")
    press(bench, "Replace browUp")
    bench.committed(5)
    reaches = {shape["name"]: shape["reach"] for shape in bench.look("shapes")}
    assert reaches["browUp"] == pytest.approx(reaches["blinkLeft"])
    page.locator(".file-shapes .item", has_text="blinkRight").click()
    press(bench, "Add 2 shapes")
    bench.committed(6)
    assert {"blinkLeft2", "blinkRight2"} < set(sliders(bench))
    undone_and_redone(bench, 6, lambda: names(bench))


def test_a_sculpt_of_another_topology_is_registered_on_the_page(bench: Studio, tmp_path: Path) -> None:
    page = bench.page
    fw.save(other_topology().rig, tmp_path / "scan.obj")
    take_file(bench, tmp_path / "scan.obj")
    bench.until(lambda: "facewright register" in page.locator(".about.problem").inner_text(), "it is said")
    bench.shot("rig shapes 10 other topology")
    press(bench, "Register it")
    bench.until(lambda: bench.look("shapeFile")["fits"], "it is registered")
    before = positions(bench)
    press(bench, "Add corrective")
    bench.committed(1)
    target = sculpt().rig.neutral
    assert np.median(np.linalg.norm(positions(bench) - target, axis=1)) < 0.3 * np.median(
        np.linalg.norm(before - target, axis=1)
    )
    bench.shot("rig shapes 11 registered")


def test_a_list_of_hundreds_of_shapes_draws_the_pictures_that_are_seen(
    opened: Callable[[Served], Studio], server: Served, tmp_path: Path
) -> None:
    studio, asked = opened(server), []
    rig = rigged().rig
    many = [
        fw.Shape(f"{shape.name}{i:02}", shape.vertices, shape.offsets) for i in range(40) for shape in rig.shapes[:8]
    ]
    fw.save(Rig(rig.neutral, rig.polygons, many), tmp_path / "many.fwface")
    studio.page.on("request", lambda request: asked.append(request.url) if "/api/shape/" in request.url else None)
    server.upload(tmp_path / "many.fwface")
    studio.until(lambda: studio.look("file")["name"] == "many", "the document is open")
    studio.ready()
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Shapes", exact=True).click()  # another part may be remembered
    rows = studio.page.locator(".list.shapes li")
    studio.until(lambda: rows.count() == 320, "all are listed")
    studio.until(
        lambda: studio.page.evaluate("document.querySelector('.shapes .thumb').naturalWidth === 64"), "pictures come"
    )
    studio.shot("rig shapes 12 hundreds")
    assert len(set(asked)) <= 8  # of shapes that look alike there is one picture
    choose(studio, "sneer39")
    assert studio.page.locator('[data-shape="sneer39"]').get_attribute("class") == "chosen"
