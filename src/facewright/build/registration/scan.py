"""Telling a scan from a mesh that somebody made to be animated."""

from __future__ import annotations

from facewright.build.registration.face_mesh import FaceMesh

_HOLES = 8  # a made face has a neck, two eyes and a mouth, and perhaps nostrils and ears
_VERTICES = 60_000


def looks_scanned(mesh: FaceMesh) -> str:
    """Why a mesh is taken for a scan, in words; empty where it is not."""
    if len(mesh.loops) > _HOLES:
        return f"its skin has {len(mesh.loops)} borders and holes"
    if mesh.rig.vertex_count > _VERTICES:
        return f"it has {mesh.rig.vertex_count:,} vertices"
    return ""
