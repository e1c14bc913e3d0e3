"""A session is told again from its journal, whatever happened to the end of it."""

import itertools
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadFile
from facewright.motion.curve import Curve
from facewright.regions.local_pose import weights_of
from facewright.session.changes import Changes, changed, changes, same_base
from facewright.session.commands import clips, keys, regions, weights
from facewright.session.commands.time import choose_clip, go_to_time
from facewright.session.journal import MAGIC, Record, framed, tell
from facewright.session.session import Session
from facewright.workflow.solver_cache import SolverCache
from tests.formats.format_rigs import assert_same_clip
from tests.session.faces import document


def edits(one: Document) -> list[Document]:
    """The document after each of several edits."""
    steps = [
        lambda d: replace(d, pose=d.pose * 0.5),
        lambda d: replace(d, pins=(PlacedPin(id=2, triangle=1, barycentric=(0.5, 0.25, 0.25), hold=True),)),
        lambda d: replace(d, held=HeldPoints(np.array([3, 8]), np.array([1, 6]), True, 2.5)),
        lambda d: replace(d, locked=d.rig.sliders[:2]),
        lambda d: choose_clip(d, "take"),
        lambda d: keys.set_keys(d, 0.75),
        lambda d: keys.set_interpolation(d, "cubic", [d.rig.sliders[0]]),
        lambda d: clips.rename_clip(d, "take", "other"),
        lambda d: clips.create_clip(d, "third", copy_of="other"),
        lambda d: go_to_time(d, 0.3),
        lambda d: clips.delete_clip(d, "other"),
        lambda d: regions.find_regions(d, 0.6),
        lambda d: weights.set_weights(d, {d.rig.sliders[5]: 0.9}, SolverCache(), d.regions.names[1]),
        lambda d: keys.set_keys(d, 0.2),
        lambda d: regions.rename_region(d, d.regions.names[1], "another name"),
        lambda d: regions.split_in_two(d, d.regions.names[0], SolverCache()),
        lambda d: regions.remove_regions(d),
    ]
    found = [one]
    for step in steps:
        found.append(step(found[-1]))
    return found


def assert_same(one: Document, other: Document) -> None:
    assert one.rig is other.rig
    np.testing.assert_array_equal(one.pose, other.pose)
    for name in ("pins", "locked", "clip", "time"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("vertices", "axes"):
        np.testing.assert_array_equal(getattr(one.held, name), getattr(other.held, name))
    assert (one.held.on, one.held.alpha) == (other.held.on, other.held.alpha)
    assert (one.regions is None) == (other.regions is None)
    if one.regions is not None and other.regions is not None:
        assert one.regions.names == other.regions.names
        assert (one.regions.weights != other.regions.weights).nnz == 0
    np.testing.assert_array_equal(weights_of(one), weights_of(other))
    assert len(one.clips) == len(other.clips)
    for a, b in zip(one.clips, other.clips, strict=True):
        assert_same_clip(a, b)


def test_changes_lead_from_any_document_of_a_session_to_any_other() -> None:
    found = edits(document())
    for before in found:
        for after in found:
            by = msgspec.msgpack.decode(msgspec.msgpack.encode(changes(before, after)), type=Changes)
            assert_same(changed(before, by), after)


def test_a_step_that_moves_one_slider_is_small_beside_a_long_clip() -> None:
    one = document()
    long = Document(one.rig, (clips.Clip("take", {one.rig.sliders[0]: _long_curve()}),), one.pose)
    two = replace(long, pose=long.pose * 0.5)
    assert len(msgspec.msgpack.encode(changes(long, two))) < 500
    keyed = keys.set_keys(choose_clip(two, "take"), 0.5, [one.rig.sliders[1]])
    assert len(msgspec.msgpack.encode(changes(two, keyed))) < 1000


def _long_curve() -> Curve:
    return Curve(np.arange(20_000) / 60, np.zeros(20_000))


def test_another_rig_is_not_told_by_changes() -> None:
    one = document()
    assert not same_base(one, replace(one, rig=document(2).rig, pose=None))
    assert not same_base(one, replace(one, attachments={}))
    assert same_base(one, replace(one, time=3.0))


def journal(base: Document, found: list[Document]) -> tuple[bytes, list[int]]:
    """A journal of steps, and where each of its records ends."""
    data, ends = MAGIC + framed(Record(base="a", saved=True, about={"name": "face"})), []
    ends.append(len(data))
    for i, (before, after) in enumerate(itertools.pairwise(found), 1):
        data += framed(Record(label=f"step {i}", at=i, changes=changes(before, after)))
        ends.append(len(data))
    return data, ends


def test_a_journal_cut_anywhere_tells_every_step_that_is_whole() -> None:
    found = edits(document())
    data, ends = journal(found[0], found)
    near = {end + shift for end in (4, *ends) for shift in range(-10, 10)}
    for cut in sorted((near | set(range(0, len(data), 211))) & set(range(len(data) + 1))):
        whole = sum(end <= cut for end in ends)
        if cut < len(MAGIC):
            with pytest.raises(BadFile):
                tell(data[:cut], lambda name: found[0])
            continue
        told = tell(data[:cut], lambda name: found[0])
        assert (told is None) == (whole == 0)
        if told is not None:
            assert told.length == ends[whole - 1]
            assert told.session.history.labels == [f"step {i}" for i in range(1, whole)]
            assert told.about == {"name": "face"}
            assert told.session.unsaved == (whole > 1)
            np.testing.assert_array_equal(told.session.document.pose, found[whole - 1].pose)


def test_a_flipped_bit_ends_the_tale_before_it() -> None:
    found = edits(document())
    data, ends = journal(found[0], found)
    rng = np.random.default_rng(3)
    for at in rng.integers(ends[0], len(data), 200).tolist():
        damaged = bytearray(data)
        damaged[at] ^= 1 << int(rng.integers(8))
        told = tell(bytes(damaged), lambda name: found[0])
        assert told is not None
        assert told.length <= at
        assert len(told.session.history.labels) == sum(end <= at for end in ends) - 1


def test_undo_still_works_in_a_session_told_again() -> None:
    found = edits(document())
    data, _ = journal(found[0], found)
    told = tell(data + framed(Record(at=3, changes=changes(found[-1], found[3]))), lambda name: found[0])
    assert told is not None
    session = told.session
    assert_same(session.document, found[3])
    session.undo()
    assert_same(session.document, found[2])
    session.go_to(len(found) - 1)
    assert_same(session.document, found[-1])


def test_a_journal_whose_document_cannot_be_found_tells_what_it_can() -> None:
    one, other = document(), document(2)

    def load(name: str) -> Document:
        if name == "lost":
            raise BadFile("gone")
        return {"a": one, "b": other}[name]

    start = MAGIC + framed(Record(base="a", saved=True))
    told = tell(start + framed(Record(label="another face", at=1, base="b")), load)
    assert told is not None
    assert told.session.document is other
    told.session.undo()
    assert told.session.document is one
    cut = tell(start + framed(Record(label="another face", at=1, base="lost")), load)
    assert cut is not None
    assert cut.session.document is one
    assert tell(MAGIC + framed(Record(label="no document", at=1)), load) is None


def test_saving_is_told_again() -> None:
    found = edits(document())
    data, _ = journal(found[0], found)
    told = tell(data + framed(Record(at=len(found) - 1, saved=True)), lambda name: found[0])
    assert told is not None
    assert not told.session.unsaved
    assert isinstance(told.session, Session)
