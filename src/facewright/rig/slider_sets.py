"""Sets of sliders that a solve may use: all, those of a naming convention, those of a group, or some by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facewright.errors import BadValue, UnknownName
from facewright.rig.names import ARKIT, canonical_name
from facewright.rig.rig import Rig

ALL, ARKIT_SET = "all", "arkit"


def set_on(rig: Rig, chosen: str | tuple[str, ...], new: Mapping[str, str]) -> str | tuple[str, ...]:
    """A set on another rig, by the new names of sliders; "" where that has none of them."""
    if isinstance(chosen, str):
        known = {"", ALL, *rig.groups}
        known |= {ARKIT_SET} if any(canonical_name(name) in ARKIT for name in rig.sliders) else set()
        return chosen if chosen in known else ""
    return tuple(new[name] for name in chosen if name in new) or ""


def sets_on(sets: Mapping[str, tuple[str, ...]], new: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Named sets by the new names of sliders, without those of which none is left."""
    found = {name: tuple(new[slider] for slider in sliders if slider in new) for name, sliders in sets.items()}
    return {name: sliders for name, sliders in found.items() if sliders}


def sliders_in(rig: Rig, chosen: str | Sequence[str]) -> tuple[str, ...]:
    """The sliders of a set: `all`, `arkit`, the name of a group such as `mouth`, or names of sliders."""
    if not isinstance(chosen, str):
        names = tuple(rig.sliders[rig.slider_index(name)] for name in chosen)
        if not names:
            raise BadValue("a set of sliders needs at least one; say 'all' for all of them")
        return names
    if chosen == ALL:
        return rig.sliders
    if chosen == ARKIT_SET:
        found = tuple(name for name in rig.sliders if canonical_name(name) in ARKIT)
        if not found:
            raise BadValue("no slider of this rig has an ARKit name in any spelling; name the sliders, or a group")
        return found
    if chosen not in rig.groups:
        raise UnknownName("set of sliders", chosen, (ALL, ARKIT_SET, *dict.fromkeys(rig.groups)))
    return tuple(name for name, group in zip(rig.sliders, rig.groups, strict=True) if group == chosen)


def sliders_among(rig: Rig, given: Sequence[str], sets: Mapping[str, tuple[str, ...]] | None = None) -> tuple[str, ...]:
    """The sliders of a list in which each is the name of a slider or of a set; one of both names is the slider.

    sets: those made by hand, name to sliders.
    """
    made = sets or {}
    found = [
        name
        for each in given
        for name in ((each,) if each in rig.sliders else made[each] if each in made else sliders_in(rig, each))
    ]
    return tuple(dict.fromkeys(found))
