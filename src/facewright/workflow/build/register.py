"""Registering the template's mesh to a neutral of another topology."""

from __future__ import annotations

import warnings

import numpy as np

from facewright.build.cross_topology import transfer_shapes
from facewright.build.register import Registration, register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmark_pairs import LandmarkPairs, landmark_pairs
from facewright.build.registration.nonrigid import RegistrationListener
from facewright.build.scan import looks_scanned
from facewright.errors import BadValue, FacewrightError, FacewrightWarning
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, Pair, RegisteredTemplate

LEAST = 3  # pairs
_FEW = (
    "pair points that belong together: click one on the template, then the same one on the face. Corners of eyes and"
    " mouth, the tip of the nose and the chin are a good start"
)


def propose_pairs(plan: BuildPlan) -> tuple[Pair, ...]:
    """Pairs of points found on both meshes; none where nothing can be found."""
    if plan.neutral is None:
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FacewrightWarning)
        try:
            found = landmark_pairs(
                FaceMesh(plan.template.rig, "the template"), FaceMesh(plan.neutral.rig, "the face"), None
            )
        except FacewrightError:
            return ()
    return _pairs(found)


def ready_to_register(plan: BuildPlan) -> Rig:
    """The neutral of a plan that has enough pairs; otherwise an error that says what is missing."""
    if plan.neutral is None:
        raise BadValue("load a neutral face first")
    if len(plan.pairs) < LEAST:
        raise BadValue(f"{_FEW}; there are {len(plan.pairs)}, at least {LEAST} are needed, eight or more are better")
    return plan.neutral.rig


def register_template(plan: BuildPlan, progress: RegistrationListener) -> RegisteredTemplate:
    """Register the template to the neutral by the plan's pairs; pairs that were only proposed may be improved."""
    neutral = ready_to_register(plan)
    given = None if plan.proposed else [(pair.source, pair.target) for pair in plan.pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FacewrightWarning)
        found = register(plan.template.rig, neutral, given, progress=progress)
        scanned = looks_scanned(FaceMesh(neutral, "the face")) if plan.mesh == "auto" else ""
        own = plan.mesh != "template" and not scanned and found.good and found.finished
        carried = transfer_shapes(found) if own else None
    return _registered(found, plan.pairs, carried, scanned)


def _registered(found: Registration, pairs: tuple[Pair, ...], carried: Rig | None, scanned: str) -> RegisteredTemplate:
    words = [found.verdict if found.finished else f"stopped early: {found.verdict}", *found.notes]
    words += [f"the face seems to be a scan, {scanned}"] if scanned else []
    distances = found.quality.distances
    return RegisteredTemplate(found.fitted, found.matched, distances, pairs, "; ".join(words), found.good, carried)


def _pairs(found: LandmarkPairs) -> tuple[Pair, ...]:
    rows = zip(np.asarray(found.source).tolist(), np.asarray(found.target).tolist(), found.names, strict=True)
    return tuple(Pair(source, target, name) for source, target, name in rows)
