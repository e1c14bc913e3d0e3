"""The meaning of shape names in any naming convention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from facewright.errors import UnknownName
from facewright.rig.match import NameMatch, match_canonical
from facewright.rig.name_tables import ALIASES, ARKIT, CONVENTIONS, DIRECTIONS, FACS, GROUP_WORDS, OCULUS, VRM
from facewright.rig.spelling import Spelling, camel, mirror_name, spelling

__all__ = [
    "ARKIT",
    "NameMatch",
    "Recognised",
    "canonical_name",
    "convention_names",
    "convention_of",
    "group_of",
    "match_names",
    "mirror_name",
]


def _known() -> dict[str, str]:
    """Canonical names without side, by their key."""
    known = {spelling(name).key: camel(spelling(name).words) for name in (*ARKIT, *VRM)}
    known |= {spelling(name).key: name for name in OCULUS}
    for number, (words, same) in FACS.items():
        known |= {f"au{number}": same or f"AU{number}", f"au{number:02d}": same or f"AU{number}"}
        known.setdefault(words.replace(" ", ""), same or f"AU{number}")
    return known | dict(ALIASES)


_KNOWN = _known()


def canonical_name(name: str) -> str:
    """One name for all spellings: ARKit's if it has the shape, else lowerCamel with Left or Right at the end.

    A shape for both sides that ARKit has for each side gets ARKit's name without the side: `AU12` is `mouthSmile`.
    """
    spelled = _spelled(name)
    return _KNOWN.get(spelled.key, camel(spelled.words) or name) + (spelled.side or "")


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
    return match_canonical({name: canonical_name(name) for name in a}, {name: canonical_name(name) for name in b})


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


def _spelled(name: str) -> Spelling:
    """The spelling of a name, or of its last part where only that is known: blendShape1.jawOpen."""
    spelled = spelling(name)
    if "." in name and spelled.key not in _KNOWN:
        last = spelling(name.rsplit(".", 1)[1])
        return last if last.key in _KNOWN else spelled
    return spelled
