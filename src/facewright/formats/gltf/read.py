"""An asset as a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.block import default_entry, ordered_shapes, stated_entry, with_work
from facewright.formats.files import Source
from facewright.formats.gltf.animation.clips import SourceClip, source_clips
from facewright.formats.gltf.animation.controls import clips_with_controls
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of
from facewright.formats.gltf.container.fields import numbers
from facewright.formats.gltf.geometry.parts import SourcePart, source_parts
from facewright.formats.gltf.materials.read import materials_in, read_materials
from facewright.formats.gltf.materials.textures import extract_textures
from facewright.formats.gltf.unit import in_scene_unit, unit_of
from facewright.formats.gltf.unpack import unpack_file
from facewright.formats.gltf.vrm.read import read_expressions
from facewright.formats.gltf.vrm.shared_names import parted_names
from facewright.formats.gltf.vrm.versions import version_of
from facewright.formats.schema.rig import RigEntry
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.combine import Combine
from facewright.rig.materials import Materials
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

SOURCE = "gltf/source.glb"  # the attachment that holds the opened file

_SAME_POSE = 1e-6


@dataclass(frozen=True, eq=False)
class Opened:
    """A file, its document, and which part and clip comes from which mesh and animation."""

    asset: Asset
    parts: tuple[SourcePart, ...]
    clips: tuple[SourceClip, ...]
    document: Document  # without attachments


def read(source: Source) -> Document:
    """The document in a .glb or .gltf file; the file is attached to it, so that nothing of it is lost on saving.

    A file that states the unit of its scene is attached with all lengths in that unit, as the document has them.
    """
    asset, textures = extract_textures(in_scene_unit(unpack_file(source)))
    opened = open_asset(asset)
    glb = opened.asset.glb()
    document = replace(opened.document, attachments={SOURCE: glb})
    return replace(
        document,
        clips=clips_with_controls(opened.asset, opened.clips, document),
        textures=textures,
        materials=read_materials(opened.asset, glb),
        unit=unit_of(opened.asset.json, opened.document.rig),
    )


def carried_materials(attachments: Mapping[str, bytes]) -> Materials | None:
    """The materials of the face in the file that a document carries; None where it carries none."""
    return materials_in(attachments[SOURCE]) if SOURCE in attachments else None


def open_asset(asset: Asset) -> Opened:
    with np.errstate(all="ignore"):  # numbers that are too large are refused by the rig
        return _open(asset)


def _open(asset: Asset) -> Opened:
    parts = parted_names(asset, source_parts(asset))
    ranges = rig_parts(parts)
    shapes = _merged(parts, ranges)
    entry = stated_entry(block_of(asset.json), default_entry(list(shapes), ranges))
    corners, uvs = _faces(parts, ranges)
    rig = Rig(
        np.concatenate([part.points for part in parts]),
        corners,
        ordered_shapes(entry, shapes),
        uvs=uvs,
        **entry.rig_fields(),
    )
    clips = source_clips(asset, {part.node: part.geometry.names for part in parts}, rig)
    document = Document(rig, tuple(source.clip for source in clips), _pose(asset, parts, rig, entry))
    document = with_work(document, block_of(asset.json))
    if version_of(asset.json):  # what another program has changed there counts
        document = replace(document, expressions=read_expressions(asset, parts))
    return Opened(asset, parts, clips, document)


def rig_parts(parts: Sequence[SourcePart]) -> tuple[Part, ...]:
    """The ranges of the meshes in the rig's vertex array."""
    stops = np.cumsum([len(part.geometry.weld.first) for part in parts]).tolist()
    return tuple(Part(part.name, start, stop) for part, start, stop in zip(parts, [0, *stops], stops, strict=False))


def _merged(parts: Sequence[SourcePart], ranges: Sequence[Part]) -> dict[str, Shape]:
    """One shape for each target name, over the vertices of all parts that have it."""
    pieces: dict[str, list[tuple[Ints, Floats]]] = {}
    for part, at in zip(parts, ranges, strict=True):
        for name, target in zip(part.geometry.names, part.geometry.targets, strict=True):
            offsets = part.place.offsets(target)
            moved = offsets.values.any(axis=1)
            pieces.setdefault(name, []).append((offsets.rows[moved] + at.start, offsets.values[moved]))
    return {
        name: Shape(name, np.concatenate([rows for rows, _ in listed]), np.concatenate([by for _, by in listed]))
        for name, listed in pieces.items()
    }


def _faces(parts: Sequence[SourcePart], ranges: Sequence[Part]) -> tuple[Polygons, Uvs | None]:
    corners = [
        part.geometry.weld.point[part.geometry.polygons.corners] + at.start
        for part, at in zip(parts, ranges, strict=True)
    ]
    polygons = Polygons(np.concatenate(corners), np.concatenate([part.geometry.polygons.counts for part in parts]))
    coordinates = np.concatenate([part.geometry.uvs for part in parts])
    starts = np.cumsum([0, *(len(part.geometry.uvs) for part in parts)])
    rendered = np.concatenate(
        [part.geometry.polygons.corners + start for part, start in zip(parts, starts, strict=False)]
    )
    return polygons, _uvs(coordinates, rendered)


def _uvs(coordinates: Floats, corners: Ints) -> Uvs | None:
    """Texture coordinates (r, 2) of render vertices, by corner; NaN is none."""
    has = ~np.isnan(coordinates).any(axis=1)
    if not has.any():
        return None
    row = np.where(has, np.cumsum(has) - 1, -1)
    return Uvs(coordinates[has], row[corners])


def _pose(asset: Asset, parts: Sequence[SourcePart], rig: Rig, entry: RigEntry) -> Floats:
    """Slider values at rest: those of our block, unless the meshes have other weights."""
    values = shape_values(asset, parts)
    stated = np.array([entry.pose.get(name, 0.0) for name in rig.sliders])
    expected = Combine(rig)(stated)
    given = np.array([values.get(name, 0.0) for name in rig.shape_names])
    if entry.pose and np.abs(expected - given).max(initial=0.0) <= _SAME_POSE:
        return stated
    alone = {shape.sliders[0]: values[shape.name] * shape.at[0] for shape in rig.shapes
             if not shape.additive and values.get(shape.name)}  # fmt: skip
    return np.array([alone.get(name, 0.0) for name in rig.sliders])


def shape_values(asset: Asset, parts: Sequence[SourcePart]) -> dict[str, float]:
    """The value of each shape at rest: that of the first part that has the shape."""
    found: dict[str, float] = {}
    for part in parts:
        for name, value in zip(part.geometry.names, weights_of(asset, part), strict=True):
            found.setdefault(name, value)
    return found


def weights_of(asset: Asset, part: SourcePart) -> list[float]:
    """The weights of a part's targets at rest: the node's, else the mesh's, else zero."""
    count = len(part.geometry.names)
    for holder, where in (
        (asset.json["nodes"][part.node], f"node {part.node}"),
        (asset.json["meshes"][part.mesh], f"mesh {part.mesh}"),
    ):
        if "weights" in holder:
            found = numbers(holder, "weights", where, ())
            if len(found) != count:
                raise BadFile(f"{where} has {len(found)} weights; its mesh has {count} targets")
            return found
    return [0.0] * count
