"""All shapes of a template on another face."""

from __future__ import annotations

from collections.abc import Mapping

from facewright.build.onto import Topology, prepare, transferred
from facewright.build.registration.pairs import Given
from facewright.build.target import Face
from facewright.rig.rig import Rig


def transfer(
    template: Rig,
    neutral: Face,
    landmarks: Given | None = None,
    *,
    topology: Topology = "auto",
    closing: Mapping[str, str | None] | None = None,
) -> Rig:
    """The template's shapes on another face, given as (v, 3) of the template's topology, or as a rig of any topology.

    In the same topology, vertices that a shape of the template leaves alone stay exactly. A face of another topology
    is registered first, with these landmarks if any: see `register`. Then the rig has the face's own vertices and
    polygons, or the template's for a scan; `topology` says which where that is not wanted.

    closing: shapes in which points that touch in the template are to touch on the target, each with the shape that
    opens what it closes, or None where that is open at rest; not given, they are found by name (eyeBlinkLeft,
    mouthClose over jawOpen); {} for none.
    """
    return transferred(prepare(template, neutral, landmarks, topology=topology, closing=closing), closing=closing)
