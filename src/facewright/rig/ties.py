"""Sliders that make sense only as far as another is on: mouthClose closes the lips of a jaw that is open."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Ints
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig

_BY_NAME = {"mouthClose": "jawOpen"}  # Apple: the lips closed independently of the position of the jaw


def ties_of(rig: Rig) -> tuple[tuple[str, str], ...]:
    """Pairs of a slider and the one that it goes no further than: the rig's own, or else those that the names tell."""
    return ties_by_name(rig) if rig.ties is None else rig.ties


def ties_by_name(rig: Rig) -> tuple[tuple[str, str], ...]:
    """The same pairs as far as the names tell them."""
    meanings = {canonical_name(name): name for name in reversed(rig.sliders)}
    return tuple((meanings[a], meanings[b]) for a, b in _BY_NAME.items() if a in meanings and b in meanings)


def tied_sliders(rig: Rig) -> Ints:
    """The same pairs (p, 2) as indices of sliders."""
    pairs = [[rig.slider_index(name) for name in pair] for pair in ties_of(rig)]
    return np.array(pairs, np.int64).reshape(-1, 2)
