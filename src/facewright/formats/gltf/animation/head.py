"""Head motion as the animation of a node above the whole scene, which every program plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.encode import Builder, finished_asset
from facewright.formats.gltf.animation.clips import SourceClip
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.head_motion import ANGLES, OFFSETS, has_head_motion, head_curves, head_motion_of

_MARK = "headMotion"
_NAME = "head motion"
_PATHS = ("rotation", "translation")
_SAME = 1e-6


def without_head(document: Document) -> Document:
    """The document with clips of weights alone, without head motion; angles without offsets, as of a phone, stay."""
    return replace(document, clips=tuple(_weights_of(clip) for clip in document.clips))


def with_head(asset: Asset, document: Document) -> Asset:
    """The file with the clips' head motion as animation of a node above all others."""
    moving = {clip.name: clip for clip in document.clips if has_head_motion(clip)}
    node = _head_node(asset.json)
    if (not moving and node is None) or _has_motion(asset, node, moving):
        return asset
    json: Json = msgspec.json.decode(msgspec.json.encode(asset.json))
    node = _new_node(json) if node is None else node
    _drop_channels(json, node)
    builder = Builder(json, asset.binary)
    for animation in json.get("animations", []):
        if animation.get("name") in moving:
            _animate(animation, moving[animation["name"]], node, builder)
    return finished_asset(replace(asset, json=json, raw=None), builder)


def clips_with_head(asset: Asset, sources: Sequence[SourceClip]) -> tuple[Clip, ...]:
    """The clips of an opened file, with the curves of the head motion that we wrote into it."""
    node = _head_node(asset.json)
    if node is None:
        return tuple(source.clip for source in sources)
    return tuple(
        replace(source.clip, curves={**source.clip.curves, **_curves(asset, source, node)}) for source in sources
    )


def _weights_of(clip: Clip) -> Clip:
    if not has_head_motion(clip):
        return clip
    kept = {name: curve for name, curve in clip.curves.items() if name not in (*ANGLES, *OFFSETS)}
    return replace(clip, curves=kept)


def _head_node(json: Json) -> int | None:
    nodes = json.get("nodes", [])
    return next((index for index, node in enumerate(nodes) if block_of(node).get(_MARK)), None)


def _new_node(json: Json) -> int:
    """A node above all roots of the scene that is shown."""
    nodes = json.setdefault("nodes", [])
    scene = json["scenes"][json.get("scene", 0)]
    node: Json = {"children": scene["nodes"]}
    if all(nodes[root].get("name") for root in scene["nodes"]):  # a part without a name would be named after this node
        node["name"] = _NAME
    set_block(node, {_MARK: True})
    nodes.append(node)
    scene["nodes"] = [len(nodes) - 1]
    return len(nodes) - 1


def _drop_channels(json: Json, node: int) -> None:
    for animation in json.get("animations", []):
        kept = [channel for channel in animation["channels"] if channel["target"].get("node") != node]
        if len(kept) < len(animation["channels"]):
            used = sorted({channel["sampler"] for channel in kept})
            animation["channels"] = [{**channel, "sampler": used.index(channel["sampler"])} for channel in kept]
            animation["samplers"] = [animation["samplers"][number] for number in used]
    json["animations"] = [animation for animation in json.get("animations", []) if animation["channels"]]
    if not json["animations"]:
        del json["animations"]


def _animate(animation: Json, clip: Clip, node: int, builder: Builder) -> None:
    times, turns, offsets = _keys(clip)
    at = builder.scalars(times, bounds=True)
    for path, values in zip(_PATHS, (turns, offsets), strict=True):
        animation["samplers"].append({"input": at, "output": builder.vectors(values), "interpolation": "LINEAR"})
        target = {"node": node, "path": path}
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})


def _keys(clip: Clip) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times (k,), quaternions (k, 4) and offsets (k, 3), all in single precision: all keys, and frames if any bends."""
    curves = [clip.curves[name] for name in (*ANGLES, *OFFSETS) if name in clip.curves]
    frames = [] if all(curve.interpolation == "linear" for curve in curves) else [clip.times()]
    at = np.unique(np.concatenate([*(curve.times for curve in curves), *frames]))
    times, first = np.unique((at - min(clip.start, 0.0)).astype(np.float32), return_index=True)
    turns, offsets = head_motion_of(clip, at[first])
    return times, turns.astype(np.float32), offsets.astype(np.float32)


def _curves(asset: Asset, source: SourceClip, node: int) -> dict[str, Curve]:
    """Curves of the animation of our node; none where another program has changed it to something else."""
    animation = asset.json["animations"][source.animation]
    samplers = {
        channel["target"].get("path"): animation["samplers"][channel["sampler"]]
        for channel in animation["channels"]
        if channel["target"].get("node") == node
    }
    if set(samplers) != set(_PATHS):
        return {}
    try:
        times = decode.numbers(asset, samplers["rotation"]["input"], "SCALAR")[:, 0]
        turns = decode.numbers(asset, samplers["rotation"]["output"], "VEC4")
        offsets = decode.numbers(asset, samplers["translation"]["output"], "VEC3")
        if len(turns) != len(times) or len(offsets) != len(times) or not len(times) or (np.diff(times) <= 0).any():
            return {}
        return head_curves(times + min(source.clip.start, 0.0), _rotations(turns), offsets)
    except FacewrightError:
        return {}


def _rotations(turns: Floats) -> Floats:
    from scipy.spatial.transform import Rotation

    lengths = np.linalg.norm(turns, axis=1, keepdims=True)
    whole = np.where(lengths > 0, turns, (0.0, 0.0, 0.0, 1.0))
    return np.asarray(Rotation.from_quat(whole).as_matrix())


def _has_motion(asset: Asset, node: int | None, moving: Mapping[str, Clip]) -> bool:
    """Whether the file has the head motion of the clips already."""
    if node is None:
        return False
    animations = asset.json.get("animations", [])
    for animation in animations:
        has = any(channel["target"].get("node") == node for channel in animation["channels"])
        clip = moving.get(animation.get("name", ""))
        if has != (clip is not None) or (clip is not None and not _same(asset, animation, node, clip)):
            return False
    return set(moving) <= {animation.get("name") for animation in animations}


def _same(asset: Asset, animation: Json, node: int, clip: Clip) -> bool:
    number = asset.json["animations"].index(animation)
    found = _curves(asset, SourceClip(number, clip, ()), node)
    times, _, _ = _keys(clip)
    wanted = clip.sample((*ANGLES, *OFFSETS), times + min(clip.start, 0.0))
    stored = Clip("", found).sample((*ANGLES, *OFFSETS), times + min(clip.start, 0.0))
    scale = 1 + np.abs(wanted)
    return bool(found) and bool((np.abs(wanted - stored) <= 10 * _SAME * scale).all())
