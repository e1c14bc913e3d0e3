"""The files beside a glTF file that it refers to: buffers and images."""

from __future__ import annotations

from pathlib import Path

from facewright.errors import BadFile
from facewright.formats.files import read_up_to
from facewright.formats.gltf.container.asset import MAGIC, parse_glb, parse_json
from facewright.formats.gltf.container.fields import entries, entry, text
from facewright.formats.gltf.container.uris import file_beside, is_data

_MOST = 1 << 32  # bytes; a GLB file is smaller


def files_of(path: Path) -> tuple[Path, ...]:
    """A glTF file and the files that it refers to; the file alone where it cannot be read."""
    try:
        data = read_up_to(path, _MOST)
        json = parse_glb(data).json if data[:4] == MAGIC else parse_json(data)
        found = [entry(json, kind, i) for kind in ("buffers", "images") for i in range(len(entries(json, kind)))]
        uris = [text(one, "uri", "an address") for one in found]
        return path, *(file_beside(path.parent, uri) for uri in uris if uri and not is_data(uri))
    except (BadFile, OSError):
        return (path,)
