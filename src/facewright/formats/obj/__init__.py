"""Wavefront OBJ: a neutral face and one file for each shape, in a folder."""

from __future__ import annotations

from facewright.formats.obj.files import files_of, is_single, read, recognise, write
from facewright.formats.registry import Format

FORMAT = Format(
    "OBJ",
    (".obj", ""),
    read,
    write,
    "A folder loses clips, pins, held points, locks, regions, a prior, textures, materials, attachments and extra keys;"
    " without its rig.json also bounds, groups, in-betweens, combinations, exclusive pairs, parts that are no groups,"
    " and the shapes' order. A single .obj keeps one mesh: the face in its pose.",
    recognise,
    lambda target: frozenset() if is_single(target) else frozenset({"shape"}),
    files_of,
)
