"""The meaning of shape names in any naming convention."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from facewright.errors import UnknownName
from facewright.rig.match import Meaning, NameMatch, match_meanings
from facewright.rig.name_tables import (
    AFFIXES,
    ALIASES,
    ARKIT,
    CONVENTIONS,
    DIRECTIONS,
    FACS,
    GROUP_WORDS,
    OCULUS,
    VRM,
)
from facewright.rig.program_names import ITSELF, LOOKS, METAHUMAN, MMD, REALLUSION, UNIFIED
from facewright.rig.spelling import Spelling, camel, mirror_name, spelling

__all__ = [
    "ARKIT",
    "NameMatch",
    "Recognised",
    "canonical_name",
    "convention_names",
    "convention_of",
    "group_of",
    "is_intensity",
    "match_names",
    "meanings",
    "mirror_name",
]


def _known() -> dict[str, str]:
    """Canonical names without side, by their key."""
    known = {spelling(name).key: camel(spelling(name).words) for name in (*ARKIT, *VRM)}
    known |= {spelling(name).key: name for name in OCULUS}
    for number, (words, same) in FACS.items():
        known |= {f"au{number}": same or f"AU{number}", f"au{number:02d}": same or f"AU{number}"}
        known.setdefault(words.replace(" ", ""), same or f"AU{number}")
    known |= {spelling(name).key: name for name in ITSELF}
    for table in (METAHUMAN, REALLUSION, UNIFIED, MMD, ALIASES):
        known |= table
    return known | {key: key for key, _ in LOOKS}


_KNOWN = _known()
_SHORTEST = 4  # letters of a name that is recognised behind words that say nothing
_INTENSITY = re.compile(r"\s*AU(\d\d)_r\s*")  # OpenFace: the intensity of an action unit, from 0 to 5
_SEPARATOR = re.compile(r"[._:|\s-]+")
_FEW = 3  # names, the least that show a common beginning
_DEEP = 4  # separators in a common beginning
_TRIED = 200  # names, spread over a set, that show whether one without it is known


def canonical_name(name: str) -> str:
    """One name for all spellings: ARKit's if it has the shape, else lowerCamel with Left or Right at the end.

    A shape for both sides that ARKit has for each side gets ARKit's name without the side: `AU12` is `mouthSmile`.
    """
    return _meaning(name).canonical


def group_of(name: str) -> str:
    """The part of the face that a shape moves: brow, eye, cheek, nose, jaw, mouth, tongue or other."""
    spelled = _spelled(name)
    known = _KNOWN.get(spelled.key, "")
    facs = FACS[int(known[2:])][0] if known.startswith("AU") else ""
    words = (*spelling(facs or known).words, *spelled.words)
    found = (GROUP_WORDS[word] for word in words if word in GROUP_WORDS)
    group = next(found, None)
    if group is not None:
        return group
    key = spelled.key
    return next((group for word, group in GROUP_WORDS.items() if len(word) > 2 and key.startswith(word)), "other")


def match_names(a: Iterable[str], b: Iterable[str]) -> NameMatch:
    """Match names of `a` with names of `b` by meaning, one to one; ambiguous names are reported, not chosen."""
    return match_meanings(meanings(a), meanings(b))


def meanings(names: Iterable[str]) -> dict[str, Meaning]:
    """The meaning of every name of a set.

    A beginning that most names share is no part of their meaning. Where AU12_r has no AU12_l beside it, it is
    OpenFace's intensity of both sides, not a right side.
    """
    names = tuple(names)
    head = _common_beginning(names)
    both = _intensities(names)
    return {name: _meaning(both.get(name) or _without(name, head)) for name in names}


def is_intensity(names: Iterable[str]) -> frozenset[str]:
    """The names of a set that are OpenFace's intensities of action units, from 0 to 5."""
    return frozenset(_intensities(tuple(names)))


def _intensities(names: Sequence[str]) -> dict[str, str]:
    """OpenFace's names of intensities, and the names of their action units."""
    sided = any(re.fullmatch(r"\s*AU\d\d_l\s*", name) for name in names)
    found = {} if sided else {name: _INTENSITY.fullmatch(name) for name in names}
    return {name: f"AU{number[1]}" for name, number in found.items() if number is not None}


