"""Saving into the file that a document was opened from: what has changed is replaced, all else stays."""

from __future__ import annotations

import warnings
from dataclasses import replace

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.formats.block import block_for, default_entry
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.accessors.compact import drop_newly_unused, unused
from facewright.formats.gltf.accessors.encode import Builder, finished_asset
from facewright.formats.gltf.animation.update import remap_weights, update_clips
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.extras import HAD_TARGETS, block_of, set_block
from facewright.formats.gltf.container.fields import Json, texts
from facewright.formats.gltf.geometry.mesh import read_mesh
from facewright.formats.gltf.geometry.weld import copies_block
from facewright.formats.gltf.materials.read import read_materials
from facewright.formats.gltf.materials.write import MaterialWriter, update_materials
from facewright.formats.gltf.read import SOURCE, Opened, open_asset, rig_parts
from facewright.formats.gltf.unit import unit_block
from facewright.formats.gltf.unpack import unpack
from facewright.formats.gltf.vrm.versions import version_of
from facewright.formats.gltf.vrm.write import write_expressions
from facewright.formats.gltf.write.apply_edit import apply_edit, set_target_names
from facewright.formats.gltf.write.compare import compare
from facewright.formats.gltf.write.mesh_edits import MeshEdit, mesh_edits
from facewright.formats.gltf.write.skin_weights import normalise_skin_weights
from facewright.formats.write_options import Keys
from facewright.rig.combine import Combine
from facewright.rig.rig import Part

_BY_NUMBER = ("KHR_animation_pointer", "KHR_interactivity")  # they refer to targets by index


def update_source(document: Document, keys: Keys = "exact") -> Asset | None:
    """The opened file with the document's changes; None where there is no such file, or it can no longer hold them."""
    if SOURCE not in document.attachments:
        return None
    try:
        opened = open_asset(unpack(parse_glb(document.attachments[SOURCE])))
        comparison = compare(opened, document)
        problem = comparison.problem
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
    return _updated(opened, document, mesh_edits(opened, document.rig, comparison.uvs), keys)


def _updated(opened: Opened, document: Document, meshes: tuple[MeshEdit, ...], keys: Keys) -> Asset:
    asset = opened.asset
    original, idle = msgspec.json.encode(asset.json), unused(asset.json)
    builder = Builder(asset.json, asset.binary)
    for edit in meshes:
        _change_mesh(asset, edit, builder)
    asset = finished_asset(asset, builder)
    for edit in meshes:
        _state_copies(asset, edit)
    targets = {edit.source.node: [target.name for target in edit.targets] for edit in meshes}
    builder = Builder(asset.json, asset.binary)
    update_clips(asset, targets, document, builder, keys)
    _set_weights(opened, document, meshes)
    _set_names(asset.json, opened, document, targets)
    _set_expressions(asset.json, opened, document, targets)
    materials = _set_materials(asset, document)
    if msgspec.json.encode(asset.json) == original:
        return normalise_skin_weights(opened.asset)
    asset = finished_asset(asset, builder)
    asset = Asset(asset.json, materials.binary(asset.binary), asset.chunks)
    return normalise_skin_weights(Asset(asset.json, drop_newly_unused(asset.json, asset.binary, idle), asset.chunks))


def _set_expressions(json: Json, opened: Opened, document: Document, targets: dict[int, list[str]]) -> None:
    """Write the expressions of a VRM where they, or the numbers of their targets, have changed."""
    listed = {part.node: list(part.geometry.names) for part in opened.parts}
    if document.expressions != opened.document.expressions or targets != listed:
        write_expressions(json, document, targets, {part.node: part.name for part in opened.parts})


def _set_materials(asset: Asset, document: Document) -> MaterialWriter:
    """Write the materials that differ from those of the file."""
    before = read_materials(asset, document.attachments[SOURCE])
    if before is None or document.materials is None or before.same_as(document.materials):
        return MaterialWriter(asset.json)
    writer = MaterialWriter(asset.json, document.materials.images, before.images)
    update_materials(asset, before, document.materials, writer)
    return writer


