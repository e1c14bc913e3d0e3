"""Head, neck and eyes of clips in a glTF file: animated nodes, which every program plays, and what they do not say.

The block of an animation (`controls`) keeps the curves: a few keys exactly, many in single precision, as weights are.
Gaze goes to the weights of gaze shapes, too, so that lids follow in other programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue, FacewrightError
from facewright.formats.character import gaze_of
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.encode import Builder, finished_asset
from facewright.formats.gltf.animation.clips import SourceClip
from facewright.formats.gltf.animation.head_nodes import (
    NodeKeys,
    RestNode,
    add_root,
    aims,
    gaze_times,
    head_nodes,
    marked_node,
    moves_eyes,
    node_keys,
)
from facewright.formats.gltf.animation.packed import DOUBLE, numbers, packed_curves, unpacked_curves
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.nodes import decomposed
from facewright.formats.schema.clip import CurveEntry
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.controls import CONTROLS
from facewright.rig.head_motion import ANGLES, CURVES, OFFSETS, PHONE_EYE, has_head_motion, head_curves
from facewright.rig.head_rig import ABOUT_ORIGIN, JointRole

_BLOCK = "controls"
_PATHS = ("rotation", "translation")
_SAME = 1e-5
_STALE = 1e-3  # keys that differ more than this from the stated curves were changed by another program


class ControlsEntry(msgspec.Struct, omit_defaults=True):
    """Curves that the animated nodes do not give exactly, and sliders whose weights come from the gaze."""

    curves: list[CurveEntry] = []
    baked: list[str] = []


def without_controls(document: Document) -> Document:
    """The document with clips of weights alone; a gaze is in the weights of its sliders. A phone's angles stay."""
    return replace(document, clips=tuple(_weights_of(document, clip) for clip in document.clips))


def with_controls(asset: Asset, document: Document) -> Asset:
    """The file with head, neck and eyes of the clips as animations of nodes."""
    moving = {clip.name: clip for clip in document.clips if _has_controls(clip)}
    nodes = head_nodes(asset, document)
    marked = marked_node(asset.json)
    ours = [animation for animation in asset.json.get("animations", []) if _is_ours(animation, marked)]
    if not moving and not ours:
        return asset
    if "head" not in nodes and any(has_head_motion(clip) for clip in moving.values()):
        json = msgspec.json.decode(msgspec.json.encode(asset.json))
        add_root(json)
        asset = replace(asset, json=json, raw=None)
        nodes = head_nodes(asset, document)
    wanted = {name: (node_keys(document, clip, nodes), _entry(document, clip)) for name, clip in moving.items()}
    return asset if _has_all(asset, nodes, wanted) else _rewritten(asset, nodes, wanted)


def clips_with_controls(asset: Asset, sources: Sequence[SourceClip], document: Document) -> tuple[Clip, ...]:
    """The clips of an opened file, with the curves of head, neck and eyes that we wrote into it."""
    plain = tuple(source.clip for source in sources)
    marked = marked_node(asset.json)
    if not any(_is_ours(animation, marked) for animation in asset.json.get("animations", [])):
        return plain
    try:
        nodes = head_nodes(asset, document)
        return tuple(_with_curves(asset, source, document, nodes) for source in sources)
    except (ValueError, np.linalg.LinAlgError):  # another program has made matrices of the nodes that turn nothing
        return plain


def _has_controls(clip: Clip) -> bool:
    return has_head_motion(clip) or (moves_eyes(clip) and PHONE_EYE not in clip.curves)


def _weights_of(document: Document, clip: Clip) -> Clip:
    if not _has_controls(clip):
        return clip
    kept = {name: curve for name, curve in clip.curves.items() if name not in CONTROLS or name in document.rig.sliders}
    return replace(clip, curves={**kept, **_gaze_weights(document, clip)})


def _gaze_weights(document: Document, clip: Clip) -> dict[str, Curve]:
    """Curves of the gaze sliders as the eyes of a clip go; none where it does not move them."""
    gaze = gaze_of(document)
    if not moves_eyes(clip) or not gaze.reach:
        return {}
    times = gaze_times(clip)
    rows = [weights if aim is None else gaze.weights(weights, aim) for weights, aim in aims(document, clip, times)]
    values = np.stack(rows)
    return {document.rig.sliders[i]: Curve(times, values[:, i]) for i in gaze.sliders}


