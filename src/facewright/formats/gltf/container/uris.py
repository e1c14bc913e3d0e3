"""URIs: data inside the URI itself, or files in the file's own folder and nowhere else."""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, unquote_to_bytes

from facewright.errors import BadFile


def is_data(uri: str) -> bool:
    return uri[:5].lower() == "data:"


def data_of(uri: str) -> bytes:
    """The bytes in a data: URI."""
    head, comma, body = uri.partition(",")
    if not comma:
        raise BadFile(f"the address {uri[:40]!r} has no data")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as problem:
        raise BadFile(f"the address {uri[:40]!r} is not in base64: {problem}") from None


def media_type(uri: str) -> str:
    return uri[5:].split(",", 1)[0].split(";", 1)[0].lower()


def file_beside(folder: Path, uri: str) -> Path:
    """The file of a relative URI, which must be in the folder or below it."""
    name = unquote(uri)
    relative = PurePosixPath(name)
    tricky = "\\" in name or "\0" in name or ":" in name or not relative.parts
    if tricky or relative.is_absolute() or ".." in relative.parts:
        raise BadFile(f"it points to {uri[:80]!r}; only files in its own folder are read")
    path = folder.joinpath(*relative.parts)
    # Unlike Path.resolve, realpath does not raise where links lead in a circle.
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise BadFile(f"it points to {uri[:80]!r}, a link out of its own folder")
    return path
