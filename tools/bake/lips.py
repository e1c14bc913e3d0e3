"""Lips that meet. Blends of targets leave them a millimetre apart, and a neutral face has its mouth closed."""

from __future__ import annotations

import numpy as np
from tools.bake.neck import edge_loop, neighbours_of
from tools.bake.source import FACE_UNITS, Source

from facewright.arrays import Floats, Ints

# Edge loops round the opening, from the lips' outside to their inside, each by two neighbours on the upper lip.
_LOOPS = ((468, 7224), (474, 7229), (520, 7267), (537, 7282))
_OVERLAP = 0.004  # decimetres that the lower lip ends up higher than the upper one ends, behind it
_REACH = 0.06  # decimetres from the lip line over which the change fades


def closed_lips(source: Source, place: Floats) -> Floats:
    """The same person with lips that touch along their whole line."""
    quads = source.quads[source.faces_of("body")]
    neighbours = neighbours_of(quads)
    halves = [_halves(place, edge_loop(quads, neighbours, *start)) for start in _LOOPS]
    corner = min(float(place[upper, 0].max()) for upper, _ in halves)
    width = np.linspace(0, corner, 64)
    over = np.min([np.interp(width, *place[upper][:, :2].T) for upper, _ in halves], axis=0)
    under = np.max([np.interp(width, *place[lower][:, :2].T) for _, lower in halves], axis=0)
    depth = np.mean([np.interp(width, *place[lower][:, [0, 2]].T) for _, lower in halves], axis=0)
    line = np.stack([width, (over + under) / 2, depth], axis=1)
    return place + _change(source, place, line, np.maximum(over - under + _OVERLAP, 0))


def _halves(place: Floats, loop: list[int]) -> tuple[Ints, Ints]:
    """The upper and the lower lip's vertices of a loop on the side of +x, from the middle to the corner."""
    side = [vertex for vertex in loop if place[vertex, 0] > -1e-6]
    corner = int(np.argmax(place[side, 0]))
    return np.array(side[: corner + 1]), np.array(side[: corner - 1 : -1])


def _change(source: Source, place: Floats, line: Floats, gap: Floats) -> Floats:
    """Each lip goes half of the way; which lip a vertex belongs to is seen from how an opening jaw moves it."""
    skin = np.unique(source.quads[source.faces_of("body")])
    points = np.abs(place[skin] * [1, 0, 0]) + place[skin] * [0, 1, 1]
    away = np.linalg.norm(points[:, None] - line, axis=2)  # (skin, along)
    near = away.argmin(axis=1)
    fade = np.exp(-((away.min(axis=1) / _REACH) ** 2))
    fall = -source.target(f"{FACE_UNITS}jawOpen.target")[skin, 1]
    lower = np.clip(fall / np.percentile(fall[fade > 0.9], 90), 0, 1)
    change = np.zeros_like(place)
    change[skin, 1] = (lower - 0.5) * fade * gap[near]
    return change
