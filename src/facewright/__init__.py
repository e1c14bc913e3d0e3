"""Facewright builds, poses and animates blendshape faces."""

from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats.registry import load, load_document, save
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.pose.attenuation import Attenuation
from facewright.pose.pin import Pin
from facewright.pose.selection import Selection
from facewright.pose.solver import PoseSolver, solve_pose
from facewright.rig.evaluate import Evaluator, evaluate, jacobian
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

__version__ = "0.1.0"

__all__ = [
    "Attenuation",
    "Clip",
    "Curve",
    "Document",
    "Evaluator",
    "FacewrightError",
    "Part",
    "Pin",
    "Polygons",
    "PoseSolver",
    "Rig",
    "Selection",
    "Shape",
    "Uvs",
    "evaluate",
    "jacobian",
    "load",
    "load_document",
    "save",
    "solve_pose",
]
