"""A document as a file to download."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.binding_json import save_binding
from facewright.formats.registry import save
from facewright.formats.weights_csv import save_clip
from facewright.motion.clip import Clip
from facewright.render import VIEWS, picture_of, png_bytes
from facewright.rig.binding import Binding

_SAVED = ("fwface", "glb", "obj", "npz")
KINDS = (*_SAVED, "csv", "png", "json")
MEDIA = {
    "glb": "model/gltf-binary",
    "csv": "text/csv",
    "png": "image/png",
    "obj": "text/plain",
    "json": "application/json",
}
_PIXELS = 4096


def export(document: Document, kind: str, options: Mapping[str, str]) -> bytes:
    """The bytes of a file of a kind; options are those of the route."""
    if kind not in KINDS:
        raise UnknownName("kind of export", kind, KINDS)
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
