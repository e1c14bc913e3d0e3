"""What was committed is there after a kill, whatever was being written."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from facewright.document import Document
from facewright.formats.registry import save
from facewright.session.edits.build import TrustExamples
from facewright.session.journal import MAGIC, Record, Restored, framed
from facewright.session.session import Session
from facewright.session.storage.document import DocumentCodec
from facewright.session.storage.plan import PlanCodec
from facewright.studio import autosave
from facewright.studio.autosave import Autosave, set_aside
from facewright.studio.files import Folders
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace
from tests.session.faces import document
from tests.session.test_journal import assert_same, edits

EARLIER_STATE = Path(__file__).parent / "earlier_state"  # as version 0.1.0 of 16 November 2026 left it, killed
EARLIER_STEPS = (
    "Move mouth001Left",
    "Add pin",
    "Key mouth001Left",
    "Move mouth001Right",
    "Key mouth001Left and 1 more",
    "Load take take",
    "Move mouth001Right",
)
EARLIER_WEIGHTS = (0.5, 0.75, 0.0, 0.0, 0.0)

WRITER = """
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.session.faces import document
from facewright.session.session import Session
from facewright.session.storage.document import DocumentCodec
from facewright.studio.autosave import Autosave
session, keeper = Session(document()), Autosave(Path(sys.argv[1]), DocumentCodec())
keeper.start(session, {{"name": "face"}})
for i in range(1, 10**6):
    session.do(f"step {{i}}", lambda d: replace(d, time=float(i)))
    keeper.step(session, "new")
    print(i, flush=True)
