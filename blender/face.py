"""The face of an object: its shape keys as a rig, their values as a pose."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons
from facewright.rig.names import group_of
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Factor, Shape

from .drivers import described, drivers_of, read_factors
from .expression import NotOurs
from .mesh import coordinates, face_object, polygons, uvs
from .space import Space

_LISTED = 4  # names in a sentence


@dataclass(frozen=True, eq=False)
class Face:
    """What the library knows of an object. Nothing in it belongs to Blender."""

    name: str
    rig: Rig
    space: Space
    pose: Floats  # (n,) values of the keys that are sliders
    driven: Mapping[str, str]  # sliders that something else drives, and what that is
    muted: tuple[str, ...]  # keys that are switched off, and not part of the rig

    @property
    def document(self) -> Document:
        """The face as a document, with sliders locked that are not ours to set."""
        return Document(self.rig, pose=self.pose, locked=tuple(self.driven))

    def driven_words(self) -> str:
        """Which keys are driven elsewhere, in a sentence; "" where none is."""
        if not self.driven:
            return ""
        by = list(dict.fromkeys(self.driven.values()))
        return f"{some(list(self.driven))} {'is' if len(self.driven) == 1 else 'are'} driven by {some(by)} and left so"


@dataclass(frozen=True, eq=False)
class _Source:
    """What a rig is made of, and its checksum."""

    points: Mapping[str, Floats]  # of every key, in the mesh's own coordinates
    faces: Polygons
    factors: Mapping[str, tuple[Factor, ...]]  # of the correctives
    check: int


_KEPT: dict[str, tuple[int, Space, Rig]] = {}  # the rig that was read last; solvers prepared for it stay useful


def read_face(thing: Any, *, writes: bool = True) -> Face:
    """The face of an object that has shape keys; an error where it has none that can be used."""
    keys = shape_keys(face_object(thing, writes=writes))
    space = Space.of(thing)
    driven, factors = _drivers(keys)
    source = _source(thing, keys, factors, driven)
    kept = _KEPT.get("last")
    if kept is not None and kept[0] == source.check and kept[1].is_same(space):
        rig = kept[2]
    else:
        rig = _rig(thing, keys, source, space)
        _KEPT["last"] = (source.check, space, rig)
    pose = np.array([keys.key_blocks[name].value for name in rig.sliders])
    muted = tuple(block.name for block in keys.key_blocks if block.mute)
    used = {name: words for name, words in driven.items() if name in rig.sliders}
    return Face(thing.name, rig, space, pose, used, muted)


def neutral_face(thing: Any) -> tuple[Rig, Space]:
    """An object at rest as a rig without shapes, whether it has keys or not."""
    mesh = face_object(thing).data
    space = Space.of(thing)
    at_rest = mesh.vertices if mesh.shape_keys is None else mesh.shape_keys.reference_key.data
    points = space.points(coordinates(at_rest))
    return Rig(points, polygons(mesh), parts=(Part(thing.name, 0, len(points)),), uvs=uvs(mesh)), space


def shape_keys(thing: Any) -> Any:
    """The shape keys of an object, which has some that can be used."""
    keys = thing.data.shape_keys
    if keys is None or len(keys.key_blocks) < 2:
        raise BadValue(f"{thing.name} has no shape keys beside its Basis; build some first (Facewright, Build)")
    if not keys.use_relative:
        raise BadValue(f"the shape keys of {thing.name} are absolute; switch Relative on")
    if thing.show_only_shape_key:
        raise BadValue(f"{thing.name} shows one shape key alone; switch Solo Active off")
    return keys


def some(names: list[str]) -> str:
    """The first names of a list, and how many more there are."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def _drivers(keys: Any) -> tuple[dict[str, str], dict[str, tuple[Factor, ...]]]:
    """What drives the keys that something else drives, and the factors of the correctives."""
    driven: dict[str, str] = {}
    factors: dict[str, tuple[Factor, ...]] = {}
    curves = drivers_of(keys)
    for name, curve in curves.items():
        try:
            found = read_factors(keys, curve)
        except NotOurs:
            driven[name] = described(curve)
            continue
        if any(factor.slider in curves for factor in found):  # a key that is driven itself is no slider
            driven[name] = described(curve)
        else:
            factors[name] = found
    return driven, factors


