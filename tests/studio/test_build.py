"""Building rigs in the studio: faces come in, poses are solved, the rig becomes the document."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.image.codec import encoded
from facewright.samples import mask
from facewright.session.frames import unpack
from tests.build.faces import bent
from tests.studio.served import Page, Served, serving

TEMPLATE = mask(vertices=900, shapes=10, seed=3, support=0.3)
ACTOR = fw.transfer(TEMPLATE, bent(TEMPLATE))
FIRST, SECOND, THIRD = TEMPLATE.sliders[:3]


def file_of(rig: fw.Rig | fw.Document, suffix: str, folder: Path) -> bytes:
    path = folder / f"face{suffix}"
    fw.save(rig, path)
    return path.read_bytes()


def bare(positions: np.ndarray) -> fw.Rig:
    return fw.Rig(positions, TEMPLATE.polygons)


class Builder:
    """A page that builds."""

    def __init__(self, served: Served, folder: Path) -> None:
        self.served, self.folder = served, folder
        self.page: Page = served.page()

    def give(self, role: str, name: str, rig: fw.Rig | fw.Document) -> tuple[int, Any]:
        data = file_of(rig, Path(name).suffix, self.folder)
        return self.post(f"{role}?name={quote(name)}", data)

    def post(self, query: str, body: bytes = b"") -> tuple[int, Any]:
        """Send a face; one that is taken has reached the page when this returns."""
        before = len(self.build().get("poses", ()))
        status, _, data = self.served.ask("POST", f"/api/upload/{query}", body)
        answer = msgspec.json.decode(data)
        if status == 200 and query.startswith("pose"):
            self.until(lambda build: len(build["poses"]) >= before + len(answer["names"]), "the page has the poses")
        elif status == 200:
            self.until(lambda build: (build["neutral"] or {}).get("name") == answer["names"][0], "it has the neutral")
        return status, answer

    def build(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.state.get("build") or {}
        return found

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        try:
            self.page.until(lambda: (build := self.build()) and holds(build), what)
        except AssertionError as problem:
            problem.add_note(f"the build: {self.build()}")
            raise
        return self.build()

    def pose(self, name: str) -> dict[str, Any]:
        return next(pose for pose in self.build()["poses"] if pose["name"] == name)

    def idle(self) -> dict[str, Any]:
        return self.until(lambda build: not build["doing"], "nothing is being done")

    def solved(self) -> dict[str, Any]:
        return self.until(lambda b: b["built"] and b["built"]["current"] and not b["doing"], "it is solved")


def in_folder(folder: Path) -> tuple[Path, Path]:
    """Where a studio keeps its state and files, with the template among them."""
    (folder / "faces").mkdir()
    fw.save(TEMPLATE, folder / "faces" / "template.fwface")
    return folder / "state", folder / "faces"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    state, faces = in_folder(tmp_path_factory.mktemp("build"))
    with serving(state, "--no-skin", "--upload-limit", 4, folder=faces) as found:
        yield found
    assert not found.tracebacks()


def begun(served: Served, folder: Path) -> Builder:
    """A page with the template open, and nothing built."""
    served.renew()
    found = Builder(served, folder)
    found.page.do("OpenPath", path="faces/template.fwface")
    found.page.do("ChooseTemplate", source="open")
    return found


@pytest.fixture
def builder(served: Served, tmp_path: Path) -> Iterator[Builder]:
    found = begun(served, tmp_path)
    yield found
    found.page.close()


@pytest.fixture
def own_builder(tmp_path: Path) -> Iterator[Builder]:
    """One whose studio may be killed."""
    state, faces = in_folder(tmp_path)
    with serving(state, "--no-skin", folder=faces) as found:
        yield begun(found, tmp_path)


def fill(builder: Builder) -> None:
    assert builder.give("neutral", "actor.obj", bare(ACTOR.neutral)) == (200, {"names": ["actor"]})
    builder.give("pose", "a.obj", bare(fw.evaluate(ACTOR, {FIRST: 0.8, SECOND: 0.4})))
    builder.give("pose", "b.npz", bare(fw.evaluate(ACTOR, {THIRD: 0.9})))


def test_a_neutral_and_poses_become_a_rig_that_is_opened_saved_and_told_about(builder: Builder) -> None:
    fill(builder)
    build = builder.solved()
    assert [pose["name"] for pose in build["poses"]] == ["a", "b"]
    assert build["poses"][0]["guess"] == pytest.approx({FIRST: 0.8, SECOND: 0.4}, abs=0.1)
    assert build["poses"][0]["fit"]["relative"] < 0.05
    assert build["built"]["finished"]
    before = builder.page.state["file"]["name"]
    status, headers, report = builder.served.ask("GET", "/api/build/report")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"build report" in report
    assert builder.page.state["file"]["name"] == before
    builder.page.do("OpenBuilt")
    assert builder.page.state["file"] == {"name": "actor rig", "unsaved": True, "saves_to": ""}
    assert builder.page.state["rig"]["vertices"] == TEMPLATE.vertex_count
    assert [slider["name"] for slider in builder.page.state["rig"]["sliders"]] == list(TEMPLATE.sliders)
    status, _, glb = builder.served.ask("GET", "/api/export/glb")
    assert status == 200
    (builder.folder / "built.glb").write_bytes(glb)
    made = fw.load(builder.folder / "built.glb")
    wanted = fw.evaluate(ACTOR, {THIRD: 0.9})
    np.testing.assert_allclose(fw.evaluate(made, {THIRD: 0.9}), wanted, atol=0.01 * ACTOR.size)


def test_the_open_document_is_left_alone_until_the_rig_is_opened_in_its_place(builder: Builder) -> None:
    builder.page.do("SetWeights", weights={SECOND: 0.3})
    history, pose = builder.page.state["history"], builder.page.weights.copy()
    fill(builder)
    builder.solved()
    builder.page.do("GuessPose", pose="a", weights={FIRST: 0.5})
    builder.page.do("Undo", session="build")
    builder.solved()
    assert builder.page.state["history"] == history
    np.testing.assert_array_equal(builder.page.weights, pose)
    builder.page.do("OpenBuilt", how="keep")
    np.testing.assert_allclose(builder.page.weights, pose, atol=1e-6)
    assert builder.page.state["history"]["labels"][-1] == "Change face to actor rig"
    builder.page.do("Undo")
    assert builder.page.state["history"]["at"] == history["at"]


def test_a_pose_and_the_rigs_version_of_it_can_be_looked_at(builder: Builder) -> None:
    fill(builder)
    build = builder.solved()
    view = build["poses"][0]["view"]
    status, _, data = builder.served.ask("GET", f"/api/build/pose/{view}")
    header, arrays = unpack(data)
    assert (status, header.view) == (200, view)
    np.testing.assert_allclose(arrays["example"], fw.evaluate(ACTOR, {FIRST: 0.8, SECOND: 0.4}), atol=1e-4)
    apart = np.linalg.norm(arrays["example"] - arrays["version"], axis=1)
    np.testing.assert_allclose(apart, arrays["distances"], atol=1e-4)
    assert arrays["distances"].max() == pytest.approx(build["poses"][0]["fit"]["worst"], rel=1e-4)
    status, _, data = builder.served.ask("GET", f"/api/build/face/{build['rest']['id']}")
    header, arrays = unpack(data)
    assert (status, header.rig) == (200, build["rest"]["id"])
    np.testing.assert_allclose(arrays["positions"][:9], ACTOR.neutral[arrays["vertex"][:9]], atol=1e-4)
    status, headers, data = builder.served.ask("GET", f"/api/build/picture/{view}")
    assert (status, headers["content-type"], data[1:4]) == (200, "image/png", b"PNG")
    assert builder.served.ask("GET", "/api/build/pose/none")[0] == 404
    assert builder.served.ask("GET", "/api/build/face/none")[0] == 404


def test_bad_files_are_refused_in_words(builder: Builder) -> None:
    for name, body, words in (
        ("nothing.obj", b"", "empty"),
        ("broken.glb", b"not a glb", "broken.glb"),
        ("image.png", b"x", "is no face"),
        ("../../etc/passwd", b"x", "is no face"),
        ("huge.obj", bytes(5 << 20), "4 MB"),
    ):
        status, answer = builder.post(f"pose?name={quote(name)}", body)
        assert status >= 400, name
        assert words in answer["problem"], answer
        assert str(builder.folder) not in answer["problem"]
        assert "/tmp" not in answer["problem"]
    assert builder.post("thief?name=a.obj", b"x")[0] == 400
    assert builder.post("pose?path=faces/../../secret.obj")[0] == 400
    assert builder.post("pose?path=/etc/passwd")[0] == 400
    assert builder.post("neutral?person=nobody")[0] == 400
    assert builder.build()["poses"] == []


def test_poses_that_cannot_be_used_say_why_and_a_larger_one_is_aligned_on_demand(builder: Builder) -> None:
    fill(builder)
    builder.give("pose", "large.obj", bare(100 * fw.evaluate(ACTOR, {FIRST: 0.8})))
    builder.give("pose", "other.obj", fw.Rig(np.eye(3), fw.Polygons.of([[0, 1, 2]])))
    builder.give("pose", "mirrored.obj", bare(fw.evaluate(ACTOR, {FIRST: 0.8}) * [-1, 1, 1]))
    builder.solved()
    assert builder.pose("large")["obstacle"] == "pose 'large' is 100 times as large as the neutral"
    assert [pose["name"] for pose in builder.build()["poses"] if pose["can_be_aligned"]] == ["large"]
    assert "3 vertices" in builder.pose("other")["obstacle"]
    assert "mirror image" in builder.pose("mirrored")["obstacle"]
    assert builder.pose("a")["fit"] is not None
    builder.page.do("AlignPose", pose="large", aligned=True)
    builder.until(lambda _: builder.pose("large")["fit"] is not None, "it takes part")
    assert builder.pose("large")["fit"]["relative"] < 0.1
    builder.page.do("RemovePoses", poses=["other", "mirrored"])
    assert [pose["name"] for pose in builder.build()["poses"]] == ["a", "b", "large"]
    answer = builder.page.ask("RemovePoses", poses=["other"])
    assert answer["type"] == "Refused"
    assert "no pose named 'other'" in answer["message"]


def test_a_solve_can_be_stopped_and_changes_can_be_undone(builder: Builder) -> None:
    builder.page.do("SolveAlong", on=False)
    fill(builder)
    builder.idle()
    assert builder.build()["built"] is None
    builder.page.do("SolveBuild")
    builder.page.do("StopBuild")
    builder.idle()
    builder.page.do("SolveBuild")
    builder.solved()
    drag_trust(builder, 1, 0.9, 0.8)
    assert builder.build()["undo"] == "Trust examples"
    assert not builder.build()["built"]["current"]
    builder.page.do("Undo", session="build")  # both, as they are of one drag
    assert builder.build()["trust"] == 0.5
    assert builder.build()["redo"] == "Trust examples"
    builder.page.do("Redo", session="build")
    assert builder.build()["trust"] == 0.8
    drag_trust(builder, 2, 0.2)
    builder.page.do("Undo", session="build")
    assert builder.build()["trust"] == 0.8


def test_a_solve_is_shown_while_the_slider_is_still_held(builder: Builder) -> None:
    fill(builder)
    builder.solved()
    builder.page.do("Begin", gesture=1, label="Trust examples", session="build")
    builder.page.do("TrustExamples", trust=0.9, gesture=1)
    builder.until(lambda build: build["trust"] == 0.9 and build["built"]["current"], "it is solved")
    builder.page.do("Discard", gesture=1)
    builder.until(lambda build: build["trust"] == 0.5 and build["built"]["current"], "it is solved as before")
    assert builder.build()["redo"] == ""


def drag_trust(builder: Builder, gesture: int, *places: float) -> None:
    """One drag of the slider, as the page sends it."""
    builder.page.do("Begin", gesture=gesture, label="Trust examples", session="build")
    for place in places:
        builder.page.do("TrustExamples", trust=place, gesture=gesture)
    builder.page.do("Commit", gesture=gesture)


@pytest.mark.long
def test_the_build_survives_a_kill(own_builder: Builder, tmp_path: Path) -> None:
    builder = own_builder
    fill(builder)
    builder.solved()
    builder.page.do("GuessPose", pose="a", weights={FIRST: 0.7, SECOND: None})
    builder.page.do("TrustExamples", trust=0.7)
    builder.page.close()
    builder.served.kill()
    with serving(tmp_path / "state") as again:
        page = Builder(again, tmp_path)
        build = page.solved()
        assert build["source"] == "open"
        assert build["trust"] == 0.7
        assert [pose["name"] for pose in build["poses"]] == ["a", "b"]
        assert build["poses"][0]["guess"] == {FIRST: 0.7}
        page.page.do("RemovePoses", poses=["b"])
        page.page.close()
        again.kill()
    kept = list((tmp_path / "state" / "studio-0" / "build" / "parts").iterdir())
    assert len(kept) == 5  # both templates, the neutral, two poses: each once, as the removal can be undone
    with serving(tmp_path / "state", "--fresh") as anew:
        page = Builder(anew, tmp_path)
        assert page.until(lambda b: b, "it is told")["poses"] == []
        page.page.close()


@pytest.mark.long
def test_the_rig_wears_what_its_neutral_wore_also_after_a_kill(own_builder: Builder, tmp_path: Path) -> None:
    builder = own_builder
    uvs = fw.Uvs(ACTOR.neutral[:, :2], TEMPLATE.polygons.corners)
    neutral = fw.Rig(ACTOR.neutral, TEMPLATE.polygons, uvs=uvs)
    skin = encoded(np.full((8, 8, 3), 90, np.uint8), "image/png")
    builder.give("neutral", "actor.glb", fw.Document(neutral, textures=fw.Textures(skin)))
    builder.give("pose", "a.obj", bare(fw.evaluate(ACTOR, {FIRST: 0.8})))
    builder.solved()
    builder.page.close()
    builder.served.kill()
    with serving(tmp_path / "state") as again:
        page = Builder(again, tmp_path)
        page.solved()
        before: Any = page.page.state["textures"]
        assert before is None
        page.page.do("OpenBuilt")
        assert page.page.state["textures"]["neutral"]["width"] == 8
        page.page.close()


def test_a_file_with_shapes_is_as_many_poses_and_files_of_named_folders_and_samples_come_too(builder: Builder) -> None:
    fw.save(bare(ACTOR.neutral), builder.served.folder / "neutral.obj")
    assert builder.post("neutral?path=faces/neutral.obj") == (200, {"names": ["neutral"]})
    few = fw.Rig(ACTOR.neutral, ACTOR.polygons, ACTOR.shapes[:3])
    status, answer = builder.give("pose", "few.fwface", few)
    assert (status, answer) == (200, {"names": list(ACTOR.shape_names[:3])})
    build = builder.solved()
    assert build["poses"][0]["guess"] == {FIRST: 1.0}
    builder.page.do("ChooseTemplate", source="sample")
    assert builder.post("neutral?person=kenji") == (200, {"names": ["kenji"]})
    build = builder.until(lambda b: not b["doing"] and b["rest"] is not None, "it is checked")
    assert build["neutral"]["name"] == "kenji"
    assert all(pose["obstacle"] for pose in build["poses"])


def test_another_topology_is_laid_on_by_pairs_set_by_hand(builder: Builder) -> None:
    order = np.random.default_rng(0).permutation(TEMPLATE.vertex_count)
    there = np.argsort(order)

    def shuffled(positions: np.ndarray) -> fw.Rig:
        return fw.Rig(positions[order], fw.Polygons.of(there[TEMPLATE.triangles]))

    builder.give("neutral", "scan.obj", shuffled(ACTOR.neutral))
    build = builder.until(lambda b: b["other_topology"] and not b["doing"], "the topology is seen")
    assert "topology" in build["obstacle"] or "polygons" in build["obstacle"]
    far = [int(i) for i in np.linspace(0, TEMPLATE.vertex_count - 1, 12)]
    builder.page.do("PairPoints", pairs=[{"source": i, "target": int(there[i])} for i in far[:2]])
    assert "at least 3 are needed" in builder.page.ask("RegisterTemplate")["message"]
    builder.page.do("PairPoints", pairs=[{"source": i, "target": int(there[i])} for i in far])
    builder.page.do("RegisterTemplate")
    build = builder.until(lambda b: b["registration"] is not None and not b["doing"], "it is registered")
    assert build["registration"]["good"], build["registration"]
    assert build["registration"]["current"]
    builder.give("pose", f"{FIRST}.obj", shuffled(fw.evaluate(ACTOR, {FIRST: 1.0})))
    build = builder.solved()
    assert build["poses"][0]["fit"]["relative"] < 0.2
    answer = builder.page.ask("PairPoints", pairs=[{"source": 10**6, "target": 0}])
    assert "no vertex 1000000" in answer["message"]


def test_the_face_is_worked_on_while_a_rig_is_built(builder: Builder) -> None:
    fill(builder)
    builder.page.do("SolveBuild")
    for value in np.linspace(0, 1, 20):
        builder.page.do("SetWeights", weights={SECOND: float(value)})
    assert builder.page.weight(SECOND) == 1.0
    builder.solved()


def test_nothing_is_opened_before_there_is_a_rig(builder: Builder) -> None:
    assert "nothing is built yet" in builder.page.ask("OpenBuilt")["message"]
    status, _, data = builder.served.ask("GET", "/api/build/report")
    assert status == 400
    assert b"nothing is built yet" in data
