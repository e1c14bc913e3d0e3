"""A document as a .glb or .gltf file."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.avatar_meta import meta_from
from facewright.formats.files import Target, write_atomically
from facewright.formats.gltf.animation.controls import with_controls, without_controls
from facewright.formats.gltf.container.asset import Asset, parse_glb
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.materials.surface_maps import add_surface_maps
from facewright.formats.gltf.materials.textures import add_textures
from facewright.formats.gltf.read import SOURCE
from facewright.formats.gltf.unit import in_metres
from facewright.formats.gltf.vrm.create import as_avatar
from facewright.formats.gltf.vrm.meta import set_meta
from facewright.formats.gltf.vrm.versions import version_of
from facewright.formats.gltf.write.create import create_asset
from facewright.formats.gltf.write.update import update_source
from facewright.formats.write_options import Keys, WriteOptions

_SMALLEST = 2.0**-102  # numbers below 2**-126 lose digits, and a face needs 24 bits


def write(document: Document, target: Target) -> None:
    """Write one file: GLB, or for .gltf its JSON with the buffer inside. It is in metres where the unit is known."""
    write_with(document, target, WriteOptions())


def write_with(document: Document, target: Target, options: WriteOptions) -> None:
    """The same, with a choice of what other programs are shown."""
    largest = float(np.abs(document.rig.neutral).max(initial=0.0))
    if 0 < largest < _SMALLEST:
        raise BadValue(
            f"glTF keeps numbers in single precision, and no coordinate of this face is beyond {largest:.2g}: all"
            " would be lost; scale it, or save a .fwface file"
        )
    weights, is_avatar = without_controls(document), target.suffix.lower() == ".vrm"
    with np.errstate(over="ignore"):  # the accessors refuse what became infinite
        asset = with_controls(_made(weights, options.keys, is_avatar=is_avatar), document)
        if is_avatar and not version_of(asset.json):
            asset = as_avatar(asset, document, Path(target.name).stem, has_author="authors" in options.avatar)
        if is_avatar and options.avatar:
            asset = _stated(asset, options.avatar)
        asset = add_surface_maps(add_textures(asset, document.textures, options.skin), options.surface)
        asset = in_metres(asset, document.unit)
    write_atomically(target, _text(asset) if target.suffix.lower() == ".gltf" else asset.glb())


def _stated(asset: Asset, texts: Mapping[str, str]) -> Asset:
    """The avatar with what is stated of its author and its use."""
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    set_meta(json, meta_from(texts))
    return replace(asset, json=json, raw=None)


def _made(document: Document, keys: Keys, *, is_avatar: bool) -> Asset:
    """The opened file with the document's changes, or a new one; a VRM has expressions in a place of their own."""
    source = document.attachments.get(SOURCE)
    if is_avatar and (source is None or not version_of(parse_glb(source).json)):
        document = replace(document, expressions=())
    return update_source(document, keys) or create_asset(document, keys)


def _text(asset: Asset) -> bytes:
    json = dict(asset.json)
    if asset.binary:
        uri = "data:application/octet-stream;base64," + base64.b64encode(asset.binary).decode()
        json["buffers"] = [{**json["buffers"][0], "uri": uri}]
    return msgspec.json.format(msgspec.json.encode(json), indent=1)
