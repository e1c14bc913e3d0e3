"""A depth sequence on a face: brought, tracked in a job, undone, kept in files; a bad one is told in words."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright import jobs
from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats.registry import load_document, save
from facewright.formats.scale import scale_document
from facewright.formats.scans import load_scan
from facewright.formats.scans.packed import pack_sequence, unpack_frame
from facewright.motion.depth import DepthImage
from facewright.rig.head_motion import has_head_motion
from facewright.session.context import Context
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.face import change_face
from facewright.session.edits.scans import AddTrackedScan
from facewright.session.frames import unpack
from facewright.session.tasks.scan import ScanTracking, StopTrack, TrackScan
from facewright.session.views.scan import scan, scan_cloud, scan_table, summary
from facewright.session.views.view import Gone
from facewright.workflow.track.scan import TrackedScan, placed_scan, track_in_background, track_job
from tests.some import some
from tests.tracking.small_sequence import JAW, LENS, small_sequence, write_depth


class Recorder:
    """As a job's task, which is stopped after some frames."""

    def __init__(self, after: int = 1000) -> None:
        self.done, self._after = list[int](), after

    def report(self, progress: jobs.Progress) -> None:
        self.done.append(progress.done)

    @property
    def stopped(self) -> bool:
        return len(self.done) > self._after


@pytest.fixture(scope="module")
def document() -> Document:
    rig = fw.sample()
    return Document(rig, scanned=placed_scan(rig, pack_sequence(small_sequence())))


@pytest.fixture(scope="module")
def found(document: Document) -> TrackedScan:
    return track_in_background(Recorder(), track_job(document))  # type: ignore[arg-type]


def context_of(document: Document) -> Context:
    return Context(document, fresh_plan(), lambda run, newest=None: None)


def tracked(document: Document, found: TrackedScan) -> Document:
    context = context_of(document)
    context.apply(AddTrackedScan(found=found, sequence=some(document.scanned).sequence))
    return context.document.value


def test_packed_frames_are_the_same_frames() -> None:
    sequence = small_sequence()
    packed = pack_sequence(sequence)
    assert pack_sequence(packed) is packed
    for one, other in zip(sequence.frames, packed.frames, strict=True):
        if one is None:
            assert other is None
        else:
            assert isinstance(one, DepthImage)
            assert isinstance(other, DepthImage)
            np.testing.assert_array_equal(one.depth, other.depth)
            assert one.lens == other.lens
    with pytest.raises(BadFile, match="damaged"):
        unpack_frame(b"\x94\xc0\x05\xc4\x00\x80")


def test_a_zip_of_a_folder_is_the_folder(tmp_path: Path) -> None:
    folder = write_depth(tmp_path / "talk", small_sequence())
    shutil.make_archive(str(tmp_path / "talk"), "zip", tmp_path, "talk")
    one, other = load_scan(folder), load_scan(tmp_path / "talk.zip")
    assert (one.name, one.rate, len(one)) == (other.name, other.rate, len(other))
    for left, right in zip(one.frames, other.frames, strict=True):
        assert (left is None) == (right is None)
        if isinstance(left, DepthImage) and isinstance(right, DepthImage):
            np.testing.assert_array_equal(left.depth, right.depth)


def test_the_head_is_found_when_a_sequence_is_loaded(document: Document) -> None:
    scanned = some(document.scanned)
    assert scanned.place is not None
    assert scanned.place.scale == pytest.approx(0.01, rel=0.1)
    assert "The head was found" in summary(scanned)


def test_a_tracked_clip_is_one_step_with_the_head_s_motion(document: Document, found: TrackedScan) -> None:
    context = context_of(document)
    context.apply(AddTrackedScan(found=found, sequence=some(document.scanned).sequence))
    after = context.document.value
    clip = after.clip_named(after.clip)
    jaw = clip.sample(("jawOpen",), np.arange(12) / 12)[:, 0]
    assert np.abs(jaw - JAW).max() < 0.2
    assert np.corrcoef(jaw, JAW)[0, 1] > 0.97
    assert has_head_motion(clip)
    about = some(some(after.scanned).tracked)
    assert about.words[about.status[6]].startswith("the frame is missing")
    assert np.isnan(about.residual[6])
    assert 1000 * np.nanmedian(about.residual) < 0.6
    context.go_to("document", 0)
    assert context.document.value.clips == ()
    assert some(context.document.value.scanned).tracked is None


def test_it_is_kept_in_a_file_with_the_document(document: Document, found: TrackedScan, tmp_path: Path) -> None:
    before = tracked(document, found)
    save(before, tmp_path / "face.fwface")
    after = load_document(tmp_path / "face.fwface")
    one, other = some(before.scanned), some(after.scanned)
    assert one.sequence.name == other.sequence.name
    np.testing.assert_array_equal(one.sequence.times, other.sequence.times)
    assert one.sequence.frames.parts == other.sequence.frames.parts  # type: ignore[attr-defined]
    assert some(one.tracked).words == some(other.tracked).words
    for name in ("status", "residual", "rotations", "offsets", "scale"):
        np.testing.assert_array_equal(getattr(one.tracked, name), getattr(other.tracked, name))
    np.testing.assert_array_equal(some(one.place).rotation, some(other.place).rotation)


