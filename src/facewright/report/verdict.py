"""Findings from the comparison of all sliders and shapes, which takes longer than the checks of `lint`."""

from __future__ import annotations

from collections.abc import Iterator

from facewright.report.asymmetry import UNEVEN, ShapeAsymmetry
from facewright.report.dependence import Dependent
from facewright.report.interference import Interference
from facewright.report.lint import Finding, duplicate_sentence, listed
from facewright.report.overlap import STRONG

_SINGLY = 4  # findings of one kind that get a sentence each


def verdict(found: Interference) -> tuple[Finding, ...]:
    """Findings about sliders that interfere, shapes that depend on others, and shapes that differ from their mirror
    image.
    """
    return (*_fighting(found), *_dependent(found), *_uneven(found))


def shape_findings(found: Interference) -> tuple[Finding, ...]:
    """What is unusual about single shapes, one finding each: those that move nothing, equal another, are nearly a sum
    of others, or differ from their mirror image.
    """
    dead = (Finding("dead shape", (name,), f"{name} moves nothing that can be seen") for name in found.dead)
    same = (Finding("duplicate shape", (s.second, s.first), duplicate_sentence(s)) for s in found.duplicates)
    sums = (
        Finding("dependent shape", (one.name,), f"{one.name} is, but for {one.residual:.1%}, {_sum(one)}")
        for one in found.dependent
    )
    sides = found.asymmetry.shapes if found.asymmetry else ()
    uneven = (_difference(one) for one in sides if one.difference > UNEVEN)
    alone = found.asymmetry.alone if found.asymmetry else ()
    single = (Finding("one-sided shape", (name,), f"{name} has no partner on the other side") for name in alone)
    return (*dead, *same, *sums, *uneven, *single)


def _difference(one: ShapeAsymmetry) -> Finding:
    sides = "its own mirror image" if one.name == one.partner else f"the mirror image of {one.partner}"
    names = tuple(dict.fromkeys((one.name, one.partner)))
    return Finding("asymmetric shape", names, f"{one.name} differs from {sides} by {one.difference:.1%} of its length")


def _fighting(found: Interference) -> Iterator[Finding]:
    strong = [pair for pair in found.pairs if abs(pair.interference) >= STRONG]
    if strong:
        first = strong[0]
        names = tuple(dict.fromkeys(name for pair in strong for name in (pair.first, pair.second)))
        count = found.fighting
        those = "1 pair of sliders interferes" if count == 1 else f"{count} pairs of sliders interfere"
        yield Finding(
            "fighting sliders",
            names,
            f"{those} by {STRONG:g} or more; the strongest is "
            f"{first.first} with {first.second}, {first.interference:+.2f}",
        )


def _dependent(found: Interference) -> Iterator[Finding]:
    for one in found.dependent[:_SINGLY]:
        yield Finding("dependent shape", (one.name,), f"{one.name} is, but for {one.residual:.1%}, {_sum(one)}")
    if rest := found.dependent[_SINGLY:]:
        names = tuple(one.name for one in rest)
        yield Finding("dependent shape", names, f"so {'is' if len(rest) == 1 else 'are'} {listed(names)}")


def _sum(one: Dependent) -> str:
    terms = " ".join(f"{'-' if term.factor < 0 else '+'} {abs(term.factor):.2g} {term.name}" for term in one.terms)
    first = terms[2:] if terms.startswith("+ ") else "-" + terms[2:]
    return first + (f" and {one.others} smaller terms" if one.others else "")


def _uneven(found: Interference) -> Iterator[Finding]:
    shapes = found.asymmetry.shapes if found.asymmetry else ()
    worst = [one for one in shapes if one.difference > UNEVEN]
    if worst:
        names = tuple(one.name if one.name == one.partner else f"{one.name} / {one.partner}" for one in worst)
        most = "" if len(names) == 1 else "up to "
        yield Finding(
            "asymmetric shape",
            names,
            f"left and right differ in {listed(names)}, by {most}{worst[0].difference:.1%} of the shape's own length",
        )
