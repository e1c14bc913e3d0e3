"""Non-rigid fit of a surface to a target, coarse to fine: as a whole, then at ever finer nodes, then at each vertex.

Non-rigid iterative closest points: the bending energy of the surface determines what the target leaves open (Amberg
2007; Li 2009), points slide along the target (point to plane), and points without a counterpart are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from facewright.arrays import Floats, Ints
from facewright.build.registration.deformation_basis import DeformationBasis, node_basis, vertex_basis
from facewright.build.registration.matching import Matches, MatchingSurface
from facewright.build.registration.openings import Borders, Rim
from facewright.build.registration.skin import Skin
from facewright.solve.sparse import SparseSolver

_FIRM = 0.5  # weight of the closest points themselves relative to the planes through them
_SLIDES = 6  # steps along the planes for each search of closest points
_ROUGH = 0.1  # of the size: landmarks that are a guess do not constrain smaller details
_START = 0.1  # of the size: the expected distance after the rigid alignment
_SPREAD = 12  # vertices that are matched for each node
_RIDGE = 1e-9  # of the mean diagonal


@dataclass(frozen=True)
class FitStep:
    """One search of closest points and the fit to them. All lengths are shares of the face's size."""

    smallest: float  # smaller details are not bent
    expected: float  # typical distance of the surface from the target; 0 uses the pairs alone
    pairs: float  # weight of each pair of landmarks, as a share of the area


@dataclass(frozen=True)
class FitStage:
    """Steps with the same nodes."""

    spacing: float | None  # of the nodes; None for one unknown at each vertex
    steps: tuple[FitStep, ...]


def _stage(spacing: float | None, *steps: tuple[float, float, float]) -> FitStage:
    return FitStage(spacing, tuple(FitStep(*step) for step in steps))


STAGES = (
    _stage(0.25, (0.6, 0.0, 2e-2), (0.6, 0.12, 2e-2), (0.4, 0.12, 2e-2), (0.25, 0.1, 2e-2)),
    _stage(0.1, (0.15, 0.06, 1e-2), (0.12, 0.06, 1e-2), (0.1, 0.05, 1e-2)),
    _stage(0.05, (0.07, 0.03, 5e-3), (0.06, 0.03, 5e-3), (0.05, 0.025, 5e-3)),
    _stage(None, (0.03, 0.02, 5e-4), (0.025, 0.015, 5e-4), (0.02, 0.012, 5e-4), (0.015, 0.01, 2e-4)),
    _stage(None, (0.01, 0.008, 2e-4), (0.007, 0.006, 2e-4), (0.005, 0.006, 2e-4)),
)


@dataclass(frozen=True)
class RegistrationProgress:
    """The state of a registration after a step."""

    step: int  # counted from 1
    steps: int
    distance: float  # mean distance of matched vertices, as a share of the face's size
    matched: float  # share of the skin that is matched


# called after each step; False stops the registration
RegistrationListener = Callable[[RegistrationProgress], bool | None]


@dataclass(frozen=True, eq=False)
class RegistrationProblem:
    """A surface, its target, and known correspondences. The surface has size 1."""

    positions: Floats  # (v, 3) aligned to the target by rotation, translation and scale
    skin: Skin
    target: MatchingSurface
    landmarks: sp.csr_array  # (l, v) points of the surface
    places: Floats  # (l, 3) corresponding points of the target
    borders: Borders
    exact: bool = True  # False if the landmarks are only a rough start

    @cached_property
    def areas(self) -> Floats:
        """Area (v,) at each vertex."""
        return self.skin.areas(self.positions)

    @cached_property
    def graph(self) -> sp.csr_array:
        """Lengths of the edges (v, v)."""
        return self.skin.graph(self.positions)

    def basis(self, stage: FitStage, positions: Floats) -> DeformationBasis:
        """The deformation basis of a stage that starts from positions (v, 3)."""
        if stage.spacing is None:
            return vertex_basis(positions, self.skin.triangles, self.areas)
        return node_basis(self.positions, self.graph, self.areas, stage.spacing)

    def progress(self, matches: Matches, made: int, total: int) -> RegistrationProgress:
        """The state after so many steps."""
        areas = self.areas[matches.vertices]
        sure = areas * matches.weights
        near = float(sure @ matches.distances) / (float(sure.sum()) or 1.0)
        return RegistrationProgress(made, total, near, float(areas @ (matches.weights > 0)) / float(areas.sum()))


