"""Facewright builds, poses and animates blendshape faces."""

from facewright.build.builder import Built, RigBuilder, build_rig
from facewright.build.schedule import Schedule
from facewright.build.transfer import transfer
from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats.registry import load, load_document, save
from facewright.formats.weights_csv import load_clip, save_clip
from facewright.mesh.polygons import Polygons, Uvs
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.pose.attenuation import Attenuation
from facewright.pose.mirror import mirror_pins
from facewright.pose.pin import Pin
from facewright.pose.selection import Selection
from facewright.pose.solver import PoseSolver, solve_pose
from facewright.regions.segment import segment
from facewright.rig.evaluate import Evaluator, evaluate, jacobian
from facewright.rig.names import match_names
from facewright.rig.regions import Regions
from facewright.rig.rig import Part, Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from facewright.samples.head import sample

__version__ = "0.1.0"

__all__ = [
    "Attenuation",
    "Built",
    "Clip",
    "Curve",
    "Document",
    "Evaluator",
    "FacewrightError",
    "OnlyMovedBy",
    "Part",
    "Pin",
    "Polygons",
    "PoseSolver",
    "Regions",
    "Rig",
    "RigBuilder",
    "Schedule",
    "Selection",
    "Shape",
    "StaysWithin",
    "Uvs",
    "build_rig",
    "evaluate",
    "jacobian",
    "load",
    "load_clip",
    "load_document",
    "match_names",
    "mirror_pins",
    "sample",
    "save",
    "save_clip",
    "segment",
    "solve_pose",
    "transfer",
]
