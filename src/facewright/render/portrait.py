"""Pictures of a rig in a pose."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from facewright.mesh.topology import Topology
from facewright.render.camera import frame
from facewright.render.picture import SIZE, picture
from facewright.render.tone import Bytes
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig


def picture_of(rig: Rig, weights: Mapping[str, float] | ArrayLike | None = None, **options: Any) -> Bytes:
    """A picture of a rig in a pose; options as for `picture`. wire=True draws the rig's own polygons.

    Framed to the neutral face, so that all poses of a rig are seen from the same place.
    """
    size = options.get("size", SIZE)
    view = options.pop("view", "front")
    if options.get("camera") is None:
        options["camera"] = frame(rig.neutral, view, aspect=size[0] / size[1])
    if options.get("wire") is True:
        options["wire"] = Topology(rig.polygons, rig.vertex_count).edges
    options = {"parts": rig.parts, "rest": rig.neutral} | options
    return picture(evaluate(rig, weights), rig.triangles, **options)
