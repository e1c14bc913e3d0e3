"""The face divided by how it moves."""

from time import perf_counter

from tools.experiments.region_pictures import coarse_to_fine, levels
from tools.scenes.scene import Scene

import facewright as fw


def scene() -> Scene:
    rig = fw.sample()
    start = perf_counter()
    regions = fw.segment(rig)
    took = perf_counter() - start
    return Scene(
        "Divide: regions found from the shapes themselves",
        "What bends alike belongs together. Every level joins regions of the one before, up to the whole face, and a "
        "drag can be kept to any of them: first the mouth, then the brows, then one corner, then one lid.",
        {"every level of the tree": levels(rig), "from coarse to fine": coarse_to_fine(rig)},
        figures={
            "regions": f"{regions.count}",
            "levels": f"{regions.levels}",
            "found in": f"{took:.2f} s",
        },
        code="facewright segment sample -o regions.json --picture regions.png",
    )
