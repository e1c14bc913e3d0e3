"""Example-based rigging: a template, a neutral and some poses make a whole rig (Li, Weise and Pauly 2010)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, frozen
from facewright.build.assumed_weights import AssumedWeights
from facewright.build.deformation_transfer import DeformationTransfer, RemovedFolds
from facewright.build.example_fit import ExampleFit, fit_of
from facewright.build.examples import Example, example_of
from facewright.build.missing_shapes import ShapeProposal, propose_shapes
from facewright.build.personal_prior import PersonalPrior, PersonalShapes
from facewright.build.proportion import proportioned
from facewright.build.reach import Reach, TemplateReach
from facewright.build.schedule import Schedule
from facewright.build.shape_growth import ShapeGrowth
from facewright.build.shape_limit import ShapeLimit
from facewright.build.shape_step import contributions, pose_edges, solve_edges
from facewright.build.shape_strength import TemplateDoubt, free_in_strength, room, shown, strengths
from facewright.build.target import Face
from facewright.build.templates import blend_templates
from facewright.build.weight_guess import WeightGuess
from facewright.build.weight_step import WeightStep
from facewright.errors import BadValue, UnknownName
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.solve.inner_products import pieces
from facewright.solve.threads import on_threads

# of the poses' motion: where the template's shapes as learned leave more, weights keep closer to their guesses, as the
# square
_FITTING = 0.06
_LEARNED = 3  # iterations after which what all shapes have in common is learned anew
_FIRST = 2  # times that weights and what the template's shapes act on are found in turn, before any shape changes
_FREE = 0.01  # gamma then
_ROUGH = 0.1  # assumed error of a guess, where it is compared with the weights so found
_DRIFT = 10.0  # largest factor by which a shape is thought to have become smaller
_CLOSES = 2.0  # largest factor by which a shape becomes stronger or weaker so that it closes lids or lips
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
    poses: tuple[float, ...] = ()  # the same of each pose (m,)


BuildListener = Callable[[BuildIteration], bool | None]  # called after each iteration; False stops the solve


@dataclass(frozen=True, eq=False)
class Built:
    """A rig made from examples, and how well it reproduces them."""

    rig: Rig
    weights: Floats  # (m, n) slider values of the examples, as solved
    errors: tuple[ExampleFit, ...]  # one for each example
    reach: tuple[Reach, ...]  # one for each example: whether the template can express it, before any shape changed
    # (s, m) how far each shape is from the template's because of each example, as a share of the shape; see
    # `contributions`
    took: Floats
    learned: Floats  # (s,) the same, because of what all examples have in common: `PersonalPrior`
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
        self.schedule, self.prior = schedule or Schedule(), prior
        self._transfer = DeformationTransfer(template, neutral, closing=closing)
        self._align = align_poses
        self._combine = Combine(template)
        self._examples: dict[str, Example] = {}
        self._solved: dict[str, Floats] = {}  # slider values of the examples after the last solve
        self._reach: dict[str, tuple[Example, Reach]] = {}
        self._offsets: Sequence[Floats] = self._transfer.plain
        self._unfolded: RemovedFolds | None = None  # by the last solve

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
    def guesses(self) -> tuple[dict[str, float], ...]:
        """Slider values of each example, as given or guessed."""
        rows = (zip(self.template.sliders, one.guess.tolist(), strict=True) for one in self._examples.values())
        return tuple({name: value for name, value in row if value != 0} for row in rows)

    @property
    def transferred(self) -> Rig:
        """The template's shapes on the neutral, without examples."""
        return self._transfer.transferred

    @suggests_options
    def add_pose(
        self,
        mesh: Face,
        weights: Mapping[str, float] | ArrayLike | None = None,
        *,
        name: str | None = None,
        align: bool | None = None,
    ) -> str:
        """Add an example: a pose of the neutral and a rough guess of its weights. A pose of the same name is replaced.

        weights: which sliders, and about how much; None: guessed from how the vertices move.
        align: whether to rotate, move and scale the pose onto the neutral; by default as given for the builder.
        Returns the name of the pose.
        """
        name = name or _free_name(self._examples)
        fit = self._align if align is None else align
        guess = self.guess(mesh, name=name, align=fit) if weights is None else weights
        example = example_of(self.template, self._transfer.target, mesh, guess, name=name, align_pose=fit)
        known = weights is not None or (self.prior is not None and self.prior.learned)
        self._examples[name] = replace(example, named=known or not self._guessing.is_few(example.guess))
        return name

    @suggests_options
    def guess(self, mesh: Face, *, name: str = "", align: bool | None = None) -> dict[str, float]:
        """Guess the weights of a pose from the template's shapes on the neutral; returns values by slider name."""
        fit = self._align if align is None else align
        pose = example_of(self.template, self._transfer.target, mesh, {}, name=name, align_pose=fit)
        return self._guessing(pose.positions - self._transfer.target.neutral, self.prior)

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
            nothing = frozen(np.zeros((0, len(rig.sliders)))), frozen(np.zeros((len(rig.shapes), 0)))
            return Built(rig, nothing[0], (), (), nothing[1], frozen(np.zeros(len(rig.shapes))), (), (), True)
        listener = progress or (lambda _: None)
        run = _Run(self._transfer, examples, self._reached(examples), self._combine, self._limit)
        if warm and self._solved:
            start = np.array(
                [self._solved.get(one.name, guess) for one, guess in zip(examples, run.guesses, strict=True)]
            )
            start = run.step_b(self._offsets, start, self.schedule.gamma[1])
            run.iterate(self._offsets, start, self.schedule.last(_WARM), listener)
        else:
            run.iterate(run.offsets, run.weights, self.schedule, listener)
        self._offsets = run.offsets
        self._solved = {one.name: row for one, row in zip(examples, run.weights, strict=True)}
        known = self._unfolded if warm else None
        # not thorough: where examples are trusted fully, most of what they turn over cannot be turned back
        closed = self._transfer.closed(run.offsets)
        final, self._unfolded = self._transfer.unfolded(closed, known, thorough=False)
        return run.built(final)

    @cached_property
    def _guessing(self) -> WeightGuess:
        return WeightGuess(self._transfer.transferred)

    @cached_property
    def _template_reach(self) -> TemplateReach:
        return TemplateReach(self.template, self._transfer.dense(self._transfer.plain))

    @cached_property
    def _limit(self) -> ShapeLimit:
        return ShapeLimit(self._transfer)

    def _reached(self, examples: Sequence[Example]) -> list[Reach]:
        """The reach of each example; those that were not replaced are known already."""
        reach = self._template_reach
        fresh = [one for one in examples if one.name not in self._reach or self._reach[one.name][0] is not one]
        found = on_threads(lambda one: reach(one.name, one.motion, one.guess), fresh)
        self._reach.update({one.name: (one, known) for one, known in zip(fresh, found, strict=True)})
        return [self._reach[one.name][1] for one in examples]


