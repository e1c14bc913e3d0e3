"""Saving never loses what another program wrote, and a download is no save of what is in flight."""

from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.registry import load_document, save
from facewright.samples.mask import mask
from facewright.session.edits.pose import SetWeights
from facewright.studio import autosave
from facewright.studio.files import FileChanged, Folders
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace
from tests.studio.served import Page, Served
from tests.studio.test_conversation import CORNER, drag

RIG = mask(vertices=100, shapes=2)
FIRST, SECOND = RIG.sliders[:2]


class Studio:
    """A studio without its server, with a file open."""

    def __init__(self, state: Path, file: Path) -> None:
        self._state = StateDirectory(state)
        folders = Folders.of([file.parent])
        self.workspace = Workspace(self._state, folders, lambda run, newest=None: run(), str(file), skin=False)
        self.restored = self.workspace.begin(file)

    def pose(self, slider: str) -> None:
        self.workspace.context.apply(SetWeights(weights={slider: 0.5}))

    def save(self, path: str | None = None, *, replace: bool = False) -> None:
        self.workspace.save(path, replace=replace)

    def close(self) -> None:
        self.workspace.close()
        self._state.close()


def test_a_file_is_opened_at_the_start_though_there_is_no_room_for_reading_it_apart(tmp_path: Path) -> None:
    save(RIG, tmp_path / "face.glb")
    scratch = tmp_path / "state" / "studio-0" / "scratch"
    scratch.parent.mkdir(parents=True)
    scratch.write_bytes(b"no folder")
    studio = Studio(tmp_path / "state", tmp_path / "face.glb")
    assert studio.workspace.context.document.value.rig.sliders == RIG.sliders
    assert studio.workspace.context.name == "face"
    studio.close()


def pose_in(path: Path) -> list[float]:
    return [round(float(value), 6) for value in load_document(path).pose]


def test_two_studios_with_one_file_open_do_not_save_over_each_other(tmp_path: Path) -> None:
    save(RIG, tmp_path / "face.glb")
    one, two = (Studio(tmp_path / "state", tmp_path / "face.glb") for _ in range(2))
    one.pose(FIRST)
    one.save()
    two.pose(SECOND)
    with pytest.raises(FileChanged, match="exists already"):
        two.save()
    assert two.workspace.context.document.unsaved
    assert pose_in(tmp_path / "face.fwface") == [0.5, 0.0]
    two.save(replace=True)
    assert pose_in(tmp_path / "face.fwface") == [0.0, 0.5]
    two.save()
    with pytest.raises(FileChanged, match=r"face\.fwface has been changed by another program"):
        one.save()
    assert pose_in(tmp_path / "face.fwface") == [0.0, 0.5]
    one.close()
    two.close()


def test_a_file_that_was_changed_meanwhile_is_noticed_after_a_restart_too(tmp_path: Path) -> None:
    file = tmp_path / "face.fwface"
    save(RIG, file)
    before = Studio(tmp_path / "state", file)
    before.pose(FIRST)
    before.save()
    before.pose(SECOND)
    before.close()
    save(Document(RIG, pose=[0.25, 0.25]), file)
    after = Studio(tmp_path / "state", file)
    assert after.restored
    with pytest.raises(FileChanged, match="has been changed by another program"):
        after.save()
    after.save(replace=True)
    assert pose_in(file) == [0.5, 0.5]
    after.close()


def test_a_name_that_is_taken_is_not_saved_over(tmp_path: Path) -> None:
    for name in ("face.fwface", "other.fwface"):
        save(RIG, tmp_path / name)
    studio = Studio(tmp_path / "state", tmp_path / "face.fwface")
    studio.pose(FIRST)
    with pytest.raises(FileChanged, match="exists already"):
        studio.save(f"{tmp_path.name}/other.fwface")
    studio.save(f"{tmp_path.name}/new.fwface")
    studio.save()
    assert (pose_in(tmp_path / "other.fwface"), pose_in(tmp_path / "new.fwface")) == ([0.0, 0.0], [0.5, 0.0])
    studio.close()


def test_a_page_is_asked_before_another_file_is_replaced(served: Served, page: Page) -> None:
    page.do("SetWeights", weights={"jawOpen": 0.5})
    page.do("Save", path="rigs/shared.fwface")
    theirs = load_document(served.folder / "shared.fwface")
    save(Document(theirs.rig), served.folder / "shared.fwface")
    page.do("SetWeights", weights={"jawOpen": 0.75})
    answer = page.ask("Save")
    assert (answer["type"], answer["can_replace"]) == ("Refused", True)
    assert "rigs/shared.fwface has been changed by another program" in answer["message"]
    assert not load_document(served.folder / "shared.fwface").pose.any()
    assert page.state["file"]["unsaved"]
    page.do("Save", replace=True)
    assert load_document(served.folder / "shared.fwface").pose.max() == 0.75
    assert page.ask("Save", path="elsewhere/x.fwface")["can_replace"] is False
    (served.folder / "shared.fwface").unlink()


def test_downloading_in_the_middle_of_a_drag_keeps_the_drag_and_saves_nothing(served: Served, page: Page) -> None:
    drag(page, CORNER, gesture=7, commit=False)
    dragged = page.weights.copy()
    assert dragged.any()
    status, _, _ = served.ask("GET", "/api/export/fwface")
    assert status == 200
    page.do("Commit", gesture=7)
    assert page.state["history"]["labels"][-1] == "drag the corner"
    assert page.state["file"]["unsaved"]
    np.testing.assert_array_equal(page.weights, dragged)


def test_work_set_aside_twice_within_a_second_is_kept_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facewright.studio.autosave.time.strftime", lambda _: "2026-11-16 10-00-00")
    poses = ([0.25, 0.0], [0.0, 0.75])
    files = [autosave.set_aside(Document(RIG, pose=pose), "face", tmp_path) for pose in poses]
    assert [pose_in(file) for file in files] == [list(pose) for pose in poses]
