"""Expressions of a VRM animation (`.vrma`): the x of a node's translation is the value of an expression.

https://github.com/vrm-c/vrm-specification, VRMC_vrm_animation 1.0. The motion of bones is left out.
"""

from __future__ import annotations

import numpy as np

from facewright.errors import BadFile
from facewright.formats.files import Source
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, as_object, entries, entry, member, text, whole
from facewright.formats.gltf.unpack import unpack_file
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve, Interpolation

EXTENSION = "VRMC_vrm_animation"
_HOW: dict[str, Interpolation] = {"LINEAR": "linear", "STEP": "step", "CUBICSPLINE": "cubic"}


def read_animation(source: Source) -> Clip:
    """The clip of expressions of a file, whose curves are named like the expressions."""
    asset = unpack_file(source)
    nodes = _expression_nodes(asset.json)
    animations = entries(asset.json, "animations")
    if not nodes or not animations:
        raise BadFile("there is no expression that this file animates; a .vrma file names them in VRMC_vrm_animation")
    animation = as_object(animations[0], "an animation")  # the first, as the specification says
    channels = [as_object(channel, "a channel") for channel in entries(animation, "channels")]
    targets = [member(channel, "target", "a channel") for channel in channels]
    curves = {
        nodes[whole(target, "node", "a channel")]: _curve(asset, entry(animation, "samplers", channel.get("sampler")))
        for channel, target in zip(channels, targets, strict=True)
        if target.get("path") == "translation" and whole(target, "node", "a channel", -1, low=-1) in nodes
    }
    if not curves:
        raise BadFile("no expression of this file has keys; it moves bones alone")
    return Clip(source.stem or "clip", curves)


def _expression_nodes(json: Json) -> dict[int, str]:
    """Nodes to the names of their expressions."""
    extensions = json.get("extensions")
    extension = extensions.get(EXTENSION) if isinstance(extensions, dict) else None
    expressions = extension.get("expressions") if isinstance(extension, dict) else None
    found: dict[int, str] = {}
    for kind in ("preset", "custom"):
        listed = expressions.get(kind) if isinstance(expressions, dict) else None
        for name, one in listed.items() if isinstance(listed, dict) else ():
            node = one.get("node") if isinstance(one, dict) else None
            if name and isinstance(node, int) and not isinstance(node, bool):
                found[node] = name
    return found


def _curve(asset: Asset, sampler: Json) -> Curve:
    stated = text(sampler, "interpolation", "a sampler", "LINEAR")
    if stated not in _HOW:
        raise BadFile(f"a sampler has the interpolation {stated!r}; there are {', '.join(_HOW)}")
    how = _HOW[stated]
    times = decode.numbers(asset, whole(sampler, "input", "a sampler"), "SCALAR")[:, 0]
    values = decode.numbers(asset, whole(sampler, "output", "a sampler"), "VEC3")[:, 0]
    rows = 3 if how == "cubic" else 1
    if len(values) != rows * len(times):
        raise BadFile(f"an expression has {len(values)} values for {len(times)} keys")
    if (np.diff(times) <= 0).any():
        raise BadFile("the keys of an expression do not increase in time")
    table = values.reshape(-1, rows)
    return Curve(times, table[:, 1], how, table[:, ::2]) if how == "cubic" else Curve(times, table[:, 0], how)
