"""The native format: one zip of readable JSON and arrays, which keeps everything that a document holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from facewright.arrays import Ints, indices
from facewright.document import Document
from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import (
    ArrayZip,
    ArrayZipWriter,
    check_member_name,
    is_single,
    reading_zip,
    smallest,
    write_zip,
)
from facewright.formats.fwface.upgrade import VERSION, upgrade
from facewright.formats.schema import captured as captured_json
from facewright.formats.schema import clip as clip_arrays
from facewright.formats.schema import textures as textures_json
from facewright.formats.schema.json import decode, encode, plain, understand
from facewright.formats.schema.regions import describe_local, encode_regions, local_from, understand_regions
from facewright.formats.schema.rig import RigEntry, describe
from facewright.formats.schema.work import WorkEntry, work_of
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_DOCUMENT = "document.json"
_REGIONS = "regions.json"
_FORMAT = "facewright document"


class _DocumentEntry(RigEntry, kw_only=True):
    format: str
    version: int
    clips: list[clip_arrays.ClipEntry] = msgspec.field(default_factory=list)
    work: WorkEntry = msgspec.field(default_factory=WorkEntry)
    local: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)  # region -> slider -> value
    extra: dict[str, Any] = msgspec.field(default_factory=dict)  # what would otherwise be taken for one of these keys


_OURS = frozenset(msgspec.structs.asdict(_DocumentEntry(format="", version=0)))
_ARRAYS = frozenset(
    f"arrays/{name}.npy"
    for name in (
        "neutral", "polygon_counts", "polygon_corners", "uv_coordinates", "uv_corners",
        "shape_starts", "shape_vertices", "shape_offsets", *clip_arrays.NAMES,
    )
)  # fmt: skip
_MEMBERS = frozenset({_DOCUMENT, _REGIONS, captured_json.MEMBER, captured_json.POSITIONS, textures_json.MEMBER})


def read(path: Path) -> Document:
    """The document in a .fwface file."""
    with reading_zip(path) as file:
        data = upgrade(_ours(decode(file.bytes(_DOCUMENT, limit=limits.JSON))))
        entry = understand(data, _DocumentEntry)
        rig = Rig(
            neutral=file.array(_member("neutral"), "f"),
            polygons=Polygons(_whole(file, "polygon_corners"), _whole(file, "polygon_counts")),
            shapes=_read_shapes(file, entry),
            uvs=_read_uvs(file),
            **entry.rig_fields(),
        )
        extra = {key: value for key, value in data.items() if key not in _OURS} | entry.extra
        textures, pictures = textures_json.read_textures(file)
        known = _ARRAYS | _MEMBERS | pictures
        attachments = {name: file.bytes(name) for name in file.names if name not in known}
        clips = clip_arrays.read(file, entry.clips)
        regions = _read_regions(file)
        if regions is None and entry.local:
            raise BadFile(f"{_DOCUMENT} has values within regions, but there is no {_REGIONS}")
        local = None if regions is None else local_from(regions, rig, entry.local)
        captured = captured_json.read_captured(file)
        found = {"regions": regions, "local": local, "captured": captured, "textures": textures, **entry.work.fields()}
        return Document(rig, clips, rig.weights(entry.pose), attachments, extra, **found)


def write(document: Document, path: Path, *, packed: bool = False) -> None:
    """Write a .fwface file. `packed` deflates the arrays: some per cent smaller (half, for single-precision data
    with much repetition), at a twentieth of the speed.
    """
    textures = textures_json.members(document.textures)
    for name in document.attachments:
        check_member_name(name)
        if name in _ARRAYS | _MEMBERS | textures.keys():
            raise BadValue(f"an attachment cannot be named {name!r}: the file itself uses that name")
    text = encode(_describe(document))

    def fill(file: ArrayZipWriter) -> None:
        file.bytes(_DOCUMENT, text)
        _write_mesh(file, document.rig)
        _write_shapes(file, document.rig)
        clip_arrays.write(file, document.clips)
        if document.regions is not None:
            file.bytes(_REGIONS, encode_regions(document.regions))
        if document.captured is not None:
            captured_json.write_captured(file, document.captured)
        for name, data in {**textures, **document.attachments}.items():
            file.bytes(name, data)

    write_zip(path, fill, packed=packed)


def _describe(document: Document) -> dict[str, Any]:
    extra = dict(document.extra)
    hidden = {key: extra.pop(key) for key in _OURS & extra.keys()}
    ours = {"format": _FORMAT, "version": VERSION, **plain(describe(document.rig, document.pose))}
    ours["clips"] = [plain(clip_arrays.describe(clip)) for clip in document.clips]
    more = {
        "work": plain(work_of(document)),
        "local": describe_local(document.regions, document.rig.sliders, document.local),
        "extra": hidden,
    }
    return ours | {key: value for key, value in more.items() if value} | extra


def _ours(data: dict[str, Any]) -> dict[str, Any]:
    if data.get("format") != _FORMAT:
        raise BadFile(f'{_DOCUMENT} must say "format": "{_FORMAT}", not {data.get("format")!r}')
    return data


def _member(name: str) -> str:
    return f"arrays/{name}.npy"


def _whole(file: ArrayZip, name: str) -> Any:
    return file.array(_member(name), "iu")


def _read_regions(file: ArrayZip) -> Regions | None:
    if _REGIONS not in file.names:
        return None
    return understand_regions(decode(file.bytes(_REGIONS, limit=limits.JSON)))


def _read_uvs(file: ArrayZip) -> Uvs | None:
    if _member("uv_coordinates") not in file.names:
        return None
    return Uvs(file.array(_member("uv_coordinates"), "f"), _whole(file, "uv_corners").astype(np.int64))


def _read_shapes(file: ArrayZip, entry: RigEntry) -> tuple[Shape, ...]:
    """One shape after the other, so that nothing but the rig itself is in memory."""
    counts = np.diff(_starts(file, len(entry.shapes))).tolist()
    vertices = file.rows(_member("shape_vertices"), "iu", counts)
    offsets = file.rows(_member("shape_offsets"), "f", counts)
    shapes = [
        Shape(shape.name, moved, by, tuple(shape.sliders), shape.at)
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
