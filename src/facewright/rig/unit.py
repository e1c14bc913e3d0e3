"""The unit of a scene: what a length of 1 is, where a file says it, or as a face's size suggests."""

from __future__ import annotations

import numpy as np

from facewright.errors import UnknownName
from facewright.motion.take import METRES
from facewright.rig.rig import Rig

WORDS = {
    "m": "metres",
    "cm": "centimetres",
    "mm": "millimetres",
    "in": "inches",
    "dm": "decimetres",
    "ft": "feet",
}  # of METRES, the usual ones first
_GUESSED = ("m", "cm", "mm", "in")  # the first in which a face has the size of a face
_FACE = (0.10, 0.40)  # metres: how tall a face or a head is
_STATED = (0.05, 10.0)  # metres: sizes at which a file that has to be in metres is believed


def check_unit(unit: str) -> str:
    """The unit; one that is not known raises `UnknownName`. "" is a unit that is not known."""
    if unit and unit not in METRES:
        raise UnknownName("unit", unit, WORDS)
    return unit


def face_height(rig: Rig) -> float:
    """The longest side of the box round a rig at rest, in scene units."""
    return float(np.ptp(rig.neutral, axis=0).max()) if rig.vertex_count else 0.0


def guess_unit(rig: Rig) -> str:
    """The unit in which a rig is as tall as a face, 10 to 40 cm; "" where it is a face in none."""
    height = face_height(rig)
    return next((unit for unit in _GUESSED if _FACE[0] <= height * METRES[unit] <= _FACE[1]), "")


def unit_of_metres(rig: Rig) -> str:
    """The unit of a rig from a file that has to be in metres: "m", or "" where no face or person has its size."""
    return "m" if _STATED[0] <= face_height(rig) <= _STATED[1] else ""


def metres_per(unit: str) -> float:
    """How many metres a length of 1 is written as in a file in metres; 1 where the unit is not known."""
    return METRES[check_unit(unit)] if unit else 1.0


def lengths_between(rig: Rig, unit: str, other: Rig, other_unit: str) -> float:
    """What a length of one scene is multiplied by to be the same in another.

    By their units, stated or as the sizes of the faces suggest; where one is not known, by how tall the faces are.
    """
    units = [stated or guess_unit(face) for face, stated in ((rig, unit), (other, other_unit))]
    if all(units):
        return METRES[units[0]] / METRES[units[1]]
    heights = face_height(rig), face_height(other)
    return heights[1] / heights[0] if all(heights) else 1.0


def length_words(metres: float) -> str:
    """A length in words, such as "0.288 m"."""
    return f"{metres:.3g} m"
