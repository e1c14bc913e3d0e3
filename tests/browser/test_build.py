"""Rigs built in the browser: files of another person come in, poses are solved, the rig is posed and saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

import facewright as fw
from facewright.samples import mask
from facewright.samples.actor import Actor, actor
from tests.browser.studio import Studio
from tests.browser.test_accessibility import BARE, CUT, FAINT
from tests.browser.test_studio import difference
from tests.build.faces import bent
from tests.some import some
from tests.studio.served import Served

# Keep the words that tell how far a solve is, each with whether the element is too small for them.
WATCH_PROGRESS = """() => {
  window.progressSeen = []
  new MutationObserver(() => {
    const line = document.querySelector('.solve-line .build-progress')
    if (line) window.progressSeen.push([line.innerText, line.scrollHeight > line.clientHeight + 1])
  }).observe(document.querySelector('.solve-line'), { childList: true, subtree: true, characterData: true })
}"""


@pytest.fixture(scope="module")
def person() -> Actor:
    return actor("kenji")


class Build:
    """The panel, with what a person does on it."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.page = studio, studio.page
        self.page.locator("#tab-build").click()
        self.until(lambda build: build, "the build is told")

    @property
    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = self.studio.look("build")
        return told

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        try:
            self.studio.until(lambda: (told := self.told) and holds(told), what)
        except AssertionError as problem:
            problem.add_note(f"the build: {self.told}")
            raise
        return self.told

    def idle(self) -> dict[str, Any]:
        return self.until(lambda build: not build["doing"], "nothing is being done")

    def solved(self) -> dict[str, Any]:
        return self.until(lambda b: b["built"] and b["built"]["current"] and not b["doing"], "it is solved")

    def load_neutral(self, file: Path) -> None:
        self.page.get_by_role("button", name="Load a neutral…").click()
        self.page.set_input_files("#build-upload", file)
        self.until(lambda build: build["neutral"] and not build["doing"], "the neutral is looked at")

    def add_poses(self, *files: Path) -> None:
        count = len(self.told["poses"]) + len(files)
        self.page.get_by_role("button", name="Add poses").first.click()
        self.page.set_input_files("#build-upload", list(files))
        self.until(lambda build: len(build["poses"]) == count and not build["doing"], "the poses are there")

    def choose(self, pose: str) -> Locator:
        card = self.page.locator(f'[data-pose="{pose}"]')
        card.locator(".pose-pick").click()
        return card

    def pose(self, name: str) -> dict[str, Any]:
        return next(pose for pose in self.told["poses"] if pose["name"] == name)

    def shown(self, *titles: str) -> None:
        self.studio.until(
            lambda: [face["title"] for face in self.studio.look("staged")] == list(titles), f"{titles} are on the stage"
        )
        self.studio.settle()

    def canvas(self) -> bytes:
        self.page.mouse.move(5, 5)
        self.studio.rest()
        return self.page.locator(".stage canvas").screenshot()


def written(folder: Path, name: str, positions: np.ndarray, rig: fw.Rig) -> Path:
    path = folder / name
    fw.save(fw.Rig(positions, rig.polygons, parts=rig.parts, uvs=rig.uvs), path)
    return path


def open_template(studio: Studio, server: Served, template: fw.Rig) -> None:
    fw.save(template, server.folder / "template.fwface")
    studio.page.keyboard.press("Control+o")
    studio.page.get_by_role("button", name="work/template.fwface").click()
    studio.until(lambda: studio.look("file")["name"] == "template", "the template is open")
    studio.ready()


