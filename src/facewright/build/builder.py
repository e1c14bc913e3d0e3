"""Example-based rigging: a template, a neutral and some poses make a whole rig (Li, Weise and Pauly 2010)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.example_fit import ExampleFit, fit_of
from facewright.build.examples import Example, example_of
from facewright.build.loose_pieces import LoosePieces
from facewright.build.missing_shapes import ShapeProposal, propose_shapes
from facewright.build.schedule import Schedule
from facewright.build.shape_step import solve_edges
from facewright.build.shape_strength import free_in_strength, room, strengths
from facewright.build.target import Face
from facewright.build.weight_guess import guess_weights
from facewright.build.weight_step import WeightStep
from facewright.errors import BadValue, UnknownName
from facewright.mesh.triangle_frames import edge_pairs
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig

_WARM = 3  # iterations of a solve that starts from an earlier result


@dataclass(frozen=True)
class BuildIteration:
    """The state of a solve after an iteration."""

    iteration: int  # counted from 1
    iterations: int
    beta: float
    gamma: float
    # root mean square of the poses' motion that the rig does not reproduce, as a share of the whole motion
    error: float


BuildListener = Callable[[BuildIteration], bool | None]  # called after each iteration; False stops the solve


@dataclass(frozen=True, eq=False)
class Built:
    """A rig made from examples, and how well it reproduces them."""

    rig: Rig
    weights: Floats  # (m, n) slider values of the examples, as solved
    errors: tuple[ExampleFit, ...]  # one for each example
    proposals: tuple[ShapeProposal, ...]  # shapes that the template lacks
    history: tuple[BuildIteration, ...]
    finished: bool  # False if the solve was stopped early

    def __repr__(self) -> str:
        return f"Built({self.rig!r}, {len(self.errors)} examples, {len(self.proposals)} proposals)"


class RigBuilder:
    """Builds a rig from a template, a neutral and example poses.

    What depends on the template and the neutral alone is prepared once. Each solve starts from the result of the last.
    prior: which poses are likely, for guesses of poses whose weights are not known.
    """

    @suggests_options
    def __init__(
        self,
        template: Rig,
        neutral: Face,
        *,
        schedule: Schedule | None = None,
        closing: Mapping[str, str | None] | None = None,
        align_poses: bool = False,
        prior: Prior | None = None,
    ) -> None:
        self.schedule, self._prior = schedule or Schedule(), prior
        self._transfer = DeformationTransfer(template, neutral, closing=closing)
        self._align = align_poses
        self._combine = Combine(template)
        self._examples: dict[str, Example] = {}
        self._solved: dict[str, Floats] = {}  # slider values of the examples after the last solve
        self._unreached: set[str] = set()  # names of examples that no shapes reach; they do not change the shapes
        self._offsets: Sequence[Floats] = self._transfer.plain

    @property
    def template(self) -> Rig:
        """The rig whose shapes are transferred."""
        return self._transfer.template

    @property
    def poses(self) -> tuple[str, ...]:
        """Names of the examples, in order."""
        return tuple(self._examples)

    @property
    def positions(self) -> tuple[Floats, ...]:
        """Vertices (v, 3) of each example; aligned to the neutral where `align` was set."""
        return tuple(example.positions for example in self._examples.values())

    @property
    def transferred(self) -> Rig:
        """The template's shapes on the neutral, without examples."""
        return self._transfer.transferred

    @suggests_options
    def add_pose(
        self,
        mesh: Face,
        weights: Mapping[str, float] | ArrayLike,
        *,
        name: str | None = None,
        align: bool | None = None,
    ) -> str:
        """Add an example: a pose of the neutral and a rough guess of its weights. A pose of the same name is replaced.

        align: whether to rotate, move and scale the pose onto the neutral; by default as given for the builder.
        Returns the name of the pose.
        """
        name = name or _free_name(self._examples)
        fit = self._align if align is None else align
        example = example_of(self.template, self._transfer.target, mesh, weights, name=name, align_pose=fit)
        self._unreached.discard(name)
        self._examples[name] = example
        return name

    @suggests_options
    def guess(self, mesh: Face, *, name: str = "", align: bool | None = None) -> dict[str, float]:
        """Guess the weights of a pose from the template's shapes on the neutral; returns values by slider name."""
        fit = self._align if align is None else align
        pose = example_of(self.template, self._transfer.target, mesh, {}, name=name, align_pose=fit)
        rig = self._transfer.transferred
        return guess_weights(rig, pose.positions - rig.neutral, prior=self._prior)

    def remove_pose(self, name: str) -> None:
        """Remove the example of that name; an unknown name raises `UnknownName`."""
        if name not in self._examples:
            raise UnknownName("pose", name, self._examples)
        del self._examples[name]
        self._solved.pop(name, None)

    @suggests_options
    def solve(self, *, progress: BuildListener | None = None, warm: bool = True) -> Built:
        """Solve for the shapes of the rig and the weights of all examples.

        progress: called after each iteration; returning False stops the solve.
        warm: start from the last result if there is one.
        """
        examples = tuple(self._examples.values())
        if not examples:
            rig = self._transfer.transferred
            return Built(rig, frozen(np.zeros((0, len(rig.sliders)))), (), (), (), True)
        listener = progress or (lambda _: None)
        run = _Run(self._transfer, examples, self._combine)
        run.shaping = np.array([one.name not in self._unreached for one in examples])
        if warm and self._solved:
            start = np.array([self._solved.get(one.name, one.guess) for one in examples])
            start = run.step_b(self._offsets, start, self.schedule.gamma[1])
            run.iterate(self._offsets, start, self.schedule.last(_WARM), listener)
        else:
            run.iterate(self._transfer.plain, run.guesses, self.schedule, listener)
        lost = run.unreached() & run.shaping
        if lost.any() and not run.stopped:  # poses that no shapes reach would distort the shapes
            run.shaping &= ~lost
            run.iterate(self._transfer.plain, run.guesses, self.schedule, listener)
        self._unreached = {one.name for one, used in zip(examples, run.shaping, strict=True) if not used}
        self._offsets = run.offsets
        self._solved = {one.name: row for one, row in zip(examples, run.weights, strict=True)}
        return run.built()


