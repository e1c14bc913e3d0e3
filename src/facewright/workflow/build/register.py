"""Registering the template's mesh to a neutral of another topology."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.build.register import register
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmark_pairs import LandmarkPairs, Landmarks, landmark_pairs
from facewright.build.registration.nonrigid import RegistrationListener
from facewright.build.scan import looks_scanned
from facewright.build.transfer import PreparedTemplate, TopologyChoice, prepare, prepared_from
from facewright.errors import BadValue, FacewrightError, FacewrightWarning
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, Mesh, Pair, RegisteredTemplate, with_registered

LEAST = 3  # pairs
_TOPOLOGY: dict[Mesh, TopologyChoice] = {"auto": "auto", "own": "target", "template": "template"}
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
    """Register the template to the neutral by the plan's pairs; pairs that were only proposed may be improved.

    A bad registration is returned, too, for a person to look at.
    """
    neutral = ready_to_register(plan)
    given = None if plan.proposed else [(pair.source, pair.target) for pair in plan.pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FacewrightWarning)
        found = register(plan.template.rig, neutral, given, progress=progress)
        scanned = looks_scanned(FaceMesh(neutral, "the face")) if plan.mesh == "auto" else ""
        own = plan.mesh != "template" and not scanned and found.good and found.finished
        prepared = prepared_from(found, topology="target" if own else "template")
    return _registered(prepared, plan.pairs, scanned)


@dataclass(frozen=True, eq=False)
class ReadyPlan:
    """A plan whose template and neutral go together, and remarks on what was done for that."""

    plan: BuildPlan
    words: tuple[str, ...] = ()


def ready_plan(
    plan: BuildPlan,
    landmarks: Landmarks | None = None,
    *,
    closing: Mapping[str, str | None] | None = None,
    progress: RegistrationListener | None = None,
) -> ReadyPlan:
    """The plan with its template registered to the neutral, if their polygons differ or if landmarks are given.

    landmarks: pairs of vertices or names of landmarks; found where none are given. A bad registration is an error.
    closing: as for `facewright.transfer`.
    """
    if plan.neutral is None:
        raise BadValue("a plan needs a neutral face")
    topology = _TOPOLOGY[plan.mesh]
    source, target = plan.template.rig, plan.neutral.rig
    prepared = prepare(source, target, landmarks, topology=topology, closing=closing, progress=progress)
    if prepared.registration is None:
        return ReadyPlan(plan)
    return ReadyPlan(with_registered(plan, _registered(prepared, (), prepared.scanned)), prepared.words)


def _registered(prepared: PreparedTemplate, pairs: tuple[Pair, ...], scanned: str) -> RegisteredTemplate:
    found = prepared.registration
    assert found is not None
    words = [found.verdict if found.finished else f"stopped early: {found.verdict}", *found.notes]
    words += [f"the face seems to be a scan, {scanned}"] if scanned else []
    carried = prepared.template if prepared.on_target else None
    distances = found.quality.distances
    return RegisteredTemplate(found.fitted, found.matched, distances, pairs, "; ".join(words), found.good, carried)


def _pairs(found: LandmarkPairs) -> tuple[Pair, ...]:
    rows = zip(np.asarray(found.source).tolist(), np.asarray(found.target).tolist(), found.names, strict=True)
    return tuple(Pair(source, target, name) for source, target, name in rows)