def test_a_neutral_and_three_poses_become_a_rig_that_is_posed_and_exported(
    studio: Studio, server: Served, person: Actor, tmp_path: Path
) -> None:
    page, rng = studio.page, np.random.default_rng(5)
    truth = person.poses(rng, 3)
    open_template(studio, server, person.template)
    studio.drag_slider(person.template.sliders[0], 0.5)
    studio.committed(1)
    before = studio.look("weights")
    build = Build(studio)
    studio.shot("50 a build begins")
    page.get_by_label("The rig whose shapes are made on your face").select_option("open")
    build.until(lambda told: told["source"] == "open", "the open rig is the template")
    build.load_neutral(written(tmp_path, "neutral.obj", person.rig.neutral, person.rig))
    build.shown("Neutral")
    page.get_by_role("switch", name="Solve as I work").click()
    build.until(lambda told: not told["along"], "it waits to be asked")
    files = [
        written(tmp_path, f"{name}.{suffix}", fw.evaluate(person.rig, weights), person.rig)
        for name, suffix, weights in zip(("one", "two", "three"), ("obj", "npz", "obj"), truth, strict=True)
    ]
    build.add_poses(*files)
    assert [pose["name"] for pose in build.told["poses"]] == ["one", "two", "three"]

    guess_by = page.get_by_label("What poses without weights are guessed by")
    guess_by.select_option("learned")
    studio.until(
        lambda: page.get_by_text("nothing was learned for the open face").count() > 0, "it is refused in words"
    )
    assert build.told["prior"] == ""
    page.get_by_role("button", name="Guess the weights of all poses anew").click()
    studio.answered()
    build.until(lambda told: not told["doing"] and all(pose["guess"] for pose in told["poses"]), "all are guessed")
    studio.shot("51a poses are guessed")
    named = {person.rig.sliders[i]: float(truth[0, i]) for i in np.flatnonzero(truth[0])}
    card = build.choose("one")
    for wrong in set(build.pose("one")["guess"]) - set(named):
        card.get_by_role("button", name=f"Remove {wrong}", exact=True).click()
        studio.until(lambda wrong=wrong: wrong not in build.pose("one")["guess"], "it is gone")
    for name, value in named.items():
        if name not in build.pose("one")["guess"]:
            search = card.get_by_label("Add a slider to one")
            search.fill(name)
            card.get_by_role("option", name=name, exact=True).click()
            studio.until(lambda name=name: name in build.pose("one")["guess"], "the slider is named")
        number = card.get_by_label(f"About how much of {name} the pose has")
        number.fill(f"{np.clip(value + 0.1, 0, 1):.2f}")
        number.press("Enter")
    studio.until(
        lambda: build.pose("one")["guess"] == pytest.approx({n: min(v + 0.1, 1) for n, v in named.items()}, abs=0.01),
        "guessed",
    )

    trust = page.get_by_label("Trust in the examples")
    trust.focus()
    trust.press("Home")
    build.until(lambda told: told["trust"] == 0, "the template is trusted")
    page.evaluate(WATCH_PROGRESS)
    page.locator("#solve-build").click()
    build.solved()
    told_of = page.evaluate("window.progressSeen")
    assert told_of, "how far the solve is was shown"
    assert not [words for words, cut in told_of if cut], "words of the progress are cut off"
    by_template = build.pose("one")["fit"]["relative"]
    trust.press("End")
    build.until(lambda told: told["trust"] == 1, "the examples are trusted")
    where = some(trust.bounding_box())
    height = where["y"] + where["height"] / 2
    page.mouse.move(where["x"] + where["width"] - 5, height)
    page.mouse.down()
    page.mouse.move(where["x"] + where["width"] / 2, height, steps=5)
    build.until(lambda told: 0.4 < told["trust"] < 0.6, "the slider is dragged")
    page.mouse.up()
    page.keyboard.press("Control+z")
    build.until(lambda told: told["trust"] == 1, "the drag is undone at once")
    page.locator("#solve-build").click()
    told = build.solved()
    studio.shot("51 solved, an example beside the rig's version")
    assert build.pose("one")["fit"]["relative"] < 0.5 * by_template
    assert all(pose["fit"]["relative"] < 0.3 for pose in told["poses"])

    build.choose("two")
    build.shown("Example", "The rig’s version")
    page.wait_for_selector(".heat-legend")
    coloured = build.canvas()
    page.get_by_role("button", name="Error", exact=True).click()
    studio.until(lambda: page.locator(".heat-legend").count() == 0, "the colours are gone")
    assert difference(coloured, build.canvas()) > 0.05
    page.get_by_role("button", name="Split", exact=True).click()
    page.get_by_role("button", name="Error", exact=True).click()
    studio.shot("52 split")
    assert page.locator(".compare-divider").count() == 1
    page.get_by_role("button", name="Side by side").click()

    assert studio.look("weights") == before
    assert studio.look("history")["at"] == 1
    page.reload()
    studio.ready()
    build.until(lambda told: len(told["poses"]) == 3 and told["built"], "the build is still there")

    with page.expect_download() as report:
        page.locator("#build-report").click()
    assert "build report" in Path(report.value.path()).read_text("utf8")
    page.locator("#open-built").click()
    studio.until(lambda: studio.look("file")["name"] == "neutral rig", "the rig is open")
    studio.ready()
    assert studio.look("file")["unsaved"]
    studio.drag_slider(person.template.sliders[0], 0.6)
    studio.until(lambda: studio.look("weights")[person.template.sliders[0]] > 0.4, "it can be posed")
    studio.shot("53 the built rig is posed")
    page.locator("#export").click()
    with page.expect_download() as export:
        page.get_by_role("menuitem", name="GLB the face").click()
    export.value.save_as(tmp_path / "built.glb")
    made, plain = fw.load(tmp_path / "built.glb"), fw.transfer(person.template, person.rig.neutral)
    assert person.error(made, truth) < 0.6 * person.error(plain, truth)


