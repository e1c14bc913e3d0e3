"""Which sliders and shapes of a rig get in each other's way: everything behind `inspect --report`, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    """Another slider, and a number about the two."""

    name: str
    value: float


@dataclass(frozen=True)
class SliderOverlap:
    """What one slider has to do with all others."""

    name: str
    group: str
    strongest: Partner | None  # of the strongest interference, -1 .. 1
    carried: Partner | None  # which other slider moves this one's vertices furthest, relative to how far it does itself


@dataclass(frozen=True)
class Interference:
    """What a modeller wants to know about a rig that fights. `msgspec.to_builtins` makes it JSON."""

    sliders: tuple[SliderOverlap, ...]  # (n,) in the rig's order
    order: tuple[int, ...]  # (n,) in which blocks show: by group, then by likeness
    matrix: Matrix  # (n, n) interference in [-1, 1], in the rig's order; see `overlap` for what it means
    shared: Matrix  # (n, n) shared motion in [0, 1]
    pairs: tuple[SliderPair, ...]  # those an animator will fight with first
    fighting: int  # pairs whose interference is strong, named above or not
    dead: tuple[str, ...]  # shapes that move nothing that can be seen
    duplicates: tuple[Duplicate, ...]
    dependent: tuple[Dependent, ...]
    own: tuple[OwnShare, ...]  # (s,) what each shape does that no other can
    asymmetry: Asymmetry | None  # None: the face has no two sides
    breaches: tuple[Breach, ...]  # of the modeller's rules


def interference(rig: Rig, *, pairs: int = 24) -> Interference:
    """Compare every slider with every other, every shape with all others, left with right, and all with the rules."""
    sums = products(rig)
    among = overlap(rig, sums)
    return Interference(
        sliders=_sliders(rig, among),
        order=tuple(display_order(rig, among.interference).tolist()),
        matrix=tuple(map(tuple, among.interference.tolist())),
        shared=tuple(map(tuple, among.shared.tolist())),
        pairs=worst_pairs(rig, among, limit=pairs),
        fighting=fighting(rig, among),
        dead=dead_shapes(rig),
        duplicates=duplicates(rig),
        dependent=dependents(rig, sums.shapes),
        own=own_shares(rig, sums.shapes),
        asymmetry=asymmetry(rig),
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
