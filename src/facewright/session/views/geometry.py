"""A rig as the graphics card wants it: copies of vertices at texture seams, triangles sorted by part and material."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Annotated
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.mesh.normals import triangle_normals, vertex_normals
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.gaze import Gaze
from facewright.rig.materials import Material, Materials
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.session.frames import Array, Frame
from facewright.session.views.stiff_parts import EyeInfo, eye_infos, stiff_arrays


def rig_id(rig: Rig) -> str:
    """A name that changes when anything of the rig does, and only then."""
    digest = hashlib.blake2b(digest_size=12)
    words = (rig.sliders, rig.groups, rig.parts, rig.exclusive, [(s.name, s.factors, s.additive) for s in rig.shapes])
    digest.update(repr(words).encode())
    _add_arrays(digest, (rig.neutral, rig.bounds))
    for part in (rig.polygons, rig.uvs, *rig.shapes):
        digest.update(content_digest(part))
    return digest.hexdigest()


_DIGESTS: WeakKeyDictionary[Shape | Polygons | Uvs, bytes] = WeakKeyDictionary()  # most outlive a change of their rig


def content_digest(part: Shape | Polygons | Uvs | None) -> bytes:
    """Bytes that change when the arrays of a part of a rig do; worked out once."""
    if part is None:
        return b"none"
    known = _DIGESTS.get(part)
    if known is None:
        digest = hashlib.blake2b(digest_size=16)
        values = (getattr(part, field.name) for field in fields(part))
        _add_arrays(digest, [value for value in values if isinstance(value, np.ndarray)])
        known = _DIGESTS[part] = digest.digest()
    return known


def _add_arrays(digest: hashlib.blake2b, arrays: Iterable[np.ndarray]) -> None:
    for array in arrays:
        digest.update(repr((array.dtype.str, array.shape)).encode())
        digest.update(array.tobytes())


class RangeInfo(Struct):
    """Triangles that belong to one part and one of `materials` (0 where there are none)."""

    part: int
    material: int
    start: int  # first triangle
    count: int


class MaterialInfo(Struct):
    """How a surface looks. An image is at `GET /api/texture/{rig id}/{image}`."""

    name: str
    color: tuple[float, float, float, float]  # linear, a factor on the image
    roughness: float
    image: int | None
    media: str  # in its file: image/png, image/jpeg, image/webp or image/ktx2 (sent as PNG); "" without an image
    alpha: str  # OPAQUE, MASK or BLEND
    cutoff: float
    double_sided: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Geometry(Frame):
    """What the graphics card needs: r render vertices (copies where texture coordinates have a seam), t triangles,
    s shapes that are sparse over rig vertices.
    """

    rig: str
    ranges: list[RangeInfo]
    materials: list[MaterialInfo]  # empty: the file says nothing, the page chooses
    eyes: list[EyeInfo]
    positions: Annotated[Floats, Array("f4", ("r", 3))]
    normals: Annotated[Floats, Array("f4", ("r", 3))]
    uvs: Annotated[Floats, Array("f4", ("r", 2))] | None  # v up
    vertex: Annotated[Ints, Array("u4", ("r",))]  # of the rig
    triangles: Annotated[Ints, Array("u4", ("t", 3))]
    triangle: Annotated[Ints, Array("u4", ("t",))]  # of the rig
    starts: Annotated[Ints, Array("u4", ("s+1",))]  # shape j moves vertices[starts[j]:starts[j + 1]]
    vertices: Annotated[Ints, Array("u4", ("m",))]
    offsets: Annotated[Floats, Array("f4", ("m", 3))]
    turns: Annotated[Floats, Array("f4", ("m", 3))]  # by which the normals change
    riders: Annotated[Ints, Array("u4", ("k",))]  # vertices that go where the carriers go
    carriers: Annotated[Ints, Array("u4", ("c",))]
    eyeballs: Annotated[Ints, Array("u4", ("e",))]  # vertices of all eyes


def geometry(document: Document, id: str) -> Geometry:
    """The Geometry frame of a document's rig."""
    rig = document.rig
    materials = document.materials
    vertex, uvs, corners = _render_vertices(rig)
    order, ranges = _ranges(rig, materials)
    normals = vertex_normals(rig.neutral, rig.triangles)
    return Geometry(
        rig=id,
        ranges=ranges,
        materials=[] if materials is None else [material_info(materials, material) for material in materials],
        eyes=eye_infos(Gaze(rig)),
        positions=rig.neutral[vertex],
        normals=normals[vertex],
        uvs=uvs,
        vertex=vertex,
        triangles=corners[order],
        triangle=order,
        **_shapes(rig),
        **stiff_arrays(rig),
    )


