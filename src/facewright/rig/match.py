"""Pairs names of two sets, one to one, by their meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from facewright.rig.name_tables import ALIKE, DIRECTIONS

Edges = list[tuple[str, str]]


@dataclass(frozen=True)
class Meaning:
    """A name without what is particular to its spelling."""

    written: str  # its words as lowerCamel with Left or Right at the end, without affixes
    canonical: str  # the name of its convention's shape: ARKit's, where it has the shape


@dataclass(frozen=True)
class NameMatch:
    """The result for every name of two sets: it is in `pairs`, in `approximate`, in `ambiguous`, or left over."""

    pairs: dict[str, str]  # a to b, with the same meaning
    approximate: dict[str, str]  # a to b, with similar meanings, to be confirmed by a person
    ambiguous: dict[str, tuple[str, ...]]  # a name of either set to the names of the other set that it could mean
    left_a: tuple[str, ...]
    left_b: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{a} = {b}" for a, b in self.pairs.items()]
        lines += [f"{a} ~ {b} (approximate)" for a, b in self.approximate.items()]
        lines += [f"{name} ? {' or '.join(of)} (ambiguous)" for name, of in self.ambiguous.items()]
        for which, left in (("first", self.left_a), ("second", self.left_b)):
            lines += [f"in the {which} set only: {', '.join(left)}"] if left else []
        return "\n".join(lines)

    def summary(self) -> str:
        """One line of counts."""
        counts = (len(self.pairs), len(self.approximate), len(self.ambiguous), len(self.left_a), len(self.left_b))
        return "{} paired, {} approximate, {} ambiguous, {} and {} left".format(*counts)


def match_meanings(a: Mapping[str, Meaning], b: Mapping[str, Meaning]) -> NameMatch:
    """Match the names of `a` and `b`, each given with its meaning.

    Equal names pair first, then the same words in another spelling, then names with the same meaning, then names with
    similar meanings or of one side only.
    """
    pairs: dict[str, str] = {}
    approximate: dict[str, str] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    rest_a, rest_b = dict(a), dict(b)
    for keys, into in ((_itself, pairs), (_written, pairs), (_meaning, pairs), (_likeness, approximate)):
        edges = _edges({x: keys(x, of) for x, of in rest_a.items()}, {y: keys(y, of) for y, of in rest_b.items()})
        found, several = _settle(edges)
        into |= found
        ambiguous |= several
        for x, y in edges:
            rest_a.pop(x, None)
            rest_b.pop(y, None)
    return NameMatch({x: pairs[x] for x in a if x in pairs}, approximate, ambiguous, tuple(rest_a), tuple(rest_b))


def _edges(a: Mapping[str, set[str]], b: Mapping[str, set[str]]) -> Edges:
    """Names of both sets that share a key."""
    holders: dict[str, list[str]] = defaultdict(list)
    for y, keys in b.items():
        for key in keys:
            holders[key].append(y)
    shared = {x: {y for key in keys for y in holders[key]} for x, keys in a.items()}
    return [(x, y) for x in a for y in b if y in shared[x]]


def _settle(edges: Edges) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Pairs of names that have only each other, and names that have several candidates, with these."""
    of_a: dict[str, list[str]] = defaultdict(list)
    of_b: dict[str, list[str]] = defaultdict(list)
    for x, y in edges:
        of_a[x].append(y)
        of_b[y].append(x)
    pairs = {x: y for x, y in edges if len(of_a[x]) == len(of_b[y]) == 1}
    several = {name: tuple(others) for side in (of_a, of_b) for name, others in side.items() if len(others) > 1}
    return pairs, several


def _itself(name: str, meaning: Meaning) -> set[str]:
    return {name}


def _written(name: str, meaning: Meaning) -> set[str]:
    return {meaning.written}


def _meaning(name: str, meaning: Meaning) -> set[str]:
    return {meaning.canonical}


def _likeness(name: str, of: Meaning) -> set[str]:
    """Similar meanings, each with its halves: a smile shares a key with its left half, but the two
    halves share none.
    """
    meaning = of.canonical
    base = meaning.removesuffix("Left").removesuffix("Right")
    side = meaning[len(base) :]
    alike = (*ALIKE.get(meaning, ()), *(other + side for other in ALIKE.get(base, ()) if side))
    return {key for whole in (meaning, *alike) for key in _halves(whole)}


def _halves(meaning: str) -> tuple[str, ...]:
    if meaning.endswith(("Left", "Right")) or meaning in DIRECTIONS:
        return (meaning,)
    return (meaning, f"{meaning}Left", f"{meaning}Right")
