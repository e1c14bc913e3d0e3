"""Which format a path means, and the doors in and out: load, load_document, save."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from facewright.document import Document
from facewright.errors import BadFile, FacewrightError, FacewrightWarning, UnknownFormat
from facewright.rig.rig import Rig


@dataclass(frozen=True)
class Format:
    """One file format: how it comes in, how it goes out, and what does not survive it."""

    name: str
    suffixes: tuple[str, ...]  # lower case, with the dot; "" means a folder
    read: Callable[[Path], Document]
    write: Callable[[Document, Path], None]
    loses: str


def formats() -> tuple[Format, ...]:
    """All formats that hold a rig."""
    from facewright.formats import fwface, gltf, npz, obj

    return (fwface.FORMAT, gltf.FORMAT, obj.FORMAT, npz.FORMAT)


def load(path: str | PathLike[str]) -> Rig:
    """The rig in a file."""
    return load_document(path).rig


def load_document(path: str | PathLike[str]) -> Document:
    """The rig in a file with its clips, and with all that must survive being saved again."""
    where = Path(path)
    if not where.exists():
        raise BadFile(f"{where}: there is no such file")
    format = format_of(where)
    try:
        return format.read(where)
    except FacewrightError as problem:
        raise _with_path(problem, where) from problem
    except (OSError, MemoryError, RecursionError) as problem:
        raise BadFile(f"{where}: {problem or type(problem).__name__}") from problem


def save(thing: Rig | Document, path: str | PathLike[str]) -> None:
    """Write a rig or a document in the format of the path's suffix."""
    document = thing if isinstance(thing, Document) else Document(thing)
    where = Path(path)
    format = format_of(where)
    if document.local is not None and document.local.any() and format.name != "Facewright":
        warnings.warn(
            f"{where.name}: what single regions add to the pose is no weight of {format.name};"
            " `bake_regions` makes shapes of it",
            FacewrightWarning,
            stacklevel=2,
        )
    format.write(document, where)


def format_of(path: Path) -> Format:
    """The format that answers to a path's suffix; a folder, or a path without one, is an OBJ folder."""
    suffix = "" if path.is_dir() else path.suffix.lower()
    for format in formats():
        if suffix in format.suffixes:
            return format
    known = ", ".join(f"{suffix or 'a folder'} ({format.name})" for format in formats() for suffix in format.suffixes)
    raise UnknownFormat(f"{path}: no format ends in {suffix!r}; rigs are kept in {known}")


def _with_path(problem: FacewrightError, path: Path) -> FacewrightError:
    text = str(problem)
    return problem if str(path) in text else BadFile(f"{path}: {text}")
