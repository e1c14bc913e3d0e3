"""Findings from the comparison of all sliders and shapes, which takes longer than the checks of `lint`."""

from __future__ import annotations

from collections.abc import Iterator

from facewright.report.asymmetry import UNEVEN
from facewright.report.dependence import Dependent
from facewright.report.interference import Interference
from facewright.report.lint import Finding, listed
from facewright.report.overlap import STRONG

_SINGLY = 4  # findings of one kind that get a sentence each


def verdict(found: Interference) -> tuple[Finding, ...]:
    """Findings about sliders that interfere, shapes that depend on others, and shapes that differ from their mirror
    image.
    """
    return (*_fighting(found), *_dependent(found), *_uneven(found))


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
