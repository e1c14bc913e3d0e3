"""Plays a clip that was made for one rig on another, by the meaning of the sliders' names, or by a map of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.errors import BadValue, UnknownName, shortened
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.rig.controls import CONTROLS
from facewright.rig.match import match_meanings
from facewright.rig.names import is_intensity, meanings
from facewright.rig.phone_angles import from_phone
from facewright.rig.rig import Rig

_STRONGEST = 5.0  # the largest intensity of an action unit in OpenFace

Parts = tuple[tuple[str, float], ...]  # curves and the factor of each


@dataclass(frozen=True)
class MappedName:
    """A curve that drives a slider; without a target it drives none. Several curves of one slider are added."""

    source: str
    target: str
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not self.source:
            raise BadValue("a map of names has a curve's name in every row")
        if not np.isfinite(self.factor):
            raise BadValue(f"the factor from {self.source!r} to {self.target!r} is a finite number, not {self.factor}")


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The clip for the other rig, and what each curve was used for."""

    clip: Clip
    sources: Mapping[str, tuple[str, ...]]  # slider of the rig to the curves that drive it; several are averaged
    left: tuple[str, ...]  # curves without a slider
    idle: tuple[str, ...]  # sliders without a curve

    @property
    def mapped(self) -> int:
        """How many curves drive a slider."""
        return len({name for names in self.sources.values() for name in names})


@suggests_options
def retarget(clip: Clip, rig: Rig, *, names: Iterable[MappedName] = (), approximate: bool = True) -> Retargeted:
    """The clip with its curves renamed to the rig's sliders.

    A curve for both sides drives both halves; two halves drive a slider for both sides by their mean. A curve that has
    a slider of its own drives no other. Intensities of OpenFace, from 0 to 5, are divided by 5. Values are clipped
    to the sliders' bounds; the motion of head, neck and eyes stays in the clip, a phone's as the rig turns.
    Layers are baked.
    names: curves and sliders that are used as it says; the others are matched by meaning.
    approximate: also use pairs of names that are only similar.
    """
    clip = from_phone(baked_clip(clip))
    own = [name for name in CONTROLS if name in clip.curves and name not in rig.sliders]
    given = tuple(names)
    parts = _given(given, clip, rig)
    free = [name for name in clip.curves if name not in {*own, *(row.source for row in given)}]
    wanting = [slider for slider in rig.sliders if slider not in parts]
    parts |= parts_by_name(free, wanting, approximate=approximate)
    curves = {
        slider: _mixed(clip, parts[slider], *rig.bounds[i]) for i, slider in enumerate(rig.sliders) if slider in parts
    }
    used = {name for some in parts.values() for name, _ in some}
    return Retargeted(
        Clip(clip.name, {**curves, **{name: clip.curves[name] for name in own}}, clip.rate),
        {slider: tuple(name for name, _ in some) for slider, some in parts.items()},
        tuple(name for name in clip.curves if name not in used and name not in own),
        tuple(name for name in rig.sliders if name not in parts),
    )


def check_map(names: Iterable[MappedName], rig: Rig) -> None:
    """Raise where a map names a slider that the rig does not have."""
    known = set(rig.sliders)
    unknown = next((row.target for row in names if row.target and row.target not in known), None)
    if unknown is not None:
        raise UnknownName("slider", unknown, rig.sliders)


def _given(names: Sequence[MappedName], clip: Clip, rig: Rig) -> dict[str, Parts]:
    """The curves of each slider by a map, of those that the clip has."""
    check_map(names, rig)
    found: dict[str, Parts] = {}
    for row in names:
        if row.target and row.source in clip.curves:
            found[row.target] = (*found.get(row.target, ()), (row.source, row.factor))
    if names and not any(row.source in clip.curves for row in names):
        raise BadValue(
            f"the map names no curve of {clip.name}: it has {first_names([row.source for row in names])}, "
            f"the clip has {first_names(list(clip.curves))}"
        )
    return found


def parts_by_name(curves: Sequence[str], sliders: Sequence[str], *, approximate: bool = True) -> dict[str, Parts]:
    """The curves of each slider and the factor of each, by the meaning of names."""
    of_curves, of_sliders = meanings(curves), meanings(sliders)
    match = match_meanings(of_curves, of_sliders)
    sources: dict[str, tuple[str, ...]] = {slider: (name,) for name, slider in match.pairs.items()}
    free = {meaning.canonical: name for name, meaning in of_curves.items() if name not in match.pairs}
    wanted = {slider: meaning.canonical for slider, meaning in of_sliders.items() if slider not in sources}
    sources |= _halves(free, wanted)
    if approximate:
        sources = {slider: (name,) for name, slider in match.approximate.items()} | sources
    intense = is_intensity(curves)
    scale = {name: 1 / _STRONGEST if name in intense else 1.0 for name in curves}
    return {slider: tuple((name, scale[name] / len(some)) for name in some) for slider, some in sources.items()}


def _halves(curves: Mapping[str, str], sliders: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Sliders of one side driven by a curve for both, and sliders for both sides driven by curves of each.

    Curves are given by meaning, sliders with theirs.
    """
    found: dict[str, tuple[str, ...]] = {}
    for slider, meaning in sliders.items():
        whole = meaning.removesuffix("Left").removesuffix("Right")
        sides = tuple(curves[meaning + side] for side in ("Left", "Right") if meaning + side in curves)
        if whole != meaning and whole in curves:
            found[slider] = (curves[whole],)
        elif len(sides) == 2:
            found[slider] = sides
    return found


def _mixed(clip: Clip, parts: Parts, low: float, high: float) -> Curve:
    """The sum of curves, each times its factor, inside the bounds."""
    (name, factor), *others = parts
    first = clip.curves[name]
    if not others and factor == 1.0 and first.interpolation == "cubic":
        return first
    if not others and first.interpolation != "cubic":
        return replace(first, values=np.clip(factor * first.values, low, high))
    times = np.unique(np.concatenate([clip.curves[name].times for name, _ in parts]))
    mixed = clip.sample([name for name, _ in parts], times) @ np.array([factor for _, factor in parts])
    return Curve(times, np.clip(mixed, low, high))


def first_names(names: Sequence[str]) -> str:
    """The first of many names, for a message."""
    return ", ".join(map(shortened, names[:4])) + (" ..." if len(names) > 4 else "")