"""


def at_time(time: float) -> Callable[[Document], Document]:
    return lambda document: replace(document, time=time)


def posed_at(value: float) -> Callable[[Document], Document]:
    return lambda document: replace(document, pose=np.full(len(document.pose), value))


def turned_into(after: Document) -> Callable[[Document], Document]:
    return lambda _: after


def kept_in(folder: Path) -> Autosave[Document]:
    return Autosave(folder, DocumentCodec())


def restored(folder: Path) -> Restored[Document]:
    keeper = kept_in(folder)
    told = keeper.restore()
    keeper.close()
    assert told is not None
    return told


def test_what_an_earlier_version_kept_is_restored(tmp_path: Path) -> None:
    shutil.copytree(EARLIER_STATE / "document", tmp_path / "document")
    found = restored(tmp_path / "document")
    value = found.session.value
    assert (found.missing, found.session.unsaved) == (0, True)
    assert tuple(found.session.history.labels[: found.session.history.at]) == EARLIER_STEPS
    assert found.session.history.labels[-1] == "Move mouth002Left"
    assert tuple(value.pose) == EARLIER_WEIGHTS
    assert [(clip.name, sorted(clip.curves)) for clip in value.clips] == [("clip 1", ["mouth001Left", "mouth001Right"])]
    assert [pin.vertex for pin in value.pins] == [7]
    assert value.captured is not None
    assert len(value.captured.take) == 4


def test_a_session_goes_on_where_it_was(tmp_path: Path) -> None:
    found = edits(document())
    session, keeper = Session(found[0]), kept_in(tmp_path)
    keeper.start(session, {"name": "face", "saves_to": ""})
    for i, after in enumerate(found[1:], 1):
        session.do(f"step {i}", turned_into(after))
        keeper.step(session, "new")
    session.undo()
    keeper.step(session, "moved")
    keeper.close()
    told = restored(tmp_path)
    assert told.about == {"name": "face", "saves_to": ""}
    assert told.session.history.labels == session.history.labels
    assert told.session.unsaved
    np.testing.assert_array_equal(told.session.value.rig.neutral, session.value.rig.neutral)
    assert_same(replace(told.session.value, rig=session.value.rig), session.value)
    told.session.redo()
    assert_same(replace(told.session.value, rig=session.value.rig), found[-1])


@pytest.mark.parametrize("steps", [7, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 40))])
def test_a_kill_at_any_moment_loses_no_step_that_was_reported(tmp_path: Path, steps: int) -> None:
    script = WRITER.format(root=str(Path(__file__).resolve().parents[2]))
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    last = 0
    while last < steps:
        last = int(process.stdout.readline())
    process.kill()
    rest = process.stdout.read().split()
    process.wait()
    process.stdout.close()
    reported = int(rest[-1]) if rest and rest[-1].isdigit() else last
    assert restored(tmp_path).session.value.time >= reported


def test_a_torn_end_is_cut_off_and_the_journal_goes_on_behind_it(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    session.do("one", lambda d: replace(d, time=1.0))
    keeper.step(session, "new")
    keeper.close()
    with (tmp_path / "journal").open("ab") as journal:
        journal.write(framed(Record("new", 2, b"never written to its end", "two", 2))[:-5])
    again = kept_in(tmp_path)
    told = again.restore()
    assert told is not None
    assert told.session.value.time == 1.0
    told.session.do("two", lambda d: replace(d, time=2.0))
    again.step(told.session, "new")
    again.close()
    assert restored(tmp_path).session.history.labels == ["one", "two"]


def test_another_face_is_kept_whole_and_undo_leads_back(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    session.do("face", lambda d: document(2))
    keeper.step(session, "new")
    keeper.close()
    told = restored(tmp_path)
    np.testing.assert_array_equal(told.session.value.rig.neutral, document(2).rig.neutral)
    told.session.undo()
    np.testing.assert_array_equal(told.session.value.rig.shapes[0].offsets, document().rig.shapes[0].offsets)


def test_a_long_journal_begins_anew_and_loses_nothing_but_its_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "LONGEST", 2000)
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {"name": "face"})
    parts = len(list((tmp_path / "parts").iterdir()))
    for i in range(50):
        session.do(f"step {i}", posed_at(i / 50))
        keeper.step(session, "new")
        assert (tmp_path / "journal").stat().st_size < 6000
    keeper.close()
    assert len(list((tmp_path / "parts").iterdir())) == parts
    told = restored(tmp_path)
    assert told.session.value.pose[0] == 49 / 50
    assert told.session.unsaved
    assert told.about == {"name": "face"}


def test_saving_is_remembered(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    session.do("one", lambda d: replace(d, time=1.0))
    keeper.step(session, "new")
    session.mark_saved()
    keeper.mark(session, {"name": "saved"})
    keeper.close()
    told = restored(tmp_path)
    assert not told.session.unsaved
    assert told.about == {"name": "saved"}


@pytest.mark.parametrize(
    "content", [b"", b"FWJ2", b"nonsense", b"FWJ2\xf5FWr\xff\xff\xff\xff\xff\xff\xff\xff", b"FWJ1old"]
)
def test_a_journal_that_tells_nothing_is_no_harm(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert kept_in(tmp_path).restore() is None


def test_a_journal_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    keeper = kept_in(tmp_path / "in")
    keeper.start(Session(document()), {})
    keeper.close()
    part = next(path for path in (tmp_path / "in" / "parts").iterdir())
    part.rename(tmp_path / "in" / part.name)
    journal = (tmp_path / "in" / "journal").read_bytes()
    name = part.name.encode()
    for other in (b"../" + name[:-3], b"." * len(name), b"/etc/passwd".ljust(len(name), b"x")):
        record = msgspec.msgpack.decode(journal[len(MAGIC) + 12 :], type=Record)
        record.changes = record.changes.replace(name, other)
        (tmp_path / "in" / "journal").write_bytes(MAGIC + framed(record))
        assert kept_in(tmp_path / "in").restore() is None


def test_a_face_is_kept_once_however_often_it_is_changed_and_undone(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    other = document(2)
    for i in range(20):
        session.do(f"face {i}", lambda d: other)
        keeper.step(session, "new")
        session.undo()
        keeper.step(session, "moved")
    parts = list((tmp_path / "parts").iterdir())
    assert len(parts) == 2 + len(document().attachments)
    keeper.close()
    assert restored(tmp_path).session.history.labels == ["face 19"]


def test_parts_that_nothing_names_any_more_are_swept_at_the_start(tmp_path: Path) -> None:
    keeper = kept_in(tmp_path)
    keeper.start(Session(document()), {})
    keeper.close()
    (tmp_path / "parts" / "abc").write_bytes(b"left by an older journal")
    before = {path.name for path in (tmp_path / "parts").iterdir()} - {"abc"}
    restored(tmp_path)
    assert {path.name for path in (tmp_path / "parts").iterdir()} == before


class FullDisk:
    """Lets the system refuse to write more than so many bytes to a file, as a full disk does."""

    def __init__(self, bytes: int) -> None:
        self._bytes = bytes

    def __enter__(self) -> None:
        resource = pytest.importorskip("resource", reason="this system sets no limit to the size of a file")
        self._set = partial(resource.setrlimit, resource.RLIMIT_FSIZE)
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self._handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self._set((self._bytes, self._before[1]))

    def __exit__(self, *_: object) -> None:
        self._set(self._before)
        signal.signal(signal.SIGXFSZ, self._handler)


def test_after_a_full_disk_no_step_is_lost_and_trouble_is_said_as_long_as_it_lasts(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {"name": "face"})
    for i in range(30):
        session.do(f"step {i}", at_time(i + 1.0))
        if i in (7, 8, 9):
            with FullDisk((tmp_path / "journal").stat().st_size + 20 if i == 7 else 20):
                keeper.step(session, "new")
            assert "Autosave does not work" in keeper.trouble
        else:
            keeper.step(session, "new")
            assert keeper.trouble == ""
        if i == 9:  # a kill while the disk is full
            told = restored(tmp_path)
            assert told.session.value.time == 7.0
            assert told.missing == 0
    keeper.close()
    told = restored(tmp_path)
    assert told.session.value.time == 30.0
    assert told.session.history.labels[-1] == "step 29"


def test_another_face_opened_on_a_full_disk_leaves_the_old_journal_with_its_own_file(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {"name": "one", "saves_to": "one.fwface"})
    other = Session(document(2))
    with FullDisk(100):
        keeper.start(other, {"name": "two", "saves_to": "two.fwface"})
        other.do("step", lambda d: replace(d, time=5.0))
        keeper.step(other, "new")
    assert keeper.trouble
    told = restored(tmp_path)
    assert told.about == {"name": "one", "saves_to": "one.fwface"}
    np.testing.assert_array_equal(told.session.value.rig.neutral, document().rig.neutral)
    keeper.step(other, "new")
    assert keeper.trouble == ""
    keeper.close()
    told = restored(tmp_path)
    assert told.about == {"name": "two", "saves_to": "two.fwface"}
    assert told.session.value.time == 5.0


def test_a_damaged_journal_is_kept_aside_and_what_is_missing_is_counted(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    ends = []
    for i in range(10):
        session.do(f"step {i}", at_time(i + 1.0))
        keeper.step(session, "new")
        ends.append((tmp_path / "journal").stat().st_size)
    keeper.close()
    data = bytearray((tmp_path / "journal").read_bytes())
    data[ends[3] + 15] ^= 4
    (tmp_path / "journal").write_bytes(data)
    told = restored(tmp_path)
    assert told.missing == 1
    assert told.session.value.time == 10.0
    assert "step 4" not in told.session.history.labels
    assert len(told.session.history.labels) == 9
    aside = list(tmp_path.glob("damaged *"))
    assert [path.read_bytes() for path in aside] == [bytes(data)]
    assert restored(tmp_path).missing == 0


def test_a_damaged_last_step_is_said_to_be_missing_too(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    for i in range(3):
        session.do(f"step {i}", at_time(i + 1.0))
        keeper.step(session, "new")
    keeper.close()
    data = bytearray((tmp_path / "journal").read_bytes())
    data[-3] ^= 4
    (tmp_path / "journal").write_bytes(data)
    told = restored(tmp_path)
    assert told.missing == 1
    assert told.session.history.labels == ["step 0", "step 1"]
    assert [path.read_bytes() for path in tmp_path.glob("damaged *")] == [bytes(data)]


def test_a_part_that_was_damaged_is_written_again_where_it_is_needed_again(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    keeper.close()
    largest = max((tmp_path / "parts").iterdir(), key=lambda path: path.stat().st_size)
    data = bytearray(largest.read_bytes())
    data[len(data) // 2] ^= 1
    largest.write_bytes(data)
    again = kept_in(tmp_path)
    assert again.restore() is None
    again.start(session, {})
    again.close()
    np.testing.assert_array_equal(restored(tmp_path).session.value.rig.neutral, session.value.rig.neutral)


def test_a_flush_that_failed_is_said_without_another_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})

    def fails(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    session.do("step", at_time(1.0))
    keeper.step(session, "new")
    end = time.monotonic() + 60
    while not keeper.trouble and time.monotonic() < end:  # the flush is in a thread of its own
        assert keeper.check(session)
    assert "Input/output error" in keeper.trouble
    monkeypatch.undo()
    assert keeper.check(session)
    assert keeper.trouble == ""
    keeper.close()
    assert restored(tmp_path).session.value.time == 1.0


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
    one, two = StateDirectory(tmp_path), StateDirectory(tmp_path)
    assert one.folder != two.folder
    assert one.token() != two.token()
    assert one.token() == one.token()
    assert (one.folder / "token").stat().st_mode & 0o077 == 0
    one.keep_port(4321)
    place, token = one.folder, one.token()
    one.close()
    again = StateDirectory(tmp_path)
    assert (again.folder, again.token(), again.port()) == (place, token, 4321)
    again.close()
    two.close()


def test_a_studio_whose_whole_state_is_damaged_starts_and_says_where_it_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "studio-0"
    for name in ("document/journal", "build/journal", "preferences.json", "token", "port"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"\xff\x00nonsense")
    state = StateDirectory(tmp_path)
    workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
    assert not workspace.begin(None)
    (notice,) = workspace.context.notices()
    (kept,) = (folder / "document").glob("damaged *")
    assert str(kept) in notice
    assert kept.read_bytes() == b"\xff\x00nonsense"
    assert workspace.trouble == ""
    workspace.close()
    state.close()


SMALL = ("lock", "token", "port", "preferences.json", "document/journal", "document/parts", "document", "build")
CONTENTS = (
    b"", b"\0" * 5000, b"\xff\xfe", b"{", b"[" * 100_000, b"9" * 5000, b"-1", b'{"method": "none"}',
    b'{"method": 1e999}', b'{"view": []}', b"FWJ2", "²".encode(), None, "a folder", "a link to itself", "a pipe",
)  # fmt: skip


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SMALL)
def test_a_state_file_that_is_anything_at_all_does_not_stop_a_start(tmp_path: Path, name: str, every: int) -> None:
    for number, content in list(enumerate(CONTENTS))[SMALL.index(name) % every :: every]:
        path = tmp_path / str(number) / "studio-0" / name
        path.parent.mkdir(parents=True)
        match content:
            case bytes():
                path.write_bytes(content)
            case "a folder":
                (path / "below").mkdir(parents=True)
            case "a link to itself":
                path.symlink_to(path)
            case "a pipe":
                os.mkfifo(path)
        state = StateDirectory(tmp_path / str(number))
        workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
        workspace.begin(None)
        assert len(state.token()) > 40
        assert 0 <= state.port() < 65536
        workspace.context.document.do("step", at_time(3.0))
        workspace.context.on_step("document", "new")
        assert workspace.trouble == "", content
        workspace.close()
        assert restored(state.folder / "document").session.value.time == 3.0
        state.close()


def test_parts_that_a_damaged_journal_names_are_kept_with_it(tmp_path: Path) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    session.do("face", lambda d: document(2))
    keeper.step(session, "new")
    keeper.close()
    data = (tmp_path / "journal").read_bytes()
    parts = {path.name for path in (tmp_path / "parts").iterdir()}
    (tmp_path / "journal").write_bytes(data[:30] + bytes([data[30] ^ 1]) + data[31:])
    again = kept_in(tmp_path)
    assert again.restore() is None
    assert again.damaged
    again.start(Session(document(3)), {})
    again.close()
    assert {path.name for path in (tmp_path / "parts").iterdir()} > parts
    (tmp_path / "journal").write_bytes(data)
    np.testing.assert_array_equal(restored(tmp_path).session.value.rig.neutral, document(2).rig.neutral)


def test_a_journal_of_many_large_parts_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, keeper = Session(document()), kept_in(tmp_path)
    keeper.start(session, {})
    size = sum(path.stat().st_size for path in (tmp_path / "parts").iterdir())
    monkeypatch.setattr(autosave, "LARGEST", 3 * size)
    for i in range(2, 20):
        session.do(f"face {i}", turned_into(document(i)))
        keeper.step(session, "new")
        assert sum(path.stat().st_size for path in (tmp_path / "parts").iterdir()) < 6 * size
    keeper.close()
    np.testing.assert_array_equal(restored(tmp_path).session.value.rig.neutral, document(19).rig.neutral)


def test_a_build_that_cannot_be_shown_is_set_aside_alone(tmp_path: Path) -> None:
    state = StateDirectory(tmp_path)
    workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
    workspace.begin(None)
    context = workspace.context
    context.document.do("step", at_time(3.0))
    context.on_step("document", "new")
    context.apply(TrustExamples(trust=0.25))

    def check() -> None:
        if context.plan.value.trust == 0.25:
            raise ValueError("too large for a frame")

    workspace.ensure_shown(check)
    (notice,) = context.notices()
    (kept,) = state.folder.glob("build 2*")
    assert f"The build of the last time cannot be shown (too large for a frame). It is kept as {kept}." == notice
    assert (context.document.value.time, context.plan.value.trust) == (3.0, 0.5)
    workspace.close()
    state.close()


def test_a_file_that_cannot_be_shown_is_named(tmp_path: Path) -> None:
    save(Document(document().rig, time=3.0), tmp_path / "odd.fwface")
    state = StateDirectory(tmp_path / "state")
    workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
    workspace.begin(tmp_path / "odd.fwface")

    def check() -> None:
        if workspace.context.name == "odd":
            raise ValueError("too large for a frame")

    workspace.ensure_shown(check)
    (notice,) = workspace.context.notices()
    assert notice == "odd cannot be shown: too large for a frame. The embedded head is open instead."
    workspace.close()
    state.close()


def test_a_folder_that_cannot_be_renamed_keeps_its_journal_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, keeper = Session(document()), kept_in(tmp_path / "document")
    keeper.start(session, {})
    session.do("step", at_time(3.0))
    keeper.step(session, "new")
    data = (tmp_path / "document" / "journal").read_bytes()

    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    kept = keeper.set_aside()
    keeper.start(Session(document(2)), {})
    keeper.close()
    assert kept.parent == tmp_path / "document"
    assert kept.read_bytes() == data
    monkeypatch.undo()
    np.testing.assert_array_equal(restored(tmp_path / "document").session.value.rig.neutral, document(2).rig.neutral)


def test_a_fresh_start_sets_the_build_aside_too(tmp_path: Path) -> None:
    for fresh in (False, True):
        state = StateDirectory(tmp_path)
        workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
        workspace.begin(None, fresh=fresh)
        if not fresh:
            workspace.context.apply(TrustExamples(trust=0.25))
        workspace.close()
        state.close()
    assert workspace.context.plan.value.trust == 0.5
    (kept,) = state.folder.glob("build 2*")
    assert workspace.context.notices() == [f"The build of the last time is kept as {kept}."]
    told = Autosave(kept, PlanCodec()).restore()
    assert told is not None
    assert told.session.value.trust == 0.25


def test_what_cannot_be_shown_is_set_aside_at_the_start_and_said(tmp_path: Path) -> None:
    state = StateDirectory(tmp_path)
    workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
    workspace.begin(None)
    workspace.context.document.do("step", at_time(3.0))
    workspace.context.on_step("document", "new")

    def check() -> None:
        if workspace.context.document.value.time == 3.0:
            raise ValueError("too large for a frame")

    workspace.ensure_shown(check)
    (notice,) = workspace.context.notices()
    (kept,) = state.folder.glob("document 2*")
    assert str(kept) in notice
    assert "too large for a frame" in notice
    assert restored(kept).session.value.time == 3.0
    assert workspace.context.document.value.time == 0.0
    assert workspace.context.name == "default"
    assert workspace.trouble == ""
    workspace.close()
    assert restored(state.folder / "document").session.value.time == 0.0
    state.close()
