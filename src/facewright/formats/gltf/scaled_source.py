"""The glTF file that a document carries, in another unit, so that saving into it still finds what is unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.materials.read import read_materials
from facewright.formats.gltf.read import SOURCE, open_asset
from facewright.formats.gltf.scale import scaled_asset, warn_of_lengths
from facewright.formats.gltf.unpack import unpack
from facewright.rig.materials import Materials
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


def with_scaled_source(scaled: Document, document: Document, factor: float) -> Document:
    """A document whose own lengths were multiplied, with the lengths of the glTF file that it carries multiplied, too.

    document: as it was before. What of its rig is as in the file is taken from the scaled file, because single
    precision rounds it otherwise.
    """
    if SOURCE not in document.attachments:
        return scaled
    asset = unpack(parse_glb(document.attachments[SOURCE]))
    warn_of_lengths(asset.json)
    other = scaled_asset(asset, factor)
    glb = other.glb()
    found = replace(
        scaled, attachments={**document.attachments, SOURCE: glb}, materials=_images_in(document, other, glb)
    )
    try:
        before, after = (open_asset(one).document.rig for one in (asset, other))
    except FacewrightError:  # a rig of its own; saving says why it no longer fits the file
        return found
    return replace(found, rig=_as_in_file(scaled.rig, document.rig, before, after))


def _images_in(document: Document, other: Asset, glb: bytes) -> Materials | None:
    """The document's materials, whose images are parts of the new file where they were parts of the old."""
    materials, there = document.materials, read_materials(other, glb)
    if materials is None or there is None:
        return materials
    old = document.attachments[SOURCE]
    images = [
        there.images[row] if image.container is old and row < len(there.images) else image
        for row, image in enumerate(materials.images)
    ]
    return replace(materials, images=tuple(images))


def _as_in_file(scaled: Rig, rig: Rig, before: Rig, after: Rig) -> Rig:
    if not rig.vertex_count == before.vertex_count == after.vertex_count:
        return scaled
    same = (rig.neutral == before.neutral).all(axis=1)
    neutral = np.where(same[:, None], after.neutral, scaled.neutral)
    known = {_key(old): new for old, new in zip(before.shapes, after.shapes, strict=True)}
    pairs = zip(scaled.shapes, (known.get(_key(shape)) for shape in rig.shapes), strict=True)
    shapes = tuple(one if new is None else replace(one, offsets=new.offsets) for one, new in pairs)
    return replace(scaled, neutral=neutral, shapes=shapes)


def _key(shape: Shape) -> bytes:
    return shape.vertices.tobytes() + shape.offsets.tobytes()
