"""A production rig with 72 controls and its animation, read from the folder of real files beside the checkout."""

import runpy
from functools import cache
from pathlib import Path

import numpy as np

import facewright as fw

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "production_rig"


@cache
def production_rig() -> fw.Rig:
    """The whole rig, as the example reads it."""
    document = runpy.run_path(str(ROOT / "examples" / "14_a_production_rig.py"))["production_rig"](FOLDER)
    assert isinstance(document, fw.Document)
    return document.rig


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
