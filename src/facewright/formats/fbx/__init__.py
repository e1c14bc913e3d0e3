"""FBX, as .fbx: blend shape channels with their in-betweens, animation stacks, materials."""

from __future__ import annotations

from facewright.formats.carried import CARRIED
from facewright.formats.contents import EVERYTHING
from facewright.formats.fbx.container.file import recognise
from facewright.formats.fbx.read import files_of, read
from facewright.formats.fbx.write.file import write, write_with
from facewright.formats.registry import Format

_LOST = {"take", "scan sequence", "layer", "pose", "sound", "reference picture", "texture", *CARRIED}

FORMAT = Format(
    "FBX",
    (".fbx",),
    read,
    write,
    recognise,
    lambda _: EVERYTHING - _LOST,
    files_of,
    write_with,
)
