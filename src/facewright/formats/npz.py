"""Plain arrays `neutral`, `deltas`, `names` and `faces` in an NPZ file, as `numpy.load` reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import (
    ArrayZip,
    ArrayZipWriter,
    has_member,
    is_single,
    reading_zip,
    smallest,
    write_zip,
)
from facewright.formats.files import Source, Target
from facewright.formats.registry import Format
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.rig import RigEntry, ShapeEntry, SliderEntry
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_NEEDED = "neutral (v, 3), deltas (s, v, 3), names (s,) and faces (f, 3 or 4)"
_ABOUT = "facewright"  # a RigEntry as JSON text


def read(source: Source) -> Document:
    """The rig in an NPZ file; unknown arrays are ignored."""
    with reading_zip(source) as file:
        names = _names(file)
        entry = _about(file, names)
        neutral = _array(file, "neutral", "f")
        if neutral.ndim != 2:
            raise BadFile(f"neutral must have shape (v, 3), not {neutral.shape}")
        rig = Rig(
            neutral=neutral,
            polygons=_read_polygons(file),
            shapes=_read_shapes(file, entry, len(neutral)),
            uvs=_read_uvs(file),
            **entry.rig_fields(),
        )
        return Document(rig, pose=rig.weights(entry.pose))


def write(document: Document, target: Target) -> None:
    """Write an NPZ file, deflated; shapes are made dense one at a time."""
    rig = document.rig
    names = np.array(rig.shape_names, dtype=np.str_)
    if tuple(names.tolist()) != rig.shape_names:
        raise BadValue("NPZ cannot keep a shape name that ends in a null character; rename it")
    about = RigEntry.of(rig, document.pose)
    text = "" if _is_plain(about) else encode(plain(about)).decode()

    def fill(file: ArrayZipWriter) -> None:
        file.array("neutral.npy", rig.neutral.astype(smallest(rig.neutral)))
        _write_deltas(file, rig)
        file.array("names.npy", names)
        _write_polygons(file, rig)
        if text:
            file.array(f"{_ABOUT}.npy", np.array(text))

    write_zip(target, fill, packed=True)


FORMAT = Format(
    "NPZ",
    (".npz",),
    read,
    write,
    lambda data: ".npz" if has_member(data, "neutral.npy") else "",
    lambda _: frozenset({"shape"}),
    lambda path: (path,),
)


def _array(file: ArrayZip, name: str, kind: str) -> Any:
    if f"{name}.npy" not in file.names:
        has = ", ".join(sorted(member.removesuffix(".npy") for member in file.names)) or "nothing"
        raise BadFile(f"there is no array {name!r}; a rig needs {_NEEDED}, and this file has {has}")
    return file.array(f"{name}.npy", kind)


def _names(file: ArrayZip) -> list[str]:
    array = _array(file, "names", "US")
    if array.ndim != 1:
        raise BadFile(f"names must have shape (s,), not {array.shape}")
    if len(array) > limits.SHAPES:
        raise BadFile(f"there are {len(array)} names; at most {limits.SHAPES} shapes are read")
    try:
        return [name.decode() if isinstance(name, bytes) else name for name in array.tolist()]
    except UnicodeDecodeError as problem:
        raise BadFile(f"names are not UTF-8: {problem}") from problem


def _about(file: ArrayZip, names: list[str]) -> RigEntry:
    if f"{_ABOUT}.npy" not in file.names:
        return RigEntry(shapes=[ShapeEntry(name) for name in names])
    array = file.array(f"{_ABOUT}.npy", "US")
    if array.ndim or array.nbytes > limits.JSON:
        raise BadFile(f"{_ABOUT} must be one text of at most {limits.JSON >> 20} MB")
    text = array.item()
    entry = entry_from(decode(text if isinstance(text, bytes) else text.encode()), RigEntry)
    if [shape.name for shape in entry.shapes] != names:
        raise BadFile(f"the shapes in {_ABOUT!r} are not those in `names`; remove that entry to read the plain arrays")
    return entry


def _read_shapes(file: ArrayZip, entry: RigEntry, vertices: int) -> tuple[Shape, ...]:
    if "deltas.npy" not in file.names:
        _array(file, "deltas", "f")
    wanted = (len(entry.shapes), vertices, 3)
    shape = file.header("deltas.npy", "f").shape
    if shape != wanted:
        raise BadFile(f"deltas must have shape {wanted} for {wanted[0]} names and {vertices} vertices, not {shape}")
    rows = file.rows("deltas.npy", "f", [1] * len(entry.shapes))
    return tuple(
        Shape.from_dense(shape.name, row[0], **shape.driving()) for shape, row in zip(entry.shapes, rows, strict=True)
    )


def _read_polygons(file: ArrayZip) -> Polygons:
    key = "quads" if "quads.npy" in file.names and "faces.npy" not in file.names else "faces"
    faces = _array(file, key, "iu")
    if faces.ndim != 2 or faces.shape[1] not in (3, 4):
        raise BadFile(f"{key} must have shape (f, 3) or (f, 4), not {faces.shape}")
    if "polygon_counts.npy" not in file.names:
        return _uniform(faces)
    polygons = Polygons(_array(file, "polygon_corners", "iu"), _array(file, "polygon_counts", "iu"))
    if not np.array_equal(polygons.triangles, faces):
        raise BadFile("faces are not the polygons' triangles; remove polygon_counts and polygon_corners to use faces")
    return polygons


def _uniform(faces: Ints) -> Polygons:
    return Polygons(faces.ravel(), np.full(len(faces), faces.shape[1]))


def _read_uvs(file: ArrayZip) -> Uvs | None:
    if "uv_coordinates.npy" not in file.names:
        return None
    return Uvs(_array(file, "uv_coordinates", "f"), _array(file, "uv_corners", "iu").astype(np.int64))


def _write_deltas(file: ArrayZipWriter, rig: Rig) -> None:
    number = "<f4" if all(is_single(shape.offsets) for shape in rig.shapes) else "<f8"
    rows = (shape.dense(rig.vertex_count) for shape in rig.shapes)
    file.stream("deltas.npy", number, (len(rig.shapes), rig.vertex_count, 3), rows)


def _write_polygons(file: ArrayZipWriter, rig: Rig) -> None:
    uniform = rig.polygons.uniform()
    if uniform is not None and uniform.shape[1] in (3, 4):
        file.array("faces.npy", uniform.astype(np.int32))
    else:
        file.array("faces.npy", rig.triangles.astype(np.int32))
        file.array("polygon_counts.npy", rig.polygons.counts.astype(np.int32))
        file.array("polygon_corners.npy", rig.polygons.corners.astype(np.int32))
    if rig.uvs is not None:
        file.array("uv_coordinates.npy", rig.uvs.coordinates.astype(smallest(rig.uvs.coordinates)))
        file.array("uv_corners.npy", rig.uvs.corners.astype(np.int32))


def _is_plain(about: RigEntry) -> bool:
    """Whether the arrays suffice: one slider for each shape, from 0 to 1, and nothing else."""
    names = [shape.name for shape in about.shapes]
    one_each = about.sliders == [SliderEntry(name) for name in names]
    bare = about.shapes == [ShapeEntry(name) for name in names] and [part.name for part in about.parts] == ["face"]
    return one_each and bare and about.ties is None and not (about.exclusive or about.rules or about.pose)
