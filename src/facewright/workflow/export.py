"""Writing a document for other programs: as a file, or as bytes to download."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.formats.clips import save_clip
from facewright.formats.contents import EVERYTHING, counted
from facewright.formats.json_files import save_binding
from facewright.formats.registry import format_of, save
from facewright.motion.clip import Clip
from facewright.regions.bake import bake_regions
from facewright.rig.binding import Binding
from facewright.workflow.plain_targets import plain_targets

NATIVE = "fwface"
_WITH_SHAPES = ("glb", "fbx", "npz", "csv")  # kinds in which the shapes of regions are seen
MEDIA = {
    "fwface": "application/octet-stream",
    "glb": "model/gltf-binary",
    "fbx": "application/octet-stream",
    "obj": "text/plain",
    "npz": "application/octet-stream",
    "csv": "text/csv",
    "png": "image/png",
    "json": "application/json",
}  # media types by kind, which is a suffix without its dot
_LEAST, _MOST = 16, 4096  # pixels


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """What a table or a picture needs besides the document."""

    clip: str = ""  # of a table; "": the document's current one
    width: int = 1280  # of a picture, in pixels
    height: int = 720
    view: str = "front"
    plain: bool = False  # each in-between and combination becomes a target with its own keys, for other programs
    tolerance: float = (
        0.0  # of plain targets: those that move no vertex further than this share of the face are dropped
    )

    def __post_init__(self) -> None:
        for name, pixels in (("width", self.width), ("height", self.height)):
            if not _LEAST <= pixels <= _MOST:
                raise BadValue(f"{name} is a number of pixels from {_LEAST} to {_MOST}, not {pixels}")
        from facewright.render import VIEWS  # not in memory before it is needed, as what draws below

        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Options from the query of an address; others are left alone."""
        width, height = (_pixels(name, texts[name]) if name in texts else None for name in ("width", "height"))
        return cls(
            clip=texts.get("clip", cls.clip),
            width=cls.width if width is None else width,
            height=cls.height if height is None else height,
            view=texts.get("view", cls.view),
            plain=texts.get("plain", "no") == "yes",
            tolerance=_share("tolerance", texts["tolerance"]) if "tolerance" in texts else cls.tolerance,
        )


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


def save_baked(document: Document, path: Path) -> Saved:
    """Save a document in the format of its path; what regions add to it becomes shapes, except in the native format."""
    format = format_of(path)
    if f".{NATIVE}" in format.suffixes:
        note = ""
    else:
        baked = bake_regions(document)
        document, note = baked.document, str(baked) if baked.added else ""
    keeps = format.keeps(path)
    save(document, path)
    kept = f"{document.rig.vertex_count:,} vertices", *counted(document, keeps)
    return Saved(document, note, kept, counted(document, EVERYTHING - keeps))


def lost_words(saved: Saved, path: Path) -> str:
    """What a file lacks of the document that was saved, as a sentence; "" where it has everything."""
    lost = ", ".join(saved.lost)
    return f"not kept in {path.suffix or 'a folder'}: {lost}; .{NATIVE} keeps everything" if lost else ""


def export(document: Document, kind: str, options: ExportOptions | None = None) -> Exported:
    """A file of a kind (a suffix without its dot); what regions add becomes shapes, except in the native format."""
    options = options or ExportOptions()
    if kind not in MEDIA:
        raise UnknownName("kind of export", kind, MEDIA)
    if kind == NATIVE:
        return Exported(_bytes(document, kind, options))
    if options.plain:
        made = plain_targets(document, tolerance=options.tolerance)
        return Exported(_bytes(made.document, kind, options), _sentence(str(made)))
    baked = bake_regions(document)
    note = f"{_sentence(str(baked))} Programs without regions show the same face." if baked.added else ""
    return Exported(_bytes(baked.document, kind, options), note if kind in _WITH_SHAPES else "")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _bytes(document: Document, kind: str, options: ExportOptions) -> bytes:
    if kind == "png":
        size = options.width, options.height
        from facewright.render import face_picture, png_bytes

        return png_bytes(face_picture(document.rig, document.pose, size=size, view=options.view))
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        path = Path(folder) / f"face.{kind}"
        if kind == "json":
            save_binding(_binding(document), path)
        elif kind == "csv":
            save_clip(_clip(document, options.clip or document.clip), path)
        else:
            save(document, path)
        return path.read_bytes()


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
    sliders = list(clip.curves)
    return Clip.from_table(name, sliders, clip.times(), clip.sample(sliders))


def _share(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadValue(f"{name} is a share of the face's size, such as 0.001, not {text[:20]!r}") from None


def _pixels(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_MOST))):
        raise BadValue(f"{name} is a number of pixels from {_LEAST} to {_MOST}, not {text[:20]!r}")
    return int(text)
