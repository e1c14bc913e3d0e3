"""Checks for unusual properties of a rig; each looks for one thing and reports it in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.report.asymmetry import partner_names
from facewright.report.breaches import Breach, breaches
from facewright.report.dependence import Duplicate, dead_shapes, duplicates
from facewright.rig.names import ARKIT, canonical_name
from facewright.rig.rig import Rig

_SHOWN = 8  # names in a sentence


@dataclass(frozen=True)
class Finding:
    """One result of a check, and the names it is about."""

    kind: str
    names: tuple[str, ...]
    sentence: str


def lint(rig: Rig) -> tuple[Finding, ...]:
    """Run all quick checks of a rig; returns findings, the most serious first. Takes seconds on the largest rigs."""
    return tuple(finding for rule in RULES for finding in rule(rig))


def broken_rules(rig: Rig) -> Iterator[Finding]:
    """Modeller's rules that some pose breaks."""
    for breach in breaches(rig):
        yield Finding("broken rule", (breach.rule, *breach.pose), _breach(breach))


def zero_shapes(rig: Rig) -> Iterator[Finding]:
    """Shapes that move nothing, or nothing visible."""
    still = {shape.name for shape in rig.shapes if not shape.offsets.any()}
    dead = dead_shapes(rig)
    if zero := tuple(name for name in dead if name in still):
        yield Finding("zero shape", zero, f"{listed(zero)} {_moves(zero)} nothing")
    if faint := tuple(name for name in dead if name not in still):
        yield Finding("faint shape", faint, f"{listed(faint)} {_moves(faint)} less than a millionth of the face's size")


def duplicate_shapes(rig: Rig) -> Iterator[Finding]:
    """Shapes that equal another one up to a factor."""
    for same in duplicates(rig):
        yield Finding("duplicate shape", (same.first, same.second), duplicate_sentence(same))


def idle_sliders(rig: Rig) -> Iterator[Finding]:
    """Sliders that drive no shape, or that cannot move."""
    used = {name for shape in rig.shapes for name in shape.sliders}
    if idle := tuple(name for name in rig.sliders if name not in used):
        yield Finding("idle slider", idle, f"no shape listens to {listed(idle)}")
    stuck = tuple(name for name, (low, high) in zip(rig.sliders, rig.bounds, strict=True) if low == high)
    if stuck:
        yield Finding("stuck slider", stuck, f"the lowest and the highest value of {listed(stuck)} are the same")


def odd_bounds(rig: Rig) -> Iterator[Finding]:
    """Sliders whose range is not 0 to 1."""
    odd = tuple(name for name, bound in zip(rig.sliders, rig.bounds, strict=True) if tuple(bound) != (0.0, 1.0))
    if odd:
        yield Finding("bounds", odd, f"{listed(odd)} {'does' if len(odd) == 1 else 'do'} not go from 0 to 1")


def one_sided(rig: Rig) -> Iterator[Finding]:
    """Shapes with a side in their name, but without a partner."""
    partners = partner_names(rig)
    if alone := tuple(name for name in rig.shape_names if name not in partners):
        yield Finding("one-sided", alone, f"{listed(alone)} {_has(alone)} no partner on the other side of the face")


def loose_geometry(rig: Rig) -> Iterator[Finding]:
    """Vertices outside every polygon, and triangles without area."""
    unused = rig.vertex_count - len(np.unique(rig.polygons.corners))
    if unused:
        verb = "belongs" if unused == 1 else "belong"
        yield Finding("isolated vertices", (), f"{unused:,} of {rig.vertex_count:,} vertices {verb} to no polygon")
    a, b, c = (rig.neutral[rig.triangles[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    flat = int((area <= 1e-12 * area.max(initial=0.0)).sum())
    if flat:
        yield Finding("flat triangles", (), f"{flat:,} of {len(area):,} triangles have no area")


def missing_arkit(rig: Rig) -> Iterator[Finding]:
    """ARKit names that are missing from a rig with most of them."""
    have = {canonical_name(name) for name in rig.sliders}
    missing = tuple(name for name in ARKIT if name not in have)
    if 0 < len(missing) <= len(ARKIT) // 2:
        verb = "is" if len(missing) == 1 else "are"
        yield Finding(
            "missing ARKit names", missing, f"of the {len(ARKIT)} ARKit shapes, {listed(missing)} {verb} missing"
        )


RULES: tuple[Callable[[Rig], Iterator[Finding]], ...] = (
    broken_rules,
    zero_shapes,
    duplicate_shapes,
    idle_sliders,
    one_sided,
    odd_bounds,
    loose_geometry,
    missing_arkit,
)


# First conflicts and broken rules, then redundant shapes, then oddities.
_ORDER = (
    "broken rule",
    "fighting sliders",
    "zero shape",
    "faint shape",
    "duplicate shape",
    "dependent shape",
    "asymmetric shape",
)


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings, the most serious first."""
    ranks = {kind: rank for rank, kind in enumerate(_ORDER)}
    return tuple(sorted(findings, key=lambda finding: ranks.get(finding.kind, len(ranks))))


def listed(names: Sequence[str]) -> str:
    """A list of names for a sentence, shortened if it is long."""
    if len(names) > _SHOWN:
        return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def duplicate_sentence(same: Duplicate) -> str:
    """A sentence about a duplicate shape."""
    if abs(same.factor - 1) <= 1e-3:
        return f"{same.first} and {same.second} are the same shape"
    reverse = ", the other way round" if same.factor < 0 else ""
    return f"{same.second} is {same.first} times {abs(same.factor):.3g}{reverse}"


def _breach(breach: Breach) -> str:
    pose = listed([f"{name} at {value:.3g}" for name, value in breach.pose.items()])
    far = f"moves vertex {breach.vertex} by {breach.distance:.2%} of the face's size"
    if breach.kind == "only moved by":
        return f"{breach.rule}: {pose} {far}, which is kept for other sliders"
    return f"{breach.rule}: {pose} {far}, {breach.allowed:.2%} is allowed"


def _moves(names: Sequence[str]) -> str:
    return "moves" if len(names) == 1 else "move"


def _has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"
