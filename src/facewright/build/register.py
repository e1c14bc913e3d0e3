"""Non-rigid registration: fitting a mesh onto another one of any topology, or onto a scan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints, frozen
from facewright.build.registration.face_mesh import FaceMesh, Mesh
from facewright.build.registration.follow_skin import follow_skin
from facewright.build.registration.landmark_pairs import LandmarkPairs, Landmarks, landmark_pairs
from facewright.build.registration.matching import Matches, MatchingSurface
from facewright.build.registration.nonrigid import (
    STAGES,
    FitStage,
    RegistrationListener,
    RegistrationProblem,
    fit_surface,
    vertex_rows,
)
from facewright.build.registration.openings import Borders
from facewright.build.registration.quality import RegistrationQuality, folded
from facewright.errors import BadValue
from facewright.mesh.align import Similarity
from facewright.mesh.exposure import own_axes
from facewright.mesh.normals import vertex_normals
from facewright.options import suggests_options
from facewright.rig.rig import Rig

_RESIZED = 0.5  # natural logarithm: faces in the same unit differ less in size
_TURNED = 30.0  # degrees
_INSIDE_OUT = -0.3  # median cosine between the surfaces


@dataclass(frozen=True, eq=False)
class Registration:
    """A source mesh fitted onto a target, with a measure of the fit."""

    source: Rig
    target: Rig
    fitted: Floats  # (v, 3) vertices of the source on the target
    skin: Ints  # (k,) vertices of the source that were fitted; the others follow them
    matched: Floats  # (v,) from 0 to 1: how sure the match of each vertex is
    pairs: LandmarkPairs
    quality: RegistrationQuality
    finished: bool  # False if it was stopped early, after the last whole step
    placement: Similarity  # what aligned the source to the target before it was bent

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks about the meshes: their place, size and orientation."""
        scale, notes = self.placement.scale, []
        if abs(np.log(scale)) > _RESIZED:
            notes.append(f"the target is {scale:.3g} times as large as the source, and was taken as it is")
        turn = float(np.degrees(np.arccos(np.clip((np.trace(self.placement.rotation) - 1) / 2, -1, 1))))
        if turn > _TURNED:
            notes.append(f"the target is turned by {turn:.0f} degrees against the source, and was taken as it is")
        return tuple(notes)

    @property
    def good(self) -> bool:
        """Whether the fit is good enough to build on."""
        return self.quality.good

    @property
    def verdict(self) -> str:
        """The quality of the fit as a sentence."""
        return self.quality.verdict

    def require(self) -> Registration:
        """The registration itself; raises `BadValue` with the reasons if the fit is bad."""
        if not self.good:
            raise BadValue(f"the source could not be registered to the target: {self.verdict}")
        return self

    def __repr__(self) -> str:
        return f"Registration({self.verdict})"


@suggests_options
def register(
    source: Mesh,
    target: Mesh,
    landmarks: Landmarks | LandmarkPairs | None = None,
    *,
    progress: RegistrationListener | None = None,
    stages: Sequence[FitStage] = STAGES,
) -> Registration:
    """Fit the source's vertices to the target's surface, whatever the target's polygons.

    source, target: a rig, of which the neutral is used, or vertices (v, 3) and polygons.
    landmarks: pairs of corresponding vertices, or names of landmarks with the target's vertices; by default they are
    found
    from the openings of eyes and mouth, or from shapes of the same name.
    progress: called after each step; returning False stops the registration.
    The quality of the fit is in `.quality`, and as a sentence in `.verdict`.
    """
    ours, theirs = FaceMesh(source, "the source"), FaceMesh(target, "the target")
    pairs = landmark_pairs(ours, theirs, landmarks)
    to_target = pairs.alignment(ours.rig, theirs.rig)
    to_unit = _to_unit(ours)
    problem = _problem(ours, theirs, pairs, to_unit, to_unit.after(to_target.inverse()))
    _check_sides(problem)
    found = fit_surface(problem, progress or (lambda _: None), stages)
    whole = follow_skin(to_unit(ours.rig.neutral), ours.polygons.triangles, ours.visible.vertices, found.positions)
    back = to_target.after(to_unit.inverse())
    fitted = back(whole)[ours.twins]
    last = problem.target.match(found.positions, problem.skin, found.expected, alike=0.0)
    quality = _quality(ours, problem, found.positions, last, pairs, back.scale)
    matched = np.zeros(len(fitted))
    matched[ours.visible.vertices] = last.weights
    return Registration(
        ours.rig,
        theirs.rig,
        frozen(fitted),
        ours.visible.vertices,
        frozen(matched[ours.twins]),
        pairs,
        quality,
        found.finished,
        to_target,
    )


