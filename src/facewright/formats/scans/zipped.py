"""A zip of depth images with their intrinsics, or of scans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.arrays_zip import reading_zip
from facewright.formats.scans.packed import pack_sequence
from facewright.formats.sources import naming
from facewright.motion.depth import ScanSequence

_SUFFIXES = (".png", ".ply", ".obj", ".json")
_RIGS = (".obj", ".usda", ".usdc", ".usd")  # whose pictures are textures
_LOCAL = b"PK\x03\x04"  # begins the header of a member, whose name begins 30 bytes after it
_NAME = 30


def load_zip(path: Path, read: Callable[[Path], ScanSequence]) -> ScanSequence:
    """What `read` makes of the files in a zip, in one folder whatever folders they were in."""
    with TemporaryDirectory(prefix="facewright-") as made:
        folder = Path(made) / path.stem
        folder.mkdir()
        with naming(path), reading_zip(path) as file:
            for name in file.names:
                member = PurePosixPath(name)
                if member.suffix.lower() not in _SUFFIXES or member.name.startswith("."):
                    continue
                target = folder / member.name
                if target.exists():
                    raise BadFile(f"there are two files named {member.name}; a sequence is in one folder")
                target.write_bytes(file.bytes(name, limit=limits.TEXT))
        try:
            return replace(pack_sequence(read(folder)), name=path.stem)
        except BadFile as problem:
            raise BadFile(str(problem).replace(str(folder), str(path))) from problem


def is_zipped_scan(head: bytes) -> bool:
    """Whether the beginning of a zip has members of a depth or scan sequence."""
    names, at = set[str](), head.find(_LOCAL)
    while at >= 0:
        length = int.from_bytes(head[at + 26 : at + 28], "little")
        names.add(PurePosixPath(head[at + _NAME : at + _NAME + length].decode("utf8", "replace").lower()).name)
        at = head.find(_LOCAL, at + _NAME + length)
    if "document.json" in names or any(name.endswith(_RIGS) for name in names):
        return False
    return "depth.npy" in names or any(name.endswith((".png", ".ply")) for name in names)