def test_stopping_keeps_the_frames_so_far(document: Document) -> None:
    job = replace(track_job(document), sequence=some(document.scanned).sequence)
    found = track_in_background(Recorder(5), job)  # type: ignore[arg-type]
    assert 4 <= len(found.status) < found.frames == 12
    after = tracked(document, found)
    assert len(some(some(after.scanned).tracked)) == len(found.status)


def test_the_cloud_lies_on_the_face(document: Document, found: TrackedScan) -> None:
    after = tracked(document, found)
    context = context_of(after)
    info = some(scan(context))
    header, table = unpack(scan_table(context, info.id).data)
    assert header.scan == info.id
    assert table["times"].shape == (12,)
    np.testing.assert_allclose(table["residual"][:6], 1000 * found.residual[:6], rtol=1e-5)
    points = unpack(scan_cloud(context, info.id, "4").data)[1]["points"]
    assert len(points) > 500
    posed = fw.evaluate(after.rig, after.clip_named(after.clip).sample(after.rig.sliders, [4 / 12])[0])
    near = np.linalg.norm(points[:, None, :] - posed[None, ::4], axis=2).min(axis=1)
    assert np.median(near) < 0.6  # centimetres: a quarter of the vertices, some millimetres apart
    assert len(unpack(scan_cloud(context, info.id, "6").data)[1]["points"]) == 0
    with pytest.raises(Gone):
        scan_cloud(context, info.id, "12")
    with pytest.raises(Gone):
        scan_cloud(context, "0", "1")


def test_scaling_the_rig_leaves_the_cloud_on_it(document: Document, found: TrackedScan) -> None:
    after = tracked(document, found)
    small = scale_document(after, 0.01)
    clouds = []
    for each in (after, small):
        context = context_of(each)
        clouds.append(unpack(scan_cloud(context, some(scan(context)).id, "4").data)[1]["points"])
    np.testing.assert_allclose(clouds[1], 0.01 * clouds[0], atol=1e-6)


def test_what_cannot_be_tracked_is_told_in_words(document: Document) -> None:
    rig, sequence = document.rig, some(document.scanned).sequence
    empty = [fw.DepthImage(np.zeros((60, 80), np.float32), LENS)] * 3
    with pytest.raises(BadValue, match="nothing was measured"):
        placed_scan(rig, fw.ScanSequence(empty, np.arange(3) / 30))
    first = sequence.frames[0]
    assert isinstance(first, DepthImage)
    far = fw.DepthImage(1000 * first.depth, LENS)
    with pytest.raises(BadValue, match="millimetres"):
        placed_scan(rig, fw.ScanSequence([far], np.zeros(1)))
    with pytest.raises(BadValue, match="no depth or scan sequence"):
        TrackScan().run(context_of(Document(rig)))
    with pytest.raises(BadValue, match="no frame is said to be at rest"):
        TrackScan(own_face=True).run(context_of(document))
    with pytest.raises(BadValue, match="no sequence is being tracked"):
        StopTrack().run(context_of(document))


@pytest.mark.long  # what would help is looked for in many ways
def test_without_a_head_it_is_told_why(document: Document) -> None:
    wall = fw.DepthImage(np.full((60, 80), 0.5, np.float32), LENS)
    flat = placed_scan(document.rig, fw.ScanSequence([wall], np.zeros(1)))
    assert flat.place is None
    assert "no head was found" in flat.notes[0]
    assert "No head was found" in summary(flat)


def test_a_sequence_without_a_head_is_shown_before_the_face(document: Document) -> None:
    scanned = replace(some(document.scanned), place=None, notes=("no head was found",))
    context = context_of(replace(document, scanned=scanned))
    info = some(scan(context))
    assert not info.found
    points = unpack(scan_cloud(context, info.id, "0").data)[1]["points"]
    low, high = document.rig.neutral.min(axis=0), document.rig.neutral.max(axis=0)
    assert ((points.mean(axis=0) > low) & (points.mean(axis=0) < high)).all()
    assert "No head was found" in summary(scanned)


def test_another_face_keeps_the_sequence_and_forgets_where_the_head_was(document: Document, found: TrackedScan) -> None:
    after = change_face(tracked(document, found), Document(fw.sample("amara")))
    assert some(after.scanned).sequence.frames is some(document.scanned).sequence.frames
    assert some(after.scanned).place is None
    assert some(after.scanned).tracked is None


def test_a_tracking_that_ended_is_not_taken_for_another(document: Document) -> None:
    posted: list[Callable[[], None]] = []
    context = Context(document, fresh_plan(), lambda run, newest=None: posted.append(run))
    tracking = context.task(ScanTracking)
    first, second = (track_job(document) for _ in range(2))
    tracking.start(first)
    tracking.close()
    tracking.start(second)
    tracking._hear(first, jobs.Failed("the first one failed"))
    tracking._hear(first, jobs.Progress(3, 4))
    for run in posted:
        run()
    assert context.notices() == []
    assert some(tracking.info).done == 0
    tracking.close()
