"""OBJ: a neutral face and a file for every shape, in a folder."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats import limits
from facewright.formats.files import (
    Memory,
    Source,
    Stream,
    Target,
    flush_folder,
    make_folder,
    read_up_to,
    write_atomically,
)
from facewright.formats.obj.names import NEUTRAL, file_names, shape_name
from facewright.formats.obj.text import ObjText, face_lines, vertex_lines
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.rig import RigEntry, ShapeEntry, SliderEntry
from facewright.mesh.polygons import Polygons
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

ABOUT = "rig.json"
_HEADER = b"# Facewright\n"
_BEGINNING = 1 << 16  # bytes in which the first vertex of an OBJ file is looked for


def read(source: Source) -> Document:
    """Read a folder: its neutral and all its other OBJ files; or a file: that neutral, and the folder `shapes` beside
    it, if it has a path.
    """
    if isinstance(source, Memory):
        return Document(_Neutral(source).rig(()))
    path = source
    if not path.is_dir():
        return Document(read_obj_rig(path, _obj_files(path.parent / "shapes")))
    return read_folder(path)


def read_folder(path: Path) -> Document:
    """Read a folder: its neutral and all its other OBJ files."""
    about = _about(path)
    neutral, shapes = _neutral_and_shapes(path, about)
    if about is None:
        return Document(read_obj_rig(neutral, shapes or _obj_files(path / "shapes")))
    entry, mesh = _with_files(about, shapes), _Neutral(neutral)
    found = tuple(mesh.shape(path / shape.file, shape) for shape in entry.shapes)
    rig = mesh.rig(found, entry.rig_fields())
    return Document(rig, pose=rig.weights(entry.pose))


def read_obj_rig(neutral: str | PathLike[str], shapes: Sequence[str | PathLike[str]] = ()) -> Rig:
    """A rig from a neutral OBJ file and a list of shape files, each named like its file."""
    mesh = _Neutral(Path(neutral))
    files = [Path(shape) for shape in shapes]
    return mesh.rig(tuple(mesh.shape(file, ShapeEntry(shape_name(file.stem))) for file in files))


def files_of(path: Path) -> tuple[Path, ...]:
    """The files that `read` may read: those of a folder, or a file and the folder `shapes` beside it."""
    if path.is_dir():
        return *_obj_files(path), *_obj_files(path / "shapes"), *path.glob(ABOUT)
    return path, *_obj_files(path.parent / "shapes")


def recognise(data: bytes) -> str:
    """The suffix of an OBJ file, where the bytes are one: text with lines of vertices."""
    start = data[:_BEGINNING]
    return ".obj" if re.search(rb"(?m)^[ \t\r]*v[ \t]+[-+.\d]", start) and b"\0" not in start else ""


def write(document: Document, target: Target) -> None:
    """Write the face in its pose, one mesh, to a path ending in .obj; the whole rig, a folder, to any other path."""
    if not is_single(target):
        assert isinstance(target, Path)
        write_folder(document, target)
        return
    rig = document.rig
    faces = face_lines(rig.polygons, rig.uvs, rig.parts)
    write_atomically(target, _HEADER + vertex_lines(evaluate(rig, document.pose)) + faces)


def write_folder(document: Document, path: Path) -> None:
    """Write the whole rig to a folder."""
    rig = document.rig
    faces = face_lines(rig.polygons, rig.uvs, rig.parts)
    if path.is_file():
        raise BadValue(f"{path}: there is a file of this name, where the folder of the rig would be")
    files = file_names(rig.shape_names)
    make_folder(path)
    stale = _stale(path, {NEUTRAL, *files})
    with tempfile.TemporaryDirectory(prefix=".facewright-", dir=path) as temporary:
        _write_obj(Path(temporary, NEUTRAL), rig.neutral, faces)
        for shape, file in zip(rig.shapes, files, strict=True):
            positions = rig.neutral.copy()
            positions[shape.vertices] += shape.offsets
            _write_obj(Path(temporary, file), positions, faces)
        for file in (NEUTRAL, *files):
            _put(Path(temporary, file), path / file)
    write_atomically(path / ABOUT, encode(plain(RigEntry.of(rig, document.pose, files=files))))
    for old in stale:
        old.unlink()
    flush_folder(path)


def is_single(target: Target) -> bool:
    """Whether one mesh is written there, and no folder."""
    return isinstance(target, Stream) or (target.suffix.lower() == ".obj" and not target.is_dir())


class _Neutral:
    """A neutral file, with which shape files are compared."""

    def __init__(self, file: Source) -> None:
        self.file, self.text = file, _text(file)
        try:
            self.positions = self.text.positions()
            self.polygons, self.uvs = self.text.faces()
            self.parts = self.text.parts(self.polygons)
        except FacewrightError as problem:
            raise BadFile(f"{file}: {problem}") from problem
        if not len(self.positions):
            raise BadFile(f"{file}: there are no vertices; an OBJ file has lines such as `v 0 1.5 2`")

    def rig(self, shapes: tuple[Shape, ...], fields: Mapping[str, Any] = MappingProxyType({})) -> Rig:
        parts = fields.get("parts") or self.parts
        return Rig(self.positions, self.polygons, shapes, uvs=self.uvs, **{**fields, "parts": parts})

    def shape(self, file: Path, entry: ShapeEntry) -> Shape:
        positions = self._positions_in(file, _text(file))
        return Shape.from_dense(entry.name, positions - self.positions, **entry.driving())

    def _positions_in(self, file: Path, text: ObjText) -> Floats:
        """The positions in a shape file that has the neutral's vertices and faces."""
        try:
            positions = text.positions()
            polygons = self.polygons if text.has_faces_of(self.text) else text.faces()[0]
        except FacewrightError as problem:
            raise BadFile(f"{file}: {problem}") from problem
        but = f"but the neutral {self.file.name} has"
        rule = "a shape file has the neutral's vertices and faces, in the same order"
        if len(positions) != len(self.positions):
            raise BadFile(f"{file}: the file has {len(positions)} vertices, {but} {len(self.positions)}; {rule}")
        if len(polygons) != len(self.polygons):
            raise BadFile(f"{file}: the file has {len(polygons)} faces, {but} {len(self.polygons)}; {rule}")
        if not _same(polygons, self.polygons):
            raise BadFile(f"{file}: {_difference(polygons, self.polygons)}; {rule}")
        return positions


