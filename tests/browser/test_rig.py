"""The workbench of the rig: shapes are listed, renamed, doubled, deleted, and the face shows it at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from tests.browser.studio import Studio
from tests.session.rigged import rigged
from tests.studio.served import Served


@pytest.fixture
def bench(opened: Callable[[Served], Studio], server: Served, tmp_path: Path) -> Studio:
    """The tab with a small face that has all that an edit must follow."""
    return opened_on_shapes(opened(server), server, rigged(), tmp_path)


def opened_on_shapes(studio: Studio, server: Served, document: fw.Document, folder: Path) -> Studio:
    """The studio with a document, and its shapes listed."""
    fw.save(document, folder / "rigged.fwface")
    server.upload(folder / "rigged.fwface")
    studio.until(lambda: studio.look("file")["name"] == "rigged", "the document is open")
    studio.ready()
    studio.page.locator("#tab-rig").click()
    studio.page.get_by_role("button", name="Shapes", exact=True).click()  # another part may be remembered
    return studio


def choose(studio: Studio, shape: str) -> None:
    studio.page.locator(f'[data-shape="{shape}"] .item').click()


def names(studio: Studio) -> list[str]:
    return [shape["name"] for shape in studio.look("shapes")]


def press(studio: Studio, label: str) -> None:
    studio.page.get_by_role("button", name=label, exact=True).click()


def sliders(studio: Studio) -> list[str]:
    return [slider["name"] for slider in studio.look("rig")["sliders"]]


def positions(studio: Studio) -> np.ndarray:
    studio.ready()
    studio.settle()
    return np.array(studio.look("positions")).reshape(-1, 3)


def undone_and_redone(studio: Studio, steps: int, look: Callable[[], Any]) -> None:
    """Undo and redo the last step; what is looked at is as it was each time."""
    after = look()
    studio.page.keyboard.press("Control+z")
    studio.committed(steps - 1)
    assert look() != after
    studio.page.keyboard.press("Control+Shift+z")
    studio.committed(steps)
    assert look() == after


def test_a_name_that_is_typed_as_soon_as_its_field_is_there_stays(bench: Studio) -> None:
    typed = """async () => {
        document.querySelector('[data-shape="smileLeft"] .item').click()
        const field = () => document.querySelector('[aria-label^="Rename the shape"]')
        for (let turn = 0; turn < 100 && !field(); turn += 1) await Promise.resolve()
        const early = field()
        if (!early) return 'the field is not there before the page is painted'
        early.value = 'typed'
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
        await new Promise((then) => setTimeout(then, 200))
        return early.value
    }"""
    assert bench.page.evaluate(typed) == "typed"


def test_shapes_are_listed_renamed_doubled_and_deleted(bench: Studio) -> None:
    page = bench.page
    assert names(bench) == list(rigged().rig.shape_names)
    page.get_by_label("Filter shapes").fill("smile")
    assert page.locator(".list.shapes li").count() == 3
    bench.shot("rig 1 shapes")
    choose(bench, "smileLeft")
    field = page.get_by_label("Rename the shape")
    for refused in ("jawOpen", "  "):  # another slider has it; no name
        field.fill(refused)
        field.press("Enter")
        bench.until(lambda: field.input_value() == "smileLeft", "the field shows the name that the shape has")
    bench.until(lambda: "two sliders named 'jawOpen'" in page.locator(".toasts").inner_text(), "it is said")
    field.fill("grin")
    field.press("Enter")
    bench.committed(1)
    assert "grin" in sliders(bench)
    undone_and_redone(bench, 1, lambda: names(bench))
    press(bench, "Add a copy with a slider of its own")
    bench.committed(2)
    assert "grin2" in sliders(bench)
    page.get_by_label("Filter shapes").fill("")
    choose(bench, "jawOpen")
    bench.shot("rig 2 chosen")
    before = positions(bench)
    page.get_by_role("button", name="Delete: 1 combination, 1 clip, 1 texture and 1 tie use it").click()
    bench.until(lambda: "combination jawSmile" in page.locator("dialog .dependent").inner_text(), "it is said")
    bench.shot("rig 3 what depends on it")
    press(bench, "Delete")
    bench.committed(3)
    assert "jawSmile" not in names(bench)
    after = positions(bench)
    assert np.abs(after - before).max() > 1e-3  # the jaw was open
    page.keyboard.press("Control+z")
    bench.committed(2)
    np.testing.assert_allclose(positions(bench), before, atol=1e-6)
    page.get_by_label("What a length of 1 is").select_option("cm")
    bench.committed(3)
    bench.until(lambda: "m tall" in page.locator(".unit-row").inner_text(), "it is said")
    bench.shot("rig 4 the unit")
