"""A session is restored from its journal, whatever happened to it."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadFile
from facewright.image.codec import encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.keys import with_outside
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.regions.local_pose import weights_of
from facewright.rig.textures import Textures
from facewright.session.edits import clips, keys, layers, regions, tangents
from facewright.session.edits import pose as weights
from facewright.session.edits.active_layer import LAYER_WEIGHT
from facewright.session.edits.time import choose_clip, go_to_time
from facewright.session.journal import MAGIC, Record, Restored, framed, restore
from facewright.session.session import Session
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.workflow.solver_cache import SolverCache
from tests.formats.format_rigs import assert_same_clip
from tests.reference.sounds import tone_file
from tests.session.faces import document
from tests.session.memory_store import Memory
from tests.some import some

PLANE = ReferencePlane(MediaFile("a.png", "image/png", b"pixels"), "beside", 0.5, opacity=0.5)
VIEW = CameraBookmark("mouth", 0.1, 0.2, 1.5, (0.0, 0.1, 0.0), 30.0, True)
GONE = ReferenceSound(MediaFile("gone.wav", "audio/wav", b"", "abc"), 8000, 1, 800)


def edits(one: Document) -> list[Document]:
    """The document after each of several edits."""
    steps: list[Callable[[Document], Document]] = [
        lambda d: replace(d, pose=d.pose * 0.5),
        lambda d: replace(d, pins=(PlacedPin(id=2, triangle=1, barycentric=(0.5, 0.25, 0.25), hold=True),)),
        lambda d: replace(d, held=HeldPoints(np.array([3, 8]), np.array([1, 6]), True, 2.5)),
        lambda d: replace(d, locked=d.rig.sliders[:2]),
        lambda d: replace(d, drag_method="natural"),
        lambda d: choose_clip(d, "take"),
        lambda d: keys.set_keys(d, 0.75),
        lambda d: tangents.set_tangents(d, "auto", sliders=[d.rig.sliders[0]]),
        lambda d: tangents.set_tangents(d, "step", {d.rig.sliders[0]: [0.5]}),
        lambda d: keys.with_curves(d, {d.rig.sliders[1]: with_outside(Curve([0.0, 1.0], [0.0, 1.0]), "cycle")}),
        lambda d: layers.add_layer(d, "more"),
        lambda d: keys.set_keys(replace(d, pose=d.pose * 0.9), 0.4, d.rig.sliders[2:5]),
        lambda d: layers.set_layer_weight(d, "more", 0.5, 0.0),
        lambda d: layers.add_layer(d, "other", "override"),
        lambda d: keys.set_keys(d, 0.6, d.rig.sliders[:1]),
        lambda d: keys.with_curves(d, {LAYER_WEIGHT: Curve([0.0, 1.0], [0.25, 1.0])}),
        lambda d: layers.move_layer(d, "other", 0),
        lambda d: layers.rename_layer(d, "other", "under"),
        lambda d: keys.move_keys(d, {d.rig.sliders[0]: [0.6]}, 0.1),
        lambda d: clips.rename_clip(d, "take", "other"),
        lambda d: clips.create_clip(d, "third", copy_of="other"),
        lambda d: go_to_time(d, 0.3),
        lambda d: clips.delete_clip(d, "other"),
        lambda d: regions.find_regions(d, 0.6),
        lambda d: weights.set_weights(d, {d.rig.sliders[5]: 0.9}, SolverCache(), some(d.regions).names[1]),
        lambda d: keys.set_keys(d, 0.2),
        lambda d: regions.rename_region(d, some(d.regions).names[1], "another name"),
        lambda d: regions.split_in_two(d, some(d.regions).names[0], SolverCache()),
        lambda d: regions.remove_regions(d),
        lambda d: replace(d, sound=ReferenceSound.of_wav("line.wav", tone_file(0.1)), plane=PLANE, bookmarks=(VIEW,)),
        lambda d: replace(d, sound=replace(some(d.sound), offset=0.5, volume=0.25, muted=True), plane=None),
        lambda d: replace(d, sound=GONE, bookmarks=()),
    ]
    found = [one]
    for step in steps:
        found.append(step(found[-1]))
    return found


def assert_same(one: Document, other: Document) -> None:
    assert one.rig is other.rig
    np.testing.assert_array_equal(one.pose, other.pose)
    for name in ("pins", "locked", "drag_method", "clip", "layer", "time", "sound", "plane", "bookmarks"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("vertices", "axes"):
        np.testing.assert_array_equal(getattr(one.held, name), getattr(other.held, name))
    assert (one.held.on, one.held.alpha) == (other.held.on, other.held.alpha)
    for name in ("sound", "plane"):
        a, b = (getattr(each, name) for each in (one, other))
        assert (b"" if a is None else a.file.data) == (b"" if b is None else b.file.data)
    assert (one.regions is None) == (other.regions is None)
    if one.regions is not None and other.regions is not None:
        assert one.regions.names == other.regions.names
        np.testing.assert_array_equal(one.regions.weights.toarray(), other.regions.weights.toarray())
    np.testing.assert_array_equal(weights_of(one), weights_of(other))
    assert len(one.clips) == len(other.clips)
    for a, b in zip(one.clips, other.clips, strict=True):
        assert_same_clip(a, b)


CODEC = DocumentCodec()


def restored(data: bytes, blobs: Blobs) -> Restored[Document] | None:
    return restore(data, CODEC, blobs)


def test_changes_lead_from_any_document_of_a_session_to_any_other() -> None:
    found, blobs = edits(document()), Blobs(Memory())
    for before in found:
        for after in found:
            assert_same(CODEC.decode(before, CODEC.encode(before, after, blobs), blobs), after)


def test_a_step_that_moves_one_slider_is_small_beside_a_long_clip() -> None:
    one, blobs = document(), Blobs(Memory())
    long = Document(one.rig, (Clip("take", {one.rig.sliders[0]: _long_curve()}),), one.pose)
    two = replace(long, pose=long.pose * 0.5)
    assert len(CODEC.encode(long, two, blobs)) < 500
    keyed = keys.set_keys(choose_clip(two, "take"), 0.5, [one.rig.sliders[1]])
    assert len(CODEC.encode(two, keyed, blobs)) < 1000


def _long_curve() -> Curve:
    return Curve(np.arange(20_000) / 60, np.zeros(20_000))


def test_a_picture_may_be_a_texture_and_stand_behind_the_face() -> None:
    picture = encoded(np.zeros((4, 4, 3), np.uint8))
    plane = ReferencePlane(MediaFile("skin.png", picture.media, picture.data))
    one = replace(document(), textures=Textures(picture), plane=plane)
    store = Memory()
    data = CODEC.encode(None, one, Blobs(store))
    found = CODEC.decode(None, data, Blobs(store))
    assert some(found.textures).neutral == picture
    assert some(found.plane).file.data == picture.data


def test_another_rig_is_kept_once_however_often_it_comes_back() -> None:
    one, other, memory = document(), document(2), Memory()
    blobs = Blobs(memory)
    CODEC.encode(None, one, blobs)
    before = len(memory.kept)
    for _ in range(5):
        assert len(CODEC.encode(one, replace(other, clips=one.clips), blobs)) < 2000
        assert len(CODEC.encode(other, one, blobs)) < 5000
    assert len(memory.kept) == before + 1
    again = CODEC.decode(None, CODEC.encode(None, one, blobs), Blobs(memory))
    np.testing.assert_array_equal(again.rig.shapes[0].offsets, one.rig.shapes[0].offsets)
    assert dict(again.attachments) == dict(one.attachments)


def journal(found: list[Document], blobs: Blobs) -> tuple[bytes, list[int]]:
    """A journal of steps, and where each of its records ends."""
    first = Record("start", 0, CODEC.encode(None, found[0], blobs), saved=True, about={"name": "face"})
    data, ends = MAGIC + framed(first), []
    ends.append(len(data))
    for i, (before, after) in enumerate(itertools.pairwise(found), 1):
        data += framed(Record("new", i, CODEC.encode(before, after, blobs), f"step {i}", i))
        ends.append(len(data))
    return data, ends


def test_a_journal_cut_anywhere_holds_every_step_that_is_whole() -> None:
    found, blobs = edits(document()), Blobs(Memory())
    data, ends = journal(found, blobs)
    near = {end + shift for end in (4, *ends) for shift in (-9, -5, -4, -1, 0, 1, 4, 8)}
    for cut in sorted((near | set(range(0, len(data), 499))) & set(range(len(data) + 1))):
        whole = sum(end <= cut for end in ends)
        if cut < len(MAGIC):
            with pytest.raises(BadFile):
                restored(data[:cut], blobs)
            continue
        told = restored(data[:cut], blobs)
        assert (told is None) == (whole == 0)
        if told is not None:
            assert told.length == ends[whole - 1]
            assert told.missing == 0
            assert told.session.history.labels == [f"step {i}" for i in range(1, whole)]
            assert told.about == {"name": "face"}
            assert told.session.unsaved == (whole > 1)
            np.testing.assert_array_equal(told.session.value.pose, found[whole - 1].pose)


def test_a_flipped_bit_loses_its_own_step_and_no_other_and_is_counted() -> None:
    found, blobs = edits(document()), Blobs(Memory())
    data, ends = journal(found, blobs)
    rng = np.random.default_rng(3)
    for at in rng.integers(ends[0], len(data), 100).tolist():
        damaged = bytearray(data)
        damaged[at] ^= 1 << int(rng.integers(8))
        told = restored(bytes(damaged), blobs)
        assert told is not None
        step = sum(end <= at for end in ends)
        labels = told.session.history.labels
        assert labels[: step - 1] == [f"step {i}" for i in range(1, step)]
        assert f"step {step}" not in labels
        seems_torn = step == len(ends) - 1 and damaged[at] > data[at] and 4 <= at - ends[-2] < 8  # a greater length
        assert told.missing == len(ends) - 1 - len(labels) - seems_torn
        assert told.missing >= 1 or seems_torn
    flipped_pose = bytearray(data)
    flipped_pose[ends[0] + 20] ^= 1
    told = restored(bytes(flipped_pose), blobs)
    assert told is not None
    assert told.missing == 1
    assert told.session.history.labels == [f"step {i}" for i in range(2, len(found))]


def test_undo_still_works_in_a_restored_session() -> None:
    found, blobs = edits(document()), Blobs(Memory())
    data, ends = journal(found, blobs)
    moved = Record("moved", len(ends), CODEC.encode(found[-1], found[3], blobs), at=3)
    told = restored(data + framed(moved), blobs)
    assert told is not None
    session = told.session
    assert_same(session.value, found[3])
    session.undo()
    assert_same(session.value, found[2])
    session.go_to(len(found) - 1)
    assert_same(session.value, found[-1])


def test_a_journal_whose_rig_cannot_be_found_holds_what_it_can() -> None:
    one, other, memory = document(), document(2), Memory()
    blobs = Blobs(memory)
    start = MAGIC + framed(Record("start", 0, CODEC.encode(None, one, blobs), saved=True))
    known = set(memory.kept)
    another = framed(Record("new", 1, CODEC.encode(one, other, blobs), "another face", 1))
    told = restored(start + another, blobs)
    assert told is not None
    assert told.session.value.rig is other.rig
    told.session.undo()
    assert told.session.value.rig is one.rig
    for name in set(memory.kept) - known:
        del memory.kept[name]
    cut = restored(start + another, Blobs(memory))
    assert cut is not None
    np.testing.assert_array_equal(cut.session.value.rig.neutral, one.rig.neutral)
    assert cut.missing == 1
    assert cut.session.history.labels == []
    assert restored(MAGIC + framed(Record("new", 1, b"", "no document", 1)), blobs) is None


def test_a_damaged_part_is_never_taken_for_whole() -> None:
    memory = Memory()
    data, _ = journal([document()], Blobs(memory))
    for name in list(memory.kept):
        memory.kept[name] = memory.kept[name][:-1] + bytes([memory.kept[name][-1] ^ 1])
    assert restored(data, Blobs(memory)) is None


def test_saving_is_restored() -> None:
    found, blobs = edits(document()), Blobs(Memory())
    data, ends = journal(found, blobs)
    told = restored(data + framed(Record("marked", len(ends), at=len(found) - 1, saved=True)), blobs)
    assert told is not None
    assert not told.session.unsaved
    assert isinstance(told.session, Session)


def test_an_amended_step_is_restored_as_one_step() -> None:
    one, blobs = document(), Blobs(Memory())
    two, three = replace(one, time=1.0), replace(one, time=2.0)
    data = MAGIC + framed(Record("start", 0, CODEC.encode(None, one, blobs), saved=True))
    data += framed(Record("new", 1, CODEC.encode(one, two, blobs), "step", 1))
    data += framed(Record("amended", 2, CODEC.encode(two, three, blobs), "", 1))
    told = restored(data, blobs)
    assert told is not None
    assert told.session.history.labels == ["step"]
    assert told.session.value.time == 2.0
    told.session.undo()
    assert told.session.value.time == one.time
