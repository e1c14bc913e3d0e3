"""Takes in the studio: uploaded, glued, solved in the background, told frame by frame, found again after a kill."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pytest

from facewright.formats.takes import save_take
from facewright.session.frames import unpack
from tests.session.acted import acted, head, long, loose
from tests.session.marker_layout import LAYOUT
from tests.session.test_takes import CORNERS, clicked
from tests.studio.served import PATIENCE, Page, Served, serving
from tests.studio.test_conversation import mouth_corner

FRAMES = 200
SOLVER = "spawn_main"  # in the command of a process that solves takes


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("takes")
    take = acted(FRAMES).take
    for suffix in ("c3d", "trc", "csv"):
        save_take(take, folder / f"talking.{suffix}")
    save_take(loose(take), folder / "loose.trc")
    save_take(long(20), folder / "long.c3d")
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named") / "takes"
    folder.mkdir()
    with serving(tmp_path_factory.mktemp("state"), "--no-skin", "--upload-limit", 64, folder=folder) as found:
        yield found
    assert not found.tracebacks()


def upload(served: Served, path: Path, name: str = "", how: str = "clips") -> tuple[int, str]:
    body = path.read_bytes()
    status, _, data = served.ask("POST", f"/api/upload?name={quote(name or path.name)}&how={how}", body)
    told = msgspec.json.decode(data)
    return status, told.get("problem", "") or told["name"]


def bring(served: Served, page: Page, path: Path) -> None:
    assert upload(served, path)[0] == 200
    page.until(lambda: page.state.get("take") and page.state["take"]["name"] == path.stem, "the take is there")


def solve(page: Page, **options: Any) -> None:
    before = len(page.state["clips"])
    page.do("SolveTake", **options)
    page.until(lambda: len(page.state["clips"]) > before and page.state["solving"] is None, "the take is solved")


@pytest.mark.parametrize("suffix", ["c3d", "trc", "csv"])
def test_a_take_of_each_format_comes_glued_by_names(served: Served, page: Page, files: Path, suffix: str) -> None:
    bring(served, page, files / f"talking.{suffix}")
    take = page.state["take"]
    assert (take["frames"], take["rate"], take["unit"]) == (FRAMES, 60.0, "cm")
    assert [marker["name"] for marker in take["markers"]] == list(LAYOUT)
    assert take["bound"]
    assert take["origin"] == "names"
    assert take["gaps"] == pytest.approx(0.03, abs=0.01)
    assert max(marker["gap"] for marker in take["markers"]) >= 2
    assert page.state["history"]["labels"] == ["Load take talking"]
    page.do("Undo")
    undone: Any = page.state["take"]
    assert undone is None
    page.do("Redo")
    assert page.state["take"]["bound"]


def test_the_page_can_put_every_marker_where_it_is(served: Served, page: Page, files: Path) -> None:
    """Positions, the way to the scene, points and offsets together give the surface back at rest."""
    bring(served, page, files / "talking.csv")
    take = page.state["take"]
    status, _, data = served.ask("GET", f"/api/take/{take['id']}")
    assert status == 200
    header, arrays = unpack(data)
    assert header.take == take["id"]
    assert arrays["positions"].shape == (FRAMES, len(LAYOUT), 3)
    assert np.isnan(arrays["positions"]).mean() == pytest.approx(take["gaps"], abs=1e-6)
    fit = page.do("AskFit", clip="")
    turns = fit["data"]["head"].reshape(-1, 12)
    place, frame = take["place"], 12
    there = place["scale"] * arrays["positions"][frame] @ np.reshape(place["rotation"], (3, 3)).T + place["offset"]
    still = (there - turns[frame, 9:]) @ turns[frame, :9].reshape(3, 3)
    for i, marker in enumerate(take["markers"]):
        surface = np.array(marker["point"]["shares"]) @ head().neutral[marker["point"]["vertices"]]
        if not np.isnan(still[i, 0]):
            np.testing.assert_allclose(still[i] - marker["offset"], surface, atol=0.15)
    assert served.ask("GET", "/api/take/nothing")[0] == 404


def test_clicks_glue_a_take_whose_names_say_nothing(served: Served, page: Page, files: Path) -> None:
    bring(served, page, files / "loose.trc")
    take = page.state["take"]
    assert not take["bound"]
    assert take["millimetres"] == 0.0
    assert "names show" in page.ask("BindByNames")["message"]
    assert "not bound" in page.ask("SolveTake")["message"]
    names = dict(zip(LAYOUT, (marker["name"] for marker in take["markers"]), strict=True))
    for count, marker in enumerate(CORNERS, 1):
        triangle, barycentric = clicked(head(), LAYOUT[marker])
        page.do("PairMarker", marker=names[marker], triangle=triangle, barycentric=barycentric)
        assert page.state["take"]["bound"] == (count >= 3)
    assert sum(marker["paired"] for marker in page.state["take"]["markers"]) == 4
    page.do("UnpairMarkers", markers=[names["chin"]])
    assert sum(marker["paired"] for marker in page.state["take"]["markers"]) == 3
    for _ in range(3):
        page.do("Undo")
    assert not page.state["take"]["bound"]
    assert sum(marker["paired"] for marker in page.state["take"]["markers"]) == 2
    page.do("UnpairMarkers")
    assert not any(marker["paired"] for marker in page.state["take"]["markers"])


def test_a_solved_take_is_one_step_with_a_clip_that_follows_the_markers(
    served: Served, page: Page, files: Path
) -> None:
    bring(served, page, files / "talking.csv")
    solve(page, keys=0.01, smooth="12")
    assert page.state["history"]["labels"] == ["Load take talking", "Solve talking"]
    assert page.state["clip"] == "talking"
    assert page.state["take"]["solved"]["clip"] == "talking"
    assert any("markers" in told["message"] for told in page.told if told["type"] == "Notice")
    truth = acted(FRAMES).weights
    page.do("Scrub", time=150 / 60)
    lively = [i for i, name in enumerate(head().sliders) if name.startswith(("jaw", "mouthSmile", "brow"))]
    assert np.abs(page.weights - truth[150])[lively].mean() < 0.12
    fit = page.do("AskFit", clip="talking")
    assert fit["data"]["mean"].shape == (FRAMES,)
    assert np.nanmean(fit["data"]["mean"]) < 1.0
    assert fit["typical"] == pytest.approx(np.nanmean(fit["data"]["mean"]), rel=0.1)
    assert fit["data"]["head"].size == 0
    assert fit["worst_frames"] == sorted(fit["worst_frames"])
    assert np.nanargmax(fit["data"]["mean"]) in fit["worst_frames"]
    page.do("Undo")
    assert page.state["clips"] == []
    assert page.state["take"]["solved"] is None
    page.do("Redo")
    assert page.state["clips"][0]["name"] == "talking"


@pytest.mark.long
def test_the_face_can_be_dragged_while_a_take_is_solved_and_stopping_keeps_what_there_is(
    served: Served, page: Page, files: Path
) -> None:
    bring(served, page, files / "long.c3d")
    page.do("SolveTake", keys=0.0)
    assert page.state["solving"]["total"] == 12000
    page.do("AddPin", pin=1, vertex=mouth_corner())
    page.do("Begin", gesture=3, label="drag while it is solved")
    place, answers = page.pose[1]["places"][0], 0
    while not page.state["solving"] or page.state["solving"]["done"] == 0:
        goal = (place + np.array([0.1 + 0.01 * (answers % 20), 0.2, 0.0])).tolist()
        page.do("DragPins", gesture=3, targets=[{"pin": 1, "target": goal}], plane=[0, 0, 1])
        answers += 1
    assert answers > 5
    page.do("StopSolve")
    assert page.state["solving"]["stopping"]
    goal = (place + np.array([0.15, 0.25, 0.0])).tolist()
    end = time.monotonic() + PATIENCE
    while served.children(SOLVER):  # it ends when it has handed its result over, which has to wait for the gesture
        assert time.monotonic() < end, "the solver does not stop"
        page.do("DragPins", gesture=3, targets=[{"pin": 1, "target": goal}], plane=[0, 0, 1])
    page.do("DragPins", gesture=3, targets=[{"pin": 1, "target": goal}], plane=[0, 0, 1])
    assert page.state["clips"] == []
    page.do("Commit", gesture=3)
    page.until(lambda: page.state["clips"] and page.state["solving"] is None, "what was solved is there")
    assert page.state["history"]["labels"][-2:] == ["drag while it is solved", "Solve long"]
    solved = page.state["take"]["solved"]
    assert 900 < solved["frames"] < 12000
    assert f"stopped after {solved['frames']} of 12000 frames" in solved["notes"]
    assert page.state["clips"][0]["end"] == pytest.approx((solved["frames"] - 1) / 120)
    fit = page.do("AskFit", clip=page.state["clip"])
    assert np.isnan(fit["data"]["mean"][solved["frames"] + 1 :]).all()
    assert not np.isnan(fit["data"]["mean"][: solved["frames"]]).any()


def test_a_second_solve_and_a_needless_stop_are_refused_in_words(served: Served, page: Page, files: Path) -> None:
    assert "no take" in page.ask("SolveTake")["message"]
    assert "no take is being solved" in page.ask("StopSolve")["message"]
    bring(served, page, files / "long.c3d")
    page.do("SolveTake")
    assert "being solved" in page.ask("SolveTake")["message"]
    page.do("OpenSample")  # another face: nobody waits for this take any more
    assert page.state["solving"] is None
    assert page.state["take"] is None
    assert page.state["clips"] == []


def test_what_a_file_says_wrongly_is_put_right(served: Served, page: Page, files: Path) -> None:
    bring(served, page, files / "talking.csv")
    id = page.state["take"]["id"]
    page.do("ChangeTake", rate=30.0)
    assert page.state["take"]["rate"] == 30.0
    page.do("ChangeTake", unit="mm")
    assert any("no face" in note for note in page.state["take"]["notes"])
    page.do("ChangeTake", neutral=[5])
    assert page.state["take"]["neutral"] == [5]
    assert page.state["take"]["id"] == id
    page.do("ChangeTake", neutral=[], unit="cm")
    assert page.state["take"]["neutral"] == []
    page.do("IgnoreMarkers", markers=["chin"], ignored=True)
    assert [m["name"] for m in page.state["take"]["markers"] if m["ignored"]] == ["chin"]
    page.do("Unbind")
    assert not page.state["take"]["bound"]
    page.do("BindByNames")
    assert page.state["take"]["bound"]
    page.do("RemoveTake")
    assert page.state["take"] is None


def test_a_binding_goes_out_as_a_file_and_comes_back(served: Served, page: Page, files: Path, tmp_path: Path) -> None:
    bring(served, page, files / "talking.csv")
    triangle, barycentric = clicked(head(), LAYOUT["lip_lower"])
    page.do("PairMarker", marker="chin", triangle=triangle, barycentric=barycentric)
    status, headers, data = served.ask("GET", "/api/export/json")
    assert status == 200
    assert "talking" in headers["content-disposition"] or "default" in headers["content-disposition"]
    (tmp_path / "binding.json").write_bytes(data)
    before = [marker["point"] for marker in page.state["take"]["markers"]]
    page.do("Unbind")
    assert upload(served, tmp_path / "binding.json")[0] == 200
    page.until(lambda: page.state["take"]["bound"], "it is bound again")
    assert page.state["take"]["origin"] == "file"
    after = [marker["point"] for marker in page.state["take"]["markers"]]
    assert [point["vertices"] for point in after] == [point["vertices"] for point in before]
    (tmp_path / "binding.json").write_text('{"facewright_binding": 1}')
    status, word = upload(served, tmp_path / "binding.json")
    assert status == 400
    assert "markers" in word


BROKEN: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "empty.c3d": (lambda _: b"", "empty"),
    "noise.c3d": (lambda _: b"\x02\x50" + bytes(range(256)) * 8, "C3D"),
    "picture.c3d": (lambda _: b"GIF89a" + bytes(2000), "no C3D file"),
    "header only.c3d": (lambda folder: (folder / "talking.c3d").read_bytes()[:1024], "C3D"),
    "text.trc": (lambda _: b"hello", "PathFileType"),
    "no rows.trc": (lambda folder: b"\n".join((folder / "talking.trc").read_bytes().splitlines()[:5]), "no whole row"),
    "words.trc": (
        lambda folder: b"\n".join([*(folder / "talking.trc").read_bytes().splitlines()[:6], b"1\t0\tx\ty\tz"]),
        "no number",
    ),
    "one marker.csv": (lambda _: b"time,Chin_x,Chin_y\n0,1,\n", "row 2"),
    "backwards.csv": (lambda _: b"time,C_x,C_y,C_z\n1,0,0,0\n0,0,0,0\n", "does not come after"),
    "what.bvh": (lambda _: b"HIERARCHY", ".trc"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_take_is_refused_in_words_and_changes_nothing(
    served: Served, page: Page, files: Path, tmp_path: Path, name: str
) -> None:
    content, word = BROKEN[name]
    (tmp_path / name).write_bytes(content(files))
    status, told = upload(served, tmp_path / name)
    assert status in (400, 415), told
    assert word in told
    assert "facewright-" not in told, told
    assert page.ask("Ping")["type"] == "Pong"
    assert page.state["take"] is None
    assert page.state["history"]["labels"] == []


def test_a_truncated_take_gives_the_frames_that_are_whole_and_says_so(
    served: Served, page: Page, files: Path, tmp_path: Path
) -> None:
    data = (files / "talking.c3d").read_bytes()
    (tmp_path / "cut.c3d").write_bytes(data[: len(data) * 2 // 3])
    bring(served, page, tmp_path / "cut.c3d")
    assert 50 < page.state["take"]["frames"] < FRAMES
    assert any("ends early" in note for note in page.state["take"]["notes"])


def test_a_file_too_large_is_refused_with_what_works(served: Served, page: Page, tmp_path: Path) -> None:
    with (tmp_path / "big.c3d").open("wb") as file:
        file.truncate((64 << 20) + 1)
    status, told = upload(served, tmp_path / "big.c3d")
    assert status == 413
    assert "--upload-limit" in told
    assert page.ask("Ping")["type"] == "Pong"


def test_weights_come_as_a_clip_and_never_as_a_take(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "weights.csv").write_text("time,JawOpen,MouthSmile_L\n0,0,0\n1,0.5,1\n")
    assert upload(served, tmp_path / "weights.csv")[0] == 200
    page.until(lambda: page.state["clips"], "the clip is there")
    assert page.state["take"] is None
    assert {"jawOpen", "mouthSmileLeft"} <= set(page.state["clips"][0]["sliders"])


def test_a_take_below_a_named_folder_opens_by_its_path(served: Served, page: Page, files: Path) -> None:
    (served.folder / "talking.trc").write_bytes((files / "talking.trc").read_bytes())
    listed = {file["path"] for file in served.json("/api/files")["files"]}
    assert "takes/talking.trc" in listed
    page.do("OpenPath", path="takes/talking.trc")
    assert page.state["take"]["name"] == "talking"


@pytest.mark.long
def test_take_binding_and_clip_are_there_after_a_kill(tmp_path: Path, files: Path) -> None:
    with serving(tmp_path / "state") as one:
        page = one.page()
        bring(one, page, files / "talking.csv")
        triangle, barycentric = clicked(head(), LAYOUT["lip_lower"])
        page.do("PairMarker", marker="chin", triangle=triangle, barycentric=barycentric)
        solve(page)
        before = page.state
        one.kill()
    with serving(tmp_path / "state") as two:
        page = two.page()
        for name in ("take", "clips", "clip"):
            assert page.state[name] == before[name], name
        assert page.state["history"]["labels"] == ["Load take talking", "Bind chin", "Solve talking"]
        page.do("Undo")
        page.do("Undo")
        assert not any(marker["paired"] for marker in page.state["take"]["markers"])


def test_a_kill_in_the_middle_of_a_solve_leaves_no_process_and_all_that_was_done(tmp_path: Path, files: Path) -> None:
    with serving(tmp_path / "state") as one:
        page = one.page()
        bring(one, page, files / "long.c3d")
        page.do("SolveTake")
        page.until(lambda: page.state["solving"] and page.state["solving"]["speed"] > 0, "it is under way")
        pids = one.children(SOLVER)
        one.kill()
        end = time.monotonic() + PATIENCE
        while any(_is_solver(pid) for pid in pids):
            assert time.monotonic() < end, "the solver outlives the studio"
            time.sleep(0.05)
    with serving(tmp_path / "state") as two:
        page = two.page()
        assert page.state["take"]["bound"]
        assert page.state["solving"] is None
        assert page.state["clips"] == []


def _is_solver(pid: int) -> bool:
    try:
        return SOLVER in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