class _Run:
    """Alternates the two steps for one set of examples."""

    def __init__(self, transfer: DeformationTransfer, examples: Sequence[Example], combine: Combine) -> None:
        self.transfer, self.examples, self.combine = transfer, examples, combine
        self.guesses = np.array([example.guess for example in examples])  # (m, n)
        self.motions = np.array([example.motion for example in examples])  # (m, v, 3)
        edges = edge_pairs(self.motions, transfer.triangles)  # (m, t, 2, 3)
        self.edges = np.ascontiguousarray(edges.reshape(*edges.shape[:2], 6).swapaxes(0, 1))  # (t, m, 6)
        self.loose = LoosePieces(transfer, self.motions)
        self.alone = free_in_strength(transfer.template, transfer.contacts)
        self.shaping = np.ones(len(examples), bool)  # (m,) poses that the shapes are solved from
        self.offsets: list[Floats] = list(transfer.plain)
        self.weights = self.guesses
        self.history: list[BuildIteration] = []
        self.stopped = False

    def iterate(self, offsets: Sequence[Floats], weights: Floats, schedule: Schedule, listener: BuildListener) -> None:
        """Alternate both steps, starting from the given shapes and weights."""
        self.history.clear()
        self.stopped = False
        for i, (beta, gamma) in enumerate(schedule):
            offsets = self.step_a(offsets, weights, beta)
            weights = self.step_b(offsets, weights, gamma)
            self.offsets, self.weights = offsets, weights = self.rescaled(offsets, weights)
            step = BuildIteration(i + 1, schedule.iterations, beta, gamma, self.error(offsets, weights))
            self.history.append(step)
            if listener(step) is False:
                self.stopped = len(self.history) < schedule.iterations
                return

    def step_a(self, offsets: Sequence[Floats], weights: Floats, beta: float) -> list[Floats]:
        """Step A: the offsets of each shape, for given weights."""
        values = self.combine(weights)[self.shaping]
        poses = self.edges if self.shaping.all() else self.edges[:, self.shaping]
        edges = solve_edges(self.transfer.entries, values, poses, beta)
        middles = self.loose.middles(values, self.shaping, self.transfer.dense(offsets), beta)
        return self.transfer.offsets(
            [edges[rows].reshape(-1, 2, 3) for rows in self.transfer.entries.of_shape], middles
        )

    def step_b(self, offsets: Sequence[Floats], weights: Floats, gamma: float) -> Floats:
        """Step B: the weights of each pose, for given shapes."""
        step = WeightStep(self.transfer.template, self.transfer.dense(offsets), gamma=gamma)
        return step(self.motions, self.guesses, weights)

    def rescaled(self, offsets: Sequence[Floats], weights: Floats) -> tuple[list[Floats], Floats]:
        """Scale shapes and weights against each other so that the poses stay the same and the weights agree with the
        guesses.
        """
        sliders, shapes = self.alone
        grown = np.array([self.transfer.growth(shape, offsets[shape]) for shape in shapes])
        bounds = self.transfer.template.bounds[sliders]
        seen, guessed = (one[np.ix_(self.shaping, sliders)] for one in (weights, self.guesses))
        factors = np.minimum(strengths(seen, guessed, grown), room(weights[:, sliders], bounds))
        changed, scaled = list(offsets), weights.copy()
        scaled[:, sliders] *= factors
        for shape, factor in zip(shapes, factors, strict=True):
            changed[shape] = changed[shape] / factor
        return changed, scaled

    def versions(self, offsets: Sequence[Floats], weights: Floats) -> Floats:
        """The poses as the rig makes them, as offsets (m, v, 3)."""
        deltas = self.transfer.dense(offsets)
        return np.asarray(self.combine(weights) @ deltas.reshape(len(deltas), -1)).reshape(self.motions.shape)

    def error(self, offsets: Sequence[Floats], weights: Floats) -> float:
        """Root mean square of the motion that is left, as a share of the whole motion."""
        whole = float(np.linalg.norm(self.motions))
        return float(np.linalg.norm(self.motions - self.versions(offsets, weights))) / (whole or 1.0)

    def fits(self) -> tuple[ExampleFit, ...]:
        """The fit of each example."""
        transfer, versions = self.transfer, self.versions(self.offsets, self.weights)
        rows = zip(self.examples, versions, strict=True)
        return tuple(fit_of(example, version, transfer.target, transfer.triangles) for example, version in rows)

    def unreached(self) -> np.ndarray:
        """Poses (m,) that the shapes cannot make."""
        return np.array([not fit.reached for fit in self.fits()])

    def built(self) -> Built:
        """The result of the last iteration."""
        transfer, offsets, errors = self.transfer, self.offsets, self.fits()
        versions = self.versions(offsets, self.weights)
        rows = zip(errors, self.motions, versions, strict=True)
        left = [(fit.name, motion - version) for fit, motion, version in rows if not fit.reached]
        rig = transfer.rig(offsets)
        found = propose_shapes(left, transfer.dense(offsets), (*rig.shape_names, *rig.sliders)) if left else ()
        back = transfer.target.offsets_back
        found = tuple(replace(one, shape=replace(one.shape, offsets=back(one.shape.offsets))) for one in found)
        weights = frozen(self.weights.copy())
        return Built(rig, weights, errors, found, tuple(self.history), not self.stopped)


