"""Files are read in a process of its own: what it hands over is what was read, and it can be stopped and limited."""

import queue
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats.registry import load_document, save
from facewright.image.encoded import Encoded
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.binding import Binding, bind_vertices
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.storage.opened import Wanted, get_opened, put_opened
from facewright.session.tasks import loading
from facewright.session.tasks.loading import (
    BoundTake,
    Loaded,
    Loading,
    LoadingInfo,
    PictureLoading,
    StopLoading,
    load_face,
)
from facewright.workflow.open import Landmarks, open_any
from tests.formats.format_rigs import assert_same_clip
from tests.session.faces import document
from tests.session.test_journal import assert_same, edits

PATIENCE = 60.0


class Session:
    """A context whose thread is the test's own."""

    def __init__(self, scratch: Path) -> None:
        self._posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.context = Context(document(), fresh_plan(), lambda run, newest=None: self._posted.put(run))
        self.context.scratch = scratch
        self.loading = self.context.task(Loading)
        self.heard: list[Loaded | Exception] = []

    def read(self, path: Path, wanted: Wanted = "any") -> None:
        self.loading.start(path, path.name, wanted, self.heard.append)

    def until_heard(self, count: int) -> Loaded | Exception:
        while len(self.heard) < count:
            self._posted.get(timeout=PATIENCE)()
        return self.heard[-1]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    found = Session(tmp_path / "scratch")
    yield found
    found.loading.close()
    assert list((tmp_path / "scratch").glob("*")) == []


def handed_over(found: Any, folder: Path) -> Any:
    folder.mkdir(parents=True)
    put_opened(found, folder)
    return get_opened(folder)


def test_documents_are_handed_over_as_they_are(tmp_path: Path) -> None:
    for number, one in enumerate(edits(document())):
        again = handed_over(one, tmp_path / str(number))
        np.testing.assert_array_equal(again.rig.neutral, one.rig.neutral)
        np.testing.assert_array_equal(again.rig.deltas(), one.rig.deltas())
        assert again.rig.sliders == one.rig.sliders
        assert dict(again.attachments) == dict(one.attachments)
        assert again.extra == one.extra
        assert_same(replace(again, rig=one.rig), one)


def test_clips_takes_bindings_and_pictures_are_handed_over_as_they_are(tmp_path: Path) -> None:
    one = document()
    assert_same_clip(handed_over(one.clips[0], tmp_path / "clip"), one.clips[0])
    positions = np.random.default_rng(1).normal(size=(5, 2, 3))
    positions[2, 1] = np.nan
    take = Take(("a", "b"), positions, 120.0, "mm", "walk", ("a note",))
    again = handed_over(take, tmp_path / "take")
    np.testing.assert_array_equal(again.positions, take.positions)
    for name in ("names", "rate", "unit", "name", "notes"):
        assert getattr(again, name) == getattr(take, name), name
    binding = bind_vertices(one.rig, {"a": 3, "b": 5})
    found = handed_over(binding, tmp_path / "binding")
    assert isinstance(found, Binding)
    assert found.markers == binding.markers
    np.testing.assert_array_equal(found.barycentric, binding.barycentric)
    picture = Encoded(b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 3, 4) + b"...")
    assert handed_over(picture, tmp_path / "picture").data == picture.data
    with pytest.raises(BadFile, match="the studio opens"):
        handed_over(Landmarks([]), tmp_path / "none")


def test_what_is_handed_over_names_no_file_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    handed_over(document(), folder)
    part = next(path for path in folder.iterdir() if path.name != "note")
    part.rename(tmp_path / part.name)
    note = (folder / "note").read_bytes()
    (folder / "note").write_bytes(note.replace(part.name.encode(), b"../" + part.name.encode()[:-3]))
    with pytest.raises((FacewrightError, OSError)):
        get_opened(folder)


def test_files_are_read_one_after_the_other_and_what_is_read_is_shown(session: Session, tmp_path: Path) -> None:
    save(document(), tmp_path / "one.fwface")
    save(document(2), tmp_path / "two.fwface")
    (tmp_path / "broken.glb").write_bytes(b"glTF nonsense")
    session.read(tmp_path / "one.fwface")
    session.read(tmp_path / "broken.glb")
    session.read(tmp_path / "two.fwface", "face")
    assert session.loading.info == LoadingInfo("one.fwface", 2)
    first = session.until_heard(1)
    assert session.loading.info == LoadingInfo("broken.glb", 1)
    assert isinstance(first, Document)
    expected = load_document(tmp_path / "one.fwface")
    assert_same(replace(first, rig=expected.rig), expected)
    broken = session.until_heard(2)
    assert isinstance(broken, BadFile)
    assert "broken.glb" in str(broken)
    assert str(tmp_path) not in str(broken)
    second = session.until_heard(3)
    assert isinstance(second, Document)
    np.testing.assert_array_equal(second.rig.neutral, load_document(tmp_path / "two.fwface").rig.neutral)
    assert session.loading.info is None


