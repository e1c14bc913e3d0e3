"""A drag of a point and its mirror image, beside the two one-sided drags.

Where the sides do not interact, the symmetric drag is both one-sided ones at once: sliders of one side as in the drag
of that side, sliders in the middle as in either. What is measured is the distance from that face, as a share of its
motion.
"""

from dataclasses import dataclass

import numpy as np
from tools.experiments.faces import arkit_faces
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.arrays import Floats
from facewright.rig.symmetry import Symmetry, symmetry

ASIDE = 0.02  # of the face's size: a point nearer to the middle is on no side


@dataclass(frozen=True)
class SideDrag:
    """The point of the left side that a slider moves most, and its way as shares of the face's size, x to the left."""

    slider: str
    way: tuple[float, float, float]


DRAGS = {
    "corner up": SideDrag("mouthSmileLeft", (0.0, 0.03, 0.0)),
    "corner up and out": SideDrag("mouthSmileLeft", (0.025, 0.025, 0.0)),
    "corner down": SideDrag("mouthFrownLeft", (0.0, -0.03, 0.0)),
    "corner out": SideDrag("mouthStretchLeft", (0.03, 0.0, 0.0)),
    "lower lip down": SideDrag("mouthLowerDownLeft", (0.0, -0.03, 0.0)),
    "upper lip up": SideDrag("mouthUpperUpLeft", (0.0, 0.02, 0.0)),
    "brow up": SideDrag("browOuterUpLeft", (0.0, 0.03, 0.0)),
    "brow down": SideDrag("browDownLeft", (0.0, -0.02, 0.0)),
    "cheek up": SideDrag("cheekSquintLeft", (0.0, 0.02, 0.0)),
    "nose up": SideDrag("noseSneerLeft", (0.0, 0.02, 0.0)),
    "lid down": SideDrag("eyeBlinkLeft", (0.0, -0.02, 0.0)),
    "chin down": SideDrag("jawOpen", (0.0, -0.05, 0.0)),
}


def side_pin(rig: fw.Rig, known: Symmetry, drag: SideDrag) -> fw.Pin:
    """The pin of a drag, at the end of its way."""
    name = {fw.canonical_name(each): each for each in rig.sliders}[drag.slider]
    motion = np.linalg.norm(fw.evaluate(rig, {name: 1.0}) - rig.neutral, axis=1)
    aside = (rig.neutral - known.plane.mirror(rig.neutral)) @ known.plane.normal / 2
    motion[(aside < ASIDE * rig.size) | (known.partner < 0)] = 0.0
    vertex = int(motion.argmax())
    return fw.Pin(vertex=vertex, target=rig.neutral[vertex] + rig.size * np.array(drag.way))


def disagreement(solver: fw.PoseSolver, known: Symmetry, drag: SideDrag) -> float:
    """The distance of the symmetric drag from both one-sided ones at once, as a share of their motion."""
    here = [side_pin(solver.rig, known, drag)]
    there = fw.mirror_pins(solver.rig, here, known)
    left, right, both = (solver.solve(pins).weights for pins in (here, there, here + there))
    joined = np.where(np.abs(left) > np.abs(right), left, right)
    return _length(solver.rig, both - joined) / _length(solver.rig, joined)


def results() -> Results:
    """A table of drags and faces."""
    faces = {name: (fw.PoseSolver(rig), symmetry(rig)) for name, rig in arkit_faces().items()}
    found = {label: [disagreement(*face, drag) for face in faces.values()] for label, drag in DRAGS.items()}
    rows = [[label, *(f"{each:.2f}" for each in cells)] for label, cells in found.items()]
    rows.append(["*mean*", *(f"{each:.2f}" for each in np.mean(list(found.values()), axis=0))])
    return Results("posing.md", {"both-sides": markdown(["drag", *faces], rows)})


def _length(rig: fw.Rig, change: Floats) -> float:
    return float(np.linalg.norm(fw.evaluate(rig, change) - rig.neutral))
