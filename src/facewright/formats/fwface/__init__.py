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
    "Nothing: rig, clips with layers, pose, pins, regions, textures, materials, a prior, a take and its binding, sound"
    " and picture of reference, views, attachments and keys of newer versions are all kept, numbers exactly.",
    recognise,
    lambda _: EVERYTHING,
    lambda path: (path,),
)
