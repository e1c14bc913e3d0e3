"""Saving into the file that a document was opened from: what the rig changed is written anew, all else stays."""

from __future__ import annotations

import warnings

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.accessors.compact import drop_newly_unused, unused
from facewright.formats.gltf.accessors.encode import Builder, built
from facewright.formats.gltf.animation.update import remap_weights, sync_clips
from facewright.formats.gltf.block import block_for
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.extras import HAD_TARGETS, block_of, set_block
from facewright.formats.gltf.container.fields import Json, texts
from facewright.formats.gltf.geometry.mesh import read_mesh, target_names
from facewright.formats.gltf.geometry.weld import copies_block
from facewright.formats.gltf.materials.read import read_materials
from facewright.formats.gltf.materials.write import MaterialWriter, update_materials
from facewright.formats.gltf.read import SOURCE, Opened, open_asset, rig_parts
from facewright.formats.gltf.unpack import unpack
from facewright.formats.gltf.write.apply_edit import remesh, set_target_names
from facewright.formats.gltf.write.compare import fit
from facewright.formats.gltf.write.mesh_edits import Wanted, wanted_meshes
from facewright.formats.gltf.write.skin_weights import repaired
from facewright.rig.combine import Combine
from facewright.rig.rig import Part

_BY_NUMBER = ("VRM", "VRMC_vrm", "KHR_animation_pointer", "KHR_interactivity")  # they name targets by their place


def carried(document: Document) -> Asset | None:
    """The opened file with the document's changes; None where there is none, or where the rig no longer fits it."""
    if SOURCE not in document.attachments:
        return None
    try:
        opened = open_asset(unpack(parse_glb(document.attachments[SOURCE])))
        fitting = fit(opened, document)
        problem = fitting.problem
    except FacewrightError as error:
        problem = f"the file cannot be read: {error}"
    if problem:
        warnings.warn(
            f"the rig no longer fits the file that it was opened from: {problem}."
            " A new file is written, with its materials, but without that file's skins and other contents",
            FacewrightWarning,
            stacklevel=2,
        )
        return None
    return _changed(opened, document, wanted_meshes(opened, document.rig, fitting.uvs))


def _changed(opened: Opened, document: Document, meshes: tuple[Wanted, ...]) -> Asset:
    asset = opened.asset
    original, idle = msgspec.json.encode(asset.json), unused(asset.json)
    builder = Builder(asset.json, asset.binary)
    for wanted in meshes:
        _change_mesh(asset, wanted, builder)
    asset = built(asset, builder)
    for wanted in meshes:
        _keep_points_apart(asset, wanted)
    targets = {wanted.source.node: [target.name for target in wanted.targets] for wanted in meshes}
    builder = Builder(asset.json, asset.binary)
    sync_clips(asset, targets, document, builder)
    _set_weights(opened, document, meshes)
    _set_names(asset.json, opened, document)
    materials = _set_materials(asset, document)
    if msgspec.json.encode(asset.json) == original:
        return repaired(opened.asset)
    asset = built(asset, builder)
    asset = Asset(asset.json, materials.binary(asset.binary), asset.chunks)
    return repaired(Asset(asset.json, drop_newly_unused(asset.json, asset.binary, idle), asset.chunks))


def _set_materials(asset: Asset, document: Document) -> MaterialWriter:
    """Write the materials that are others than those of the file."""
    before = read_materials(asset, document.attachments[SOURCE])
    if before is None or document.materials is None or before.same_as(document.materials):
        return MaterialWriter(asset.json)
    writer = MaterialWriter(asset.json, document.materials.images, before.images)
    update_materials(asset, before, document.materials, writer)
    return writer


def _change_mesh(asset: Asset, wanted: Wanted, builder: Builder) -> None:
    source, mesh = wanted.source, asset.json["meshes"][wanted.source.mesh]
    names = [target.name for target in wanted.targets]
    if source.geometry.names and not names:
        set_block(mesh, block_of(mesh) | {HAD_TARGETS: True})
    if wanted.moves_anew or wanted.points is not None or wanted.uvs is not None:
        remesh(asset, wanted, builder)
    if names != list(source.geometry.names):
        set_target_names(mesh, names)
    columns = _columns(wanted)
    if columns != list(range(len(source.geometry.names))):
        _warn_of_numbers(asset.json, columns)
        holders = [mesh, *(node for node in asset.json["nodes"] if node.get("mesh") == source.mesh)]
        for holder in holders:
            if len(holder.get("weights", [])) == len(source.geometry.names):
                holder["weights"] = [0.0 if old is None else holder["weights"][old] for old in columns]
            if not columns:
                holder.pop("weights", None)
        remap_weights(asset, source.mesh, len(source.geometry.names), columns, builder)


def _columns(wanted: Wanted) -> list[int | None]:
    """For each target, the one whose weight it takes over: of the same shape, whatever it now moves."""
    names = wanted.source.geometry.names
    return [names.index(target.shape) if target.shape in names else None for target in wanted.targets]


def _warn_of_numbers(json: Json, columns: list[int | None]) -> None:
    moved = any(old is not None and old != new for new, old in enumerate(columns))
    using = [name for name in texts(json, "extensionsUsed") if name in _BY_NUMBER]
    if moved and using:
        warnings.warn(
            f"targets have other numbers now, and {', '.join(using)} may name them by number: check what it refers to",
            FacewrightWarning,
            stacklevel=2,
        )


def _keep_points_apart(asset: Asset, wanted: Wanted) -> None:
    """Say which vertices are copies, where the new shapes would let a reader weld others as well."""
    if not wanted.moves_anew and wanted.points is None:
        return
    welded = wanted.source.geometry.weld
    now = read_mesh(asset, wanted.source.mesh, Budget(asset)).weld
    if not np.array_equal(now.point, welded.point):
        mesh = asset.json["meshes"][wanted.source.mesh]
        set_block(mesh, block_of(mesh) | copies_block(welded))


def _set_weights(opened: Opened, document: Document, meshes: tuple[Wanted, ...]) -> None:
    """Write the pose into the meshes' weights, where it is another one."""
    before, now = (
        dict(zip(one.rig.shape_names, Combine(one.rig)(one.pose).tolist(), strict=True))
        for one in (opened.document, document)
    )
    json = opened.asset.json
    for wanted in meshes:
        node, mesh = json["nodes"][wanted.source.node], json["meshes"][wanted.source.mesh]
        holder = node if "weights" in node else mesh
        weights = list(holder.get("weights", [0.0] * len(wanted.targets)))
        for number, target in enumerate(wanted.targets):
            if now[target.name] != before.get(target.shape, 0.0):
                weights[number] = now[target.name]
        if any(weights) or "weights" in holder:
            holder["weights"] = weights


def _set_names(json: Json, opened: Opened, document: Document) -> None:
    """Name the parts' nodes as the rig does, and state what the file's targets alone do not say."""
    ranges = rig_parts(opened.parts)
    named = {(part.start, part.stop): part.name for part in document.rig.parts}
    names = [named.get((at.start, at.stop), at.name) for at in ranges]
    if names != [at.name for at in ranges]:
        for part, name in zip(opened.parts, names, strict=True):
            json["nodes"][part.node]["name"] = name
    parts = [Part(name, at.start, at.stop) for name, at in zip(names, ranges, strict=True)]
    shapes = dict.fromkeys(name for part in opened.parts for name in target_names(json["meshes"][part.mesh]))
    block = block_for(document, shapes=list(shapes), parts=parts)
    if block != block_of(json):
        set_block(json, block)
