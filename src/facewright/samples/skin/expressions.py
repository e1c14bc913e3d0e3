"""The effects of expressions on skin: lines where it folds, and more or less blood where it is stretched or pressed.

Lines and spots are on the face's left, in centimetres on the default head, and mirrored to the right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.image.srgb import Floats32
from facewright.samples.skin.complexion import Amounts
from facewright.samples.skin.curves import DrawnLines, Points
from facewright.samples.skin.noise import Noise
from facewright.samples.skin.scalar_fields import spot


@dataclass(frozen=True)
class Line:
    """A fold, deepest in its middle."""

    points: Points
    depth: float
    width: float = 0.07  # centimetres


@dataclass(frozen=True)
class Spot:
    """More blood, or less if below 0, around a place."""

    middle: tuple[float, float, float]
    reach: tuple[float, float, float]
    blood: float


@dataclass(frozen=True)
class SkinExpression:
    """Lines and spots, and the groups of shapes that activate them, each group by itself."""

    shapes: tuple[tuple[str, ...], ...]
    lines: tuple[Line, ...]
    spots: tuple[Spot, ...]


def _both(name: str) -> tuple[str, str]:
    return f"{name}Left", f"{name}Right"


_FOREHEAD = tuple(
    Line([(0.0, y), (1.6, y + 0.12), (3.4, y - 0.02), (5.0, y - 0.55)], depth, 0.085)
    for y, depth in ((3.75, 0.34), (4.65, 0.46), (5.55, 0.40), (6.35, 0.22))
)
_CROWS_FEET = tuple(
    Line([(4.75, start), (5.5, (start + end) / 2 + bend), (6.35, end)], depth, 0.06)
    for start, end, bend, depth in (
        (0.35, 1.35, 0.0, 0.3),
        (0.05, 0.35, 0.05, 0.4),
        (-0.3, -0.75, 0.05, 0.36),
        (-0.6, -1.6, 0.0, 0.22),
    )
)
_NASOLABIAL = Line([(1.75, -2.5), (2.5, -3.5), (3.05, -4.7), (3.2, -5.9)], 0.5, 0.12)

EXPRESSIONS = {
    "raise": SkinExpression(
        (("browInnerUp",), _both("browOuterUp")),
        _FOREHEAD,
        (Spot((0, 5.0, 2.8), (4.8, 1.6, 3.0), -0.16), Spot((2.6, 3.0, 2.8), (2.2, 0.7, 2.0), 0.14)),
    ),
    "frown": SkinExpression(
        (_both("browDown"),),
        (
            Line([(0.55, 1.0), (0.48, 1.9), (0.62, 3.0), (0.8, 3.7)], 0.6, 0.1),
            Line([(1.15, 2.3), (1.1, 3.0), (1.35, 3.7)], 0.34, 0.09),
            Line([(0.0, 0.75), (0.6, 0.66), (1.0, 0.5)], 0.42, 0.08),
        ),
        (Spot((0, 2.6, 3.6), (1.6, 1.6, 2.0), 0.24), Spot((3.4, 3.4, 2.5), (2.0, 1.0, 2.0), -0.10)),
    ),
    "smile": SkinExpression(
        (_both("mouthSmile"),),
        (_NASOLABIAL, *(Line(one.points, 0.7 * one.depth, one.width) for one in _CROWS_FEET)),
        (Spot((4.0, -2.0, 1.8), (1.7, 1.3, 2.2), 0.34), Spot((0, -6.2, 3.0), (2.2, 0.9, 2.0), -0.12)),
    ),
    "squint": SkinExpression(
        (_both("eyeSquint"), _both("cheekSquint")),
        (
            *_CROWS_FEET,
            Line([(1.7, -1.15), (2.7, -1.65), (3.9, -1.45)], 0.42, 0.08),
            Line([(2.0, -1.7), (3.0, -2.2), (4.2, -1.95)], 0.25, 0.08),
        ),
        (Spot((3.0, -1.6, 2.4), (1.9, 0.8, 2.0), 0.24), Spot((5.3, 0.1, 0.5), (1.0, 1.2, 1.6), 0.14)),
    ),
    "pucker": SkinExpression(
        (("mouthPucker",), ("mouthFunnel",)),
        (
            *(Line([(x, -5.0), (0.86 * x, -5.6)], 0.34, 0.05) for x in (0.35, 0.85, 1.35, 1.8)),
            *(Line([(0.86 * x, -7.25), (x, -7.9)], 0.32, 0.05) for x in (0.3, 0.8, 1.3)),
            *(
                Line([(x, y), (x + 0.25, y + 0.1)], 0.3, 0.07)
                for x, y in ((0.1, -8.7), (0.5, -9.2), (0.9, -8.6), (0.2, -9.7), (1.2, -9.3))
            ),
        ),
        (
            Spot((0, -6.2, 3.2), (1.7, 1.0, 2.0), 0.30),
            Spot((0, -9.0, 2.6), (1.5, 0.9, 2.0), 0.2),
            Spot((3.6, -5.0, 1.5), (1.3, 1.6, 2.0), -0.14),
        ),
    ),
    "open": SkinExpression(
        (("jawOpen",),),
        (
            Line([(2.0, -2.8), (2.75, -4.2), (3.15, -5.8), (3.1, -7.2)], 0.22, 0.12),
            Line([(3.9, -3.4), (4.3, -5.2), (4.2, -7.0)], 0.1, 0.13),
        ),
        (Spot((4.2, -4.0, 0.8), (1.8, 2.4, 2.5), -0.18), Spot((0, -9.4, 2.0), (2.6, 1.1, 2.5), -0.12)),
    ),
    "sneer": SkinExpression(
        (_both("noseSneer"),),
        (
            Line([(1.75, -2.3), (2.35, -3.2), (2.75, -4.2)], 0.5, 0.1),
            Line([(0.55, -0.3), (0.95, -0.9), (1.1, -1.6)], 0.36, 0.07),
            Line([(0.0, 0.45), (0.45, 0.3), (0.85, -0.15)], 0.34, 0.07),
            Line([(0.0, 0.05), (0.4, -0.1), (0.7, -0.5)], 0.26, 0.07),
        ),
        (Spot((0, -1.6, 4.4), (1.7, 1.4, 2.2), 0.30), Spot((2.0, -3.6, 2.8), (1.0, 1.2, 1.6), 0.18)),
    ),
}


def express(found: Amounts, place: Floats32, name: str, seed: int, *, strength: float = 1.0) -> None:
    """Add an expression to skin at rest."""
    for one in EXPRESSIONS[name].spots:
        found.blood += np.float32(strength * one.blood) * spot(place, one.middle, one.reach)
    _fold(found, place, EXPRESSIONS[name].lines, seed, strength)


def _fold(found: Amounts, place: Floats32, lines: tuple[Line, ...], seed: int, strength: float) -> None:
    """Darken the fold, add some blood beside it, and lighten the raised skin on both sides."""
    drawn = DrawnLines.of([line.points for line in lines])
    depth, width = (np.array([getattr(line, key) for line in lines], np.float32) for key in ("depth", "width"))
    some, away, which = drawn.near(place, 5 * float(width.max()))
    line, along = drawn.line[which], drawn.along[which]
    uneven = 1 + 0.25 * Noise(seed)(place[some], 0.7, 110)
    amount = strength * depth[line] * uneven * np.sin(np.pi * np.clip(0.08 + 0.9 * along, 0, 1)) ** 0.7
    off = away / width[line]
    found.shade[some] += amount * (np.exp(-(off**2)) - 0.3 * np.exp(-(((off - 2.1) / 0.9) ** 2)))
    found.blood[some] += 0.35 * amount * np.exp(-((off / 2.2) ** 2))
