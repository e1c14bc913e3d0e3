"""The page's pictures: examples, the rig's versions of them, and their distances."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.missing_shapes import ShapeProposal
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.picture import mesh_picture
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.workflow.report.inspect.pictures import Album, data_address

TILE = (260, 290)
_LIVELY = 0.05  # of the largest reach: vertices that move less may be outside the picture


class BuildAlbum:
    """Pictures of a built rig by one camera on what moves."""

    def __init__(self, rig: Rig) -> None:
        self._rig, self._evaluate, self._album = rig, Evaluator(rig), Album(rig)
        reach = np.zeros(rig.vertex_count)
        for shape in rig.shapes:
            np.maximum.at(reach, shape.vertices, np.linalg.norm(shape.offsets, axis=1))
        seen = rig.neutral[reach > _LIVELY * reach.max(initial=0.0)]
        self._camera: Camera = frame(seen if len(seen) else rig.neutral, aspect=TILE[0] / TILE[1], margin=0.04)

    def neutral(self) -> str:
        return self._album.neutral()

    def lively(self) -> str:
        return self._album.lively()

    def pose(self, example: Floats, weights: Floats, distances: Floats, highest: float) -> tuple[str, str, str]:
        """An example (v, 3), the rig's version, and how far they are apart."""
        version = self._evaluate(weights)
        apart = Heat(distances, low=0.0, high=highest or 1.0)
        return self._taken(example), self._taken(version), self._taken(version, apart)

    def proposal(self, one: ShapeProposal) -> tuple[tuple[str, str], ...]:
        """The neutral with a proposed shape at weight 1, and how far it goes."""
        offsets = one.shape.dense(self._rig.vertex_count)
        posed = self._rig.neutral + offsets
        far = Heat(np.linalg.norm(offsets, axis=1), low=0.0)
        return (self._taken(posed), "at weight 1"), (self._taken(posed, far), "how far it goes")

    def _taken(self, positions: Floats, heat: Heat | None = None) -> str:
        rig = self._rig
        shot = mesh_picture(
            positions, rig.triangles, size=TILE, camera=self._camera, parts=rig.parts, rest=rig.neutral, heat=heat
        )
        return data_address(shot)
