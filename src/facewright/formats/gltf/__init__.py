"""glTF 2.0, as .glb or .gltf: morph targets, weight animations, and all else that the file holds, carried through."""

from __future__ import annotations

from pathlib import Path

from facewright.document import Document
from facewright.errors import UnknownFormat
from facewright.formats.gltf.read import read
from facewright.formats.registry import Format


def _write(document: Document, path: Path) -> None:
    raise UnknownFormat(f"{path}: glTF is only read; save as .fwface")


FORMAT = Format("glTF", (".glb", ".gltf"), read, _write, "All, as it is only read.")
