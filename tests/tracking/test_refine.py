"""Refining a rig by the frames it follows: the solve against a dense one, and what it brings on frames not used."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.samples import mask
from facewright.tracking.frame_equations import FrameEquations, frame_equations, residuals
from facewright.tracking.observed import observed
from facewright.tracking.refine import CorrectionProblem, RefineProgress, chosen_frames
from facewright.tracking.shape_corrections import CorrectedRows, ShapeCorrections, UsualSizes
from tests.tracking.depth_of import before_camera, depth_of

OPTIONS = fw.TrackOptions(samples=600)
SIZES = UsualSizes(0.2, 0.1, 0.005, 0.5)


@pytest.fixture(scope="module")
def small() -> fw.Rig:
    """The embedded head with three of its shapes."""
    rig = fw.sample()
    names = ("jawOpen", "mouthSmileLeft", "browInnerUp")
    shapes = tuple(rig.shapes[rig.shape_names.index(name)] for name in names)
    return fw.Rig(rig.neutral, rig.polygons, shapes, parts=rig.parts)


def _narrower(rig: fw.Rig) -> fw.Rig:
    """A template with a narrower face whose shapes go as far."""
    return replace(rig, neutral=rig.neutral * (0.8, 1, 1))


@pytest.fixture(scope="module")
def problem(small: fw.Rig) -> tuple[ShapeCorrections, list[FrameEquations], list[CorrectedRows], fw.TrackSolver]:
    solver = fw.TrackSolver(small, options=OPTIONS, scale=0.01)
    poses = np.array([[0.8, 0.1, 0.0], [0.1, 0.9, 0.3], [0.5, 0.2, 0.8]])
    space = ShapeCorrections(small, solver.samples, poses, _narrower(small))
    equations, rows = [], []
    for i, weights in enumerate(poses):
        place = before_camera(small, yaw=6.0 * i)
        found = residuals(solver, observed(depth_of(small, weights, place, noise=0.001, seed=i)), weights, place, 0.001)
        equations.append(frame_equations(solver, found, weights, place, 0.001))
        rows.append(space.rows(found, weights, place.scale, np.zeros(space.count)))
    return space, equations, rows, solver


def test_corrections_are_those_of_dense_least_squares_over_corrections_and_poses(problem) -> None:  # type: ignore[no-untyped-def]
    """One dense system with the poses as unknowns, instead of eliminating them."""
    space, equations, rows, solver = problem
    units = space.sizes(SIZES)
    # fewer unknowns: all but every eleventh are held at zero, so that the dense system stays small
    some = np.append(np.arange(0, space.count - 1, 11), space.count - 1)
    found = CorrectionProblem(_Part(space, some), equations, rows, np.zeros(len(some))).solve(SIZES, exact=1e-9)
    p = equations[0].rows.shape[1]
    A, b = [np.hstack([np.diag(1 / units[some]), np.zeros((len(some), p * len(rows)))])], [np.zeros(len(some))]
    inverse = np.zeros((p, p))
    inverse[np.arange(6), np.arange(6)] = 1e-3
    inverse[6:, 6:] = np.linalg.inv(solver.moment) / 3
    for i, (each, row) in enumerate(zip(equations, rows, strict=True)):
        columns = np.stack([space.made(np.eye(space.count)[j], [row])[0] for j in some], axis=1)
        root = np.sqrt(each.counts)[:, None]
        poses = np.zeros((len(columns), p * len(rows)))
        poses[:, i * p : i * p + p] = each.rows
        A.append(root * np.hstack([columns, poses]))
        b.append(root[:, 0] * each.found.residual)
        held = np.zeros((p, len(some) + p * len(rows)))
        held[:, len(some) + i * p : len(some) + i * p + p] = np.linalg.cholesky(inverse).T
        A.append(held)
        b.append(np.zeros(p))
    wanted = np.linalg.lstsq(np.vstack(A), np.concatenate(b), rcond=None)[0][: len(some)]
    assert np.abs(wanted).max() > 1e-4
    np.testing.assert_allclose(found / units[some], wanted / units[some], atol=2e-3)


class _Part(ShapeCorrections):
    """Some of the unknowns of a space of corrections."""

    def __init__(self, space: ShapeCorrections, some: np.ndarray) -> None:
        self._space, self._some, self.count = space, some, len(some)

    def _whole(self, unknowns: Floats) -> Floats:
        whole = np.zeros(self._space.count)
        whole[self._some] = unknowns
        return whole

    def sizes(self, usual: UsualSizes) -> Floats:
        return np.asarray(self._space.sizes(usual)[self._some])

    def made(self, unknowns: Floats, frames: Sequence[CorrectedRows]) -> list[Floats]:
        return self._space.made(self._whole(unknowns), frames)

    def back(self, motions: Sequence[Floats], frames: Sequence[CorrectedRows]) -> Floats:
        return np.asarray(self._space.back(motions, frames)[self._some])


def test_rows_tell_how_a_corrected_rig_moves_the_samples(problem) -> None:  # type: ignore[no-untyped-def]
    space, equations, rows, solver = problem
    unknowns = 0.02 * np.random.default_rng(0).normal(size=space.count) * space.sizes(SIZES)
    rig = space.corrected(unknowns)
    weights, found, scale = np.array([0.1, 0.9, 0.3]), equations[1].found, 0.01
    samples = solver.samples
    moved = samples.on(rig).posed(weights).points - samples.posed(weights).points
    along = scale * (moved[found.which] * found.normals).sum(axis=1)
    np.testing.assert_allclose(space.made(unknowns, rows)[1], along, atol=0.03 * np.abs(along).max())


def test_rows_about_other_corrections_tell_how_the_samples_move_from_there(problem) -> None:  # type: ignore[no-untyped-def]
    space, equations, _, solver = problem
    rng = np.random.default_rng(1)
    before, change = (size * rng.normal(size=space.count) * space.sizes(SIZES) for size in (0.5, 0.02))
    before[-1], change[-1] = 0.7, 0.02
    weights, found, scale = np.array([0.1, 0.9, 0.3]), equations[1].found, 0.01
    rows = space.rows(found, weights, scale, before)
    one, other = (solver.samples.on(space.corrected(each)).posed(weights).points for each in (before, before + change))
    along = scale * ((other - one)[found.which] * found.normals).sum(axis=1)
    np.testing.assert_allclose(space.made(change, [rows])[0], along, atol=0.04 * np.abs(along).max())


def test_the_whole_share_makes_shapes_that_go_as_far_as_the_template_s(problem, small: fw.Rig) -> None:  # type: ignore[no-untyped-def]
    template = _narrower(small)
    person = fw.transfer(template, small.neutral)
    space = ShapeCorrections(person, problem[3].samples.on(person), np.eye(3), template)
    unknowns = np.zeros(space.count)
    unknowns[-1] = 1.0
    found, before = (each.deltas() - template.deltas() for each in (space.corrected(unknowns), person))
    assert np.abs(before).max() > 0.1
    assert np.abs(found).mean() < 0.05 * np.abs(before).mean()


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_frames_tell_how_far_shapes_go(small: fw.Rig, share: float) -> None:
    template = _narrower(small)
    rig = fw.transfer(template, small.neutral)
    offsets = (1 - share) * rig.deltas() + share * small.deltas()
    every = np.arange(small.vertex_count)
    shapes = tuple(fw.Shape(name, every, each) for name, each in zip(small.shape_names, offsets, strict=True))
    actor = replace(small, shapes=shapes)
    solver = fw.TrackSolver(rig, options=OPTIONS, scale=0.01)
    poses = 0.9 * np.eye(3)
    space = ShapeCorrections(rig, solver.samples, poses, template)
    places = [before_camera(small, yaw=6.0 * i) for i in range(3)]
    seen = [observed(depth_of(actor, *pose)) for pose in zip(poses, places, strict=True)]
    found = np.zeros(space.count)
    for _ in range(3):
        equations, rows = [], []
        solver.samples = solver.samples.on(space.corrected(found))
        for frame, weights, place in zip(seen, poses, places, strict=True):
            compared = residuals(solver, frame, weights, place, 0.001)
            equations.append(frame_equations(solver, compared, weights, place, 0.00002))
            rows.append(space.rows(compared, solver.samples.combine(weights), place.scale, found))
        found = CorrectionProblem(space, equations, rows, found).solve(UsualSizes(0.003, 0.003, 0.0, 1.0))
    assert abs(found[-1] - share) < 0.1


def test_no_corrections_leave_the_rig_as_it_is(problem, small: fw.Rig) -> None:  # type: ignore[no-untyped-def]
    rig = problem[0].corrected(np.zeros(problem[0].count))
    pose = {"jawOpen": 0.7, "browInnerUp": 0.4}
    np.testing.assert_allclose(fw.evaluate(rig, pose), fw.evaluate(small, pose), atol=1e-5 * small.size)


def _weights(count: int) -> np.ndarray:
    """Three sliders (count, 3) that rise and fall, each at its own pace."""
    times = np.linspace(0, 2 * np.pi, count)[:, None]
    return np.asarray(0.5 - 0.5 * np.cos(times * np.array([1, 2, 3]) + np.arange(3)))


def _seen(actor: fw.Rig, count: int) -> list[fw.DepthImage | None]:
    return [
        depth_of(actor, row, before_camera(actor, yaw=8 * np.sin(6.3 * i / count)), noise=0.0005, seed=i)
        for i, row in enumerate(_weights(count))
    ]


def _stronger_on_one_side(rig: fw.Rig) -> fw.Rig:
    """Shapes that no weight makes from those of the rig."""
    factors = 1 + 0.5 * np.tanh(8 * rig.neutral[:, :1] / rig.size)
    return replace(rig, shapes=tuple(replace(s, offsets=factors[s.vertices] * s.offsets) for s in rig.shapes))


@pytest.fixture(scope="module")
def refined(small: fw.Rig) -> tuple[fw.Rig, fw.RefinedRig]:
    actor = _stronger_on_one_side(small)
    return actor, fw.refine_rig(small, _seen(actor, 30), count=12, rounds=2, scale=0.01, options=OPTIONS)


def test_a_refined_rig_makes_frames_better_that_were_not_used(small: fw.Rig, refined) -> None:  # type: ignore[no-untyped-def]
    actor, found = refined
    table = _weights(30)
    left = np.setdiff1d(np.arange(30), found.used)
    assert len(found.used) == 12
    skin = np.isfinite(found.before.map)
    wanted = fw.evaluate(actor, table[left])
    errors = [
        np.linalg.norm(fw.evaluate(each.rig, each.weights[left]) - wanted, axis=2)[:, skin].mean()
        for each in (found.before, found.after)
    ]
    assert errors[1] < 0.8 * errors[0]
    assert found.improvement.frames == 18
    assert found.improvement.share < 0.9
    assert found.rig.sliders == small.sliders


def test_larger_corrections_are_believed_where_they_explain_frames_that_were_left_out(small: fw.Rig) -> None:
    solver = fw.TrackSolver(small, options=OPTIONS, scale=0.01)
    poses, sizes = _weights(12), (UsualSizes(0.03, 0.06), UsualSizes(0.5, 0.1))
    space = ShapeCorrections(small, solver.samples, poses)
    chosen = []
    for actor in (small, _stronger_on_one_side(small)):
        equations, rows = [], []
        for frame, weights, i in zip(_seen(actor, 12), poses, range(12), strict=True):
            assert frame is not None
            place = before_camera(small, yaw=8 * np.sin(6.3 * i / 12))
            found = residuals(solver, observed(frame), weights, place, 0.0005)
            equations.append(frame_equations(solver, found, weights, place, 0.0005))
            rows.append(space.rows(found, solver.samples.combine(weights), place.scale, np.zeros(space.count)))
        chosen.append(CorrectionProblem(space, equations, rows, np.zeros(space.count)).best(sizes))
    assert chosen == list(sizes)


def test_frames_that_show_other_shapes_are_chosen_first(small: fw.Rig, refined) -> None:  # type: ignore[no-untyped-def]
    before = refined[1].before
    weights = np.zeros_like(before.weights)
    weights[5, 0], weights[9, 1], weights[20, 2] = 1.0, 1.0, 1.0
    chosen = chosen_frames(small, replace(before, weights=weights), 3)
    assert chosen.tolist() == [5, 9, 20]


def test_refining_stops_when_asked_and_keeps_a_whole_rig(small: fw.Rig) -> None:
    frames = _seen(small, 10)
    last: list[RefineProgress] = []

    def stop(step: RefineProgress) -> bool:
        last.append(step)
        return step.done < 12

    found = fw.refine_rig(small, frames, count=8, rounds=2, scale=0.01, options=OPTIONS, progress=stop)
    assert not found.finished
    assert last[-1].done == 12
    assert last[-1].total == 30
    assert found.rig is small
    assert len(found.after) == 10


def test_a_template_of_another_topology_is_told_before_anything_is_followed(small: fw.Rig) -> None:
    frames = [depth_of(small, small.pose(), before_camera(small))] * 10
    with pytest.raises(fw.OtherTopology, match=r"the rig has \d+ vertices, but the template has 100"):
        fw.refine_rig(
            small, frames, count=10, template=mask(100, 2), progress=lambda step: pytest.fail("a frame was followed")
        )


def test_too_few_frames_are_told(small: fw.Rig) -> None:
    with pytest.raises(fw.BadValue, match="by 8 frames or more, not by 3"):
        fw.refine_rig(small, _seen(small, 2), count=3)
