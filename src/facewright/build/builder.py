"""Example-based rigging: a template, a neutral and some poses make a whole rig (Li, Weise and Pauly 2010)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.examples import Example, example_of
from facewright.build.loose_pieces import LoosePieces
from facewright.build.missing_shapes import ShapeProposal, propose_shapes
from facewright.build.pose_fit import PoseFit, fit_of
from facewright.build.schedule import Schedule
from facewright.build.shape_step import solve_edges
from facewright.build.shape_strength import free_in_strength, room, strengths
from facewright.build.target import Face
from facewright.build.weight_guess import guess_weights
from facewright.build.weight_step import WeightStep
from facewright.errors import BadValue, UnknownName
from facewright.mesh.triangle_frames import edge_pairs
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig

_WARM = 3  # iterations from an earlier result


@dataclass(frozen=True)
class BuildIteration:
    """Where a solve is, after a whole iteration."""

    iteration: int  # from 1
    iterations: int
    beta: float
    gamma: float
    error: float  # what is left of the poses' motion, root mean square over all of them


BuildListener = Callable[[BuildIteration], bool | None]  # False: stop, with what there is


@dataclass(frozen=True, eq=False)
class Built:
    """A rig made from examples, and how well it meets them."""

    rig: Rig
    weights: Floats  # (m, n) of the examples, as solved
    errors: tuple[PoseFit, ...]  # one for each example
    proposals: tuple[ShapeProposal, ...]  # shapes that the template lacks
    history: tuple[BuildIteration, ...]
    finished: bool  # False: stopped early, after the last iteration of the history


class RigBuilder:
    """A rig that grows with its examples: what depends on template and neutral is made once, and each solve starts from
    the last.
    """

    def __init__(
        self,
        template: Rig,
        neutral: Face,
        *,
        schedule: Schedule | None = None,
        closing: Mapping[str, str | None] | None = None,
        align_poses: bool = False,
    ) -> None:
        self.schedule = schedule or Schedule()
        self._transfer = DeformationTransfer(template, neutral, closing=closing)
        self._align = align_poses
        self._combine = Combine(template)
        self._examples: dict[str, Example] = {}
        self._solved: dict[str, Floats] = {}  # weights of the examples as last solved
        self._unreached: set[str] = set()  # examples that do not shape the rig
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
        """Vertices (v, 3) of the examples, brought to the neutral's place where that was asked for."""
        return tuple(example.positions for example in self._examples.values())

    @property
    def transferred(self) -> Rig:
        """The template's shapes on the neutral, without examples."""
        return self._transfer.transferred

    def add_pose(
        self,
        mesh: Face,
        weights: Mapping[str, float] | ArrayLike,
        *,
        name: str | None = None,
        align: bool | None = None,
    ) -> str:
        """Add an example, or change the one of that name: a pose of the neutral and a rough guess of its weights.

        align: whether to turn, move and scale it to fit; not given, as for all of them.
        """
        name = name or _free_name(self._examples)
        fit = self._align if align is None else align
        example = example_of(self.template, self._transfer.target, mesh, weights, name=name, align_pose=fit)
        self._unreached.discard(name)
        self._examples[name] = example
        return name

    def guess(self, mesh: Face, *, name: str = "", align: bool | None = None) -> dict[str, float]:
        """Weights of a pose, as the template's own shapes would make it: a start where nobody knows better."""
        fit = self._align if align is None else align
        pose = example_of(self.template, self._transfer.target, mesh, {}, name=name, align_pose=fit)
        rig = self._transfer.transferred
        return guess_weights(rig, pose.positions - rig.neutral)

    def remove_pose(self, name: str) -> None:
        """Remove the example of that name; an unknown name raises `UnknownName`."""
        if name not in self._examples:
            raise UnknownName("pose", name, self._examples)
        del self._examples[name]
        self._solved.pop(name, None)

    def solve(self, *, progress: BuildListener | None = None, warm: bool = True) -> Built:
        """Shapes and weights for all examples, from the last result where there is one, unless warm is False."""
        examples = tuple(self._examples.values())
        if not examples:
            rig = self._transfer.transferred
            return Built(rig, frozen(np.zeros((0, len(rig.sliders)))), (), (), (), True)
        told = progress or (lambda _: None)
        run = _Run(self._transfer, examples, self._combine)
        run.shaping = np.array([one.name not in self._unreached for one in examples])
        if warm and self._solved:
            start = np.array([self._solved.get(one.name, one.guess) for one in examples])
            start = run.step_b(self._offsets, start, self.schedule.gamma[1])
            run.iterate(self._offsets, start, self.schedule.last(_WARM), told)
        else:
            run.iterate(self._transfer.plain, run.guesses, self.schedule, told)
        lost = run.unreached() & run.shaping
        if lost.any() and not run.stopped:  # what no shape can do must not bend the shapes that tried to
            run.shaping &= ~lost
            run.iterate(self._transfer.plain, run.guesses, self.schedule, told)
        self._unreached = {one.name for one, used in zip(examples, run.shaping, strict=True) if not used}
        self._offsets = run.offsets
        self._solved = {one.name: row for one, row in zip(examples, run.weights, strict=True)}
        return run.built()


