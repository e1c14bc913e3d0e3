"""The surface of a face as it is shown: which point a ray meets, and how a motion there is one of the rig."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from mathutils.bvhtree import BVHTree

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.rig.evaluate import Evaluator

from .face import Face
from .mesh import coordinates

_SMOOTHING = {"SUBSURF", "MULTIRES"}  # modifiers whose surface lies about the mesh that the keys move


@dataclass(frozen=True, eq=False)
class Hit:
    """A point of the surface, in the rig's axes."""

    triangle: int
    barycentric: tuple[float, float, float]
    place: Floats  # (3,) as it is shown


class Surface:
    """The triangles of a rig where they are shown. For as long as nothing moves."""

    def __init__(self, face: Face, shown: Floats, *, deformed: bool) -> None:
        """shown: vertices (v, 3) in the rig's axes. deformed: not where the rig's pose puts them."""
        self._face, self._shown, self._deformed = face, shown, deformed
        self._to_rig: dict[int, Floats] = {}  # what was asked for
        self._tree = BVHTree.FromPolygons(shown.tolist(), face.rig.triangles.tolist())

    @classmethod
    def of(cls, face: Face, thing: Any, depsgraph: Any) -> "Surface":
        """The surface of an object with its modifiers, as far as they can be handled."""
        evaluated = thing.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        try:
            found = coordinates(mesh.vertices)
        finally:
            evaluated.to_mesh_clear()
        if len(found) == face.rig.vertex_count:
            return cls(face, face.space.points(found), deformed=any(one.show_viewport for one in thing.modifiers))
        others = [one for one in thing.modifiers if one.show_viewport and one.type not in _SMOOTHING]
        if others:
            raise BadValue(
                f"{thing.name} is shown with other vertices than its shape keys have; apply the modifier"
                f" {others[0].name}, or switch it off in the viewport"
            )
        return cls(face, Evaluator(face.rig)(face.pose), deformed=False)

    def hit(self, origin: Floats, direction: Floats) -> Hit | None:
        """The first point that a ray meets, in the rig's axes."""
        place, _, triangle, _ = self._tree.ray_cast(origin.tolist(), direction.tolist())
        if place is None:
            return None
        return Hit(triangle, self._barycentric(triangle, np.array(place)), np.array(place))

    def place(self, triangle: int, barycentric: tuple[float, float, float]) -> Floats:
        """Where a point of the surface is shown (3,)."""
        return np.asarray(np.array(barycentric) @ self._shown[self._face.rig.triangles[triangle]])

    def to_rig(self, triangle: int) -> Floats:
        """The matrix (3, 3) that takes a small motion of a triangle, as shown, to the motion before all modifiers."""
        if not self._deformed:
            return np.eye(3)
        if triangle not in self._to_rig:
            self._to_rig[triangle] = self._before(triangle)
        return self._to_rig[triangle]

    def _before(self, triangle: int) -> Floats:
        corners = self._face.rig.triangles[triangle]
        posed = Evaluator(self._face.rig)(self._face.pose)
        before, after = _frame(posed[corners]), _frame(self._shown[corners])
        if before is None or after is None:
            return np.eye(3)
        return np.asarray(before @ np.linalg.inv(after))

    def _barycentric(self, triangle: int, place: Floats) -> tuple[float, float, float]:
        a, b, c = self._shown[self._face.rig.triangles[triangle]]
        found = np.linalg.lstsq(np.stack([b - a, c - a], axis=1), place - a, rcond=None)[0]
        mix = np.maximum([1 - found.sum(), *found], 0.0)
        first, second, third = (mix / mix.sum()).tolist()
        return first, second, third


def _frame(corners: Floats) -> Floats | None:
    """Two edges of a triangle and its normal, as columns; None where it has no area."""
    one, other = corners[1] - corners[0], corners[2] - corners[0]
    normal = np.cross(one, other)
    area = float(np.linalg.norm(normal))
    if area <= 1e-12 * float(np.linalg.norm(one) * np.linalg.norm(other)) or area == 0:
        return None
    return np.stack([one, other, normal / np.sqrt(area)], axis=1)