@suggests_options
def build_rig(
    template: Rig,
    neutral: Face,
    poses: Sequence[Face] | Floats,
    weights: Sequence[Mapping[str, float] | None] | ArrayLike,
    *,
    names: Sequence[str] = (),
    schedule: Schedule | None = None,
    closing: Mapping[str, str | None] | None = None,
    align_poses: bool = False,
    prior: Prior | None = None,
    progress: BuildListener | None = None,
) -> Built:
    """Build a rig for a neutral from example poses of it.

    weights: a rough guess for each pose, as an array (poses, sliders) or as names to values; None in place of a row:
    guessed from how the vertices move.
    closing: as for `transfer`.
    align_poses: rotate, move and scale each pose onto the neutral first.
    prior: which poses are likely, for the guesses.
    progress: called after each iteration; returning False stops the solve.
    """
    rows = list(weights)  # type: ignore[arg-type]
    if len(rows) != len(poses):
        raise BadValue(f"there are {len(poses)} poses but {len(rows)} rows of weights; each pose needs one")
    if names and (len(names) != len(poses) or len(set(names)) != len(names)):
        raise BadValue(f"there are {len(poses)} poses; give each a name of its own, or none at all")
    builder = RigBuilder(template, neutral, schedule=schedule, closing=closing, align_poses=align_poses, prior=prior)
    for i, (pose, row) in enumerate(zip(poses, rows, strict=True)):
        name = names[i] if names else ""
        builder.add_pose(pose, builder.guess(pose, name=name) if row is None else row, name=name or None)
    return builder.solve(progress=progress)


def _free_name(taken: Mapping[str, Example]) -> str:
    tries = (f"pose {i}" for i in range(1, len(taken) + 2))
    return next(name for name in tries if name not in taken)
