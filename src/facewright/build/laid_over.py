"""A template's shapes on a head that nothing can be registered to, such as one whose face is painted on a box.

The template's head is stretched to the height, width and depth of the other, and each vertex moves like the nearest
place of it. What this gives is rough, but always something.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.registration.face_mesh import FaceMesh
from facewright.errors import BadValue
from facewright.mesh.facing import FacingSurface
from facewright.mesh.normals import vertex_normals
from facewright.rig.rig import Rig

_REACH = 0.1  # of the size: how much further away a place counts that faces the other way


def laid_over(template: Rig, head: Rig) -> dict[str, Floats]:
    """Offsets (v, 3) of the head's vertices for each shape of a template. Both are upright and look along z."""
    ours = FaceMesh(template, "the template")
    skin, chin = ours.visible, ours.landmarks.get("chin")
    places = template.neutral[skin.vertices]
    upper = places if chin is None else places[places[:, 1] >= template.neutral[chin, 1]]  # no neck
    low, extent = upper.min(axis=0), np.ptp(upper, axis=0)
    wanted = np.ptp(head.neutral, axis=0)
    if not (extent.all() and wanted.all()):
        raise BadValue("the head is flat: shapes cannot be laid over it")
    stretch = wanted / extent
    size = float(np.linalg.norm(wanted))
    laid = (places - low) * stretch + head.neutral.min(axis=0)
    surface = FacingSurface(laid, skin.triangles, _REACH * size)
    found = surface.closest(head.neutral, vertex_normals(head.neutral, head.triangles))
    corners = skin.vertices[skin.triangles[found.triangles]]
    return {
        shape.name: stretch * np.einsum("vc,vca->va", found.barycentric, shape.dense(template.vertex_count)[corners])
        for shape in template.shapes
    }
