"""An FBX file as its version and its nodes."""

from __future__ import annotations

from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.fbx.container.binary import MAGIC, parse_binary
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.container.text import is_text, parse_text

_OLDEST, _NEWEST = 6000, 7999


def recognise(data: bytes) -> str:
    """The suffix of an FBX file, where the bytes are one."""
    return ".fbx" if data.startswith(MAGIC) or is_text(data) else ""


def parse_file(data: bytes, budget: ReadBudget) -> tuple[int, FbxNode]:
    """The version and the nodes of a file; raises for versions that are not read, and for encrypted files."""
    if data.startswith(MAGIC):
        version, root = parse_binary(data, budget)
    elif is_text(data):
        if len(data) > limits.TEXT:
            raise BadFile(
                f"an FBX file as text of {len(data) >> 20} MB; {limits.TEXT >> 20} MB are read: save it as binary"
            )
        version, root = parse_text(data, budget)
    else:
        begins = f"it begins with {data[:20]!r}" if data else "it is empty"
        raise BadFile(f"this is no FBX file, binary or text; {begins}")
    if not _OLDEST <= version <= _NEWEST:
        raise BadFile(f"this is FBX version {version / 1000:g}; 6 and 7 are read: save it as FBX 2014 or later")
    header = root.child("FBXHeaderExtension")
    encryption = header.child("EncryptionType") if header is not None else None
    if encryption is not None and encryption.whole() != 0:
        raise BadFile("this FBX file is encrypted; save it without a password")
    return version, root
