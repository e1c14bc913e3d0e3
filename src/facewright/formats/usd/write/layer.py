"""The layer of a document: a root for the skeleton, with the meshes, their clips and materials inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import msgspec
import numpy as np

from facewright.document import Document
from facewright.formats.channels.block import channels_block
from facewright.formats.channels.written import WrittenChannel, WrittenMesh, channels_of, pieces_of
from facewright.formats.schema.json import encode
from facewright.formats.usd.block import KEY, UNIT, kept_value
from facewright.formats.usd.write.animation import (
    DEFAULT_RATE,
    WrittenClip,
    clip_prims,
    head_properties,
    rest_of_clip,
    time_range,
    written_clips,
)
from facewright.formats.usd.write.materials import MaterialPrims
from facewright.formats.usd.write.mesh import mesh_prim
from facewright.formats.usd.write.names import PrimNames
from facewright.formats.usd.write.text import Prim, Property, number, path_list, quoted, write_layer
from facewright.formats.write_options import WriteOptions
from facewright.rig.unit import metres_per

ROOT = "rig"  # unlike the names that meshes usually have, which Blender would change otherwise
_CENTIMETRES = 0.01  # metres: what readers take for the unit of a file that says none
_SKELETON, _MATERIALS, _POSE = "skeleton", "materials", "pose"


@dataclass(frozen=True, eq=False)
class WrittenLayer:
    """What is written of a document, before it is text."""

    document: Document
    channels: tuple[WrittenChannel, ...]
    pieces: Sequence[WrittenMesh]
    clips: Sequence[WrittenClip]
    materials: MaterialPrims

    @property
    def bound(self) -> WrittenClip | None:
        return next((one for one in self.clips if one.is_bound), None)

    @property
    def rate(self) -> float:
        """Time codes in a second: frames of the bound clip."""
        return DEFAULT_RATE if self.bound is None else float(self.bound.clip.rate)

    def write(self, file: BinaryIO) -> None:
        """Write the layer as text."""
        write_layer(file, _metadata(self), [_root(self)])


def layer_of(document: Document, options: WriteOptions, *, with_images: bool = True) -> WrittenLayer:
    """A document as a layer; its images are files beside it."""
    channels = channels_of(document)
    return WrittenLayer(
        document,
        channels,
        pieces_of(document, channels),
        written_clips(document, channels, options.keys),
        MaterialPrims(document, f"/{ROOT}/{_MATERIALS}", with_images=with_images),
    )


def _metadata(layer: WrittenLayer) -> dict[str, str]:
    found = {}
    block = _block(layer)
    if block:
        found["customLayerData"] = f"{{\n        string {KEY} = {quoted(_compact(block))}\n    }}"
    found["defaultPrim"] = quoted(ROOT)
    if layer.bound is not None:
        start, end = time_range(layer.bound.clip, layer.rate)
        found |= {"startTimeCode": number(start), "endTimeCode": number(end)}
    rate = number(layer.rate)
    unit = _metres(layer.document)
    found["metersPerUnit"] = number(_CENTIMETRES if unit is None else unit)
    return found | {"timeCodesPerSecond": rate, "framesPerSecond": rate, "upAxis": '"Y"'}


def _compact(block: dict[str, Any]) -> str:
    return msgspec.json.format(encode(block), indent=-1).decode()


def _metres(document: Document) -> float | None:
    """Metres in a unit of the file; None where nothing says it."""
    if document.unit:
        return metres_per(document.unit)
    unit = document.extra.get(UNIT)
    return float(unit) if isinstance(unit, int | float) and 1e-9 < unit < 1e9 else None


def _root(layer: WrittenLayer) -> Prim:
    head = [] if layer.bound is None else head_properties(layer.bound, layer.rate)
    return Prim("SkelRoot", ROOT, {"kind": '"component"'}, head, _children(layer))


def _children(layer: WrittenLayer) -> Iterator[Prim]:
    names = PrimNames(_SKELETON, _MATERIALS)
    skeleton = f"/{ROOT}/{_SKELETON}" if layer.channels else ""
    if skeleton:
        animations = [names.add(one.clip.name) for one in layer.clips] or [names.add(_POSE)]
        bound = next((n for n, one in enumerate(layer.clips) if one.is_bound), 0)
        yield _skeleton(f"/{ROOT}/{animations[bound]}")
        yield from clip_prims(layer.clips, layer.channels, animations, layer.rate)
    for piece in layer.pieces:
        path = f"/{ROOT}/{names.add(piece.part.name)}"
        yield mesh_prim(piece, layer.document.rig.neutral, path, skeleton, layer.materials.look(piece))
    if layer.document.materials is not None:
        yield Prim("Scope", _MATERIALS, {}, (), layer.materials.prims())


def _skeleton(animation: str) -> Prim:
    """A skeleton without joints: meshes get the weights of their shapes through it."""
    joints = [
        Property("uniform matrix4d[] bindTransforms", "[]"),
        Property("uniform token[] joints", "[]"),
        Property("uniform matrix4d[] restTransforms", "[]"),
        Property("rel skel:animationSource", path_list([animation])),
    ]
    return Prim("Skeleton", _SKELETON, {"prepend apiSchemas": '["SkelBindingAPI"]'}, joints)


def _block(layer: WrittenLayer) -> dict[str, Any]:
    """Our block, with which the file gives the same document again; empty where its shapes suffice."""
    document = layer.document
    extra = {key: value for key, value in document.extra.items() if key != UNIT}
    block = channels_block(replace(document, extra=extra), layer.pieces, kept_value)
    clips = {one.clip.name: rest_of_clip(one, document, layer.channels, layer.rate) for one in layer.clips}
    if any(clips.values()):
        block["clips"] = {name: one for name, one in clips.items() if one}
    if _metres(document) is None:
        block["unit_is_known"] = False
    helping = [one.name for one in layer.channels if not np.isclose(one.at, 1.0, rtol=0, atol=1e-9).any()]
    if helping:
        block["helping"] = helping  # channels whose shape at 1 is there because USD wants one
    return block
