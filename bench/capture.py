"""Takes of 41 markers: time a frame beside general solvers on the same frames, and of spreading what is left."""

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import numpy as np
import osqp
from scipy.interpolate import CubicSpline
from scipy.optimize import lsq_linear, nnls
from scipy.sparse import csc_matrix
from scipy.spatial.transform import Rotation

import facewright as fw
from bench.row import Row
from facewright.capture.frame_solvers import FrameTargets, IndependentFrames
from facewright.capture.solver import PreparedTake
from facewright.rig.binding import bind_vertices
from facewright.samples import mask
from facewright.terms.limits import Limits

FRAMES, MARKERS = 2000, 41
NOISE, GAPS, GAP = 0.03, 0.05, 10  # centimetres, share, frames
RIGS: dict[int, Callable[[], fw.Rig]] = {52: fw.sample, 150: partial(mask, vertices=9_400, shapes=150, seed=1)}
TASK = "capture, a frame"

Run = Callable[[], object]
Problem = tuple[np.ndarray, np.ndarray]  # (3k, n), (frames, 3k): least squares within 0 and 1


def rows() -> Iterator[Row]:
    for shapes, make in RIGS.items():
        rig = make()
        take, binding = recorded(rig)
        solver = fw.TakeSolver(rig, binding)
        prepared = solver.prepare(take)
        whole = partial(lambda solver, prepared: list(solver.windows(prepared)), solver, prepared)
        face = [problem(solver, prepared)]
        goals = {"lsq_linear": "30 times lsq_linear, 0.2 ms"} if shapes == 52 else {}
        yield from beside(f"whole face, {shapes} shapes", whole, face, goals)
        yield compared(
            f"and from the file on, {shapes}", partial(solver.solve, take), FRAMES, ("without", whole, FRAMES)
        )
        alone = partial(each_frame_alone, solver, face[0])
        yield compared(f"each frame alone, {shapes}", alone, FRAMES, general(face)["lsq_linear"])
        regions = fw.segment(rig)
        regional = fw.TakeSolver(rig, binding, regions)
        by_region = partial(lambda solver, prepared: list(solver.windows(prepared)), regional, prepared)
        parts = by_regions(binding, regions, face[0])
        yield from beside(f"by region ({regions.count}), {shapes} shapes", by_region, parts, {})
    yield spread()