def _common_beginning(names: Sequence[str]) -> str:
    """The beginning, up to a separator, that most names share and without which more of them are known; else empty."""
    marks = ((name, mark) for name in names for mark in islice(_SEPARATOR.finditer(name), _DEEP))
    counts = Counter(name[: mark.end()] for name, mark in marks)
    shared = [head for head, count in counts.items() if count >= max(_FEW, len(names) / 2)]
    tried = names[:: max(1, len(names) // _TRIED)]
    known = {head: sum(_is_known(_without(name, head)) for name in tried) for head in ("", *shared)}
    return max(known, key=known.__getitem__)


def _without(name: str, head: str) -> str:
    """The name without a beginning, where it is not known with it."""
    return name[len(head) :] or name if head and name.startswith(head) and not _is_known(name) else name


def _is_known(name: str) -> bool:
    return _spelled(name).key in _KNOWN


@lru_cache(maxsize=4096)
def _meaning(name: str) -> Meaning:
    spelled = _spelled(name)
    side = spelled.side or ""
    written = camel(spelled.words) or name
    return Meaning(written + side, LOOKS.get((spelled.key, side)) or _KNOWN.get(spelled.key, written) + side)


def convention_names(names: Iterable[str], convention: str = "arkit") -> dict[str, str]:
    """New names in a convention, for the names that have exactly one there; the others are left out."""
    if convention not in CONVENTIONS:
        raise UnknownName("naming convention", convention, CONVENTIONS)
    return match_names(names, CONVENTIONS[convention]).pairs


@dataclass(frozen=True)
class Recognised:
    """The naming conventions that a rig follows."""

    conventions: Mapping[str, int]  # label to the number of names that follow it, most first; a name counts once
    unknown: tuple[str, ...]  # names of no convention

    def __str__(self) -> str:
        counts = [f"{count} {label}" for label, count in self.conventions.items()]
        counts += [f"{len(self.unknown)} of no known convention"] if self.unknown else []
        return ", ".join(counts) or "no names"


def convention_of(names: Iterable[str]) -> Recognised:
    """The conventions that explain the names: the one that explains most, then the one that
    explains most of the rest.
    """
    rest = list(dict.fromkeys(names))
    known = {label: frozenset(its) for label, its in CONVENTIONS.items()}
    otherwise = {"arkit, spelled otherwise": frozenset(name for name in rest if _is_arkit(canonical_name(name)))}
    found: dict[str, int] = {}
    for labels in (*[known] * len(known), otherwise):
        counts = {label: sum(name in its for name in rest) for label, its in labels.items()}
        best = max(counts, key=counts.__getitem__)
        if counts[best]:
            found[best] = counts[best]
            rest = [name for name in rest if name not in labels[best]]
    return Recognised(found, tuple(rest))


def _is_arkit(name: str) -> bool:
    """Whether a canonical name is one of ARKit, or a half or a whole of one."""
    return name in ARKIT or camel(spelling(name).words) in _ARKIT_WITHOUT_SIDE - DIRECTIONS


_ARKIT_WITHOUT_SIDE = frozenset(camel(spelling(name).words) for name in ARKIT)


@lru_cache(maxsize=4096)
def _spelled(name: str) -> Spelling:
    """The spelling of a name; of its last part, or without affixes, where only that is known.

    So it is with blendShape1.jawOpen, A14_Eye_Blink_Left and face_shapes.ai_browDown_L.
    """
    whole = spelling(name)
    last = spelling(name.rsplit(".", 1)[1]) if "." in name else whole
    for spelled in (whole, last):
        if spelled.key in _KNOWN:
            return spelled
    for spelled in (last, whole):
        bare = _without_affixes(spelled)
        if len(bare.key) >= _SHORTEST and bare.key in _KNOWN:
            return bare
    return whole


def _without_affixes(spelled: Spelling) -> Spelling:
    """The spelling without words such as ctrl or mesh at both ends, and without a letter and number before it."""
    words = spelled.words
    if len(words) > 2 and len(words[0]) == 1 and words[1].isdigit():  # A14_Eye_Blink_Left
        words = words[2:]
    while len(words) > 1 and (words[0] in AFFIXES or words[0].isdigit()):
        words = words[1:]
    while len(words) > 1 and words[-1] in AFFIXES:
        words = words[:-1]
    return Spelling(words, spelled.side)
