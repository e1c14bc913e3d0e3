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
    "A take, textures of shapes, attachments; of an opened file joints, cameras, lights and the motion of single parts."
    " Keys have seven digits; polygons are ordered by part; images other than PNG and JPEG are left out. What FBX has"
    " no place for (bounds, combinations, rules, pins, regions, a prior) is in a property of the scene, which other"
    " programs do not read: for them each combination is a channel of its own, with its own keys.",
    recognise,
    lambda _: EVERYTHING - {"take", "layer", "pose", "sound", "reference picture", "texture"},
    files_of,
    write_with,
)
