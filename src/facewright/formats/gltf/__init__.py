"""glTF 2.0, as .glb, .gltf or .vrm: morph targets, weight animations, and all else of the file, carried through."""

from __future__ import annotations

from facewright.formats.contents import EVERYTHING
from facewright.formats.gltf.container.asset import recognise
from facewright.formats.gltf.container.external import files_of
from facewright.formats.gltf.read import read
from facewright.formats.gltf.write.file import write, write_with
from facewright.formats.registry import Format

FORMAT = Format(
    "glTF",
    (".glb", ".gltf", ".vrm"),
    read,
    write,
    recognise,
    lambda _: EVERYTHING - {"take", "scan sequence", "layer", "pose", "sound", "reference picture"},
    files_of,
    write_with,
)
