"""A depth or scan sequence as members of a zip: JSON, and the packed frames one after the other."""

from __future__ import annotations

from itertools import accumulate, pairwise

import msgspec

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter
from facewright.formats.scans.packed import MOST_BYTES, PackedFrames, pack_sequence
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.scanned import ScannedEntry
from facewright.motion.depth import ScanSequence
from facewright.rig.scanned import Scanned

MEMBER = "scan.json"
FRAMES = "scan_frames.bin"


class _ScanFile(ScannedEntry, omit_defaults=True, kw_only=True):
    sizes: list[int]  # bytes of each frame


def read_scanned(file: ArrayZip) -> Scanned | None:
    """The sequence in a file; None where there is none."""
    if MEMBER not in file.names:
        return None
    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), _ScanFile, "a sequence")
    data = file.bytes(FRAMES, limit=MOST_BYTES)
    if min(entry.sizes, default=0) < 0 or sum(entry.sizes) != len(data):
        raise BadFile(f"{FRAMES} has {len(data):,} bytes, but {MEMBER} says {sum(entry.sizes):,}")
    ends = list(accumulate(entry.sizes, initial=0))
    return entry.value(PackedFrames(tuple(data[start:stop] for start, stop in pairwise(ends))))


def write_scanned(file: ArrayZipWriter, scanned: Scanned) -> None:
    frames = packed_frames(scanned.sequence)
    entry = _ScanFile(**msgspec.structs.asdict(ScannedEntry.of(scanned)), sizes=[len(each) for each in frames.parts])
    file.bytes(MEMBER, encode(plain(entry)))
    file.bytes(FRAMES, b"".join(frames.parts))


def packed_frames(sequence: ScanSequence) -> PackedFrames:
    """The frames of a sequence, packed."""
    frames = pack_sequence(sequence).frames
    assert isinstance(frames, PackedFrames)
    return frames
