"""A document as a file to download."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.clips import save_clip
from facewright.formats.json_files import save_binding
from facewright.formats.registry import save
from facewright.motion.clip import Clip
from facewright.regions.bake import bake_regions
from facewright.render import VIEWS, picture_of, png_bytes
from facewright.rig.binding import Binding

NATIVE = "fwface"
_SAVED = (NATIVE, "glb", "obj", "npz")
_WITH_SHAPES = ("glb", "npz", "csv")
KINDS = (*_SAVED, "csv", "png", "json")
MEDIA = {
    "glb": "model/gltf-binary",
    "csv": "text/csv",
    "png": "image/png",
    "obj": "text/plain",
    "json": "application/json",
}
_PIXELS = 4096


@dataclass(frozen=True, eq=False)
class Exported:
    """The bytes of a file, and what the person should know about it."""

    data: bytes
    note: str = ""


def export(document: Document, kind: str, options: Mapping[str, str]) -> Exported:
    """A file of a kind; options are those of the route. What only regions can say becomes shapes, except in our own."""
    if kind not in KINDS:
        raise UnknownName("kind of export", kind, KINDS)
    if kind == NATIVE:
        return Exported(_written(document, kind, options))
    baked = bake_regions(document)
    note = f"{_capitalised(str(baked))}. Programs without regions show the same face." if baked.added else ""
    return Exported(_written(baked.document, kind, options), note if kind in _WITH_SHAPES else "")


def _written(document: Document, kind: str, options: Mapping[str, str]) -> bytes:
    if kind == "png":
        return _picture(document, options)
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        path = Path(folder) / f"face.{kind}"
        if kind == "json":
            save_binding(_binding(document), path)
        elif kind == "csv":
            save_clip(_frames(document, options.get("clip") or document.clip), path)
        else:
            save(document, path)
        return path.read_bytes()


def _binding(document: Document) -> Binding:
    captured = document.captured
    if captured is None or captured.binding is None:
        raise BadValue("no take is bound; load one, and bind it by names or by three pairs")
    return captured.binding


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _frames(document: Document, name: str) -> Clip:
    """A clip with a key on every frame, for every slider that it moves."""
    if not name:
        raise BadValue("no clip is at hand; name one")
    clip = document.clip_named(name)
    if not clip.curves:
        raise BadValue(f"clip {name!r} has no keys")
    sliders = list(clip.curves)
    return Clip.from_table(name, sliders, clip.times(), clip.sample(sliders))


def _picture(document: Document, options: Mapping[str, str]) -> bytes:
    width, height = (_pixels(options, name, default) for name, default in (("width", 1280), ("height", 720)))
    view = options.get("view", "front")
    if view not in VIEWS:
        raise UnknownName("view", view, VIEWS)
    return png_bytes(picture_of(document.rig, document.pose, size=(width, height), view=view))


def _pixels(options: Mapping[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not 16 <= int(text) <= _PIXELS:
        raise BadValue(f"{name} is a number of pixels from 16 to {_PIXELS}, not {text[:20]!r}")
    return int(text)