def _source(thing: Any, keys: Any, factors: Mapping[str, tuple[Factor, ...]], driven: Mapping[str, str]) -> _Source:
    blocks = list(keys.key_blocks)
    points = {block.name: coordinates(block.data) for block in blocks}
    faces = polygons(thing.data)
    facts = [
        (one.name, one.relative_key.name, one.mute, one.slider_min, one.slider_max, one.vertex_group) for one in blocks
    ]
    check = zlib.crc32(repr((thing.name, facts, sorted(factors.items()), sorted(driven))).encode())
    for array in (*points.values(), faces.corners, faces.counts):
        check = zlib.crc32(array.tobytes(), check)
    for group in {block.vertex_group for block in blocks if block.vertex_group}:
        check = zlib.crc32(_group_weights(thing, group).tobytes(), check)
    return _Source(points, faces, factors, check)


def _rig(thing: Any, keys: Any, source: _Source, space: Space) -> Rig:
    reference = keys.reference_key
    blocks = [block for block in keys.key_blocks if block != reference]
    inputs = {factor.slider for name, all_ in source.factors.items() for factor in all_ if not _is_muted(keys, name)}
    sliders = [
        block for block in blocks if block.name not in source.factors and (not block.mute or block.name in inputs)
    ]
    shapes = []
    for block in blocks:
        if block.mute:
            continue
        shape = Shape.from_dense(block.name, space.points(_offsets(thing, block, source)))
        if block.name in source.factors:
            shapes.append(_driven_shape(shape, source.factors[block.name]))
        elif len(shape.vertices) or block.name not in inputs:  # a key that only drives others moves nothing itself
            shapes.append(shape)
    points = space.points(source.points[reference.name])
    return Rig(
        points,
        source.faces,
        shapes,
        sliders=[block.name for block in sliders],
        bounds=np.array([(block.slider_min, block.slider_max) for block in sliders]).reshape(-1, 2),
        groups=[group_of(block.name) for block in sliders],
        parts=(Part(thing.name, 0, len(points)),),
        uvs=uvs(thing.data),
    )


def _is_muted(keys: Any, name: str) -> bool:
    return bool(keys.key_blocks[name].mute)


def _driven_shape(shape: Shape, factors: tuple[Factor, ...]) -> Shape:
    return replace(
        shape,
        sliders=tuple(factor.slider for factor in factors),
        at=tuple(factor.at for factor in factors),
        spans=tuple(factor.span for factor in factors),
        additive=True,
    )


def _offsets(thing: Any, block: Any, source: _Source) -> Floats:
    """What a key adds at value 1, in the mesh's own coordinates: to the key that it is relative to, in its group."""
    found = source.points[block.name] - source.points[block.relative_key.name]
    if block.vertex_group and block.vertex_group in thing.vertex_groups:
        found = found * _group_weights(thing, block.vertex_group)[:, None]
    return found


def _group_weights(thing: Any, name: str) -> Floats:
    """The weight (v,) of each vertex in a vertex group."""
    weights = np.zeros(len(thing.data.vertices))
    group = thing.vertex_groups.get(name)
    if group is not None:
        for vertex in thing.data.vertices:
            for member in vertex.groups:
                if member.group == group.index:
                    weights[vertex.index] = member.weight
    return weights


def group_weights(thing: Any, name: str) -> Floats:
    """The weight (v,) of each vertex in a vertex group; an error where there is none of that name."""
    if not name:
        raise BadValue("choose the vertex group of the vertices to hold")
    if name not in thing.vertex_groups:
        known = [group.name for group in thing.vertex_groups]
        raise BadValue(f"{thing.name} has no vertex group {name!r}; it has {', '.join(known) or 'none'}")
    return _group_weights(thing, name)
