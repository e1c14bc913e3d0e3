"""Files that the program keeps: a whole document, one of an earlier version, the journal, records of batches."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

import facewright as fw
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.scans.packed import pack_sequence
from facewright.motion.depth import DepthImage, Pinhole, PointCloud, ScanSequence
from facewright.rig.scanned import Scanned
from facewright.session.history import Step
from facewright.session.journal import MAGIC, Record, framed, restore
from facewright.session.storage.blobs import Blobs
from facewright.session.storage.document import DocumentCodec
from facewright.studio.autosave import FolderOfBlobs
from facewright.tracking.observed import observed
from facewright.workflow.batch.record import FOLDER, JobRecord, all_records, find_record
from facewright.workflow.report.batch import batch_report
from facewright.workflow.take.files import TakeFigures, WorstFrame
from tests.formats.test_contents import everything
from tests.formats.test_earlier_files import EARLIER

PARTS = "parts"  # of the journal, beside it


def save_kept(folder: Path) -> None:
    """Write them all into a folder."""
    fw.save(_scanned(), folder / "everything.fwface")
    shutil.copyfile(EARLIER / "face.fwface", folder / "earlier.fwface")
    (folder / "journal").write_bytes(_journal(FolderOfBlobs(folder / PARTS)))
    figures = TakeFigures(0.2, 0.5, 1.5, 0.1, (WorstFrame(12, 0.2, 1.5),))
    record = JobRecord(
        name="take", command="solve", status="done", key="ab", version="1", outputs={"take.glb": "cd"},
        report="take.html", facts={"frames": 20, "seconds": 1.5, "figures": figures},
    )  # fmt: skip
    (folder / "record.json").write_bytes(msgspec.json.encode(record))


def _scanned() -> Document:
    """Everything that a document can hold, with a depth image and a cloud of points among it."""
    one, rng = everything(), np.random.default_rng(4)
    depth = rng.uniform(0.4, 0.42, (12, 16)).astype(np.float32)
    image = DepthImage(depth, Pinhole(20.0, 20.0, 7.5, 5.5, 16, 12), {"nose": np.array([7.0, 6.0])})
    points = 0.01 * one.rig.neutral
    cloud = PointCloud(points, points / np.linalg.norm(points, axis=1, keepdims=True))
    sequence = ScanSequence((image, None, cloud), np.array([0.0, 0.1, 0.2]))
    return replace(one, scanned=Scanned(pack_sequence(sequence)))


def use_everything(path: Path) -> object:
    """The document, and every frame of its sequence."""
    document = fw.load_document(path)
    frames = document.scanned.sequence.frames if document.scanned else ()
    seen = [observed(frame) for frame in frames if frame is not None and frame.seen]
    return [each.measured(each.places(50)) for each in seen]


def _journal(parts: FolderOfBlobs) -> bytes:
    """A journal of three steps."""
    codec, blobs, before = DocumentCodec(), Blobs(parts), None
    one = _scanned()
    posed = replace(one, pose=np.full(len(one.pose), 0.5))
    bare = replace(posed, clips=(), clip="", regions=None, textures=None, prior=None, captured=None, plane=None)
    data = MAGIC
    for number, value in enumerate([one, posed, bare]):
        changes = codec.encode(before, value, blobs)
        data += framed(
            Record("new" if number else "start", number, changes, f"step {number}", number, about={"name": "face"})
        )
        before = value
    moved = codec.encode(bare, posed, blobs)
    return data + framed(Record("moved", 3, moved, at=1))


def use_journal(path: Path) -> object:
    """The session that the journal beside its parts holds; each of its steps is a document."""
    beside = next(folder for folder in (path.parent, path.parent.parent / "files") if (folder / PARTS).is_dir())
    found = restore(path.read_bytes(), DocumentCodec(), Blobs(FolderOfBlobs(beside / PARTS)))
    if found is None:
        raise BadFile("nothing is restored")
    session = found.session
    steps: list[Step[Document]] = list(session.history.steps)
    for value in (session.value, *(step.before for step in steps), *(step.after for step in steps)):
        assert np.isfinite(value.pose).all()
        assert np.isfinite(value.rig.neutral).all()
    return found


def use_record(path: Path) -> object:
    """The page over a batch that has this record."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / FOLDER).mkdir()
        shutil.copyfile(path, folder / FOLDER / "solve-take.json")
        find_record(folder, "solve", "take")
        return batch_report(folder, list(all_records(folder)), folder / "index.html")
