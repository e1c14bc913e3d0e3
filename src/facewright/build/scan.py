"""Scans: how they are recognised, and how a scanned pose is registered."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.build.register import register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.errors import OtherTopology
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig

_PAIRS = 60  # pairs of points between a pose and its scan
_BESIDE = 0.03  # of the size: largest distance between the points of a pair
_LEAST = 8  # smallest number of pairs
_HOLES = 8  # a modelled face has a neck, two eyes and a mouth, and perhaps nostrils and ears
_VERTICES = 60_000


def looks_scanned(mesh: FaceMesh) -> str:
    """The reason for taking a mesh for a scan, as words; empty if it does not look like one."""
    if len(mesh.loops) > _HOLES:
        return f"its skin has {len(mesh.loops)} borders and holes"
    if mesh.rig.vertex_count > _VERTICES:
        return f"it has {mesh.rig.vertex_count:,} vertices"
    return ""


def pose_of_scan(rig: Rig, scan: Rig, weights: Mapping[str, float], skin: Ints, name: str) -> Floats:
    """The rig's vertices (v, 3) fitted to a scan of a pose, which lies where the rig does.

    weights: a guess of the pose, where the fit starts. skin: the rig's vertices that the scan may show.
    """
    posed = Rig(evaluate(rig, rig.weights(weights)), rig.polygons, parts=rig.parts)
    found = register(posed, scan, _side_by_side(posed, scan, skin))
    if not found.good:
        raise OtherTopology(f"pose {name!r} has its own topology, and the template does not fit: {found.verdict}")
    return found.fitted


def _side_by_side(posed: Rig, face: Rig, skin: Ints) -> list[tuple[int, int]]:
    """Pairs of nearest vertices of the posed rig and the scan, evenly chosen."""
    chosen, used = skin[:: max(len(skin) // _PAIRS, 1)], np.unique(face.triangles)
    far, at = (np.asarray(found) for found in cKDTree(face.neutral[used]).query(posed.neutral[chosen]))
    pairs = {int(used[j]): int(i) for i, j, d in zip(chosen, at, far, strict=True) if d < _BESIDE * posed.size}
    if len(pairs) < _LEAST:
        raise OtherTopology("a pose with a topology of its own must lie where its neutral lies; this one is elsewhere")
    return [(source, target) for target, source in pairs.items()]
