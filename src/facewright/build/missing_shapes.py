"""Shapes that a template lacks, from what its shapes cannot make of poses (future work in Li 2010)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.build.reach import Reach
from facewright.rig.shape import Shape

_SAME = 0.5  # of what a pose lacks: if an earlier proposal makes this share, it is the shape that is missing here, too
_SPECK = 1e-3  # of the largest offset: smaller offsets of a proposal are set to 0


@dataclass(frozen=True, eq=False)
class ShapeProposal:
    """A shape to add, named after its pose. At weight 1 it adds what that pose lacks."""

    shape: Shape
    pose: str
    gain: float  # share of what no shape makes of the pose that this shape makes
    own: float  # share of the shape that no weights of the template's sliders, within their bounds, make
    weights: Mapping[str, float]  # its weight in its own pose, and in others that lack the same

    def __repr__(self) -> str:
        return f"ShapeProposal({self.shape!r} for {self.pose!r}, gain {self.gain:.0%})"


def propose_shapes(
    reached: Sequence[Reach], left: Sequence[Floats], taken: Collection[str]
) -> tuple[ShapeProposal, ...]:
    """Propose shapes for the poses that lack something; left: what (v, 3) free weights leave of each pose.

    taken: names in use.
    """
    lacking = [i for i in np.argsort([-float((one.lacking**2).sum()) for one in reached]) if not reached[i].expressible]
    chosen: dict[int, dict[str, float]] = {}
    for i in lacking:
        name, offsets = reached[i].name, reached[i].lacking
        best = max(((*_along(reached[k].lacking, offsets), k) for k in chosen), default=(0.0, 0.0, -1))
        if best[0] >= _SAME:
            chosen[best[2]][name] = round(best[1], 3)
        else:
            chosen[i] = {name: 1.0}
    names, found = set(taken), []
    for i in sorted(chosen):
        one = reached[i]
        name = _free_name(one.name, names)
        names.add(name)
        gain = 1 - float(((left[i] - one.lacking) ** 2).sum() / max((left[i] ** 2).sum(), np.finfo(float).tiny))
        found.append(ShapeProposal(_shape(name, one.lacking), one.name, gain, one.own, chosen[i]))
    return tuple(found)


def _along(shape: Floats, wanted: Floats) -> tuple[float, float]:
    """The share of some offsets (v, 3) that a shape (v, 3) makes at its best weight up to 1, and this weight."""
    square, product = float((shape**2).sum()), float((shape * wanted).sum())
    weight = min(max(product / square, 0.0), 1.0) if square > 0 else 0.0
    return weight * (2 * product - weight * square) / float((wanted**2).sum()), weight


def _shape(name: str, offsets: Floats) -> Shape:
    lengths = np.linalg.norm(offsets, axis=1)
    return Shape.from_dense(name, np.where((lengths > _SPECK * lengths.max(initial=0.0))[:, None], offsets, 0.0))


def _free_name(name: str, taken: set[str]) -> str:
    tries = (name, f"missing_{name}", *(f"missing_{name}_{i}" for i in range(2, len(taken) + 2)))
    return next(one for one in tries if one not in taken)
