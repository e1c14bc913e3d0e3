"""FBX, as .fbx: blend shape channels with their in-betweens, animation stacks, materials."""

from __future__ import annotations

from facewright.formats.contents import EVERYTHING
from facewright.formats.fbx.container.file import recognise
from facewright.formats.fbx.read import files_of, read
from facewright.formats.fbx.write.file import write, write_with
from facewright.formats.registry import Format

FORMAT = Format(
    "FBX",
    (".fbx",),
    read,
    write,
    recognise,
    lambda _: EVERYTHING - {"take", "scan sequence", "layer", "pose", "sound", "reference picture", "texture"},
    files_of,
    write_with,
)
