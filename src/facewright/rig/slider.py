"""Sliders as single values, for edits that add, drop or rename them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, Rule
from facewright.rig.shape import Shape


@dataclass(frozen=True)
class Slider:
    """One slider: its name, its bounds and its group."""

    name: str
    low: float = 0.0
    high: float = 1.0
    group: str = "other"


def sliders_of(rig: Rig) -> tuple[Slider, ...]:
    """The sliders of a rig, one by one."""
    rows = zip(rig.sliders, rig.bounds.tolist(), rig.groups, strict=True)
    return tuple(Slider(name, low, high, group) for name, (low, high), group in rows)


def with_sliders(
    rig: Rig, shapes: Iterable[Shape], sliders: Iterable[Slider], *, became: Mapping[str, tuple[str, ...]] | None = None
) -> Rig:
    """The rig with other shapes and sliders; exclusive pairs, ties and rules are changed with them.

    became: the new name or names of sliders that were renamed, split or merged.
    """
    sliders = tuple(sliders)
    names = {slider.name for slider in sliders}
    now = {name: tuple(new for new in (became or {}).get(name, (name,)) if new in names) for name in rig.sliders}
    return replace(
        rig,
        shapes=tuple(shapes),
        sliders=tuple(slider.name for slider in sliders),
        bounds=np.array([(slider.low, slider.high) for slider in sliders]).reshape(-1, 2),
        groups=tuple(slider.group for slider in sliders),
        exclusive=_pairs_now(rig.exclusive, now),
        ties=None if rig.ties is None else _pairs_now(rig.ties, now),
        rules=tuple(_rule_now(rule, now) for rule in rig.rules),
    )


def _pairs_now(pairs: Iterable[tuple[str, str]], now: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, str], ...]:
    """The pairs under the new names; once each, and none of a slider with itself where two became one."""
    return tuple(dict.fromkeys((x, y) for a, b in pairs for x in now[a] for y in now[b] if x != y))


def _rule_now(rule: Rule, now: Mapping[str, tuple[str, ...]]) -> Rule:
    if not isinstance(rule, OnlyMovedBy):
        return rule
    return replace(rule, sliders=tuple(dict.fromkeys(new for old in rule.sliders for new in now[old])))