@dataclass(frozen=True, eq=False)
class FittedSurface:
    """The surface on its target."""

    positions: Floats  # (v, 3)
    expected: float  # typical distance from the target in the last step
    finished: bool


def fit_surface(
    problem: RegistrationProblem, listener: RegistrationListener, stages: Sequence[FitStage] = STAGES
) -> FittedSurface:
    """Run all stages, from the coarsest; `listener` is called after each step."""
    total = sum(len(stage.steps) for stage in stages)
    positions, made, step = problem.positions, 0, FitStep(1.0, _START, 0.0)
    for stage in stages:
        basis = problem.basis(stage, positions)
        rims = problem.borders.rims(positions)
        for step in stage.steps:
            known = _held(problem, rims, positions, step)
            positions, matches = _fitted(problem, basis, positions, known, step)
            made += 1
            if listener(problem.progress(matches, made, total)) is False:
                return FittedSurface(positions, step.expected or _START, made == total)
    return FittedSurface(positions, step.expected, True)


def _fitted(
    problem: RegistrationProblem,
    basis: DeformationBasis,
    positions: Floats,
    known: tuple[sp.csr_array, Floats],
    step: FitStep,
) -> tuple[Floats, Matches]:
    """One step from positions (v, 3); known: rows (r, v) and their target points (r, 3)."""
    held, wanted = known
    every = max(1, len(positions) // (_SPREAD * len(basis.rest) // 4)) if basis.coarse else 1
    matches = problem.target.match(positions, problem.skin, step.expected or 1.0, every=every)
    at = matches.vertices
    pull = every * problem.areas[at] * matches.weights * (1 + _FIRM) * (step.expected > 0)
    moving, fixed = basis.matrix[at], held @ basis.matrix
    matrix = moving.T @ sp.diags_array(pull) @ moving + fixed.T @ fixed
    stiffness = step.smallest**4 * basis.stiffness
    ridge = _RIDGE * float(matrix.diagonal().mean() + stiffness.diagonal().mean())
    solver = SparseSolver(matrix + stiffness + ridge * sp.eye_array(matrix.shape[0]))
    right = fixed.T @ (wanted - held @ basis.base) + stiffness @ basis.rest + ridge * basis.rest
    for _ in range(_SLIDES if step.expected > 0 else 1):
        goal = matches.slid(positions[at], _FIRM) - basis.base[at]
        positions = basis(solver.solve(moving.T @ (pull[:, None] * goal) + right))
    return positions, matches


def _held(
    problem: RegistrationProblem, rims: Sequence[Rim], positions: Floats, step: FitStep
) -> tuple[sp.csr_array, Floats]:
    """Rows (r, v) and target points (r, 3) of the landmarks, and of the rims at their nearest points."""
    area, fine = float(problem.areas.sum()), step.smallest < _ROUGH
    firmness = 0.0 if fine and not problem.exact else np.sqrt(step.pairs * area)
    rows, places = [firmness * problem.landmarks], [firmness * problem.places]
    for rim in rims if step.expected > 0 else ():
        each = np.sqrt(step.pairs * area * rim.share)
        rows.append(each * rim.rows(len(positions)))
        places.append(each * rim.nearest(positions))
    return sp.csr_array(sp.vstack(rows)), np.concatenate(places)


def vertex_rows(vertices: Ints, count: int) -> sp.csr_array:
    """A matrix (k, v) that picks vertices."""
    return sp.csr_array((np.ones(len(vertices)), (np.arange(len(vertices)), vertices)), shape=(len(vertices), count))