def test_reading_can_be_stopped_and_the_next_file_is_read(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadValue, match="no file is being read"):
        StopLoading().run(session.context)
    monkeypatch.setattr(loading, "read_into", read_for_ever)
    session.read(tmp_path / "endless.csv")
    session.read(tmp_path / "waits.csv")
    StopLoading().run(session.context)
    assert [str(each) for each in session.heard] == [
        "Reading endless.csv was stopped.",
        "Reading waits.csv was stopped.",
    ]
    assert session.loading.info is None
    monkeypatch.undo()
    save(document(), tmp_path / "one.fwface")
    session.read(tmp_path / "one.fwface")
    assert isinstance(session.until_heard(3), Document)


def test_a_face_that_is_read_for_its_picture_keeps_nobody_waiting_and_is_not_stopped(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(document(), tmp_path / "one.fwface")
    pictures = session.context.task(PictureLoading)
    drawn: list[Loaded | Exception] = []
    with monkeypatch.context() as endless:
        endless.setattr(loading, "read_into", read_for_ever)
        pictures.start(tmp_path / "one.fwface", "one.fwface", "face", drawn.append)
    assert session.loading.info is None
    with pytest.raises(BadValue, match="no file is being read"):
        StopLoading().run(session.context)
    session.read(tmp_path / "one.fwface")
    assert session.loading.info == LoadingInfo("one.fwface", 0)
    assert isinstance(session.until_heard(1), Document)
    assert drawn == []
    pictures.close()


def test_reading_is_ended_where_it_takes_too_long_or_too_much_memory(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "SECONDS", 0.2)
    monkeypatch.setattr(loading, "read_into", read_for_ever)
    session.read(tmp_path / "endless.csv")
    assert "took longer than 0.2 seconds" in str(session.until_heard(1))
    monkeypatch.setattr(loading, "SECONDS", PATIENCE)
    monkeypatch.setattr(loading, "MEMORY", 64 << 20)
    monkeypatch.setattr(loading, "read_into", read_much)
    session.read(tmp_path / "huge.csv")
    assert "huge.csv: Unable to allocate 2.00 GiB" in str(session.until_heard(2))


@pytest.mark.long
def test_a_face_that_is_waited_for_is_read_within_the_same_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(document(), tmp_path / "face.fwface")
    found = load_face(tmp_path / "face.fwface", tmp_path / "scratch")
    np.testing.assert_array_equal(found.rig.neutral, document().rig.neutral)
    with pytest.raises(BadFile, match=r"none\.glb: there is no such file"):
        load_face(tmp_path / "none.glb", tmp_path / "scratch")
    monkeypatch.setattr(loading, "SECONDS", 0.2)
    monkeypatch.setattr(loading, "read_into", read_for_ever)
    with pytest.raises(BadFile, match=r"face\.fwface: this took longer than 0\.2 seconds"):
        load_face(tmp_path / "face.fwface", tmp_path / "scratch")
    assert list((tmp_path / "scratch").glob("*")) == []


def read_for_ever(task: Any, *_: object) -> None:
    threading.Event().wait()


def read_much(task: Any, *_: object) -> None:
    np.ones(1 << 28)


def test_a_take_read_in_the_other_process_is_the_one_that_is_read_here(session: Session, tmp_path: Path) -> None:
    rows = [f"{frame},{frame / 60},{frame}.5,2,3,4,5,-1" for frame in range(5)]
    path = tmp_path / "walk.csv"
    path.write_text("\n".join(["frame,time,a_x,a_y,a_z,b_x,b_y,b_z", *rows]))
    here = open_any(path, name="walk.csv")
    session.read(path)
    found = session.until_heard(1)
    assert isinstance(found, BoundTake)
    assert found.tried.rig is session.context.document.value.rig
    assert found.tried.binding is None  # two markers whose names say nothing
    there = found.take
    assert type(there) is type(here)
    assert isinstance(here, Take | Clip)
    assert there.name == here.name == "walk"
