"""The formats that hold rigs, and which of them a file is in: load, load_document, save."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from facewright.document import Document, bake_layers
from facewright.errors import BadValue, FacewrightWarning, UnknownFormat
from facewright.formats.avatar_meta import meta_from
from facewright.formats.files import Source, Target
from facewright.formats.sources import Readable, Writable, check_exists, naming, source_of, target_of
from facewright.formats.write_options import WriteOptions
from facewright.options import suggests_options
from facewright.rig.rig import Rig

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]*")  # what the names of files end in


@dataclass(frozen=True)
class Format:
    """A file format: how it is read and written, what it keeps, and how its bytes are recognised."""

    name: str
    suffixes: tuple[str, ...]  # lower case, with the dot; "" means a folder
    read: Callable[[Source], Document]
    write: Callable[[Document, Target], None]
    recognise: Callable[[bytes], str]  # the suffix of a file with these bytes; "" where they are of another format
    keeps: Callable[[Target], frozenset[str]]  # kinds of `contents` that a file or a folder of this name keeps
    files: Callable[[Path], tuple[Path, ...]]  # the files that are read where a path is: itself, others beside it
    write_with: Callable[[Document, Target, WriteOptions], None] | None = None  # where there is a choice in writing


def formats() -> tuple[Format, ...]:
    """All formats that hold a rig."""
    from facewright.formats import fbx, fwface, gltf, npz, obj, usd

    return (fwface.FORMAT, gltf.FORMAT, fbx.FORMAT, usd.FORMAT, obj.FORMAT, npz.FORMAT)


@suggests_options
def load(source: Readable, *, format: str = "") -> Rig:
    """The rig in a file: its path, its bytes, or a binary file object.

    The format follows from a path's suffix, or from the bytes; `format`, such as "glb", says it otherwise.
    """
    return load_document(source, format=format).rig


@suggests_options
def load_document(source: Readable, *, format: str = "") -> Document:
    """The rig in a file with its clips, and with all else that saving it again must keep. Arguments as in `load`."""
    found, suffix = source_of(source, format, _suffixes(), recognise)
    check_exists(found)
    kind = _with_suffix(suffix, found)
    with naming(found):
        return kind.read(found)


@suggests_options
def save(thing: Rig | Document, target: Writable, *, format: str = "", avatar: Mapping[str, str] | None = None) -> None:
    """Write a rig or a document to a path, in the format of its suffix, or to a binary file object.

    `format`, such as "glb", is the format for a file object, or for a path whose suffix says another.
    avatar: what a .vrm file states, such as {"authors": "Jo Doe"}, by the names of VRM 1.0.
    """
    document = thing if isinstance(thing, Document) else Document(thing)
    with target_of(target, format, _suffixes()) as found:
        kind = format_of(found)
        document = _for(kind, document, found)
        if document.local is not None and document.local.any() and kind.name != "Facewright":
            warnings.warn(
                f"{found.name}: what single regions add to the pose is no weight of {kind.name};"
                " `bake_regions` makes shapes of it",
                FacewrightWarning,
                stacklevel=2,
            )
        meta_from(avatar or {})
        if avatar and kind.write_with is not None and found.suffix.lower() == ".vrm":
            kind.write_with(document, found, WriteOptions(avatar=avatar))
        elif avatar:
            raise BadValue(f"{found.name}: only .vrm files state who made an avatar")
        else:
            kind.write(document, found)


def save_with(document: Document, path: Path, options: WriteOptions) -> None:
    """Write a document in the format of a path's suffix as the options say, where the format knows them."""
    kind = format_of(path)
    document = _for(kind, document, path)
    if kind.write_with is None:
        kind.write(document, path)
    else:
        kind.write_with(document, path, options)


def _for(kind: Format, document: Document, target: Target) -> Document:
    """The document with its layers baked, where the format does not keep them."""
    return document if "layer" in kind.keeps(target) else bake_layers(document)


def format_of(file: Source | Target) -> Format:
    """The format of a path's suffix; a folder is OBJ, and so is a new path without anything like one (v1.2)."""
    is_folder = isinstance(file, Path) and (file.is_dir() or (not file.exists() and not _SUFFIX.fullmatch(file.suffix)))
    return _with_suffix("" if is_folder else file.suffix.lower(), file)


def _with_suffix(suffix: str, file: Source | Target) -> Format:
    for format in formats():
        if suffix in format.suffixes:
            return format
    known = ", ".join(f"{suffix or 'a folder'} ({format.name})" for format in formats() for suffix in format.suffixes)
    new = (
        "" if not isinstance(file, Path) or file.exists() else ". To write a folder of this name, make the folder first"
    )
    raise UnknownFormat(f"{file}: no format ends in {suffix!r}; rigs are kept in {known}{new}")


def _suffixes() -> tuple[str, ...]:
    return tuple(suffix for format in formats() for suffix in format.suffixes)


def recognise(data: bytes) -> str:
    """The suffix of the format that bytes are in; "" where they are in none that holds rigs."""
    return next((suffix for format in formats() if (suffix := format.recognise(data))), "")
