"""The past takes a limited amount of memory: what values share is counted once, and the oldest steps are dropped."""

import gc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.rig.rig import Rig
from facewright.session import history
from facewright.session.edits.build import fresh_plan
from facewright.session.history import History, Step
from facewright.session.ids import ContentIds
from facewright.session.journal import MAGIC, Record, framed, restore
from facewright.session.session import Session
from facewright.session.sizes import added_bytes, held_bytes
from facewright.session.storage import blobs as storage
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.session.views.geometry import rig_id
from facewright.workflow.build.plan import BuildPlan, GivenFace
from tests.session.faces import document, face
from tests.session.memory_store import Memory

MEGA = 1 << 20


def with_note(size: int, fill: int) -> Callable[[Document], Document]:
    return lambda document: replace(document, attachments={"note": bytes([fill % 256]) * size})


def test_arrays_and_bytes_that_values_share_are_counted_once() -> None:
    one = document()
    pose = one.pose.nbytes  # every document has its own
    alone, both = held_bytes([one, replace(one, time=1.0)])
    assert both - alone == pose
    assert alone >= one.rig.neutral.nbytes + sum(shape.offsets.nbytes for shape in one.rig.shapes)
    bigger = replace(one, attachments={**one.attachments, "note": bytes(1000)})
    assert held_bytes([one, bigger])[-1] - alone == 1000 + pose
    assert added_bytes(one, bigger) == 1000 + pose
    assert added_bytes(one, one) == 0
    view = np.zeros((100, 3))
    assert held_bytes([(view, view[:50], view[1:].T)]) == [view.nbytes]


@pytest.mark.parametrize("added", [0, 1, 7])
def test_what_a_value_adds_is_never_underestimated(added: int) -> None:
    one = document()
    clips = (
        *[replace(one.clips[0], name=f"clip {i}") for i in range(added)],
        replace(document(3).clips[0], name="other"),
        *one.clips,
    )
    other = replace(one, clips=clips, pose=one.pose * 0.5)
    before, after = held_bytes([one, other])
    assert added_bytes(one, other) >= after - before > 0


def test_the_oldest_steps_are_dropped_once_they_take_too_much_and_the_present_one_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "LARGEST", 10 * MEGA)
    session = Session(document())
    for i in range(50):
        session.do(f"step {i}", with_note(MEGA, i))
        held = held_bytes((step.before, step.after) for step in session.history.steps)[-1]
        assert held <= 10 * MEGA
        assert session.history.labels[-1] == f"step {i}"
        assert session.history.at == len(session.history.steps)
    assert len(session.history.steps) >= 5
    session.do("huge", with_note(30 * MEGA, 1))
    assert session.history.labels == ["huge"]
    session.undo()
    assert len(session.value.attachments["note"]) == MEGA


def test_a_session_whose_first_steps_were_dropped_stays_unsaved_when_all_is_undone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "LONGEST", 3)
    session = Session(document())
    for i in range(5):
        session.do(f"step {i}", lambda d: replace(d, time=d.time + 1))
    session.go_to(0)
    assert session.unsaved
    session.mark_saved()
    assert not session.unsaved
    session.redo()
    assert session.unsaved


def test_the_past_of_a_build_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    size = held_bytes([face()])[0]
    session: Session[BuildPlan] = Session(fresh_plan())
    monkeypatch.setattr(history, "LARGEST", 8 * size)
    for i in range(30):
        session.do(f"face {i}", lambda plan, i=i: replace(plan, template=GivenFace(f"{i}", face(i), "file")))  # type: ignore[misc]
    assert 1 <= len(session.history.steps) <= 9
    assert session.value.template.name == "29"


def test_places_in_a_history_with_dropped_steps_are_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LARGEST", 6 * MEGA)
    session, codec, blobs = Session(document()), DocumentCodec(), Blobs(Memory())
    data = MAGIC + framed(Record("start", 0, codec.encode(None, session.value, blobs), saved=True))
    for i in range(1, 13):
        last = session.value
        session.do(f"step {i}", with_note(MEGA, i))
        data += framed(Record("new", i, codec.encode(last, session.value, blobs), f"step {i}", session.history.at))
    last = session.value
    session.undo()
    session.undo()
    data += framed(Record("moved", 13, codec.encode(last, session.value, blobs), at=session.history.at))
    monkeypatch.setattr(history, "LARGEST", 5 * MEGA)  # also where less fits than when it was written
    for _ in range(2):
        told = restore(data, codec, blobs)
        assert told is not None
        now = told.session
        assert now.history.labels[: now.history.at][-1:] in ([], ["step 10"])
        assert now.history.labels[now.history.at :] == ["step 11", "step 12"]
        now.redo()
        assert now.value.attachments["note"][0] == 11
        monkeypatch.setattr(history, "LARGEST", 6 * MEGA)


def test_a_damaged_step_does_not_shift_the_places_behind_it() -> None:
    codec, blobs, values = DocumentCodec(), Blobs(Memory()), [document()]
    pieces = [framed(Record("start", 0, codec.encode(None, values[0], blobs), saved=True))]
    for i in range(1, 7):
        values.append(replace(values[-1], time=float(i)))
        pieces.append(framed(Record("new", i, codec.encode(values[-2], values[-1], blobs), f"step {i}", i)))
    pieces.append(framed(Record("moved", 7, codec.encode(values[6], values[5], blobs), at=5)))
    told = restore(MAGIC + b"".join([*pieces[:3], *pieces[4:]]), codec, blobs)
    assert told is not None
    assert told.missing == 1
    assert told.session.value.time == 5.0
    told.session.redo()
    assert told.session.value.time == 6.0


def test_names_of_parts_are_remembered_up_to_a_limit_and_parts_in_use_are_found_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storage, "REMEMBERED", 2000)
    memory = Memory()
    blobs = Blobs(memory)
    parts = [bytes([i]) * 500 for i in range(40)]
    names = [blobs.keep(part, lambda part=part: part) for part in parts]  # type: ignore[misc]
    assert held_bytes([blobs._known])[0] <= 2000
    assert [blobs.find(name, bytes) for name in names] == parts
    assert blobs.bytes_used == 40 * 500
    assert len(memory.kept) == 40
    rig = face()
    name = blobs.keep(rig, lambda: bytes(1900))
    blobs.keep(parts[0], lambda: parts[0])
    blobs.keep(parts[1], lambda: parts[1])
    assert blobs.find(name, lambda data: pytest.fail("a part that is in use was read again")) is rig


def test_a_step_dropped_for_its_size_is_counted_with_what_is_amended() -> None:
    past: History[tuple[bytes, ...]] = History()
    past.add(Step("one", (), (bytes(10),)))
    past.amend_last((bytes(20),))
    assert [step.after for step in past.steps] == [(bytes(20),)]


def test_equal_values_are_shared_as_long_as_one_of_them_is_held() -> None:
    ids, one, other = ContentIds(), face(1), face(2)
    assert ids.shared(one, rig_id) is one
    assert ids.shared(other, rig_id) is other
    assert ids.shared(face(1), rig_id) is one
    name = ids.of(one, rig_id)
    assert ids.value(name, Rig) is one
    assert ids.value(name, Document) is None
    del one
    gc.collect()
    assert ids.value(name, Rig) is None
    assert ids.value(ids.of(other, rig_id), Rig) is other
