"""Checks of in-betweens and combinations: those that are never on, or never fully."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facewright.report.lint import Finding, listed
from facewright.rig.combine import factor_values
from facewright.rig.rig import Rig
from facewright.rig.shape import Factor, Shape

_FULL = 1e-9  # less than 1 by which a value is full


def bad_correctives(rig: Rig) -> Iterator[Finding]:
    """Shapes that no pose within the bounds turns on, or turns on fully, and several that are driven alike."""
    never, partly = [], []
    for shape in rig.shapes:
        pair = _excluded(rig, shape)
        most = 0.0 if pair else float(np.prod([_most(rig, factor) for factor in shape.factors]))
        if pair:
            yield Finding(
                "excluded combination",
                (shape.name, *pair),
                f"{shape.name} combines {pair[0]} with {pair[1]}, which exclude each other: it is never on",
            )
        elif most <= _FULL:
            never.append(shape.name)
        elif shape.additive and most < 1 - _FULL:
            partly.append(f"{shape.name} ({most:.2g})")
    if never:
        yield Finding("unreachable shape", tuple(never), f"within the bounds {listed(never)} cannot be on at all")
    if partly:
        yield Finding("unreachable shape", tuple(partly), f"within the bounds {listed(partly)} cannot be fully on")
    yield from _twice(rig)


def _excluded(rig: Rig, shape: Shape) -> tuple[str, str] | None:
    return next((pair for pair in rig.exclusive if set(pair) <= set(shape.sliders)), None)


def _most(rig: Rig, factor: Factor) -> float:
    """The largest size of a factor within the bounds of its slider; a target is as large as its slider lets it be."""
    bounds = rig.bounds[rig.slider_index(factor.slider)]
    values = np.clip([*bounds, factor.at], *bounds)
    return float(np.abs(factor_values(factor, bounds, values)).max())


def _twice(rig: Rig) -> Iterator[Finding]:
    """Correctives that have the same value in every pose: their offsets could be one shape."""
    driven: dict[object, list[str]] = {}
    for shape in rig.shapes:
        if shape.is_combination or shape.at != (1.0,):
            driven.setdefault((frozenset(shape.factors), shape.additive), []).append(shape.name)
    for names in driven.values():
        if len(names) > 1:
            yield Finding("driven alike", tuple(names), f"{listed(names)} are driven alike; one shape would do")
