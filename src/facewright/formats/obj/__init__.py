"""Wavefront OBJ: a neutral face and one file for each shape, in a folder or in a zip of one."""

from __future__ import annotations

from pathlib import Path

from facewright.document import Document
from facewright.formats.files import Source, Target
from facewright.formats.obj import files
from facewright.formats.obj.zipped import begins_as_zip, holds_obj_files, read_zip, write_zip
from facewright.formats.registry import Format


def _is_zip(file: Source | Target) -> bool:
    return file.suffix.lower() == ".zip" and not (isinstance(file, Path) and file.is_dir())


def _read(source: Source) -> Document:
    return read_zip(source) if _is_zip(source) or begins_as_zip(source) else files.read(source)


def _write(document: Document, target: Target) -> None:
    return write_zip(document, target) if _is_zip(target) else files.write(document, target)


FORMAT = Format(
    "OBJ",
    (".obj", "", ".zip"),
    _read,
    _write,
    lambda data: ".zip" if holds_obj_files(data) else files.recognise(data),
    lambda target: frozenset({"shape"}) if _is_zip(target) or not files.is_single(target) else frozenset(),
    lambda path: (path,) if _is_zip(path) else files.files_of(path),
)
