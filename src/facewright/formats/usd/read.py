"""A USD file as a document."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError
from facewright.formats import limits
from facewright.formats.arrays_zip import reading_zip
from facewright.formats.beside import file_beside
from facewright.formats.block import with_work
from facewright.formats.channels.rig import channel_rig
from facewright.formats.files import Memory, Source, open_ordinary, read_up_to
from facewright.formats.usd.block import UNIT, block_in
from facewright.formats.usd.process import StageFile, read_stage
from facewright.formats.usd.scene.clips import read_clips, rest_weights
from facewright.formats.usd.scene.materials import ImageBytes, read_materials
from facewright.formats.usd.scene.parts import stage_parts
from facewright.image.encoded import MOST_BYTES
from facewright.motion.take import METRES

SUFFIXES = (".usda", ".usdc", ".usdz", ".usd")
_STARTS = {b"#usda": ".usda", b"PXR-USDC": ".usdc"}
_LAYERS = (b".usda", b".usdc", b".usd")  # how the first member of a package ends
_ZIP = b"PK\x03\x04"


def recognise(data: bytes) -> str:
    """The suffix of USD bytes; "" where they are of another format. A package has a layer as its first member."""
    for start, suffix in _STARTS.items():
        if data.startswith(start):
            return suffix
    name = data[30 : 30 + int.from_bytes(data[26:28], "little")] if data.startswith(_ZIP) else b""
    return ".usdz" if name.lower().endswith(_LAYERS) else ""


def read(source: Source) -> Document:
    """The document in a USD file, in the unit of the file, with y up and the face along z."""
    with _file(source) as path:
        stage = read_stage(path)
        folder = source.parent if isinstance(source, Path) and path == source else None
        with np.errstate(all="ignore"):  # numbers that are too large are refused by the rig
            return _document(stage, _image_reader(path, folder))


def files_of(path: Path) -> tuple[Path, ...]:
    """A USD file with the layers and images that it refers to; the file alone where it cannot be read."""
    if recognise(_start(path)) == ".usdz":
        return (path,)
    try:
        described = read_stage(path).description
        images = [one["image"] for one in described["materials"].values() if one["image"] is not None]
        found = [_beside(path.parent, image) for image in images]
        layers = [Path(one) for one in described["layers"] if Path(one) != path]
        return path, *dict.fromkeys([*layers, *(one for one in found if one is not None)])
    except (FacewrightError, OSError):
        return (path,)


@contextmanager
def _file(source: Source) -> Iterator[Path]:
    """A file that usd-core can open, which knows formats by suffix: the source, or a copy for the time of reading."""
    head = source.data[:100] if isinstance(source, Memory) else _start(source)
    if not head:
        raise BadFile("the file is empty")
    suffix = recognise(head)
    if not suffix:
        raise BadFile(
            f"it begins with {head[:12]!r}; a USD file begins with '#usda', 'PXR-USDC', or is a zip of layers"
        )
    if suffix == ".usdz":
        with reading_zip(source):  # names and sizes of its members are checked
            pass
    limit = limits.TEXT if suffix == ".usda" else limits.GLB
    if isinstance(source, Path) and source.suffix.lower() in (suffix, ".usd"):
        if source.stat().st_size > limit:
            raise BadFile(f"the file has {source.stat().st_size >> 20} MB; at most {limit >> 20} MB are read")
        yield Path(os.path.abspath(source))
        return
    data = read_up_to(source, limit)
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        path = Path(folder, f"face{suffix}")
        path.write_bytes(data)
        yield path


def _start(path: Path) -> bytes:
    with open_ordinary(path) as file:
        return file.read(100)


def _document(stage: StageFile, image_bytes: ImageBytes) -> Document:
    block = block_in(stage.description["data"])
    helping = block.get("helping")
    known = frozenset(one for one in helping if isinstance(one, str)) if isinstance(helping, list) else frozenset()
    parts = stage_parts(stage, rest_weights(stage), known)
    found = channel_rig(parts, block)
    document = Document(found.rig, read_clips(stage, parts, found, block), found.pose)
    document = with_work(document, block)
    metres = None if block.get("unit_is_known") is False else stage.description["metres"]
    named = "" if metres is None else _unit(metres)
    extra = {} if named or metres is None else {UNIT: metres}
    materials = read_materials(stage, parts, image_bytes)
    return replace(document, materials=materials, extra={**document.extra, **extra}, unit=named)


def _image_reader(path: Path, folder: Path | None) -> ImageBytes:
    """Reads images of a package from it, and others from the folder of the file."""

    def read_image(image: dict[str, str]) -> bytes | None:
        if path.suffix.lower() == ".usdz" and image["resolved"].endswith("]"):
            name = image["resolved"].rpartition("[")[2].removesuffix("]")
            with reading_zip(path) as archive:
                return archive.bytes(name, limit=MOST_BYTES) if name in archive.names else None
        found = None if folder is None else _beside(folder, image)
        return None if found is None else read_up_to(found, MOST_BYTES)

    return read_image


def _beside(folder: Path, image: dict[str, str]) -> Path | None:
    resolved = image["resolved"]
    inside = os.path.relpath(resolved, folder) if resolved and os.path.isabs(resolved) else ""
    return file_beside(folder, [name for name in (inside, image["path"]) if name])


def _unit(metres: float) -> str:
    return next((name for name, known in METRES.items() if abs(known - metres) < 1e-6 * metres), "")
