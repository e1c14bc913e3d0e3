"""What the name of a file says about the pose in it: jawOpen.obj, mouth_smile_L.obj, jawOpen+mouthSmile.obj."""

from __future__ import annotations

import re
from collections.abc import Sequence

from facewright.rig.names import canonical_name

_BETWEEN = re.compile(r"\s*[+&,]\s*")
_SIDES = ("Left", "Right")


def guess_by_name(name: str, sliders: Sequence[str]) -> dict[str, float] | None:
    """The sliders that a pose's name is made of, each at 1; None where it says anything else."""
    found: dict[str, float] = {}
    for word in _BETWEEN.split(name):
        meant = _meant(word, sliders)
        if not meant:
            return None
        found |= dict.fromkeys(meant, 1.0)
    return found


def _meant(word: str, sliders: Sequence[str]) -> list[str]:
    if not word:
        return []
    if word in sliders:
        return [word]
    wanted = canonical_name(word)
    known = {slider: canonical_name(slider) for slider in sliders}
    same = [slider for slider, its in known.items() if its == wanted]
    both = [slider for slider, its in known.items() if its in {wanted + side for side in _SIDES}]
    return same or (both if len(both) == len(_SIDES) else [])