def recorded(rig: fw.Rig, frames: int = FRAMES) -> tuple[fw.Take, fw.Binding]:
    """Smooth weights, most of them off, on a head that moves, seen by markers that shake and are lost now and then."""
    rng = np.random.default_rng(0)
    times, n = np.arange(frames)[:, None] / 60, len(rig.sliders)
    weights = np.clip(np.sin(times * rng.uniform(0.5, 3, n) + rng.uniform(0, 6, n)) - 0.4, 0, 1)
    for first, second in rig.exclusive:
        weights[:, rig.slider_index(second)] *= weights[:, rig.slider_index(first)] == 0
    binding = bind_vertices(rig, {f"m{i}": int(v) for i, v in enumerate(spread_out(rig))})
    clean = binding.rest + np.tensordot(weights, binding.rows(rig), axes=1)
    knots = rng.normal(size=(frames // 60 + 3, 6))
    way = CubicSpline(60 * np.arange(len(knots)), knots)(np.arange(frames))
    turns = Rotation.from_rotvec(0.1 * way[:, :3]).as_matrix()
    seen = clean @ np.swapaxes(turns, 1, 2) + way[:, None, 3:] + NOISE * rng.normal(size=clean.shape)
    lost = round(GAPS * frames * MARKERS / GAP)
    for start, marker in zip(rng.integers(frames, size=lost), rng.integers(MARKERS, size=lost), strict=True):
        seen[start : start + GAP, marker] = np.nan
    return fw.Take(binding.markers, seen, 60.0, "cm"), binding


def spread_out(rig: fw.Rig) -> np.ndarray:
    """Vertices (k,) that shapes move, each as far as can be from those before."""
    lively = np.flatnonzero(np.linalg.norm(rig.deltas(), axis=2).max(axis=0) > 0.01 * rig.size)
    points, chosen = rig.neutral[lively], [0]
    apart = np.full(len(points), np.inf)
    while len(chosen) < MARKERS:
        apart = np.minimum(apart, np.linalg.norm(points - points[chosen[-1]], axis=1))
        chosen.append(int(apart.argmax()))
    return lively[chosen]


def problem(solver: fw.TakeSolver, prepared: PreparedTake) -> Problem:
    """What a library user would write: each frame's least squares, the head taken out; gaps are nothing to them."""
    bound = solver.bound
    wanted = np.nan_to_num(prepared.head.taken_out(prepared.recorded.positions) - bound.rest)
    return bound.rows.reshape(3 * MARKERS, -1), wanted.reshape(len(wanted), -1)


def by_regions(binding: fw.Binding, regions: fw.Regions, face: Problem) -> list[Problem]:
    """The same for each region that has markers, each marker by how much it belongs there."""
    B, wanted = face
    of_markers = regions.weights_at(0).toarray()[:, binding.vertices[:, 0]]  # (r, k)
    roots = [np.sqrt(np.repeat(share, 3)) for share in of_markers if share.sum() > 0.5]
    return [(root[:, None] * B, root * wanted) for root in roots]


def general(problems: list[Problem], few: int = 40) -> dict[str, tuple[str, Run, int]]:
    """The same problems given to general solvers, frame by frame, on some of the frames."""
    models = [_osqp(B) for B, _ in problems]
    runs: dict[str, Run] = {
        "lsq_linear": lambda: [lsq_linear(B, m, (0, 1)) for B, M in problems for m in M[:few]],
        "osqp, warm": lambda: _streams(models, [(B, M[:few]) for B, M in problems]),
        "nnls": lambda: [nnls(B, m, maxiter=10_000) for B, M in problems for m in M[:few]],
    }
    return {name: (name, run, few) for name, run in runs.items()}


def _streams(models: list[Any], problems: list[Problem]) -> None:
    for model, (B, M) in zip(models, problems, strict=True):
        _streamed(model, B, M)


def _osqp(B: np.ndarray) -> osqp.OSQP:
    n, model = B.shape[1], osqp.OSQP()
    H, bounds = csc_matrix(B.T @ B), (np.zeros(n), np.ones(n))
    model.setup(H, np.zeros(n), csc_matrix(np.eye(n)), *bounds, verbose=False, eps_abs=1e-6, eps_rel=1e-6)
    return model


def _streamed(model: osqp.OSQP, B: np.ndarray, wanted: np.ndarray) -> None:
    for m in wanted:
        model.update(q=-m @ B)
        model.solve()


def beside(case: str, run: Run, problems: list[Problem], goals: dict[str, str]) -> Iterator[Row]:
    """Rows of one run beside every general solver."""
    few = 40 if len(problems) == 1 and problems[0][0].shape[1] < 100 else 6
    for name, other in general(problems, few).items():
        yield compared(case, run, FRAMES, other, goals.get(name, ""))


def each_frame_alone(solver: fw.TakeSolver, face: Problem) -> object:
    """The bounded least squares of every frame, and nothing else."""
    wanted, n = face[1].reshape(-1, MARKERS, 3), len(solver.rig.sliders)
    frames = IndependentFrames(solver.bound.rows, Limits(np.zeros(n), np.ones(n)), 1e-6)
    return frames(FrameTargets(wanted, np.ones(wanted.shape[:2], bool), np.zeros(n)))


def spread() -> Row:
    """A take of 4,000 frames on 10K vertices, markers met, beside the paper's way on some of the frames."""
    rig = mask(vertices=10_000, shapes=52, seed=1)
    take, binding = recorded(rig, 4000)
    solved = fw.solve_take(rig, take, binding)
    rest, deformed = fw.Playback(solved), fw.Playback(solved, space="deformed")
    run = partial(lambda: sum(len(faces) for faces in rest.chunks()))
    slow = partial(deformed, np.arange(40))
    return compared("residual, 10K vertices", run, 4000, ("in the deformed face", slow, 40), "10 s for 4,000: 2.5 ms")


def compared(case: str, run: Run, frames: int, other: tuple[str, Run, int], goal: str = "") -> Row:
    """Milliseconds of the processor a frame, of one thread, both timed in turn."""
    name, baseline, few = other
    run()
    times = np.array([(processor(run) / frames, processor(baseline) / few) for _ in range(3)]) * 1000
    ours, theirs = np.median(times, axis=0)
    return Row(TASK, case, float(ours), float(times[:, 0].max()), name, float(theirs), goal)


def processor(run: Run) -> float:
    """Seconds of processor time: other work on the machine does not count."""
    start = process_time()
    run()
    return process_time() - start
