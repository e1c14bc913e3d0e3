"""Updating the animations of an opened file: for new lists of targets, then for the document's clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from facewright.document import Document
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.encode import Builder
from facewright.formats.gltf.animation.clips import SourceClip, clip_names, entry_json, entry_of, source_clips
from facewright.formats.gltf.animation.keys import add_clip, can_animate
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.write_options import Keys
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve

Columns = Sequence[int | None]  # the former index of each target, None for a new one


def remap_weights(asset: Asset, mesh: int, before: int, columns: Columns, builder: Builder) -> None:
    """Rearrange the weights of all animations of a mesh for its new list of targets."""
    nodes = {index for index, node in enumerate(asset.json["nodes"]) if node.get("mesh") == mesh}
    emptied = []
    for animation in asset.json.get("animations", []):
        moving = [i for i, channel in enumerate(animation.get("channels", [])) if _moves(channel, nodes)]
        if moving and not columns:
            _drop_channels(animation, moving)
            emptied.append(animation)
        elif moving:
            for number in moving:
                _remap_channel(asset, animation, animation["channels"][number], (before, columns), builder)
            _drop_idle_samplers(animation)
    _set_animations(asset.json, asset.json.get("animations", []), emptied)


def update_clips(
    asset: Asset, targets: Mapping[int, Sequence[str]], document: Document, builder: Builder, keys: Keys = "exact"
) -> None:
    """Write the document's clips; animations that already give a clip stay as they are, if they may have any keys."""
    if not can_animate(document, targets):
        return
    found = source_clips(asset, targets, document.rig)
    pairs = _pairs(document.clips, found)
    listed = asset.json.get("animations", [])
    wanted: list[Json] = []
    for clip, current in pairs:
        animation: Json = {} if current is None else listed[current.animation]
        if current is None or keys != "exact" or not _gives_clip(animation, clip, current.clip):
            _drop_channels(animation, [track.channel for track in current.tracks] if current else [])
            add_clip(animation, clip, document.rig, targets, builder, keys)
        wanted.append(animation)
    kept = {current.animation for _, current in pairs if current is not None}
    dropped = [current for current in found if current.animation not in kept]
    for current in dropped:
        _drop_channels(listed[current.animation], [track.channel for track in current.tracks])
    waiting = list(wanted)
    arranged = [waiting.pop(0) if i in kept else animation for i, animation in enumerate(listed)] + waiting
    _set_animations(asset.json, arranged, [listed[current.animation] for current in dropped])
    _set_clip_names(wanted, document.clips)


def _moves(channel: Json, nodes: set[int]) -> bool:
    return channel["target"].get("path") == "weights" and channel["target"].get("node") in nodes


def _remap_channel(asset: Asset, animation: Json, channel: Json, how: tuple[int, Columns], builder: Builder) -> None:
    sampler = animation["samplers"][channel["sampler"]]
    output = _remapped(asset, sampler["output"], *how, builder)
    channel["sampler"] = len(animation["samplers"])
    animation["samplers"].append(sampler | {"output": output})


def _remapped(asset: Asset, index: int, before: int, columns: Columns, builder: Builder) -> int:
    stored = decode.elements(asset, index, "SCALAR")[:, 0]
    if len(stored) % before:
        return index  # not weights of this mesh: no reader can use it
    table = stored.reshape(-1, before)
    found = np.zeros((len(table), len(columns)), stored.dtype.newbyteorder("="))
    for column, old in enumerate(columns):
        if old is not None:
            found[:, column] = table[:, old]
    normalized = bool(asset.json["accessors"][index].get("normalized"))
    return builder.scalars(found.ravel(), normalized=normalized)


def _pairs(clips: Sequence[Clip], found: Sequence[SourceClip]) -> list[tuple[Clip, SourceClip | None]]:
    """Each clip with the animation that it comes from: the one of its name, else one with the same curves."""
    by_name = {source.clip.name: source for source in found}
    names = {clip.name for clip in clips}
    left = [source for source in found if source.clip.name not in names]
    pairs = []
    for clip in clips:
        source = by_name.get(clip.name) or next((one for one in left if _same_curves(clip, one.clip)), None)
        if source in left:
            left.remove(source)
        pairs.append((clip, source))
    return pairs


def _gives_clip(animation: Json, clip: Clip, current: Clip) -> bool:
    """Whether an animation gives the clip's curves; a new rate or list of sliders is written into its block."""
    if not all(name in current.curves and _same(curve, current.curves[name]) for name, curve in clip.curves.items()):
        return False
    entry = entry_of(animation)
    if len(clip.curves) < len(current.curves):
        if entry.curves is not None or entry.rows is not None or not clip.curves:
            return False
        entry = msgspec.structs.replace(entry, sliders=list(clip.curves))
    if clip.rate != current.rate:
        entry = msgspec.structs.replace(entry, rate=clip.rate)
    if entry != entry_of(animation):
        set_block(animation, entry_json(entry))
    return True


def _same_curves(a: Clip, b: Clip) -> bool:
    return set(a.curves) == set(b.curves) and all(_same(curve, b.curves[name]) for name, curve in a.curves.items())


def _same(a: Curve, b: Curve) -> bool:
    ours, theirs = (np.zeros((0, 2)) if curve.slopes is None else curve.slopes for curve in (a, b))
    return (
        a.interpolation == b.interpolation
        and np.array_equal(a.times, b.times)
        and np.array_equal(a.values, b.values)
        and np.array_equal(ours, theirs)
        and a.outside == b.outside
        and _same_tangents(a, b)
    )


def _same_tangents(a: Curve, b: Curve) -> bool:
    if a.tangents is None or b.tangents is None:
        return a.tangents is b.tangents
    return np.array_equal(a.tangents, b.tangents)


def _drop_channels(animation: Json, gone: Sequence[int]) -> None:
    """Remove channels from an animation."""
    if gone:
        animation["channels"] = [one for i, one in enumerate(animation["channels"]) if i not in gone]
        _drop_idle_samplers(animation)


def _drop_idle_samplers(animation: Json) -> None:
    """Remove the samplers that no channel uses."""
    used = sorted({channel["sampler"] for channel in animation.get("channels", [])})
    if len(used) == len(animation.get("samplers", [])):
        return
    number = {old: new for new, old in enumerate(used)}
    animation["samplers"] = [animation["samplers"][old] for old in used]
    for channel in animation["channels"]:
        channel["sampler"] = number[channel["sampler"]]


def _set_animations(json: Json, animations: Sequence[Json], emptied: Sequence[Json]) -> None:
    """Set the file's animations, without those of the emptied that have no channel left."""
    gone = {id(animation) for animation in emptied if not animation["channels"]}
    json["animations"] = [animation for animation in animations if id(animation) not in gone]
    if not json["animations"]:
        del json["animations"]


def _set_clip_names(animations: Sequence[Json], clips: Sequence[Clip]) -> None:
    """Name the animations whose clips would get another name."""
    given = clip_names([animation.get("name", "") for animation in animations])
    for animation, clip, name in zip(animations, clips, given, strict=True):
        if name != clip.name:
            animation["name"] = clip.name