@pytest.mark.long
def test_poses_that_do_not_fit_say_why_and_decisions_are_undone_by_keys(studio: Studio, tmp_path: Path) -> None:
    page, head = studio.page, fw.sample("kenji")
    build = Build(studio)
    open_jaw = fw.evaluate(head, {"jawOpen": 1.0})
    build.load_neutral(written(tmp_path, "neutral.obj", head.neutral, head))
    small = tmp_path / "small.obj"
    fw.save(fw.Rig(np.eye(3), fw.Polygons.of([[0, 1, 2]])), small)
    build.add_poses(written(tmp_path, "jawOpen.obj", 100 * open_jaw, head), small)
    build.idle()
    assert "100 times as large" in page.locator('[data-pose="jawOpen"] .obstacle').inner_text()
    assert "3 vertices" in page.locator('[data-pose="small"] .obstacle').inner_text()
    studio.shot("54 poses that do not fit")
    page.get_by_role("button", name="Align it to the neutral").click()
    build.until(lambda _: build.pose("jawOpen")["fit"], "it takes part")
    assert build.pose("jawOpen")["guess"] == {"jawOpen": 1}
    assert build.pose("jawOpen")["fit"]["relative"] < 0.1
    page.get_by_role("button", name="Remove small", exact=True).click()
    studio.until(lambda: len(build.told["poses"]) == 1, "it is gone")
    page.locator(".stage canvas").focus()
    page.keyboard.press("Control+z")
    studio.until(lambda: len(build.told["poses"]) == 2, "it is back")
    page.keyboard.press("Control+Shift+z")
    studio.until(lambda: len(build.told["poses"]) == 1, "it is gone again")
    page.keyboard.press("k")  # keys of the document do nothing here
    page.set_input_files(".add-poses input", {"name": "broken.glb", "mimeType": "model/gltf-binary", "buffer": b"x"})
    page.wait_for_selector(".toast.problem")
    studio.until(lambda: "broken.glb" in page.locator(".toast.problem").inner_text(), "it is said")
    assert studio.look("history") == {"labels": [], "at": 0, "gesture": ""}
    studio.complaints = [
        line for line in studio.complaints if "400" not in line
    ]  # the browser's own word for a refusal


@pytest.mark.long
def test_points_are_paired_by_clicks_and_the_template_is_laid_on(
    studio: Studio, server: Served, tmp_path: Path
) -> None:
    page = studio.page
    template = mask(vertices=1500, shapes=8, seed=3, support=0.3)
    person = fw.transfer(template, bent(template))
    order = np.random.default_rng(0).permutation(template.vertex_count)
    there = np.argsort(order)
    scan = tmp_path / "scan.obj"
    fw.save(fw.Rig(person.neutral[order], fw.Polygons.of(there[template.triangles])), scan)
    open_template(studio, server, template)
    build = Build(studio)
    page.get_by_label("The rig whose shapes are made on your face").select_option("open")
    build.load_neutral(scan)
    build.shown("Template", "Face")
    if build.told["pairs"]:
        page.get_by_role("button", name="Take all pairs away").click()
        studio.until(lambda: not build.told["pairs"], "no pairs")
    front = [
        int(np.linalg.norm(template.neutral[:, :2] - place * template.size, axis=1).argmin())
        for place in np.array([[0, 0], [0.15, 0.1], [-0.15, 0.1], [0.12, -0.15], [-0.12, -0.15], [0, 0.22], [0, -0.22]])
    ]
    for number, vertex in enumerate(front, 1):
        for cell, index in ((0, vertex), (1, int(there[vertex]))):
            spot = page.evaluate("([cell, index]) => window.__facewright.stagedVertex(cell, index)", [cell, index])
            page.mouse.click(spot["x"], spot["y"])
        studio.until(lambda number=number: len(build.told["pairs"]) == number, f"pair {number} is there")
    studio.shot("55 points are paired")
    apart = [
        np.linalg.norm(template.neutral[pair["source"]] - template.neutral[v])
        for pair, v in zip(build.told["pairs"], front, strict=True)
    ]
    assert max(apart) < 0.05 * template.size
    page.get_by_role("button", name="Remove pair 7").click()
    studio.until(lambda: len(build.told["pairs"]) == 6, "one pair less")
    page.get_by_role("button", name="Register the template").click()
    build.until(lambda told: told["registration"] and not told["doing"], "it is registered")
    assert build.told["registration"]["good"]
    assert build.told["registration"]["own"]
    build.shown("Neutral")
    page.get_by_label("Whose vertices and polygons the rig has").select_option("template")
    build.until(
        lambda told: told["registration"] and not told["registration"]["own"] and not told["doing"],
        "it is registered again",
    )
    build.shown("Face", "Registered template")
    studio.shot("56 the template is registered")
    assert "fit" in page.locator(".verdict").inner_text()


@pytest.mark.long
def test_the_panel_can_be_read_and_reached_and_nothing_is_cut_off(studio: Studio, tmp_path: Path) -> None:
    head = fw.sample("kenji")
    files = [
        written(tmp_path, f"{name}.obj", fw.evaluate(head, {name: 1.0}), head)
        for name in ("jawOpen", "mouthSmileLeft", "browInnerUp")
    ]
    build = Build(studio)
    build.load_neutral(written(tmp_path, "neutral.obj", head.neutral, head))
    build.add_poses(*files)
    build.solved()
    build.choose("jawOpen")
    build.shown("Example", "The rig’s version")
    assert studio.page.evaluate(BARE) == []
    assert studio.page.evaluate(FAINT) == []
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        studio.page.set_viewport_size({"width": width, "height": height})
        studio.settle()
        studio.shot(f"57 a build at {width} x {height}")
        assert studio.page.evaluate(CUT) == [], f"at {width} x {height}"
