"""Transfer of a template's shapes to a face of any topology; a face of another topology is registered first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from facewright.build.cross_topology import transfer_shapes
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.register import Registration, register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmark_pairs import Landmarks
from facewright.build.registration.nonrigid import RegistrationListener
from facewright.build.scan import looks_scanned
from facewright.build.target import Face, positions_of
from facewright.errors import OtherTopology, UnknownName
from facewright.options import suggests_options
from facewright.rig.rig import Rig

TopologyChoice = Literal["auto", "target", "template"]


@dataclass(frozen=True, eq=False)
class PreparedTemplate:
    """A template and a neutral of one topology, and how they were brought to it."""

    template: Rig
    neutral: Face
    registration: Registration | None = None  # None if the topology was the same from the start
    words: tuple[str, ...] = ()  # remarks on what was done
    scanned: str = ""  # why the neutral was taken for a scan; "" where it was not

    @property
    def on_target(self) -> bool:
        """Whether the template was brought to the target's topology, and not the target to the template's."""
        return self.registration is not None and self.template is not self.registration.source


def prepare(
    template: Rig,
    neutral: Face,
    landmarks: Landmarks | None = None,
    *,
    topology: TopologyChoice = "auto",
    closing: Mapping[str, str | None] | None = None,
    progress: RegistrationListener | None = None,
) -> PreparedTemplate:
    """A template prepared for `transfer` and `RigBuilder` onto a neutral, which is registered first if its topology
    differs.

    topology: whose vertices and polygons to keep if they differ; "auto" keeps the target's, or the template's for
    scans.
    """
    if topology not in get_args(TopologyChoice):
        raise UnknownName("topology", str(topology), get_args(TopologyChoice))
    try:
        if landmarks is None:
            positions_of(template, neutral, "the neutral")
            return PreparedTemplate(template, neutral)
    except OtherTopology:
        if not isinstance(neutral, Rig) or not len(neutral.polygons):
            raise
    target = neutral if isinstance(neutral, Rig) else Rig(np.asarray(neutral), template.polygons)
    found = register(template, target, landmarks, progress=progress).require()
    return prepared_from(found, topology=topology, closing=closing)


def prepared_from(
    found: Registration, *, topology: TopologyChoice = "auto", closing: Mapping[str, str | None] | None = None
) -> PreparedTemplate:
    """A template and a neutral that were registered, brought to one topology; see `prepare`."""
    template, target = found.source, found.target
    scanned = looks_scanned(FaceMesh(target, "the neutral")) if topology == "auto" else ""
    words = [f"registered: {found.pairs.origin}", *found.notes, found.verdict]
    if topology == "template" or scanned:
        why = f": the neutral seems to be a scan, {scanned}" if scanned else ""
        words.append(f"the rig has the template's topology{why}")
        return PreparedTemplate(template, found.fitted, found, tuple(words), scanned)
    words.append(f"the rig has the neutral's own {target.vertex_count:,} vertices")
    carried = transfer_shapes(found, closing=closing)
    return PreparedTemplate(carried, carried, found, tuple(words))


def transferred(prepared: PreparedTemplate, *, closing: Mapping[str, str | None] | None = None) -> Rig:
    """The template's shapes on the neutral."""
    if prepared.on_target:
        return prepared.template
    return DeformationTransfer(prepared.template, prepared.neutral, closing=closing).transferred


@suggests_options
def transfer(
    template: Rig,
    neutral: Face,
    landmarks: Landmarks | None = None,
    *,
    topology: TopologyChoice = "auto",
    closing: Mapping[str, str | None] | None = None,
) -> Rig:
    """Transfer the template's shapes to another face, given as vertices (v, 3) in the template's topology or as any
    rig.

    In the same topology, vertices that a shape of the template does not move stay exactly where they are. A face of
    another
    topology is registered first: see `register`.

    landmarks: as for `register`.
    topology: whose vertices and polygons the result has if they differ; "auto" is the target's, or the template's for
    scans.
    closing: shapes in which points that touch in the template must touch on the target, each with the shape that opens
    what it closes, or None if that is open at rest; by default found by name (eyeBlinkLeft, mouthClose over jawOpen);
    {}
    for none.
    """
    return transferred(prepare(template, neutral, landmarks, topology=topology, closing=closing), closing=closing)
