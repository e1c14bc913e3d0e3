"""Blend shapes of a mesh with their in-betweens, as channels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats.channels.channel import Channel, ChannelTarget
from facewright.formats.unique_names import unique
from facewright.formats.usd.block import kept_value
from facewright.formats.usd.process import StageFile
from facewright.formats.usd.scene.mesh import integers, table

_CLOSE = 1e-6  # weights that differ less are one: usd-core leaves out in-betweens as close to 0 or 1
_MOST = 1e6


def read_channels(
    stage: StageFile, mesh: dict[str, Any], points: int, pose: Mapping[str, float], helping: frozenset[str]
) -> tuple[Channel, ...]:
    """The channels of a mesh of so many points, with their weights at rest."""
    described = mesh["channels"]
    names = unique(str(one["name"]) or f"shape {n}" for n, one in enumerate(described))
    return tuple(
        Channel(name, None, _targets(stage, one, name, points, name not in helping), pose.get(str(one["name"]), 0.0))
        for name, one in zip(names, described, strict=True)
    )


def _targets(
    stage: StageFile, one: dict[str, Any], name: str, points: int, with_primary: bool
) -> tuple[ChannelTarget, ...]:
    rows = integers(stage, one["rows"], f"shape {name!r}: pointIndices")
    if len(rows) and not (rows.min() >= 0 and rows.max() < points):
        raise BadFile(f"shape {name[:60]!r} moves vertex {rows.max()}; its mesh has {points}")
    found: dict[float, ChannelTarget] = {}
    if with_primary or not one["between"]:
        found[1.0] = _target(stage, name, 1.0, one["offsets"], rows, points)
    for between in one["between"]:
        at = kept_value(between["at"])
        if (
            abs(at) > _CLOSE
            and abs(at - 1) > _CLOSE
            and abs(at) < _MOST
            and all(abs(at - one) > _CLOSE for one in found)
        ):
            found[at] = _target(stage, str(between["name"]), at, between["offsets"], rows, points)
    return tuple(found[at] for at in sorted(found))


def _target(stage: StageFile, name: str, at: float, entry: Any, rows: Ints, points: int) -> ChannelTarget:
    offsets = table(stage, entry, 3, f"shape {name!r}")
    if not len(rows) and len(offsets) == points:
        rows = np.arange(points)  # without indices, all points are moved
    if len(rows) != len(offsets) and len(offsets):
        raise BadFile(f"shape {name[:60]!r} has {len(rows)} indices and {len(offsets)} offsets")
    return ChannelTarget(name, at, *_moved(rows[: len(offsets)], offsets))


def _moved(rows: Ints, offsets: Floats) -> tuple[Ints, Floats]:
    """The points that are moved, increasing; offsets of a point that is named twice are added."""
    if len(rows) > 1 and (np.diff(rows) <= 0).any():
        distinct, place = np.unique(rows, return_inverse=True)
        summed = np.zeros((len(distinct), 3))
        np.add.at(summed, place, offsets)
        rows, offsets = distinct, summed
    moved = offsets.any(axis=1)
    return rows[moved], offsets[moved]
