"""Priors learned from files of clips, and what they say in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

import numpy as np

from facewright.document import Document
from facewright.errors import BadFile
from facewright.formats.sources import naming
from facewright.motion.clip import Clip
from facewright.motion.take import Take
from facewright.rig.names import meanings
from facewright.rig.prior import Prior
from facewright.rig.retarget import MappedName, check_map, retarget
from facewright.rig.rig import Rig
from facewright.workflow.file_kind import kind_of
from facewright.workflow.open import open_any
from facewright.workflow.take.retarget import check_mapped

_SEEN = 0.05  # of the largest standard deviation: a slider that moves less has no habits
_TOGETHER = 0.5  # correlation; sliders of a smaller one have no habit
_LISTED = 5


@dataclass(frozen=True)
class Habit:
    """Two sliders that move together."""

    one: str
    other: str
    correlation: float  # from 0 to 1


def learn_from_files(
    rig: Rig,
    files: Sequence[Path],
    *,
    names: Sequence[MappedName] = (),
    strength: float = 1.0,
    rate: float | None = None,
) -> Prior:
    """A prior from the clips in some files: tables of weights, and rigs' files with clips."""
    check_map(names, rig)
    clips: dict[str, Clip] = {}
    for path in files:
        for clip in _on_rig(rig, path, names, rate):
            name = _free_name(clip.name, path.stem, clips)
            clips[name] = replace(clip, name=name)
    return Prior.learn(rig, list(clips.values()), strength=strength)


def moving(prior: Prior) -> tuple[str, ...]:
    """The sliders that moved in what it was learned from."""
    return tuple(name for name, used in zip(prior.sliders, np.diag(prior.moment) > 0, strict=True) if used)


def habits(prior: Prior, most: int = _LISTED) -> tuple[Habit, ...]:
    """The pairs of sliders that go together most, the strongest first; what hardly moves is left out.

    Left and right of the same are no habit, and what both sides do is told once.
    """
    found: dict[frozenset[str], Habit] = {}
    bases = _bases(prior)
    for habit in _pairs(prior):
        both = frozenset((bases[habit.one], bases[habit.other]))
        if len(both) == 2 and habit.correlation >= _TOGETHER:
            found.setdefault(both, habit)
    return tuple(found.values())[:most]


def sidedness(prior: Prior) -> float | None:
    """The median correlation of what is left with the same on the right; None where there is no such pair."""
    bases = _bases(prior)
    found = [habit.correlation for habit in _pairs(prior) if bases[habit.one] == bases[habit.other]]
    return float(np.median(found)) if found else None


def _pairs(prior: Prior) -> list[Habit]:
    """All pairs of sliders that go together at all, the strongest first; what hardly moves is left out."""
    deviation = np.sqrt(np.diag(prior.covariance).clip(0))
    seen = np.flatnonzero(deviation > _SEEN * deviation.max(initial=0.0))
    together = prior.covariance[np.ix_(seen, seen)] / np.outer(deviation[seen], deviation[seen])
    one, other = np.triu_indices(len(seen), 1)
    strongest = np.argsort(-np.round(together[one, other], 6), kind="stable")  # equal ones in the order of the sliders
    return [
        Habit(prior.sliders[seen[i]], prior.sliders[seen[j]], float(together[i, j]))
        for i, j in zip(one[strongest], other[strongest], strict=True)
        if together[i, j] > 0
    ]


def _bases(prior: Prior) -> dict[str, str]:
    """What each slider means, without its side."""
    meant = meanings(prior.sliders)
    return {name: meant[name].canonical.removesuffix("Left").removesuffix("Right") for name in prior.sliders}


def _free_name(name: str, file: str, used: Collection[str]) -> str:
    """A clip's name; clips of the same name are told apart by their files, then by numbers."""
    names = chain((name, f"{file}: {name}"), (f"{file}: {name} {number}" for number in count(2)))
    return next(each for each in names if each not in used)


def _on_rig(rig: Rig, path: Path, names: Sequence[MappedName], rate: float | None) -> list[Clip]:
    """The clips in a file on the rig's sliders; those without any are left out as long as others have some."""
    with naming(path):
        clips = _clips_in(path, rate)
        found = [retarget(clip, rig, names=names) for clip in clips]
        check_mapped(clips, found, rig)
        moved = [one.clip for one in found if one.mapped]
        if not moved:
            raise BadFile("no curve in this file moves a slider of the rig")
        return moved


def _clips_in(path: Path, rate: float | None) -> tuple[Clip, ...]:
    found = open_any(path, rate=rate)
    if isinstance(found, Clip):
        return (found,)
    if isinstance(found, Document):
        if not found.clips:
            raise BadFile("there is no clip in this file")
        return found.clips
    if isinstance(found, Take):
        raise BadFile("this file holds markers; `facewright solve` makes a clip of them, from which a prior is learned")
    raise BadFile(
        f"this file holds {kind_of(path).words}; a prior is learned from clips of weights (.csv, .glb, .fwface)"
    )
