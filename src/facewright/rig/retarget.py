"""Plays a clip that was made for one rig on another, by the meaning of the sliders' names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.rig.head_motion import ANGLES, OFFSETS
from facewright.rig.names import canonical_name, match_names
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The clip for the other rig, and what each curve was used for."""

    clip: Clip
    sources: Mapping[str, tuple[str, ...]]  # slider of the rig to the curves that drive it; several are averaged
    left: tuple[str, ...]  # curves without a slider
    idle: tuple[str, ...]  # sliders without a curve


@suggests_options
def retarget(clip: Clip, rig: Rig, *, approximate: bool = True) -> Retargeted:
    """The clip with its curves renamed to the rig's sliders.

    A curve for both sides drives both halves; two halves drive a slider for both sides by their mean. Values are
    clipped to
    the sliders' bounds; the motion of the head stays in the clip.
    approximate: also use pairs of names that are only similar.
    """
    own = [name for name in (*ANGLES, *OFFSETS) if name in clip.curves]
    match = match_names([name for name in clip.curves if name not in own], rig.sliders)
    sources: dict[str, tuple[str, ...]] = {slider: (name,) for name, slider in match.pairs.items()}
    sources |= _halves(clip, rig, [name for name in rig.sliders if name not in sources])
    if approximate:
        sources = {slider: (name,) for name, slider in match.approximate.items()} | sources
    curves = {
        slider: _mixed(clip, sources[slider], *rig.bounds[i])
        for i, slider in enumerate(rig.sliders)
        if slider in sources
    }
    used = {name for names in sources.values() for name in names}
    return Retargeted(
        Clip(clip.name, {**curves, **{name: clip.curves[name] for name in own}}, clip.rate),
        sources,
        tuple(name for name in clip.curves if name not in used and name not in own),
        tuple(name for name in rig.sliders if name not in sources),
    )


def _halves(clip: Clip, rig: Rig, sliders: list[str]) -> dict[str, tuple[str, ...]]:
    """Sliders of one side driven by a curve for both, and sliders for both sides driven by curves of each."""
    by_meaning = {canonical_name(name): name for name in clip.curves}
    found: dict[str, tuple[str, ...]] = {}
    for slider in sliders:
        meaning = canonical_name(slider)
        whole = meaning.removesuffix("Left").removesuffix("Right")
        sides = tuple(by_meaning[meaning + side] for side in ("Left", "Right") if meaning + side in by_meaning)
        if whole != meaning and whole in by_meaning:
            found[slider] = (by_meaning[whole],)
        elif len(sides) == 2:
            found[slider] = sides
    return found


def _mixed(clip: Clip, names: tuple[str, ...], low: float, high: float) -> Curve:
    first = clip.curves[names[0]]
    if len(names) == 1 and first.interpolation == "cubic":
        return first
    if len(names) == 1:
        return Curve(first.times, np.clip(first.values, low, high), first.interpolation)
    times = np.unique(np.concatenate([clip.curves[name].times for name in names]))
    return Curve(times, np.clip(clip.sample(names, times).mean(axis=1), low, high))
