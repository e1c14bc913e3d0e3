"""Regions as a page says and hears of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.formats.clips import load_clip
from facewright.formats.registry import load_document
from facewright.regions.local_pose import weights_of
from facewright.regions.region_evaluator import RegionEvaluator
from facewright.rig.evaluate import evaluate
from facewright.samples.skin.embedded import embedded_skin
from facewright.session.edits.time import go_to_time
from tests.studio.served import Page, Served, serving

MOUTH = "mouth"


def names(page: Page) -> list[str]:
    return [each.name for each in page.regions[0].regions]


def found(page: Page) -> fw.Regions:
    page.do("FindRegions", threshold=0.75)
    regions = fw.segment(fw.sample())
    assert names(page) == list(regions.names)
    return regions


def local(page: Page) -> dict[tuple[str, str], float]:
    """What regions add to the pose, by region and slider."""
    arrays = page.pose[1]
    sliders = [each["name"] for each in page.state["rig"]["sliders"]]
    spots = arrays.get("spots", np.zeros((0, 2), np.uint32))
    values = arrays.get("local", np.zeros(0))
    return {
        (names(page)[node], sliders[slider]): float(value) for (node, slider), value in zip(spots, values, strict=True)
    }


def positions(page: Page) -> np.ndarray:
    """The face (v, 3) as the page would show it, from what it was told."""
    rig, (_, arrays) = fw.sample(), page.pose
    values = arrays["values"].astype(float)
    if len(values) == 1:
        return moved(rig, np.tile(values[0], (rig.vertex_count, 1)))
    starts, region, share = (page.regions[1][name] for name in ("starts", "region", "share"))
    mixed = np.zeros((rig.vertex_count, values.shape[1]))
    more = values[1 + region] - values[0]
    np.add.at(mixed, np.repeat(np.arange(rig.vertex_count), np.diff(starts)), share[:, None] * more)
    return moved(rig, values[0] + mixed)


def moved(rig: fw.Rig, values: np.ndarray) -> np.ndarray:
    """The rig's vertices (v, 3) where each has values (v, s) of the shapes of its own."""
    places: np.ndarray = rig.neutral + np.einsum("vs,sva->va", values, rig.deltas())
    return places


def test_a_page_learns_of_regions_when_they_are_found_and_when_it_comes(page: Page, served: Served) -> None:
    assert page.regions[0].regions == []
    regions = found(page)
    header, arrays = page.regions
    assert [each.parent for each in header.regions] == regions.parents.tolist()
    assert [each.level for each in header.regions] == regions.first.tolist()
    assert all(len(each.color) == 7 and each.color[0] == "#" for each in header.regions)
    assert regions.names.index("nose") in header.regions[regions.names.index(MOUTH)].beside
    counts = np.diff(arrays["starts"])
    sums = np.add.reduceat(arrays["share"], arrays["starts"][:-1].astype(int))
    np.testing.assert_allclose(sums, 1, atol=1e-6)
    assert counts.sum() == regions.weights.nnz
    later = served.page()
    assert names(later) == list(regions.names)
    later.close()
    assert page.state["history"]["labels"] == ["Find regions"]
    page.do("Undo")
    assert page.regions[0].regions == []


def test_sliders_and_drags_of_a_region_move_it_alone_and_are_undone(page: Page) -> None:
    regions = found(page)
    page.do("SetWeights", weights={"jawOpen": 0.2})
    before = positions(page)
    page.do("SetWeights", weights={"jawOpen": 0.7}, region=MOUTH)
    assert local(page) == {(MOUTH, "jawOpen"): pytest.approx(0.5)}
    assert page.weight("jawOpen") == pytest.approx(0.2)
    assert page.pose[1]["values"].shape == (1 + regions.count, 52)
    after = positions(page)
    outside = regions.field(MOUTH) == 0
    np.testing.assert_array_equal(after[outside], before[outside])
    assert np.linalg.norm(after - before, axis=1).max() > 0.005 * fw.sample().size
    assert page.state["history"]["labels"][-1] == f"Move jawOpen in {MOUTH}"
    page.do("AddPin", pin=1, vertex=int((regions.field(MOUTH) * np.linalg.norm(after - before, axis=1)).argmax()))
    place = page.pose[1]["places"][0]
    goal = (place + np.array([0, 0.2, 0.1])).tolist()
    page.do("Begin", gesture=3, label="drag")
    answer = page.do("DragPins", gesture=3, targets=[{"pin": 1, "target": goal}], region=MOUTH)
    assert answer["dragged"] == [1]
    page.do("Commit", gesture=3)
    assert page.weight("jawOpen") == pytest.approx(0.2)
    assert np.linalg.norm(page.pose[1]["places"][0] - goal) < 0.5 * np.linalg.norm(place - goal)
    np.testing.assert_array_equal(positions(page)[outside], before[outside])
    np.testing.assert_allclose(positions(page)[page.state["pins"][0]["vertex"]], page.pose[1]["places"][0], atol=1e-3)
    page.do("ResetWeights", region=MOUTH)
    assert local(page) == {}
    np.testing.assert_allclose(positions(page), before, atol=1e-5)
    page.do("GoTo", at=2)
    assert local(page) == {}


