"""Which sliders and shapes of a rig interfere: the data of `inspect --report`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from facewright.options import suggests_options
from facewright.report.asymmetry import Asymmetry, asymmetry
from facewright.report.breaches import Breach, breaches
from facewright.report.dependence import (
    Dependent,
    Duplicate,
    OwnShare,
    dead_shapes,
    dependents,
    duplicates,
    own_shares,
)
from facewright.report.order import display_order, groups_of
from facewright.report.overlap import Overlap, SliderPair, fighting, overlap, worst_pairs
from facewright.report.products import products
from facewright.rig.rig import Rig

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Partner:
    """Another slider, and a number about the pair."""

    name: str
    value: float


@dataclass(frozen=True)
class SliderOverlap:
    """How one slider overlaps with all others."""

    name: str
    group: str
    strongest: Partner | None  # the slider with the strongest interference, -1 .. 1
    carried: Partner | None  # the slider that moves this one's vertices furthest, relative to this one's own motion


@dataclass(frozen=True)
class Interference:
    """All comparisons of a rig's sliders and shapes. `msgspec.to_builtins` converts it to JSON types."""

    sliders: tuple[SliderOverlap, ...]  # (n,) in the rig's order
    order: tuple[int, ...]  # (n,) an order that shows blocks: by group, then by similarity
    matrix: Matrix  # (n, n) interference in [-1, 1], in the rig's order; defined in `overlap`
    shared: Matrix  # (n, n) shared motion in [0, 1]
    pairs: tuple[SliderPair, ...]  # those with the strongest interference
    fighting: int  # number of pairs with strong interference, including those not in `pairs`
    dead: tuple[str, ...]  # shapes that move nothing visible
    duplicates: tuple[Duplicate, ...]
    dependent: tuple[Dependent, ...]
    own: tuple[OwnShare, ...]  # (s,) the part of each shape that no other makes
    asymmetry: Asymmetry | None  # None if the vertices have no partners
    breaches: tuple[Breach, ...]  # of the modeller's rules


_STEPS = ("motions", "sliders", "equal shapes", "sums of shapes", "left and right", "rules")


@suggests_options
def interference(rig: Rig, *, pairs: int = 24, progress: Callable[[int, int, str], None] | None = None) -> Interference:
    """Compare sliders with sliders, shapes with shapes, left with right, and all poses with the rules.

    pairs: how many of the pairs with the strongest interference are listed.
    progress: is called with the number of steps done, the number of all, and what is compared next.
    """
    steps = iter(range(len(_STEPS)))

    def begin() -> None:
        if progress is not None:
            at = next(steps)
            progress(at, len(_STEPS), _STEPS[at])

    begin()
    sums = products(rig)
    begin()
    among = overlap(rig, sums)
    order = tuple(display_order(rig, among.interference).tolist())
    begin()
    same = duplicates(rig)
    begin()
    dependent, own = dependents(rig, sums.shapes), own_shares(rig, sums.shapes)
    begin()
    sides = asymmetry(rig)
    begin()
    return Interference(
        sliders=_sliders(rig, among),
        order=order,
        matrix=tuple(map(tuple, among.interference.tolist())),
        shared=tuple(map(tuple, among.shared.tolist())),
        pairs=worst_pairs(rig, among, limit=pairs),
        fighting=fighting(rig, among),
        dead=dead_shapes(rig),
        duplicates=same,
        dependent=dependent,
        own=own,
        asymmetry=sides,
        breaches=breaches(rig),
    )


def _sliders(rig: Rig, among: Overlap) -> tuple[SliderOverlap, ...]:
    live = set(among.live.tolist())
    found = []
    for i, (name, group) in enumerate(zip(rig.sliders, groups_of(rig), strict=True)):
        strength, carried = np.abs(among.interference[i]), among.carried[i].copy()
        strength[i] = carried[i] = -1.0
        j, k = int(strength.argmax()), int(carried.argmax())
        has = i in live and len(live) > 1
        found.append(
            SliderOverlap(
                name,
                group,
                Partner(rig.sliders[j], float(among.interference[i, j])) if has and strength[j] > 0 else None,
                Partner(rig.sliders[k], float(carried[k])) if has and carried[k] > 0 else None,
            )
        )
    return tuple(found)
