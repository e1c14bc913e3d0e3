"""A production rig with 72 controls and its animation, read from the folder of real files beside the checkout."""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np

import facewright as fw

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "production_rig"


@cache
def production_rig() -> fw.Rig:
    """The rig without the eight products that have a factor at half its value."""
    structure = json.loads((FOLDER / "structure.json").read_text())
    with np.load(FOLDER / "rig.npz") as data:
        deltas, neutral, quads = data["deltas"].astype(np.float64), data["neutral"], data["quads"]
    sliders = tuple(str(name) for name in animation_names())
    own = {entry["name"]: delta for entry, delta in zip(structure, deltas, strict=True) if entry["name"] in sliders}
    shapes = [fw.Shape.from_dense(name, own[name]) for name in sliders]
    bent: dict[str, list[tuple[list[float], np.ndarray]]] = defaultdict(list)
    for entry, delta in zip(structure, deltas, strict=True):
        factors = entry["factors"]
        if len(factors) == 1 and factors[0]["knots"]:
            bent[factors[0]["slider"]].append((factors[0]["knots"], delta))
        elif len(factors) > 1 and not any(factor["knots"] for factor in factors):
            driven = tuple(factor["slider"] for factor in factors)
            shapes.append(fw.Shape.from_dense(entry["name"], delta, sliders=driven))
    for slider, hats in bent.items():
        for at in sorted({knot for knots, _ in hats for knot in knots} - {0, 1}):
            added = sum(float(np.interp(at, knots, [0, 1, 0])) * delta for knots, delta in hats)
            shapes.append(fw.Shape.from_dense(f"{slider} {at:g}", at * own[slider] + added, sliders=(slider,), at=at))
    return fw.Rig(neutral, quads, tuple(shapes), sliders=sliders)


@cache
def linear_part() -> fw.Rig:
    """The 72 controls with their own shapes alone."""
    rig = production_rig()
    own = tuple(shape for shape in rig.shapes if shape.name in rig.sliders)
    return fw.Rig(rig.neutral, rig.polygons, own, sliders=rig.sliders)


@cache
def animation() -> np.ndarray:
    """The controls (2000, 72) of an animation at 30 frames a second."""
    with np.load(FOLDER / "controls.npz") as data:
        return np.asarray(data["weights"], np.float64)


def animation_names() -> list[str]:
    with np.load(FOLDER / "controls.npz") as data:
        return [str(name) for name in data["names"]]
