"""What became of a plan: what keeps it from being built, or the rig, and each pose beside the rig's version of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from facewright.arrays import Floats
from facewright.build.builder import Built
from facewright.build.missing_shapes import ShapeProposal
from facewright.rig.evaluate import Evaluator
from facewright.rig.rig import Rig
from facewright.rig.shapes import add_shape
from facewright.workflow.build.plan import BuildPlan

_ON = 0.005  # a smaller weight is not worth telling


@dataclass(frozen=True)
class Hurdle:
    """What keeps a pose out of the build, in words."""

    words: str
    fits: bool = False  # it is only out of place: fitting it would do


@dataclass(frozen=True, eq=False)
class Checked:
    """What can be built of a plan, and why not the rest."""

    plan: BuildPlan
    hurdle: str = ""  # that keeps all of it from being built
    other_topology: bool = False  # the template has to be laid onto the neutral first
    notes: tuple[str, ...] = ()
    template: Rig | None = None  # with the polygons that the rig gets
    rest: Rig | None = None  # the neutral, with those polygons
    positions: Mapping[str, Floats] = field(default_factory=dict)  # (v, 3) of the poses that take part, by name
    hurdles: Mapping[str, Hurdle] = field(default_factory=dict)  # of the others
    guesses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # of poses that had none


@dataclass(frozen=True, eq=False)
class Met:
    """A pose beside the rig's own version of it. Lengths are in scene units of the neutral."""

    name: str
    weights: Mapping[str, float]  # solved, by name; those that are on
    example: Floats  # (v, 3)
    version: Floats  # (v, 3)
    distances: Floats  # (v,)
    motion: float  # root mean square of its motion
    reached: bool
    proposal: ShapeProposal | None  # for what it lacks
    added: bool  # and whether the rig has it

    @property
    def typical(self) -> float:
        """Root mean square of the distances."""
        return float(np.sqrt((self.distances**2).mean())) if len(self.distances) else 0.0

    @property
    def relative(self) -> float:
        """What is left of its motion, as a share of it."""
        return self.typical / self.motion if self.motion > 0 else 0.0

    @property
    def worst(self) -> float:
        return float(self.distances.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Outcome:
    """A rig, and how it meets the poses."""

    checked: Checked
    built: Built
    rig: Rig  # with the missing shapes that were asked for
    met: Mapping[str, Met]
    seconds: float
    steps: int  # iterations that were made in all

    @property
    def error(self) -> float:
        """What is left of the motion of all poses within reach, as a share of it."""
        good = [met for met in self.met.values() if met.reached or met.added]
        whole = sum(met.motion**2 for met in good)
        return float(np.sqrt(sum(met.typical**2 for met in good) / whole)) if whole > 0 else 0.0

    @property
    def plan(self) -> BuildPlan:
        return self.checked.plan


def outcome_of(checked: Checked, built: Built, *, seconds: float, steps: int) -> Outcome:
    """The outcome of a solve, with the missing shapes that the plan asks for."""
    missing = {proposal.pose: proposal for proposal in built.proposals}
    wanted = {pose.name for pose in checked.plan.poses if pose.add_missing}
    rig = built.rig
    for one in built.proposals:
        rig = add_shape(rig, one.shape) if one.pose in wanted else rig
    evaluate = Evaluator(rig)
    met = {}
    for fit, solved in zip(built.errors, built.weights, strict=True):
        proposal = missing.get(fit.name)
        weights = dict(zip(built.rig.sliders, solved.tolist(), strict=True))
        added = proposal if fit.name in wanted else None
        if added is not None:
            weights[added.shape.name] = 1.0
        example, version = checked.positions[fit.name], evaluate(weights)
        distances = fit.distances if added is None else np.linalg.norm(version - example, axis=1)
        met[fit.name] = Met(
            name=fit.name,
            weights={name: value for name, value in weights.items() if abs(value) > _ON},
            example=example,
            version=version,
            distances=distances,
            motion=fit.motion,
            reached=fit.reached,
            proposal=proposal,
            added=added is not None,
        )
    return Outcome(checked, built, rig, met, seconds, steps)
