"""A document as a USD file: text, or what usd-core packs of it."""

from __future__ import annotations

import shutil
import tempfile
import warnings
import zipfile
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadValue, FacewrightWarning
from facewright.formats.files import Stream, Target, replacing, write_atomically
from facewright.formats.head_pivot import about_origin
from facewright.formats.usd.process import pack_layer
from facewright.formats.usd.write.layer import WrittenLayer, layer_of
from facewright.formats.write_options import WriteOptions

_DATE = (1980, 1, 1, 0, 0, 0)  # the same document gives the same bytes
_ALIGNED = 64  # bytes: where the members of a package begin
_HEADER = 30  # bytes of the header of a member, without its name and its padding
_PADDING = 0x1986  # id of a field that pads, as the tools of USD write it


def write(document: Document, target: Target) -> None:
    """Write a file, in the unit of the document; `.usda` is text, and the others need usd-core."""
    write_with(document, target, WriteOptions())


def write_with(document: Document, target: Target, options: WriteOptions) -> None:
    """The same with options: USD joins all keys by straight lines, which may be on every frame."""
    if document.rig.vertex_count == 0:
        raise BadValue("a USD mesh has at least one vertex, and this rig has none")
    if document.clips and not document.rig.shapes:
        words = "a USD file animates shapes, and there are none: of clips the motion of the head is written"
        warnings.warn(words, FacewrightWarning, stacklevel=2)
    document = about_origin(document)
    suffix = target.suffix.lower()
    packed = suffix == ".usdz"
    layer = layer_of(document, options, with_images=packed or not isinstance(target, Stream))
    if suffix == ".usda":
        with replacing(target) as file:
            layer.write(file)
    else:
        _write_binary(layer, target, packed=packed)
    if isinstance(target, Path) and not packed:
        for path, data in layer.materials.images.items():
            (target.parent / path).parent.mkdir(exist_ok=True)
            write_atomically(target.parent / path, data)


def _write_binary(layer: WrittenLayer, target: Target, *, packed: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="facewright-") as temporary:
        text, binary = Path(temporary, "face.usda"), Path(temporary, "face.usdc")
        with text.open("wb") as file:
            layer.write(file)
        pack_layer(text, binary)
        with replacing(target) as file:
            if packed:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                    _add(archive, binary.name, binary.read_bytes())  # the first member is the layer that is opened
                    for path, data in layer.materials.images.items():
                        _add(archive, path, data)
            else:
                with binary.open("rb") as made:
                    shutil.copyfileobj(made, file)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a member whose bytes begin at a multiple of 64, as packages want it."""
    assert archive.fp is not None
    start = archive.fp.tell() + _HEADER + len(name.encode())
    length = -(start + 4) % _ALIGNED
    info = zipfile.ZipInfo(name, _DATE)
    info.extra = _PADDING.to_bytes(2, "little") + length.to_bytes(2, "little") + bytes(length)
    archive.writestr(info, data, zipfile.ZIP_STORED)
