"""Faces of a build for the page: meshes, poses beside the rig's versions of them, small pictures."""

from __future__ import annotations

import numpy as np

from facewright.document import Document
from facewright.mesh.normals import vertex_normals
from facewright.render.camera import frame
from facewright.render.picture import mesh_picture
from facewright.render.png import png_bytes
from facewright.rig.rig import Rig
from facewright.studio.build_work import View
from facewright.studio.frames import BuiltPose, pack
from facewright.studio.geometry import geometry_frame

PICTURE = (112, 128)
_LIVELY = 0.05  # of the largest reach: what the shapes move less need not be in the picture


def bare(rig: Rig) -> Rig:
    """A rig as a mesh that only stands."""
    return Rig(rig.neutral, rig.polygons, parts=rig.parts, uvs=rig.uvs)


def face_frame(rig: Rig, id: str) -> bytes:
    """A Geometry frame without shapes."""
    return geometry_frame(Document(bare(rig)), id)


def pose_frame(rest: Rig, view: View) -> bytes:
    """A BuiltPose frame."""
    arrays = {"example": view.example, "example_normals": vertex_normals(view.example, rest.triangles)}
    if view.met is not None:
        version = view.met.version
        arrays |= {"version": version, "version_normals": vertex_normals(version, rest.triangles)}
        arrays |= {"distances": view.met.distances}
    return pack(BuiltPose, arrays, view=view.id)


def small_picture(template: Rig, rest: Rig, view: View) -> bytes:
    """A PNG of the example, near to what the template's shapes move."""
    reach = np.zeros(template.vertex_count)
    for shape in template.shapes:
        np.maximum.at(reach, shape.vertices, np.linalg.norm(shape.offsets, axis=1))
    seen = rest.neutral[reach > _LIVELY * reach.max(initial=0.0)]
    camera = frame(seen if len(seen) else rest.neutral, aspect=PICTURE[0] / PICTURE[1], margin=0.04)
    shot = mesh_picture(view.example, rest.triangles, size=PICTURE, camera=camera, parts=rest.parts, rest=rest.neutral)
    return png_bytes(shot)