def _change_mesh(asset: Asset, edit: MeshEdit, builder: Builder) -> None:
    source, mesh = edit.source, asset.json["meshes"][edit.source.mesh]
    names = [target.name for target in edit.targets]
    if source.geometry.names and not names:
        set_block(mesh, block_of(mesh) | {HAD_TARGETS: True})
    if edit.has_new_targets or edit.points is not None or edit.uvs is not None:
        apply_edit(asset, edit, builder)
    if names != list(source.geometry.names):
        set_target_names(mesh, names)
    columns = _columns(edit)
    if columns != list(range(len(source.geometry.names))):
        _warn_of_numbers(asset.json, columns)
        holders = [mesh, *(node for node in asset.json["nodes"] if node.get("mesh") == source.mesh)]
        for holder in holders:
            if len(holder.get("weights", [])) == len(source.geometry.names):
                holder["weights"] = [0.0 if old is None else holder["weights"][old] for old in columns]
            if not columns:
                holder.pop("weights", None)
        remap_weights(asset, source.mesh, len(source.geometry.names), columns, builder)


def _columns(edit: MeshEdit) -> list[int | None]:
    """For each target, the old one with the same shape, whose weights it takes over; None for a new shape."""
    names = edit.source.geometry.names
    return [names.index(target.shape) if target.shape in names else None for target in edit.targets]


def _warn_of_numbers(json: Json, columns: list[int | None]) -> None:
    moved = any(old is not None and old != new for new, old in enumerate(columns))
    using = [name for name in texts(json, "extensionsUsed") if name in _BY_NUMBER]
    if moved and using:
        warnings.warn(
            f"targets have other numbers now, and {', '.join(using)} may name them by number: check what it refers to",
            FacewrightWarning,
            stacklevel=2,
        )


def _state_copies(asset: Asset, edit: MeshEdit) -> None:
    """State which vertices are copies, where a reader would weld others as well because of the new shapes."""
    if not edit.has_new_targets and edit.points is None:
        return
    welded = edit.source.geometry.weld
    now = read_mesh(asset, edit.source.mesh, Budget(asset)).weld
    if not np.array_equal(now.point, welded.point):
        mesh = asset.json["meshes"][edit.source.mesh]
        set_block(mesh, block_of(mesh) | copies_block(welded))


def _set_weights(opened: Opened, document: Document, meshes: tuple[MeshEdit, ...]) -> None:
    """Write the pose into the meshes' weights, where it has changed."""
    before, now = (
        dict(zip(one.rig.shape_names, Combine(one.rig)(one.pose).tolist(), strict=True))
        for one in (opened.document, document)
    )
    json = opened.asset.json
    for edit in meshes:
        node, mesh = json["nodes"][edit.source.node], json["meshes"][edit.source.mesh]
        holder = node if "weights" in node else mesh
        weights = list(holder.get("weights", [0.0] * len(edit.targets)))
        for number, target in enumerate(edit.targets):
            if now[target.name] != before.get(target.shape, 0.0):
                weights[number] = now[target.name]
        if any(weights) or "weights" in holder:
            holder["weights"] = weights


def _set_names(json: Json, opened: Opened, document: Document, targets: dict[int, list[str]]) -> None:
    """Name the nodes of the parts as the rig does, and write our block."""
    ranges = rig_parts(opened.parts)
    named = {(part.start, part.stop): part.name for part in document.rig.parts}
    names = [named.get((at.start, at.stop), at.name) for at in ranges]
    if names != [at.name for at in ranges]:
        for part, name in zip(opened.parts, names, strict=True):
            json["nodes"][part.node]["name"] = name
    parts = [Part(name, at.start, at.stop) for name, at in zip(names, ranges, strict=True)]
    shapes = dict.fromkeys(name for part in opened.parts for name in targets[part.node])
    kept = replace(document, expressions=()) if version_of(json) else document  # a VRM has them in a place of their own
    block = block_for(kept, default_entry(list(shapes), parts)) | unit_block(document)
    if block != block_of(json):
        set_block(json, block)