class _Run:
    """Alternates the two steps for one set of examples."""

    def __init__(
        self,
        transfer: DeformationTransfer,
        examples: Sequence[Example],
        reach: Sequence[Reach],
        combine: Combine,
        limit: ShapeLimit,
    ) -> None:
        self.transfer, self.examples, self.reach, self.combine = transfer, examples, reach, combine
        self.limit = limit
        # (m, v, 3) what the template can express; the rest is set aside, so that no shape becomes it
        self.motions = np.array([one.motion - known.lacking for one, known in zip(examples, reach, strict=True)])
        self.whole = np.linalg.norm(self.motions, axis=(1, 2))  # (m,)
        self.assumed = AssumedWeights.of(transfer.template, examples, reach)
        self.guesses = self.assumed.values  # (m, n)
        known = np.array([one.known for one in reach])  # (m, v)
        triangles = transfer.triangles[transfer.entries.triangles]  # (t, 3) those that shapes move
        # (t, m) how much each pose counts in each triangle; None: all fully
        self.present = None if (known == 1).all() else known[:, triangles].min(axis=2).T
        self.edges = pose_edges(self.motions, triangles)
        found = np.array([one.weights for one in reach])
        self.template = proportioned(transfer, self.motions, self.guesses, found, known)
        self.shown = shown(known, [one.moved for one in transfer.priors], transfer.plain)  # (m, s)
        self.prior = PersonalPrior(
            transfer, self.template.entries, self.template.offsets, self.motions, self.edges, known, self.present
        )
        self.alone = free_in_strength(transfer.template)
        self.offsets: list[Floats] = list(self.template.offsets)
        # the template's shapes (s, v, 3) on the edges that the poses tell, and what all that is learned makes of them
        self.shapes = PersonalShapes.of(transfer, self.template.entries, self.template.offsets)
        self.carried = self.shapes.carried
        self.every = np.zeros_like(self.carried)  # for `dense`
        self.doubt, self.firmer = TemplateDoubt.of(0.0), 1.0
        self.weights = self.centres = self.first_weights()
        self.history: list[BuildIteration] = []
        self.stopped = False

    def first_weights(self) -> Floats:
        """Weights (m, n) between the guesses and those that fit best before any shape changes."""
        found = np.array([one.weights for one in self.reach])
        for _ in range(_FIRST):
            self.carried = self.prior.carried(self.combine(found))
            found = WeightStep(self.transfer.template, self.carried, gamma=_FREE)(self.motions, self.guesses, found)
        misfit = self.misfit(found)
        self.firmer, self.doubt = max(1.0, (misfit / _FITTING) ** 2), TemplateDoubt.of(misfit)
        self.growth = ShapeGrowth(self.transfer, self.template.offsets, self.doubt.each)
        scaled = self.rescaled(self.moved(self.carried), found)[1]
        expected = np.abs(np.where(self.assumed.named, self.guesses, scaled))
        trust = 1 / (_ROUGH * self.assumed.doubt) ** 2, 1 / np.maximum(self.doubt.each * expected, 1e-3) ** 2
        between = (trust[0] * self.guesses + trust[1] * scaled) / (trust[0] + trust[1])
        return np.where(self.guesses == 0, 0.0, between)

    def misfit(self, weights: Floats) -> float:
        """A typical share of the motion that the template's shapes as learned leave, of the poses that lack none; 0
        where there are none.
        """
        whole = [i for i, one in enumerate(self.reach) if one.expressible and self.whole[i] > 0]
        made = self.combine(weights[whole]) @ self.carried.reshape(len(self.carried), -1)
        left = np.linalg.norm(self.motions[whole].reshape(made.shape) - made, axis=1)
        return float(np.median(left / self.whole[whole])) if whole else 0.0

    def moved(self, deltas: Floats) -> list[Floats]:
        """Offsets (k, 3) of the moved vertices of each shape, of those (s, v, 3) of all."""
        return [row[prior.moved] for row, prior in zip(deltas, self.transfer.priors, strict=True)]

    def iterate(self, offsets: Sequence[Floats], weights: Floats, schedule: Schedule, listener: BuildListener) -> None:
        """Alternate both steps, starting from the given shapes and weights."""
        self.history.clear()
        self.stopped = False
        for i, (beta, gamma) in enumerate(schedule):
            if i % _LEARNED == 0:
                self.shapes = self.prior(self.combine(weights))
                self.carried = self.shapes.carried
            offsets = self.step_a(offsets, weights, beta)
            weights = self.step_b(offsets, weights, gamma)
            errors = self.errors(weights)  # which does not change by what follows
            self.offsets, self.weights = offsets, weights = self.rescaled(offsets, weights)
            step = BuildIteration(i + 1, schedule.iterations, beta, gamma, *errors)
            self.history.append(step)
            if listener(step) is False:
                self.stopped = len(self.history) < schedule.iterations
                return

    def step_a(self, offsets: Sequence[Floats], weights: Floats, beta: float) -> list[Floats]:
        """Step A: the offsets of each shape, for given weights."""
        values = self.combine(weights)
        shapes = self.shapes
        edges = solve_edges(shapes.entries, values, self.edges, beta, self.present)
        middles = self.prior.loose.middles(values, offsets, shapes.expected, beta)
        return self.limit(self.transfer.offsets(edges, middles, closed=False))

    def step_b(self, offsets: Sequence[Floats], weights: Floats, gamma: float) -> Floats:
        """Step B: the weights of each pose, for given shapes."""
        step = WeightStep(self.transfer.template, self.dense(offsets), gamma=self.firmer * gamma)
        return step(self.motions, self.centres, weights)

    def dense(self, offsets: Sequence[Floats]) -> Floats:
        """Offsets (s, v, 3) of all vertices; the array is used again."""
        return self.transfer.dense(offsets, self.every)

    def rescaled(self, offsets: Sequence[Floats], weights: Floats) -> tuple[list[Floats], Floats]:
        """Scale shapes and weights against each other so that the poses stay the same and the weights agree with the
        guesses.
        """
        sliders, shapes = self.alone
        carried, plain = self.moved(self.carried), self.template.offsets
        growth = self.growth
        grown = np.array([growth(shape, carried[shape], offsets[shape]) for shape in shapes.tolist()])
        # edges that are learned may become larger while weights become smaller: all shapes together keep their size
        drift = [np.log(max(_growth(plain[shape], carried[shape]), 1 / _DRIFT)) for shape in shapes]
        grown = grown * np.exp(np.mean(drift)) if drift else grown
        bounds = self.transfer.template.bounds[sliders]
        full = self.transfer.template.full_values[sliders]
        # a pose says as much about the strength of a shape as it shows of it beside what it lacks
        found = strengths(
            weights[:, sliders] / full,
            self.guesses[:, sliders] / full,
            grown,
            self.doubt,
            each=growth.doubts[shapes],
            given=self.assumed.named[:, sliders],
            counts=self.shown[:, shapes],
        )
        most = room(weights[:, sliders], bounds)
        changed, scaled = list(offsets), weights.copy()
        # lids and lips meet at 1, whatever was guessed; shapes that open come before those that close
        order = np.argsort([shape in self.transfer.contacts for shape in shapes], kind="stable")
        for slider, shape, factor, limit in zip(sliders[order], shapes[order], found[order], most[order], strict=True):
            if shape in self.transfer.contacts and weights[:, slider].any():
                factor = np.clip(self.transfer.closing(shape, changed), 1 / _CLOSES, _CLOSES)
            scaled[:, slider] *= min(factor, limit)
            changed[shape] = changed[shape] / min(factor, limit)
        return changed, scaled

    def versions(self, offsets: Sequence[Floats], weights: Floats) -> Floats:
        """The poses as the rig makes them, as offsets (m, v, 3)."""
        deltas = self.dense(offsets)
        return np.asarray(self.combine(weights) @ deltas.reshape(len(deltas), -1)).reshape(self.motions.shape)

    def errors(self, weights: Floats) -> tuple[float, tuple[float, ...]]:
        """Root mean square of the motion that the shapes of the last step B leave, as a share of the whole motion: of
        all poses, and of each.
        """
        values, flat = self.combine(weights), self.every.reshape(len(self.every), -1)
        motions = self.motions.reshape(len(weights), -1)
        squares = on_threads(
            lambda at: ((motions[:, at] - values @ flat[:, at]) ** 2).sum(axis=1), pieces(flat.shape[1])
        )
        left = np.sqrt(np.sum(squares, axis=0))
        each = np.divide(left, self.whole, out=np.zeros_like(left), where=self.whole > 0)
        return float(np.linalg.norm(left)) / (float(np.linalg.norm(self.whole)) or 1.0), tuple(each.tolist())

    def took(self) -> tuple[Floats, Floats]:
        """How far each shape is from the template's because of each pose (s, m), and of all poses together (s,)."""
        values, beta = self.combine(self.weights), self.history[-1].beta
        own = self.transfer.entries.wanted
        return contributions(self.shapes.entries, values, self.edges, beta, self.present, template=own)

    def built(self, offsets: Sequence[Floats]) -> Built:
        """The result of the last iteration, with the final shapes."""
        transfer, (took, learned) = self.transfer, self.took()
        versions = self.versions(offsets, self.weights)
        rows = zip(self.examples, versions, self.reach, strict=True)
        errors = on_threads(
            lambda row: fit_of(*row[:2], transfer.target, transfer.triangles, reached=row[2].expressible), rows
        )
        rig, back = transfer.rig(offsets), transfer.target.offsets_back
        reach = tuple(replace(known, lacking=back(known.lacking)) for known in self.reach)
        left = [back(one.motion - version) for one, version in zip(self.examples, versions, strict=True)]
        return Built(
            rig=rig,
            weights=frozen(self.weights.copy()),
            errors=tuple(errors),
            reach=reach,
            took=frozen(took),
            learned=frozen(learned),
            proposals=propose_shapes(reach, left, {*rig.shape_names, *rig.sliders}),
            history=tuple(self.history),
            finished=not self.stopped,
        )