def test_regions_are_renamed_merged_split_painted_and_removed_each_as_one_step(page: Page) -> None:
    regions = found(page)
    page.do("SetWeights", weights={"browInnerUp": 0.5}, region="left brow")
    colors = [each.color for each in page.regions[0].regions]
    page.do("RenameRegion", region="left brow", name="Braue links")
    assert [each.color for each in page.regions[0].regions] == colors
    assert local(page) == {("Braue links", "browInnerUp"): pytest.approx(0.5)}
    page.do("MergeRegion", region="Braue links", other="left brow and nose")
    assert "left brow and nose" not in names(page)
    page.do("SplitRegion", region="nose")
    assert {"nose", "upper nose", "lower nose"} & set(names(page))
    edge = np.flatnonzero((regions.field(MOUTH) > 0.2) & (regions.labels() != regions.node(MOUTH)))[:8].tolist()
    page.do("Begin", gesture=9, label="paint")
    page.do("PaintRegion", gesture=9, region=MOUTH, vertices=edge[:4])
    page.do("PaintRegion", gesture=9, region=MOUTH, vertices=edge)
    page.do("Commit", gesture=9)
    page.do("PaintRegion", region=MOUTH, vertices=edge, mode="remove")
    page.do("RemoveRegions")
    assert page.regions[0].regions == []
    assert len(page.state["history"]["labels"]) == 8
    page.do("GoTo", at=2)
    assert names(page) == list(regions.names)
    assert local(page) == {("left brow", "browInnerUp"): pytest.approx(0.5)}


def test_regions_are_found_by_motion_by_texture_too_or_by_the_papers_rule(page: Page) -> None:
    rig = fw.sample()
    document = fw.Document(rig, textures=embedded_skin("default", rig))
    page.do("FindRegions", by="motion and texture")
    assert names(page) == list(fw.segment(rig, colors=fw.skin_colors(document)).names)
    page.do("FindRegions", by="threshold")
    assert names(page) == list(fw.segment(rig, method="threshold").names)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("SetWeights", {"weights": {"jawOpen": 1}, "region": "nowhere"}, "no region named 'nowhere'"),
    ("SplitRegion", {"region": "face"}, "is made of"),
    ("PaintRegion", {"region": MOUTH, "vertices": [10**6]}, "vertices"),
    ("PaintRegion", {"region": "face", "vertices": [1]}, "name one of these"),
    ("MergeRegion", {"region": MOUTH, "other": MOUTH}, "at least two"),
    ("RenameRegion", {"region": MOUTH, "name": "nose"}, "already"),
    ("FindRegions", {"threshold": 1.5}, "1"),
]


def test_what_cannot_be_done_with_regions_is_refused_in_words_and_changes_nothing(page: Page) -> None:
    found(page)
    for type, fields, words in REFUSED:
        answer = page.ask(type, **fields) if type != "FindRegions" else _unreadable(page, type, fields)
        assert answer["type"] == "Refused", (type, fields)
        assert words in answer["message"]
        assert len(page.state["history"]["labels"]) == 1


def _unreadable(page: Page, type: str, fields: dict[str, Any]) -> dict[str, Any]:
    page.send(type, **fields)
    return page.take("Refused")


def test_without_regions_a_region_is_refused_in_words(page: Page) -> None:
    for type, fields in (("SetWeights", {"weights": {"jawOpen": 1}}), ("SplitRegion", {}), ("ResetWeights", {})):
        answer = page.ask(type, region=MOUTH, **fields)
        assert "no regions yet" in answer["message"]
    page.do("AddPin", pin=1, vertex=5)
    targets = [{"pin": 1, "target": [0, 0, 0]}]
    assert "no regions yet" in page.ask("DragPins", region=MOUTH, targets=targets)["message"]
    found(page)
    assert f"outside '{MOUTH}'" in page.ask("DragPins", region=MOUTH, targets=targets)["message"]


