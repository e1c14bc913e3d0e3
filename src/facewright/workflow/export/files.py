"""Writing a document for other programs: as a file, or as bytes to download."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.clips import save_clip
from facewright.formats.contents import EVERYTHING, counted
from facewright.formats.json_files import save_binding
from facewright.formats.registry import format_of, save, save_with
from facewright.motion.clip import Clip
from facewright.motion.cut import sampled_clip
from facewright.regions.bake import bake_regions
from facewright.rig.binding import Binding
from facewright.rig.head_motion import about
from facewright.workflow.export.arrange import NATIVE, arranged
from facewright.workflow.export.options import ExportOptions

MEDIA = {
    "fwface": "application/octet-stream",
    "glb": "model/gltf-binary",
    "vrm": "model/gltf-binary",
    "fbx": "application/octet-stream",
    "usda": "text/plain",
    "usdc": "application/octet-stream",
    "usdz": "model/vnd.usdz+zip",
    "obj": "text/plain",
    "npz": "application/octet-stream",
    "csv": "text/csv",
    "png": "image/png",
    "json": "application/json",
}  # media types by kind, which is a suffix without its dot

_WITHOUT_IMAGES = ("usda", "usdc")


@dataclass(frozen=True, eq=False)
class Exported:
    """The bytes of a file, and what a person should know about it."""

    data: bytes
    note: str = ""


@dataclass(frozen=True, eq=False)
class Saved:
    """A document as it was written, and what a person should know about it."""

    document: Document
    note: str = ""
    kept: tuple[str, ...] = ()  # what is in the file, in words: "1,204 vertices", "52 shapes"
    lost: tuple[str, ...] = ()  # and what of the document is not


def save_baked(document: Document, path: Path, options: ExportOptions | None = None) -> Saved:
    """Save a document in the format of its path; what regions add to it becomes shapes, except in the native format.

    options: how; without them its numbers and clips stay, and no unit is guessed.
    """
    format = format_of(path)
    if options is not None:
        made = arranged(document, path.suffix.lower().removeprefix("."), options)
        document, note = made.document, " ".join(made.notes)
        save_with(document, path, made.write)
    else:
        note = ""
        if f".{NATIVE}" not in format.suffixes:
            baked = bake_regions(document)
            document, note = baked.document, str(baked) if baked.added else ""
        save(document, path)
    keeps = format.keeps(path)
    kept = f"{document.rig.vertex_count:,} vertices", *counted(document, keeps)
    return Saved(document, note, kept, counted(document, EVERYTHING - keeps))


def lost_words(saved: Saved, path: Path) -> str:
    """What a file lacks of the document that was saved, as a sentence; "" where it has everything."""
    lost = ", ".join(saved.lost)
    return f"not kept in {path.suffix or 'a folder'}: {lost}; .{NATIVE} keeps everything" if lost else ""


def export(document: Document, kind: str, options: ExportOptions | None = None) -> Exported:
    """A file of a kind (a suffix without its dot) as the options say; without any the native one is the document."""
    options = options or ExportOptions()
    if kind not in MEDIA:
        raise UnknownName("kind of export", kind, MEDIA)
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        path = Path(folder) / f"face.{kind}"
        if kind == NATIVE and options == ExportOptions():
            save(document, path)
            return Exported(path.read_bytes())
        if kind == "json":
            save_binding(_binding(document), path)
            return Exported(path.read_bytes())
        if kind in _WITHOUT_IMAGES:  # they would be files beside it
            options = replace(options, textures="none")
        made = arranged(document, kind, options)
        if kind == "png":
            from facewright.render import face_picture, png_bytes

            size = options.width, options.height
            picture = face_picture(made.document.rig, made.document.pose, size=size, view=options.view)
            return Exported(png_bytes(picture))
        if kind == "csv":
            save_clip(_clip(made.document, options.clip or document.clip), path)
        else:
            save_with(made.document, path, made.write)
        return Exported(path.read_bytes(), " ".join(made.notes))


def _binding(document: Document) -> Binding:
    captured = document.captured
    if captured is None or captured.binding is None:
        raise BadValue("no take is bound; load one, and bind it by names or by three pairs")
    return captured.binding


def _clip(document: Document, name: str) -> Clip:
    """A clip with a key on every frame, for every slider that it moves."""
    if not name:
        raise BadValue("no clip is chosen; name one")
    clip = document.clip_named(name)
    if not clip.curves:
        raise BadValue(f"clip {name!r} has no keys")
    return sampled_clip(about(clip, document.head, None))