@suggests_options
def build_rig(
    template: Rig | Sequence[Rig],
    neutral: Face,
    poses: Sequence[Face] | Floats,
    weights: Sequence[Mapping[str, float] | None] | ArrayLike | None = None,
    *,
    names: Sequence[str] = (),
    schedule: Schedule | None = None,
    closing: Mapping[str, str | None] | None = None,
    align_poses: bool = False,
    prior: Prior | None = None,
    progress: BuildListener | None = None,
) -> Built:
    """Build a rig for a neutral from example poses of it.

    template: the rig whose shapes are wanted; or several, whose shapes are mixed as the poses tell: `blend_templates`.
    weights: a rough guess for each pose, as an array (poses, sliders) or as names to values; None, for a pose or for
    all: guessed from how the vertices move.
    closing: as for `transfer`.
    align_poses: rotate, move and scale each pose onto the neutral first.
    prior: which poses are likely, for the guesses.
    progress: called after each iteration; returning False stops the solve.
    """
    rows: list[Any] = [None] * len(poses) if weights is None else list(weights)  # type: ignore[arg-type]
    if len(rows) != len(poses):
        raise BadValue(f"there are {len(poses)} poses but {len(rows)} rows of weights; each pose needs one")
    if names and (len(names) != len(poses) or len(set(names)) != len(names)):
        raise BadValue(f"there are {len(poses)} poses; give each a name of its own, or none at all")
    if not isinstance(template, Rig):
        template = blend_templates(template, neutral, poses, weights, closing=closing).rig
    builder = RigBuilder(template, neutral, schedule=schedule, closing=closing, align_poses=align_poses, prior=prior)
    for i, (pose, row) in enumerate(zip(poses, rows, strict=True)):
        builder.add_pose(pose, row, name=names[i] if names else None)
    return builder.solve(progress=progress)


def _growth(carried: Floats, offsets: Floats) -> float:
    """The size of a shape's offsets (k, 3) along those of another."""
    square = float((carried**2).sum())
    return float((carried * offsets).sum()) / square if square > 0 else 1.0


def _free_name(taken: Mapping[str, Example]) -> str:
    tries = (f"pose {i}" for i in range(1, len(taken) + 2))
    return next(name for name in tries if name not in taken)