def test_what_regions_add_is_keyed_scrubbed_and_played(page: Page) -> None:
    regions = found(page)
    page.do("SetKeys", time=0.0)
    page.do("Scrub", time=1.0)
    page.do("SetWeights", weights={"jawOpen": 0.6}, region=MOUTH)
    page.do("SetKeys", time=1.0)
    assert (page.state["clip"], f"jawOpen @ {MOUTH}") in page.curves
    page.do("Scrub", time=0.5)
    assert local(page) == {(MOUTH, "jawOpen"): pytest.approx(0.3)}
    half = positions(page)
    answer = page.ask("SampleClip", clip=page.state["clip"])
    table = answer["data"]
    assert table["values"].shape == (31, 1 + regions.count, 52)
    np.testing.assert_allclose(table["local"][15], 0.3, atol=1e-6)
    np.testing.assert_allclose(table["values"][15], page.pose[1]["values"], atol=1e-6)
    page.do("Scrub", time=0.0)
    assert local(page) == {}
    assert np.linalg.norm(positions(page) - half, axis=1).max() > 0


@pytest.mark.long
def test_regions_and_their_pose_outlive_a_killed_server(tmp_path: Path) -> None:
    with serving(tmp_path / "state") as served:
        page = served.page()
        found(page)
        page.do("SetWeights", weights={"jawOpen": 0.6}, region=MOUTH)
        page.do("SplitRegion", region=MOUTH)
        page.do("SetKeys", time=0.0)
        page.do("Undo")
        seen, told = positions(page), names(page)
        served.kill()
    with serving(tmp_path / "state") as served:
        page = served.page()
        assert names(page) == told
        np.testing.assert_allclose(positions(page), seen, atol=1e-5)
        page.do("GoTo", at=1)
        assert local(page) == {}
        page.do("GoTo", at=4)
        assert f"jawOpen @ {MOUTH}" in {slider for _, slider in page.curves}
        page.close()


def test_exports_bake_what_regions_add_and_say_so(page: Page, served: Served, tmp_path: Path) -> None:
    found(page)
    page.do("SetKeys", time=0.0)
    page.do("Scrub", time=1.0)
    page.do("SetWeights", weights={"jawOpen": 0.6, "mouthSmileLeft": 0.5}, region=MOUTH)
    page.do("SetKeys", time=1.0)
    shown = positions(page)
    page.told.clear()
    _, _, data = served.ask("GET", "/api/export/glb")
    words = page.take("Notice")["message"]
    assert "2 shapes were added" in words
    assert f"jawOpen @ {MOUTH}" in words
    (tmp_path / "face.glb").write_bytes(data)
    back = load_document(tmp_path / "face.glb")
    np.testing.assert_allclose(evaluate(back.rig, back.pose), shown, atol=1e-4 * back.rig.size)
    at = go_to_time(fw.Document(back.rig, back.clips, clip=back.clips[0].name), 0.5)
    page.do("Scrub", time=0.5)
    np.testing.assert_allclose(evaluate(at.rig, at.pose), positions(page), atol=1e-4 * back.rig.size)
    _, _, data = served.ask("GET", "/api/export/csv?clip=clip%201")
    (tmp_path / "weights.csv").write_bytes(data)
    assert f"jawOpen @ {MOUTH}" in load_clip(tmp_path / "weights.csv").curves
    _, _, data = served.ask("GET", "/api/export/fwface")
    (tmp_path / "face.fwface").write_bytes(data)
    own = load_document(tmp_path / "face.fwface")
    assert own.local is not None
    assert own.regions is not None
    there = RegionEvaluator(own.rig, own.regions)(weights_of(own), own.pose)
    np.testing.assert_allclose(there, positions(page), atol=1e-4 * back.rig.size)


def test_finding_regions_again_keeps_the_pose(page: Page) -> None:
    found(page)
    page.do("SetWeights", weights={"jawOpen": 0.6}, region=MOUTH)
    before = positions(page)
    page.do("FindRegions", threshold=0.75)
    np.testing.assert_allclose(positions(page), before, atol=1e-4 * fw.sample().size)