def _to_unit(ours: FaceMesh) -> Similarity:
    """The similarity that brings the source's skin to the origin, to size 1 and to its own axes."""
    points = ours.rig.neutral[ours.visible.vertices]
    axes = own_axes(points)
    local = (points - points.mean(axis=0)) @ axes.T
    scale = 1 / float(np.linalg.norm(np.ptp(local, axis=0)))
    return Similarity(axes, -scale * axes @ points.mean(axis=0), scale)


def _problem(
    ours: FaceMesh, theirs: FaceMesh, pairs: LandmarkPairs, to_unit: Similarity, placed: Similarity
) -> RegistrationProblem:
    skin, around = ours.visible, theirs.whole
    positions = to_unit(ours.rig.neutral[skin.vertices])
    target = placed(theirs.rig.neutral)
    row = np.full(ours.rig.vertex_count, -1)
    row[skin.vertices] = np.arange(len(skin.vertices))
    row = row[ours.twins]
    known = np.flatnonzero(row[pairs.source] >= 0)  # a landmark that is not on the skin is used for the alignment only
    openings = {name: row[chain] for name, chain in ours.openings.items() if (row[chain] >= 0).all()}
    ends = [row[chain] for chain in ours.loops if (row[chain] >= 0).all()]
    taken = [set(chain.tolist()) for chain in openings.values()]
    borders = Borders(
        openings,
        [chain for chain in ends if set(chain.tolist()) not in taken],
        [target[loop] for loop in theirs.loops],
    )
    return RegistrationProblem(
        positions,
        skin,
        MatchingSurface(target[around.vertices], around.triangles),
        vertex_rows(row[pairs.source[known]], len(positions)),
        target[pairs.target[known]],
        borders,
        pairs.exact,
    )


def _check_sides(problem: RegistrationProblem) -> None:
    """Raise an error if the target's polygons run the other way round."""
    normals = vertex_normals(problem.positions, problem.skin.triangles)
    found = problem.target.surface.closest(problem.positions, normals)
    if float(np.median((found.normals * normals).sum(axis=1))) < _INSIDE_OUT:
        raise BadValue(
            "one of the meshes is turned inside out: where the source faces outwards, the target faces inwards; reverse"
            " the corners of each of its polygons"
        )


def _quality(
    ours: FaceMesh, problem: RegistrationProblem, positions: Floats, last: Matches, pairs: LandmarkPairs, scale: float
) -> RegistrationQuality:
    skin = problem.skin
    areas = skin.areas(positions)
    distances = np.full(ours.rig.vertex_count, np.nan)
    seen = last.weights > 0
    distances[skin.vertices[seen]] = scale * last.distances[seen]
    missed = np.linalg.norm(problem.landmarks @ positions - problem.places, axis=1)
    rims = problem.borders.rims(positions)
    edges = [np.linalg.norm(rim.nearest(positions) - positions[rim.vertices], axis=1) for rim in rims]
    return RegistrationQuality(
        size=scale * float(np.linalg.norm(np.ptp(positions, axis=0))),
        distances=frozen(distances[ours.twins]),
        matched=float(areas @ seen) / float(areas.sum()),
        folded=folded(problem.positions, positions, skin.triangles),
        triangles=len(skin.triangles),
        rims=scale * float(np.concatenate(edges).mean()) if edges else None,
        pairs=scale * float(missed.mean()) if pairs.exact and len(missed) else None,
    )