def material_info(materials: Materials, material: Material) -> MaterialInfo:
    """A material as pages see it."""
    red, green, blue, opacity = material.color
    return MaterialInfo(
        name=material.name,
        color=(red, green, blue, opacity),
        roughness=material.roughness,
        image=material.image,
        media=materials.media(material),
        alpha=material.alpha_mode,
        cutoff=material.alpha_cutoff,
        double_sided=material.double_sided,
    )


def _render_vertices(rig: Rig) -> tuple[Ints, Floats | None, Ints]:
    """The rig vertex (r,) and texture coordinates (r, 2) of each render vertex, and the triangles (t, 3) over them."""
    if rig.uvs is None:
        return np.arange(rig.vertex_count), None, rig.triangles
    rows = len(rig.uvs.coordinates) + 1
    keys, corner = np.unique(rig.polygons.corners * rows + rig.uvs.corners + 1, return_inverse=True)
    vertex, row = keys // rows, keys % rows - 1
    uvs = np.zeros((len(keys), 2))
    uvs[row >= 0] = rig.uvs.coordinates[row[row >= 0]]
    return vertex, uvs, corner[rig.polygons.triangle_corners]


def _ranges(rig: Rig, materials: Materials | None) -> tuple[Ints, list[RangeInfo]]:
    """The triangles' order (t,), those of one part and material together, and where each lot is."""
    stops = np.array([part.stop for part in rig.parts])
    part = np.searchsorted(stops, rig.triangles[:, 0], side="right")
    material = np.zeros(len(part), np.int64) if materials is None else materials.of_triangle(rig.polygons)
    order = np.lexsort((material, part))
    lots, starts, counts = np.unique(
        np.stack([part, material], axis=1)[order], axis=0, return_index=True, return_counts=True
    )
    found = zip(lots.tolist(), starts.tolist(), counts.tolist(), strict=True)
    return order, [RangeInfo(part, material, start, count) for (part, material), start, count in found]


def _shapes(rig: Rig) -> dict[str, np.ndarray]:
    starts = np.cumsum([0, *(len(shape.vertices) for shape in rig.shapes)])
    none = np.zeros((0, 3))
    return {
        "starts": starts,
        "vertices": np.concatenate([np.zeros(0, np.int64), *(shape.vertices for shape in rig.shapes)]),
        "offsets": np.concatenate([none, *(shape.offsets for shape in rig.shapes)]),
        "turns": np.concatenate([none, *_turns(rig)]),
    }


def _turns(rig: Rig) -> Iterator[Floats]:
    turns = RestNormals(rig)
    return (turns.of(shape) for shape in rig.shapes)


class RestNormals:
    """The normals of a rig at rest, and how shapes change them."""

    def __init__(self, rig: Rig) -> None:
        self.neutral, self.triangles = rig.neutral, rig.triangles
        self._before = triangle_normals(rig.neutral, rig.triangles)
        self._sums = _summed(rig.triangles, self._before, rig.vertex_count)

    def of(self, shape: Shape) -> Floats:
        """By how much the normals of a shape's vertices change (k, 3); only triangles that it moves are looked at."""
        count = len(self.neutral)
        moved = np.zeros((count, 3))
        moved[shape.vertices] = shape.offsets
        is_moved = np.zeros(count, bool)
        is_moved[shape.vertices] = True
        near = np.flatnonzero(is_moved[self.triangles].any(axis=1))
        after = triangle_normals(self.neutral + moved, self.triangles[near])
        change = _summed(self.triangles[near], after - self._before[near], count)[shape.vertices]
        own = self._sums[shape.vertices]
        return _unit(own + change) - _unit(own)


def _summed(triangles: Ints, normals: Floats, vertices: int) -> Floats:
    each = np.repeat(normals, 3, axis=0)
    at = triangles.ravel()
    return np.stack([np.bincount(at, each[:, axis], minlength=vertices) for axis in range(3)], axis=1)


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0))