def _entry(document: Document, clip: Clip) -> ControlsEntry:
    baked = list(_gaze_weights(document, clip))
    controls = [name for name in clip.curves if name in CONTROLS and name not in document.rig.sliders]
    if _is_take(clip):  # its keys are those of the node
        controls = [name for name in controls if name not in (*ANGLES, *OFFSETS)]
    stated = [*controls, *(name for name in baked if name in clip.curves)]
    return ControlsEntry([CurveEntry.of(name, clip.curves[name]) for name in stated], baked)


def _json(entry: ControlsEntry, block: Json) -> Json:
    """The entry as a file has it; times of a take's angles are those of its weights, which the block states."""
    found: Json = {"baked": list(entry.baked)} if entry.baked else {}
    if entry.curves:
        found["curves"] = packed_curves(entry.curves, _times(block))
    return found


def _times(block: Json) -> list[float] | None:
    """The times of the animation's keys, where its block states them."""
    try:
        found = numbers(block.get("times"), DOUBLE)
    except (msgspec.ValidationError, BadValue):  # written by another program under our name
        return None
    return found if isinstance(found, list) else None


def _is_take(clip: Clip) -> bool:
    """Whether the head's curves are a table of straight keys, as takes have them, and nothing of the neck."""
    curves = [clip.curves[name] for name in CURVES if name in clip.curves]
    if [name for name in CURVES if name in clip.curves] != [*ANGLES, *OFFSETS]:
        return False
    return all(
        one.interpolation == "linear" and one.outside == "hold" and np.array_equal(one.times, curves[0].times)
        for one in curves
    )


def _rewritten(
    asset: Asset, nodes: Mapping[JointRole, RestNode], wanted: Mapping[str, tuple[list[NodeKeys], ControlsEntry]]
) -> Asset:
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    builder, marked = Builder(json, asset.binary), marked_node(json)
    for animation in json.get("animations", []):
        keys, entry = wanted.get(animation.get("name", ""), ([], None))
        if _is_ours(animation, marked) or keys:
            gone = {(one.node, one.path) for one in keys}
            if _is_ours(animation, marked):
                gone |= {(node.index, path) for node in nodes.values() for path in _PATHS}
            _drop(animation, gone)
        block = {key: value for key, value in block_of(animation).items() if key != _BLOCK}
        stated = {} if entry is None else _json(entry, block)
        if block != block_of(animation) or stated:
            set_block(animation, block | ({_BLOCK: stated} if stated else {}))
        for one in keys:
            _animate(animation, one, builder)
            _without_matrix(json["nodes"][one.node])
    json["animations"] = [animation for animation in json.get("animations", []) if animation["channels"]]
    if not json["animations"]:
        del json["animations"]
    return finished_asset(replace(asset, json=json, raw=None), builder)


def _animate(animation: Json, keys: NodeKeys, builder: Builder) -> None:
    at = builder.scalars(keys.times, bounds=True)
    animation["samplers"].append({"input": at, "output": builder.vectors(keys.values), "interpolation": "LINEAR"})
    target = {"node": keys.node, "path": keys.path}
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})


def _without_matrix(node: Json) -> None:
    """An animated node states its rotation and its place, and no matrix."""
    if "matrix" in node:
        node |= decomposed(node.pop("matrix"))


def _drop(animation: Json, gone: set[tuple[int, str]]) -> None:
    """Remove the channels of some nodes and paths."""
    kept = [one for one in animation["channels"] if (one["target"].get("node"), one["target"].get("path")) not in gone]
    if len(kept) == len(animation["channels"]):
        return
    used = sorted({channel["sampler"] for channel in kept})
    animation["channels"] = [{**channel, "sampler": used.index(channel["sampler"])} for channel in kept]
    animation["samplers"] = [animation["samplers"][number] for number in used]


def _is_ours(animation: Json, marked: int | None) -> bool:
    """Whether we wrote the motion of nodes into an animation: it says so, or moves the node that we put there."""
    if _BLOCK in block_of(animation):
        return True
    return marked is not None and bool(_channels(animation, marked))


def _channels(animation: Json, node: int) -> dict[str, Json]:
    """The samplers of a node by path."""
    return {
        channel["target"]["path"]: animation["samplers"][channel["sampler"]]
        for channel in animation["channels"]
        if channel["target"].get("node") == node and channel["target"].get("path") in _PATHS
    }