def _same(one: Polygons, other: Polygons) -> bool:
    return np.array_equal(one.counts, other.counts) and np.array_equal(one.corners, other.corners)


def _difference(polygons: Polygons, neutral: Polygons) -> str:
    pairs = zip(polygons.rows(), neutral.rows(), strict=True)
    face, one, other = next((i, a, b) for i, (a, b) in enumerate(pairs) if not np.array_equal(a, b))
    return f"face {face + 1} joins vertices {(one + 1).tolist()}, but in the neutral {(other + 1).tolist()}"


def _text(file: Source) -> ObjText:
    return ObjText(read_up_to(file, limits.TEXT))


def _obj_files(folder: Path) -> list[Path]:
    """A folder's OBJ files by name, without hidden ones; none where there is no folder."""
    if not folder.is_dir():
        return []
    files = (file for file in folder.iterdir() if file.suffix.lower() == ".obj" and not file.name.startswith("."))
    found = sorted(file for file in files if file.is_file())
    if len(found) > limits.SHAPES:
        raise BadFile(f"{folder}: {len(found)} OBJ files; at most {limits.SHAPES} are read")
    return found


def _neutral_and_shapes(folder: Path, about: RigEntry | None) -> tuple[Path, list[Path]]:
    """The neutral file of a folder, and the others."""
    files = _obj_files(folder)
    candidates = next((found for found in _neutrals(files, about) if found), files)
    if len(candidates) != 1:
        listed = ", ".join(file.name for file in candidates[:12]) or "no .obj file"
        raise BadFile(f"{folder}: it is not clear which file is the neutral face: {listed}; name it {NEUTRAL}")
    return candidates[0], [file for file in files if file != candidates[0]]


def _neutrals(files: list[Path], about: RigEntry | None) -> Iterator[list[Path]]:
    """Files that may be the neutral, from the surest sign to none."""
    yield [file for file in files if file.name.lower() == NEUTRAL]
    named = set() if about is None else {shape.file for shape in about.shapes}
    unnamed = [file for file in files if file.name not in named]
    yield unnamed if named and len(unnamed) == 1 else []
    yield [file for file in files if "neutral" in file.stem.lower()]
    yield [file for file in files if file.stem.lower() in ("rest", "base")]
    yield [file for file in files if "base" in file.stem.lower() or "rest" in re.findall("[a-z]+", file.stem.lower())]


def _about(folder: Path) -> RigEntry | None:
    if not (folder / ABOUT).is_file():
        return None
    try:
        entry = entry_from(decode(read_up_to(folder / ABOUT, limits.JSON)), RigEntry)
    except BadFile as problem:
        raise BadFile(f"{folder / ABOUT}: {problem}") from problem
    return entry


def _with_files(entry: RigEntry, files: list[Path]) -> RigEntry:
    """The entry of rig.json, with a plain shape for every file that it does not name."""
    there = {file.name for file in files}
    for shape in entry.shapes:
        if shape.file not in there:
            raise BadFile(f"{ABOUT} has shape {shape.name!r} in the file {shape.file!r}, which is not in the folder")
    named = {shape.file for shape in entry.shapes}
    new = [ShapeEntry(shape_name(file.stem), file=file.name) for file in files if file.name not in named]
    known = {slider.name for slider in entry.sliders}
    if entry.sliders:  # without any, they are those that the shapes name
        entry.sliders += [SliderEntry(shape.name) for shape in new if shape.name not in known]
    entry.shapes += new
    return entry


def _stale(folder: Path, files: set[str]) -> list[Path]:
    """Shape files of the rig that was in the folder, to be removed; raises where there are other OBJ files."""
    others = [file for file in _obj_files(folder) if file.name not in files]
    before = _about(folder)
    ours = {shape.file for shape in before.shapes} if before else set()
    strangers = ", ".join([file.name for file in others if file.name not in ours][:6])
    if strangers:
        raise BadValue(f"{folder}: {strangers} would be read as shapes of this rig; choose an empty folder")
    return others


def _put(made: Path, target: Path) -> None:
    """Put a file in place of another; where that is a link, in place of what it leads to."""
    if target.is_symlink():
        write_atomically(target, made.read_bytes())
    else:
        os.replace(made, target)


def _write_obj(file: Path, positions: Floats, faces: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(_HEADER + vertex_lines(positions) + faces)
        stream.flush()
        os.fsync(stream.fileno())
