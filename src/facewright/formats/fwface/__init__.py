"""The native format: one zip of readable JSON and arrays, which keeps everything that a document holds."""

from __future__ import annotations

from facewright.formats.contents import EVERYTHING
from facewright.formats.fwface.files import read, recognise, write
from facewright.formats.registry import Format

FORMAT = Format(
    "Facewright",
    (".fwface",),
    read,
    write,
    recognise,
    lambda _: EVERYTHING,
    lambda path: (path,),
)
