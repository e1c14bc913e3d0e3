"""Meshes that a file carries besides the face, such as lashes and brows, as parts of the face that shapes can move."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from facewright.arrays import Ints
from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.extras import JOINED, block_of, set_block
from facewright.formats.gltf.container.structure import check_structure
from facewright.formats.gltf.geometry.parts import joinable_nodes, joined_at
from facewright.formats.gltf.materials.read import read_materials
from facewright.formats.gltf.read import SOURCE, open_asset
from facewright.formats.gltf.unpack import unpack
from facewright.formats.unique_names import unique
from facewright.rig.edit.parts import extract_vertices, merge
from facewright.rig.materials import Material, Materials
from facewright.rig.regions import Regions
from facewright.rig.rig import Rig


def joinable_meshes(document: Document) -> tuple[int, ...]:
    """The nodes of the opened file whose meshes can be joined to the face; none where there is no such glTF file."""
    data = document.attachments.get(SOURCE)
    if data is None:
        return ()
    try:
        json = parse_glb(data).json
        check_structure(json)
        return tuple(node.index for node in joinable_nodes(json))
    except BadFile:
        return ()


def with_joined(document: Document, nodes: Collection[int]) -> Document:
    """The document with the meshes of some of these nodes as further parts, whose vertices come after the others.

    No shape moves them yet. Saving into the opened file gives its meshes the targets that they need. A rig that has
    other vertices than the file's face stays as it is.
    """
    chosen = [index for index in joinable_meshes(document) if index in nodes]
    if not chosen:
        return document
    asset = _marked(unpack(parse_glb(document.attachments[SOURCE])), chosen)
    glb, before = asset.glb(), document.rig
    whole = open_asset(asset).document.rig
    if whole.parts[-len(chosen)].start != before.vertex_count:
        return document
    new = extract_vertices(_bare(whole), np.arange(before.vertex_count, whole.vertex_count))
    names = unique([part.name for part in (*before.parts, *new.parts)])[len(before.parts) :]
    new = replace(new, parts=tuple(replace(part, name=name) for part, name in zip(new.parts, names, strict=True)))
    near = np.asarray(cKDTree(before.neutral).query(new.neutral)[1])
    return replace(
        document,
        rig=merge(before, new),
        materials=_materials(document.materials, read_materials(asset, glb), len(before.polygons)),
        regions=None if document.regions is None else _widened(document.regions, near),
        attachments={**document.attachments, SOURCE: glb},
    )


def _bare(rig: Rig) -> Rig:
    """The neutral of a rig without its shapes."""
    return Rig(rig.neutral, rig.polygons, parts=rig.parts, uvs=rig.uvs)


def _marked(asset: Asset, nodes: Collection[int]) -> Asset:
    json = asset.json
    last = max((joined_at(mesh) for mesh in json["meshes"]), default=0)
    for number, index in enumerate(nodes, last + 1):
        mesh = json["meshes"][json["nodes"][index]["mesh"]]
        set_block(mesh, block_of(mesh) | {JOINED: number})
    return replace(asset, raw=None)


def _materials(own: Materials | None, found: Materials | None, polygons: int) -> Materials | None:
    """The document's materials, and those that the file has for the polygons that are new."""
    if own is None or found is None:
        return None
    same = len(own.images) >= len(found.images) and all(
        one.same_as(other) for one, other in zip(found.images, own.images, strict=False)
    )
    shift = 0 if same else len(own.images)
    listed: list[Material] = list(own.entries)
    rows = np.zeros(len(found), np.int64)
    for row in np.unique(found.of_polygon[polygons:]):
        entry = found[int(row)]
        entry = entry if entry.image is None else replace(entry, image=entry.image + shift)
        if entry not in listed:
            listed.append(entry)
        rows[row] = listed.index(entry)
    images = own.images if same else (*own.images, *found.images)
    return Materials(tuple(listed), np.concatenate([own.of_polygon, rows[found.of_polygon[polygons:]]]), images)


def _widened(regions: Regions, near: Ints) -> Regions:
    """The regions with further vertices, which belong where the vertices (k,) near to them do."""
    return replace(regions, weights=sp.csr_array(sp.hstack([regions.weights, regions.weights[:, near]])))
