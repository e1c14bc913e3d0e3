"""Weight animations as the file has them: one table of keys for each part that an animation moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, text
from facewright.motion.curve import Curve, Interpolation

_INTERPOLATIONS: dict[str, Interpolation] = {"LINEAR": "linear", "STEP": "step", "CUBICSPLINE": "cubic"}


_CURVE = 32  # what a curve costs beside its keys, in keys


@dataclass(frozen=True, eq=False)
class Track:
    """Keys of all targets of one mesh."""

    channel: int  # of the animation
    node: int
    curves: Mapping[str, Curve]  # target name -> curve


def tracks(asset: Asset, animation: Json, targets: Mapping[int, Sequence[str]], budget: Budget) -> list[Track]:
    """The tracks of an animation that move the given nodes, whose meshes have the given target names."""
    found = []
    for number, channel in enumerate(animation.get("channels", [])):
        node = channel["target"].get("node")
        if channel["target"].get("path") == "weights" and targets.get(node):
            sampler = animation["samplers"][channel["sampler"]]
            found.append(Track(number, node, _curves(asset, sampler, targets[node], budget)))
    return found


def _curves(asset: Asset, sampler: Json, names: Sequence[str], budget: Budget) -> dict[str, Curve]:
    stated = text(sampler, "interpolation", "a sampler", "LINEAR")
    if stated not in _INTERPOLATIONS:
        raise BadFile(f"a sampler has the interpolation {stated!r}; there are {', '.join(_INTERPOLATIONS)}")
    how = _INTERPOLATIONS[stated]
    budget.spend(decode.count_of(asset, sampler["output"]) + _CURVE * len(names), "an animation")
    times = decode.numbers(asset, sampler["input"], "SCALAR")[:, 0]
    values = decode.numbers(asset, sampler["output"], "SCALAR")[:, 0]
    rows = 3 if how == "cubic" else 1
    if len(values) != len(times) * rows * len(names):
        raise BadFile(
            f"an animation has {len(values)} weights; {len(times)} keys of {len(names)} targets need"
            f" {len(times) * rows * len(names)}"
        )
    table = values.reshape(len(times), rows, len(names))
    kept = _increasing(times)
    times, table = times[kept], table[kept]
    return {name: _curve(times, table[:, :, column], how) for column, name in enumerate(names)}


def _curve(times: Floats, rows: Floats, how: Interpolation) -> Curve:
    """A curve from rows (k, 1) of values, or (k, 3) of arriving slope, value and leaving slope."""
    if how == "cubic":
        return Curve(times, rows[:, 1], how, rows[:, ::2])
    return Curve(times, rows[:, 0], how)


def _increasing(times: Floats) -> Floats:
    """Which keys are later than all keys before them; the others cannot be played."""
    latest = np.concatenate([[-np.inf], np.maximum.accumulate(times)[:-1]])
    return np.asarray(times > latest)