def _stored(asset: Asset, sampler: Json, path: str) -> tuple[Floats, Floats] | None:
    """Times (k,) and values (k, 3 or 4) of a sampler with straight keys; None where it has others."""
    if sampler.get("interpolation", "LINEAR") != "LINEAR":
        return None
    try:
        times = decode.numbers(asset, sampler["input"], "SCALAR")[:, 0]
        values = decode.numbers(asset, sampler["output"], "VEC4" if path == "rotation" else "VEC3")
    except FacewrightError:
        return None
    return (times, values) if len(times) == len(values) and len(times) and (np.diff(times) > 0).all() else None


def _is_same(asset: Asset, animation: Json, keys: Sequence[NodeKeys], tolerance: float) -> bool:
    for one in keys:
        sampler = _channels(animation, one.node).get(one.path)
        stored = None if sampler is None else _stored(asset, sampler, one.path)
        if stored is None or not np.array_equal(stored[0].astype(np.float32), one.times):
            return False
        other = -stored[1] if one.path == "rotation" and (stored[1][0] * one.values[0]).sum() < 0 else stored[1]
        if (np.abs(other - one.values) > tolerance * (1 + np.abs(one.values))).any():
            return False
    return True


def _has_all(
    asset: Asset,
    nodes: Mapping[JointRole, RestNode],
    wanted: Mapping[str, tuple[list[NodeKeys], ControlsEntry]],
) -> bool:
    """Whether the file has the motion of the clips already, and no other that we wrote."""
    left, marked = set(wanted), marked_node(asset.json)
    for animation in asset.json.get("animations", []):
        name = animation.get("name", "")
        if name not in wanted:
            if _is_ours(animation, marked):
                return False
            continue
        left.discard(name)
        keys, entry = wanted[name]
        count = sum(len(_channels(animation, node.index)) for node in nodes.values())
        if block_of(animation).get(_BLOCK, {}) != _json(entry, block_of(animation)) or count != len(keys):
            return False
        if not _is_same(asset, animation, keys, _SAME):
            return False
    return not left


def _with_curves(asset: Asset, source: SourceClip, document: Document, nodes: Mapping[JointRole, RestNode]) -> Clip:
    animation = asset.json["animations"][source.animation]
    if not _is_ours(animation, marked_node(asset.json)):
        return source.clip
    entry = _stated(animation)
    curves = {name: curve for name, curve in source.clip.curves.items() if name not in entry.baked}
    try:
        curves |= {one.slider: one.value() for one in entry.curves}
    except FacewrightError:
        return source.clip
    if not any(one.slider in CURVES for one in entry.curves):
        curves |= _head_curves(asset, animation, document, nodes, source.clip.start)
    clip = replace(source.clip, curves=curves)
    fresh = _is_same(asset, animation, node_keys(document, clip, nodes), _STALE)
    return clip if fresh else source.clip


def _stated(animation: Json) -> ControlsEntry:
    try:
        block = block_of(animation)
        stated = block.get(_BLOCK, {})
        if isinstance(stated, dict) and "curves" in stated:
            stated = stated | {"curves": unpacked_curves(stated["curves"], _times(block))}
        return msgspec.convert(stated, ControlsEntry)
    except (msgspec.ValidationError, BadValue):  # written by another program under our name
        return ControlsEntry()


def _head_curves(
    asset: Asset, animation: Json, document: Document, nodes: Mapping[JointRole, RestNode], start: float
) -> dict[str, Curve]:
    """Curves of the head from the keys of its node; none where another program has changed it to something else."""
    if "head" not in nodes:
        return {}
    node = nodes["head"]
    samplers = _channels(animation, node.index)
    stored = {path: _stored(asset, sampler, path) for path, sampler in samplers.items()}
    turned, placed = stored.get("rotation"), stored.get("translation")
    if turned is None or placed is None or not np.array_equal(turned[0], placed[0]):
        return {}
    rotations, offsets = node.motion(_rotations(turned[1]), placed[1])
    times = turned[0] + min(start, 0.0)
    return head_curves(times, rotations, offsets, document.head or ABOUT_ORIGIN)


def _rotations(turns: Floats) -> Floats:
    from scipy.spatial.transform import Rotation

    lengths = np.linalg.norm(turns, axis=1, keepdims=True)
    whole = np.where(lengths > 0, turns, (0.0, 0.0, 0.0, 1.0))
    return np.asarray(Rotation.from_quat(whole).as_matrix())
