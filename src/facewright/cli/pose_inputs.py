"""What `facewright pose` is given as text: points to hold, values of sliders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.terms.selection import Selection
from facewright.workflow.drag.hold_file import load_hold


def selection_of(texts: Sequence[str]) -> Selection | None:
    """Held coordinates from texts such as `12,13:y`, or from JSON files that list them."""
    chosen = Selection.of([])
    for text in texts:
        if text.lower().endswith(".json"):
            chosen |= load_hold(Path(text))
            continue
        vertices, _, axes = text.partition(":")
        try:
            chosen |= Selection.of([int(vertex) for vertex in vertices.split(",")], axes or "xyz")
        except ValueError as problem:
            raise BadValue(
                f"--hold takes vertices and perhaps axes, such as 12,13 or 12,13:y, or a .json file, not {text!r}"
            ) from problem
    return chosen if len(chosen) else None


def values_of(texts: Sequence[str], rig: Rig) -> dict[str, float]:
    """Values of sliders from texts such as `jawOpen=0.6` or `jawOpen=0.6,cheekPuff=1`, within their bounds."""
    values = {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, equals, number = part.rpartition("=")
        try:
            value = float(number) if equals else np.nan
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise BadValue(f"--set takes a slider and its value, such as jawOpen=0.6, not {part!r}")
        low, high = rig.bounds[rig.slider_index(name)]
        if not low <= value <= high:
            raise BadValue(f"{name} goes from {low:g} to {high:g}, not to {value:g}")
        values[name] = value
    return values