class _Run:
    """Both steps for one set of examples."""

    def __init__(self, transfer: DeformationTransfer, examples: Sequence[Example], combine: Combine) -> None:
        self.transfer, self.examples, self.combine = transfer, examples, combine
        self.guesses = np.array([example.guess for example in examples])  # (m, n)
        self.motions = np.array([example.motion for example in examples])  # (m, v, 3)
        edges = edge_pairs(self.motions, transfer.triangles)  # (m, t, 2, 3)
        self.edges = np.ascontiguousarray(edges.reshape(*edges.shape[:2], 6).swapaxes(0, 1))  # (t, m, 6)
        self.loose = LoosePieces(transfer, self.motions)
        self.alone = free_in_strength(transfer.template, transfer.contacts)
        self.shaping = np.ones(len(examples), bool)  # which poses the shapes are made from
        self.offsets: list[Floats] = list(transfer.plain)
        self.weights = self.guesses
        self.history: list[BuildIteration] = []
        self.stopped = False

    def iterate(self, offsets: Sequence[Floats], weights: Floats, schedule: Schedule, told: BuildListener) -> None:
        """Both steps in turn, from the given shapes and weights."""
        self.history.clear()
        self.stopped = False
        for i, (beta, gamma) in enumerate(schedule):
            offsets = self.step_a(offsets, weights, beta)
            weights = self.step_b(offsets, weights, gamma)
            self.offsets, self.weights = offsets, weights = self.rescaled(offsets, weights)
            step = BuildIteration(i + 1, schedule.iterations, beta, gamma, self.error(offsets, weights))
            self.history.append(step)
            if told(step) is False:
                self.stopped = len(self.history) < schedule.iterations
                return

    def step_a(self, offsets: Sequence[Floats], weights: Floats, beta: float) -> list[Floats]:
        """Shapes from weights."""
        values = self.combine(weights)[self.shaping]
        poses = self.edges if self.shaping.all() else self.edges[:, self.shaping]
        edges = solve_edges(self.transfer.entries, values, poses, beta)
        middles = self.loose.middles(values, self.shaping, self.transfer.dense(offsets), beta)
        return self.transfer.offsets(
            [edges[rows].reshape(-1, 2, 3) for rows in self.transfer.entries.of_shape], middles
        )

    def step_b(self, offsets: Sequence[Floats], weights: Floats, gamma: float) -> Floats:
        """Weights from shapes."""
        step = WeightStep(self.transfer.template, self.transfer.dense(offsets), gamma=gamma)
        return step(self.motions, self.guesses, weights)

    def rescaled(self, offsets: Sequence[Floats], weights: Floats) -> tuple[list[Floats], Floats]:
        """The same poses from shapes as strong as the guesses say."""
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
        """The rig's own version of each pose, as offsets (m, v, 3)."""
        deltas = self.transfer.dense(offsets)
        return np.asarray(self.combine(weights) @ deltas.reshape(len(deltas), -1)).reshape(self.motions.shape)

    def error(self, offsets: Sequence[Floats], weights: Floats) -> float:
        whole = float(np.linalg.norm(self.motions))
        return float(np.linalg.norm(self.motions - self.versions(offsets, weights))) / (whole or 1.0)

    def fits(self) -> tuple[PoseFit, ...]:
        transfer, versions = self.transfer, self.versions(self.offsets, self.weights)
        rows = zip(self.examples, versions, strict=True)
        return tuple(fit_of(example, version, transfer.target, transfer.triangles) for example, version in rows)

    def unreached(self) -> np.ndarray:
        """Which poses (m,) the shapes cannot make."""
        return np.array([not fit.reached for fit in self.fits()])

    def built(self) -> Built:
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


def build_rig(
    template: Rig,
    neutral: Face,
    poses: Sequence[Face],
    weights: Sequence[Mapping[str, float]] | ArrayLike,
    *,
    names: Sequence[str] = (),
    schedule: Schedule | None = None,
    closing: Mapping[str, str | None] | None = None,
    align_poses: bool = False,
    progress: BuildListener | None = None,
) -> Built:
    """A rig for the neutral from poses of it, each with rough weights: (poses, sliders), or names to values.

    closing: as for `transfer`. align_poses: take out how the poses' heads are turned, moved and scaled.
    """
    rows = list(weights)  # type: ignore[arg-type]
    if len(rows) != len(poses):
        raise BadValue(f"there are {len(poses)} poses but {len(rows)} rows of weights; each pose needs one")
    if names and (len(names) != len(poses) or len(set(names)) != len(names)):
        raise BadValue(f"there are {len(poses)} poses; give each a name of its own, or none at all")
    builder = RigBuilder(template, neutral, schedule=schedule, closing=closing, align_poses=align_poses)
    for i, (pose, row) in enumerate(zip(poses, rows, strict=True)):
        builder.add_pose(pose, row, name=names[i] if names else None)
    return builder.solve(progress=progress)


def _free_name(taken: Mapping[str, Example]) -> str:
    tries = (f"pose {i}" for i in range(1, len(taken) + 2))
    return next(name for name in tries if name not in taken)
