"""Make a rig with in-betweens and correctives from plain arrays and a table of what drives what, and save it.

    python examples/14_a_production_rig.py FOLDER

FOLDER holds `rig.npz` (neutral, quads, deltas, names), `structure.json` (the factors of each shape: a slider, and
where it rises from 0, is 1, and is 0 again) and `controls.npz` (weights and names of an animation at 30 frames a
second).
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import facewright as fw


def production_rig(folder: Path) -> fw.Document:
    """The rig of a folder, with its animation as a clip."""
    structure = json.loads((folder / "structure.json").read_text())
    with np.load(folder / "rig.npz") as arrays:
        neutral, quads, deltas = arrays["neutral"], arrays["quads"], arrays["deltas"].astype(np.float64)
    with np.load(folder / "controls.npz") as arrays:
        weights, controls = arrays["weights"].astype(np.float64), arrays["names"].tolist()
    shapes = [shape(entry, delta) for entry, delta in zip(structure, deltas, strict=True)]
    rig = fw.Rig(neutral, quads, shapes, sliders=controls, groups=[fw.group_of(name) for name in controls])
    return fw.Document(rig, (fw.Clip.from_table("animation", controls, np.arange(len(weights)) / 30, weights),))


def shape(entry: dict[str, Any], delta: np.ndarray) -> fw.Shape:
    """A shape that is worth the product of its factors: a slider's value, or 1 at the middle one of three knots."""
    knots = [factor["knots"] for factor in entry["factors"]]
    return fw.Shape.from_dense(
        entry["name"],
        delta,
        sliders=[factor["slider"] for factor in entry["factors"]],
        at=[1.0 if each is None else each[1] for each in knots],
        spans=[None if each is None else (each[0], each[2]) for each in knots],
        additive=any(knots),
    )


if __name__ == "__main__":
    if len(sys.argv) == 2:
        document = production_rig(Path(sys.argv[1]))
        print(document.rig)
        for one in (document.rig.shapes[0], *document.rig.shapes[-3:]):
            print(one)
        fw.save(document, "production.fwface")
        print("saved production.fwface; open it with: facewright studio production.fwface")
    else:
        print(__doc__)
