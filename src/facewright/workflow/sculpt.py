"""Sculpts and rigs from files, as far as their vertices are those of a face; others are registered."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.register import register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.scan import pose_of_scan
from facewright.build.target import positions_of
from facewright.document import Document
from facewright.errors import OtherTopology
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig

_RESIZED = 2.0  # the ratio of sizes from which on a file is taken to be in another unit
_AWAY = 0.05  # of the face's size: half of the vertices of a sculpt move less than this


def check_topology(rig: Rig, document: Document, name: str) -> None:
    """Raises `OtherTopology` where vertex 7 of a file is not vertex 7 of the rig, with what would help."""
    try:
        positions_of(rig, document.rig, name)
    except OtherTopology as problem:
        count = document.rig.vertex_count
        found = (
            f"has {count:,} vertices, the face {rig.vertex_count:,}"
            if count != rig.vertex_count
            else "has as many vertices as the face, but other polygons"
        )
        raise OtherTopology(
            f"{name} {found}: its topology is another one. Export it with the order of its vertices kept, or register "
            "it: here, or with `facewright register`"
        ) from problem


def sculpt_of(document: Document) -> Floats:
    """The face (v, 3) that a file shows: its mesh, in its pose where it has one."""
    return evaluate(document.rig, document.pose) if document.rig.shapes else document.rig.neutral


def doubts(rig: Rig, document: Document) -> str:
    """In words what is unusual about a file of the right topology: its unit, or its place; "" if nothing is."""
    ratio = document.rig.size / (rig.size or 1.0)
    if not 1 / _RESIZED < ratio < _RESIZED:
        return f"It is {ratio:.3g} times as large as the face: it may be in another unit."
    away = float(np.median(np.linalg.norm(document.rig.neutral - rig.neutral, axis=1))) / (rig.size or 1.0)
    return (
        f"Most of it lies {100 * away:.0f} % of the face's size away: move it into place first." if away > _AWAY else ""
    )


def registered_sculpt(rig: Rig, pose: Floats, sculpt: Rig, name: str) -> Floats:
    """The vertices (v, 3) of a rig fitted to a sculpt of another topology.

    The fit starts from the pose (n,) where the sculpt lies where the rig does. A bad fit raises `OtherTopology`.
    """
    weights = dict(zip(rig.sliders, pose.tolist(), strict=True))
    try:
        return pose_of_scan(rig, sculpt, weights, FaceMesh(rig, "the face").visible.vertices, name)
    except OtherTopology:
        posed = Rig(evaluate(rig, pose), rig.polygons, parts=rig.parts)
        found = register(posed, sculpt)
        if not found.good:
            raise OtherTopology(f"{name} could not be registered: {found.verdict}") from None
        return found.fitted
