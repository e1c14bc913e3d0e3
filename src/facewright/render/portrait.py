"""Pictures of a rig in a pose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from facewright.mesh.topology import Topology
from facewright.render.camera import Camera, frame
from facewright.render.heat import Heat
from facewright.render.picture import SIZE, picture
from facewright.render.tone import Bytes
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig


class Portrait:
    """A rig before a camera, ready for many pictures; options as for `picture`. wire=True draws the rig's own polygons.

    Framed to the neutral face, so that all poses are seen from the same place.
    """

    def __init__(
        self,
        rig: Rig,
        *,
        size: tuple[int, int] = SIZE,
        view: str | float = "front",
        camera: Camera | None = None,
        **options: Any,
    ) -> None:
        self.rig = rig
        self.camera = camera or frame(rig.neutral, view, aspect=size[0] / size[1])
        self._evaluate = Evaluator(rig)
        if options.get("wire") is True:
            options["wire"] = Topology(rig.polygons, rig.vertex_count).edges
        self._options = {"parts": rig.parts, "rest": rig.neutral, "size": size} | options

    def __call__(self, weights: Mapping[str, float] | ArrayLike | None = None) -> Bytes:
        """The rig in a pose."""
        return self.of(self._evaluate(weights))

    def of(self, positions: ArrayLike, *, heat: Heat | None = None) -> Bytes:
        """The rig with its vertices at positions (v, 3)."""
        heated = {} if heat is None else {"heat": heat}
        return picture(positions, self.rig.triangles, camera=self.camera, **self._options | heated)


def picture_of(rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None, **options: Any) -> Bytes:
    """A picture of a rig in a pose, once: see Portrait."""
    return Portrait(rig, **options)(weights)
