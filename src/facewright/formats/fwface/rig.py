"""The rig's arrays as members of a zip."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.arrays import Ints, indices
from facewright.errors import BadFile
from facewright.formats.arrays_zip import ArrayZip, ArrayZipWriter, is_single, smallest
from facewright.formats.schema.rig import RigEntry
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_NAMES = (
    "neutral", "polygon_counts", "polygon_corners", "uv_coordinates", "uv_corners",
    "shape_starts", "shape_vertices", "shape_offsets",
)  # fmt: skip


def _member(name: str) -> str:
    return f"arrays/{name}.npy"


MEMBERS = frozenset(map(_member, _NAMES))


def read_rig(file: ArrayZip, entry: RigEntry) -> Rig:
    """The rig that an entry describes, with the arrays of a file."""
    return Rig(
        neutral=file.array(_member("neutral"), "f"),
        polygons=Polygons(_whole(file, "polygon_corners"), _whole(file, "polygon_counts")),
        shapes=_read_shapes(file, entry),
        uvs=_read_uvs(file),
        **entry.rig_fields(),
    )


def write_rig(file: ArrayZipWriter, rig: Rig) -> None:
    """Write the arrays of a rig; each number in single precision where that is exact for all of its array."""
    _write_mesh(file, rig)
    _write_shapes(file, rig)


def _whole(file: ArrayZip, name: str) -> Any:
    return file.array(_member(name), "iu")


def _read_uvs(file: ArrayZip) -> Uvs | None:
    if _member("uv_coordinates") not in file.names:
        return None
    return Uvs(file.array(_member("uv_coordinates"), "f"), _whole(file, "uv_corners").astype(np.int64))


def _read_shapes(file: ArrayZip, entry: RigEntry) -> tuple[Shape, ...]:
    """The shapes, read one after the other, so that nothing but the rig itself is in memory."""
    counts = np.diff(_starts(file, len(entry.shapes))).tolist()
    vertices = file.rows(_member("shape_vertices"), "iu", counts)
    offsets = file.rows(_member("shape_offsets"), "f", counts)
    shapes = [
        Shape(shape.name, moved, by, **shape.driving())
        for shape, moved, by in zip(entry.shapes, vertices, offsets, strict=True)
    ]
    return tuple(shapes)


def _starts(file: ArrayZip, shapes: int) -> Ints:
    vertices = file.header(_member("shape_vertices"), "iu").shape
    offsets = file.header(_member("shape_offsets"), "f").shape
    if len(vertices) != 1 or offsets != (*vertices, 3):
        raise BadFile(f"shape_vertices (n,) and shape_offsets (n, 3) must match, but have shapes {vertices}, {offsets}")
    (stored,) = vertices
    starts = indices("shape_starts", _whole(file, "shape_starts"), (shapes + 1,), below=stored + 1)
    if starts[0] != 0 or starts[-1] != stored or (np.diff(starts) < 0).any():
        raise BadFile(f"{_member('shape_starts')} must increase from 0 to {stored}")
    return starts


def _write_mesh(file: ArrayZipWriter, rig: Rig) -> None:
    arrays = {
        "neutral": rig.neutral,
        "polygon_counts": rig.polygons.counts,
        "polygon_corners": rig.polygons.corners,
    }
    if rig.uvs is not None:
        arrays |= {"uv_coordinates": rig.uvs.coordinates, "uv_corners": rig.uvs.corners}
    for name, array in arrays.items():
        file.array(_member(name), array.astype(smallest(array)))


def _write_shapes(file: ArrayZipWriter, rig: Rig) -> None:
    starts = np.cumsum([0, *(len(shape.vertices) for shape in rig.shapes)])
    stored = int(starts[-1])
    file.array(_member("shape_starts"), starts.astype(smallest(starts)))
    vertex = np.min_scalar_type(rig.vertex_count)
    number = "<f4" if all(is_single(shape.offsets) for shape in rig.shapes) else "<f8"
    moved, by = (shape.vertices for shape in rig.shapes), (shape.offsets for shape in rig.shapes)
    file.stream(_member("shape_vertices"), vertex, (stored,), moved)
    file.stream(_member("shape_offsets"), number, (stored, 3), by)
