"""How much each slider moves what another one moves.

m_i(p) is the motion of vertex p when slider i goes alone from rest to its full value. Two numbers describe how two
sliders overlap, and the third is their product:

  shared      = sum |m_i| |m_j| / (|m_i| |m_j|)      0 apart .. 1 the same places, each as much as the other
  direction   = sum m_i . m_j / sum |m_i| |m_j|      -1 opposite .. 0 orthogonal .. 1 parallel
  interference = shared * direction                  the cosine of the two motions of the whole face

`direction` is the mean, over the vertices that both move, of the cosine of the angle between the two motions, weighted
by their lengths: tiny offsets weigh nothing, so that no threshold for motion is needed. The interference also tells how
well the two can be distinguished: (1 + |x|)/(1 - |x|) is the condition number of the pair.

A broad slider can move all that a small one moves without resembling it. A fourth number, not symmetric, tells this:

  carried_ij  = sqrt(sum |m_i|^2 |m_j|^2 / sum |m_i|^4)

how far j moves what i moves, relative to how far i itself does. All four have no unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.report.products import Products
from facewright.rig.names import mirror_name
from facewright.rig.rig import Rig

UNSEEN = 1e-6  # of the rig's size: smaller motion is not visible
STRONG = 0.8  # interference of two sliders that are hard to use together
_TWIN = 0.1  # largest difference in interference between a pair and its mirror image


@dataclass(frozen=True, eq=False)
class Overlap:
    """All pairs of sliders; rows and columns of sliders without visible motion are zero."""

    interference: Floats  # (n, n) in [-1, 1], symmetric
    shared: Floats  # (n, n) in [0, 1], symmetric
    carried: Floats  # (n, n) from 0 up; row i: how far the others move what i moves
    live: Ints  # (k,) the sliders that move something


@dataclass(frozen=True)
class SliderPair:
    """Two sliders that interfere."""

    first: str
    second: str
    interference: float  # -1 .. 1; pairs are ranked by its absolute value
    shared: float  # 0 .. 1
    direction: float  # -1 .. 1
    twin: tuple[str, str] | None  # the same pair on the other side of the face, which is left out of the ranking


def overlap(rig: Rig, found: Products) -> Overlap:
    """Interference, shared motion and carried motion of all pairs of sliders."""
    live = np.flatnonzero(found.reach > UNSEEN * rig.size)
    whole = np.ix_(live, live)
    norm = np.sqrt(np.diag(found.sliders)[live])
    n = len(rig.sliders)
    interference, shared, carried = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    interference[whole] = np.clip(found.sliders[whole] / np.outer(norm, norm), -1, 1)
    shared[whole] = np.clip(found.lengths[whole] / np.outer(norm, norm), 0, 1)
    carried[whole] = np.sqrt(found.squares[whole] / np.diag(found.squares)[live][:, None])
    return Overlap(interference, shared, carried, live)


def worst_pairs(rig: Rig, among: Overlap, *, limit: int = 24, least: float = 0.1) -> tuple[SliderPair, ...]:
    """The pairs with the strongest interference, the strongest first.

    Exclusive pairs are left out, because they are never on together; a pair and its mirror image are named once.
    """
    pairs: list[SliderPair] = []
    named: set[frozenset[str]] = {frozenset(pair) for pair in rig.exclusive}
    for i, j in _strongest(among.interference, least):
        if len(pairs) == limit:
            break
        pair = (rig.sliders[i], rig.sliders[j])
        if frozenset(pair) not in named:
            twin = _twin(rig, among, pair)
            named |= {frozenset(pair)} | ({frozenset(twin)} if twin else set())
            pairs.append(_pair(among, i, j, pair, twin))
    return tuple(pairs)


def fighting(rig: Rig, among: Overlap, *, least: float = STRONG) -> int:
    """The number of pairs, exclusive ones excepted, that interfere at least so much; both sides of the face count."""
    together = np.ones_like(among.interference, bool)
    for one, other in rig.exclusive:
        together[rig.slider_index(one), rig.slider_index(other)] = False
    strong = (np.abs(among.interference) >= least) & together & together.T
    return int(np.triu(strong, 1).sum())


def _pair(among: Overlap, i: int, j: int, names: tuple[str, str], twin: tuple[str, str] | None) -> SliderPair:
    interference, shared = float(among.interference[i, j]), float(among.shared[i, j])
    direction = float(np.clip(interference / shared, -1, 1)) if shared else 0.0
    return SliderPair(*names, interference, shared, direction, twin)


def _strongest(interference: Floats, least: float) -> Iterator[tuple[int, int]]:
    """Pairs i < j, the strongest first; equal ones, up to rounding, in the sliders' order."""
    i, j = np.triu_indices(len(interference), 1)
    strength = np.abs(interference[i, j])
    enough = np.flatnonzero(strength >= least)
    order = enough[np.argsort(-np.round(strength[enough], 9), kind="stable")]
    return zip(i[order].tolist(), j[order].tolist(), strict=True)


def _twin(rig: Rig, among: Overlap, pair: tuple[str, str]) -> tuple[str, str] | None:
    """The same pair on the other side, if the rig has it and it interferes as much."""
    other = tuple(mirror_name(name) or name for name in pair)
    if set(other) == set(pair) or not set(other) <= set(rig.sliders):
        return None
    (i, j), (k, m) = ([rig.slider_index(name) for name in both] for both in (pair, other))
    apart = abs(among.interference[i, j] - among.interference[k, m])
    return (other[0], other[1]) if apart <= _TWIN else None
