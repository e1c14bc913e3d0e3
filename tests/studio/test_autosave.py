"""What was committed is there after a kill, whatever was being written."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.registry import save
from facewright.session.journal import MAGIC, Record, Told, framed
from facewright.session.session import Session
from facewright.studio import autosave
from facewright.studio.autosave import Autosave, set_aside
from facewright.studio.slot import Slot
from tests.session.faces import document
from tests.session.test_journal import assert_same, edits

WRITER = """
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.session.faces import document
from facewright.session.session import Session
from facewright.studio.autosave import Autosave
session, keeper = Session(document()), Autosave(Path(sys.argv[1]))
keeper.start(session, {{"name": "face"}})
for i in range(1, 10**6):
    session.do(f"step {{i}}", lambda d: replace(d, time=float(i)))
    keeper.step(session, is_new=True)
    print(i, flush=True)
"""


def restored(folder: Path) -> Told:
    told = Autosave(folder).restore()
    assert told is not None
    return told


def always(after: Document) -> Callable[[Document], Document]:
    return lambda _: after


def test_a_session_goes_on_where_it_was(tmp_path: Path) -> None:
    found = edits(document())
    session, keeper = Session(found[0]), Autosave(tmp_path)
    keeper.start(session, {"name": "face", "saves_to": ""})
    for i, after in enumerate(found[1:], 1):
        session.do(f"step {i}", always(after))
        keeper.step(session, is_new=True)
    session.undo()
    keeper.step(session, is_new=False)
    keeper.close()
    told = restored(tmp_path)
    assert told.about == {"name": "face", "saves_to": ""}
    assert told.session.history.labels == session.history.labels
    assert told.session.unsaved
    np.testing.assert_array_equal(told.session.document.rig.neutral, session.document.rig.neutral)
    assert_same(replace(told.session.document, rig=session.document.rig), session.document)
    told.session.redo()
    assert_same(replace(told.session.document, rig=session.document.rig), found[-1])


def test_a_kill_at_any_moment_loses_no_step_that_was_reported(tmp_path: Path) -> None:
    script = WRITER.format(root=str(Path(__file__).resolve().parents[2]))
    for turn, steps in enumerate((1, 7, 40)):
        folder = tmp_path / str(turn)
        folder.mkdir()
        process = subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        last = 0
        while last < steps:
            last = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read().split()
        process.wait()
        process.stdout.close()
        reported = int(rest[-1]) if rest and rest[-1].isdigit() else last
        assert restored(folder).session.document.time >= reported


def test_a_torn_end_is_cut_off_and_the_journal_goes_on_behind_it(tmp_path: Path) -> None:
    session, keeper = Session(document()), Autosave(tmp_path)
    keeper.start(session, {})
    session.do("one", lambda d: replace(d, time=1.0))
    keeper.step(session, is_new=True)
    keeper.close()
    with (tmp_path / "journal").open("ab") as journal:
        journal.write(b"\x40\x00\x00\x00half a record")
    again = Autosave(tmp_path)
    told = again.restore()
    assert told is not None
    assert told.session.document.time == 1.0
    told.session.do("two", lambda d: replace(d, time=2.0))
    again.step(told.session, is_new=True)
    again.close()
    assert restored(tmp_path).session.history.labels == ["one", "two"]


def test_another_face_is_kept_whole_and_undo_leads_back(tmp_path: Path) -> None:
    session, keeper = Session(document()), Autosave(tmp_path)
    keeper.start(session, {})
    session.do("face", lambda d: document(2))
    keeper.step(session, is_new=True)
    keeper.close()
    told = restored(tmp_path)
    np.testing.assert_array_equal(told.session.document.rig.neutral, document(2).rig.neutral)
    told.session.undo()
    np.testing.assert_array_equal(told.session.document.rig.shapes[0].offsets, document().rig.shapes[0].offsets)


def test_a_long_journal_begins_anew_and_loses_nothing_but_its_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "LONGEST", 2000)
    session, keeper = Session(document()), Autosave(tmp_path)
    keeper.start(session, {"name": "face"})
    for i in range(50):
        session.do(f"step {i}", always(replace(session.document, pose=np.full(len(session.document.pose), i / 50))))
        keeper.step(session, is_new=True)
        assert (tmp_path / "journal").stat().st_size < 4000
    keeper.close()
    assert len(list(tmp_path.glob("base-*.fwface"))) == 1
    told = restored(tmp_path)
    assert told.session.document.pose[0] == 49 / 50
    assert told.session.unsaved
    assert told.about == {"name": "face"}


def test_saving_is_remembered(tmp_path: Path) -> None:
    session, keeper = Session(document()), Autosave(tmp_path)
    keeper.start(session, {})
    session.do("one", lambda d: replace(d, time=1.0))
    keeper.step(session, is_new=True)
    session.mark_saved()
    keeper.mark(session, {"name": "saved"})
    keeper.close()
    told = restored(tmp_path)
    assert not told.session.unsaved
    assert told.about == {"name": "saved"}


@pytest.mark.parametrize("content", [b"", b"FWJ1", b"nonsense", b"FWJ1\xff\xff\xff\xff\xff\xff\xff\xff"])
def test_a_journal_that_tells_nothing_is_no_harm(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert Autosave(tmp_path).restore() is None


def test_a_journal_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    save(document(), tmp_path / "base-1.fwface")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "journal").write_bytes(MAGIC + framed(Record(base="../base-1.fwface")))
    assert Autosave(tmp_path / "in").restore() is None


def test_work_set_aside_has_a_safe_name_and_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = set_aside(document(), "../../etc/pass wd?", tmp_path)
    assert path.parent == tmp_path
    assert path.is_file()
    monkeypatch.setattr(autosave, "_RECOVERED", 2)
    for name in ("a", "b", "c"):
        newest = set_aside(document(), name, tmp_path)
    assert newest.is_file()
    assert len(list(tmp_path.iterdir())) == 2


def test_each_running_studio_has_a_place_of_its_own_and_finds_it_again(tmp_path: Path) -> None:
    one, two = Slot(tmp_path), Slot(tmp_path)
    assert one.folder != two.folder
    assert one.token() != two.token()
    assert one.token() == one.token()
    assert (one.folder / "token").stat().st_mode & 0o077 == 0
    one.keep_port(4321)
    place, token = one.folder, one.token()
    one.close()
    again = Slot(tmp_path)
    assert (again.folder, again.token(), again.port()) == (place, token, 4321)
    again.close()
    two.close()
