"""Results of a plan: why it cannot be built, or the rig with each pose beside the rig's version of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from facewright.arrays import Floats
from facewright.build.builder import Built
from facewright.build.missing_shapes import ShapeProposal
from facewright.build.reach import Reach
from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.rig.edit.shapes import add_shape
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.workflow.build.plan import BuildPlan, with_neutral_materials

_ON = 0.005  # smaller weights are left out of results


@dataclass(frozen=True)
class Obstacle:
    """Why a pose takes no part in the build."""

    reason: str  # a sentence for a person
    can_be_aligned: bool = False  # it is only scaled, turned or moved: aligning it would help
    problem: FacewrightError | None = None  # the error itself, with what would have worked


@dataclass(frozen=True, eq=False)
class CheckedPlan:
    """What can be built of a plan, and why the rest cannot."""

    plan: BuildPlan
    reason: str = ""  # why nothing can be built; "" where something can
    other_topology: bool = False  # the template has to be registered to the neutral first
    notes: tuple[str, ...] = ()
    template: Rig | None = None  # with the polygons that the rig gets
    rest: Rig | None = None  # the neutral, with those polygons
    positions: Mapping[str, Floats] = field(default_factory=dict)  # (v, 3) of the poses that take part, by name
    obstacles: Mapping[str, Obstacle] = field(default_factory=dict)  # of the other poses
    guesses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # of poses that were given without one


@dataclass(frozen=True, eq=False)
class PoseFit:
    """An example pose beside the rig's version of it. Lengths are in scene units of the neutral."""

    name: str
    weights: Mapping[str, float]  # solved slider values above 0.005
    example: Floats  # (v, 3)
    version: Floats  # (v, 3)
    distances: Floats  # (v,)
    motion: float  # root mean square of its motion
    reach: Reach  # whether the template can express it
    proposal: ShapeProposal | None  # a shape for what is left
    added: bool  # the rig has the proposed shape

    @property
    def reached(self) -> bool:
        """Whether the template can express it."""
        return self.reach.expressible

    @property
    def typical(self) -> float:
        """Root mean square of the distances."""
        return float(np.sqrt((self.distances**2).mean())) if len(self.distances) else 0.0

    @property
    def relative(self) -> float:
        """Residual as a share of the pose's motion."""
        return self.typical / self.motion if self.motion > 0 else 0.0

    @property
    def worst(self) -> float:
        return float(self.distances.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class BuildResult:
    """A rig, and how near it comes to the example poses."""

    checked: CheckedPlan
    built: Built
    rig: Rig  # with the missing shapes that were asked for
    fits: Mapping[str, PoseFit]  # by the pose's name
    seconds: float
    steps: int  # iterations

    @property
    def error(self) -> float:
        """Residual of all poses within reach, as a share of their motion."""
        good = [fit for fit in self.fits.values() if fit.reached or fit.added]
        whole = sum(fit.motion**2 for fit in good)
        return float(np.sqrt(sum(fit.typical**2 for fit in good) / whole)) if whole > 0 else 0.0

    @property
    def plan(self) -> BuildPlan:
        return self.checked.plan

    @property
    def document(self) -> Document:
        """The rig as a document, with the materials of the neutral's file."""
        return with_neutral_materials(self.plan, self.rig)


def result_of(checked: CheckedPlan, built: Built, *, seconds: float, steps: int) -> BuildResult:
    """The result of a solve, with the missing shapes that the plan asks for."""
    missing = {pose: proposal for proposal in built.proposals for pose in proposal.weights}
    wanted = {pose.name for pose in checked.plan.poses if pose.add_missing}
    rig = built.rig
    for one in built.proposals:
        rig = add_shape(rig, one.shape) if wanted & set(one.weights) else rig
    evaluate = Evaluator(rig)
    fits = {}
    for error, reach, solved in zip(built.errors, built.reach, built.weights, strict=True):
        proposal = missing.get(error.name)
        weights = dict(zip(built.rig.sliders, solved.tolist(), strict=True))
        added = proposal if proposal is not None and proposal.shape.name in rig.sliders else None
        if added is not None:
            weights[added.shape.name] = added.weights[error.name]
        example, version = checked.positions[error.name], evaluate(weights)
        distances = error.distances if added is None else np.linalg.norm(version - example, axis=1)
        fits[error.name] = PoseFit(
            name=error.name,
            weights={name: value for name, value in weights.items() if abs(value) > _ON},
            example=example,
            version=version,
            distances=distances,
            motion=error.motion,
            reach=reach,
            proposal=proposal,
            added=added is not None,
        )
    return BuildResult(checked, built, rig, fits, seconds, steps)
