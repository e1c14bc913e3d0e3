"""Rigs from examples: an iteration at the paper's size, its growth, and builds as the studio does them.

Li, Weise and Pauly 2010 report 45 s an iteration for 11K vertices, 29 shapes and 14 poses. Times are those of the
processors at work, and not of the clock: these tasks run for seconds, and a machine has other things to do. Builds as
the studio does them are given twice: processor time, summed over all threads, and by the clock on two threads, beside
the clock of the same build on one thread. The clock is true on a machine with nothing else to do.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter, process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.build.edge_system import EdgeSystem
from facewright.samples import mask
from facewright.samples.actor import Actor, guessed, personal
from facewright.solve.sparse import SparseSolver
from facewright.workflow.build.plan import BuildPlan, GivenFace, GivenPose
from facewright.workflow.build.run import BuildRunner

PAPER = (11_000, 29, 14)  # vertices, shapes, poses
PUBLISHED = 45_000.0  # milliseconds
STEPS = ("set-up and transfer alone", "first look", "one more pose", "a changed guess")
GROWTH = [(11_000, 29, 28), (11_000, 58, 14), (25_000, 29, 14), (100_000, 29, 14)]


def rows() -> Iterator[Row]:
    first, full, again = _timed(*PAPER)
    yield _row("an iteration, 11K x 29, 14 poses", first, ("Li 2010, reported", PUBLISHED), "400 ms")
    yield _row("all ten and the set-up", full, ("Li 2010, ten reported", 10 * PUBLISHED))
    yield _row("one more pose, warm", again, ("all ten and the set-up", float(np.median(full))), "a third")
    for vertices, shapes, poses in GROWTH:
        found, _, _ = _timed(vertices, shapes, poses, repeats=1)
        case = f"an iteration, {vertices // 1000}K x {shapes}, {poses} poses"
        yield _row(case, found, ("11K x 29, 14 poses", float(np.median(first))))
    for rig, label, poses, goals in (
        (fw.sample(), "7K x 52, 3 poses", 3, ("", "")),
        (fine(fw.sample()), "27K x 52, 20 poses", 20, ("5 s", "1.5 s")),
    ):
        whole = ("one factorisation of the face", _factorisation(rig))
        with _processors(1):
            alone = _as_the_studio_does(rig, poses)
        with _processors(2):
            both = _as_the_studio_does(rig, poses)
        for name, goal in zip(STEPS, ("", *goals, goals[1]), strict=True):
            yield _row(f"{name}, {label}, processor time", [both[name][0]], whole)
            yield _row(f"{name}, {label}, clock, two threads", [both[name][1]], ("one thread", alone[name][1]), goal)


@contextmanager
def _processors(count: int) -> Iterator[None]:
    """Threads run on so many of the processors; all of them where the system cannot tell them apart."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(every)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def fine(rig: fw.Rig) -> fw.Rig:
    """The rig with each triangle cut in four at the middles of its edges."""
    corners, v = rig.triangles, rig.vertex_count
    edges, number = np.unique(np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)), axis=0, return_inverse=True)
    (a, b, c), (ab, bc, ca) = corners.T, number.reshape(-1, 3).T + v
    triangles = np.stack([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], axis=1).reshape(-1, 3)

    def cut(field: np.ndarray) -> np.ndarray:
        return np.concatenate([field, field[edges].mean(axis=1)])

    shapes = tuple(fw.Shape.from_dense(shape.name, cut(shape.dense(v))) for shape in rig.shapes)
    return fw.Rig(cut(rig.neutral), triangles, shapes, exclusive=rig.exclusive)


def _factorisation(rig: fw.Rig) -> float:
    """Milliseconds of a sparse factorisation with one unknown for each vertex of a face, the median of three."""
    system = EdgeSystem(rig.neutral, rig.triangles)
    held = np.unique(system.pieces, return_index=True)[1]
    times = []
    for _ in range(3):
        start = process_time()
        SparseSolver(system.stiffness, fixed=held)
        times.append(1000 * (process_time() - start))
    return float(np.median(times))


def _as_the_studio_does(template: fw.Rig, poses: int) -> dict[str, tuple[float, float]]:
    """Milliseconds of each step: of all threads together, and by the clock.

    The first look is the rig from a plan of so many poses; then there is one more, and then another guess of the first.
    """
    person = fw.sample("kenji")
    actor = Actor(
        template,
        personal(fine(person) if template.vertex_count > person.vertex_count else person, np.random.default_rng(0)),
    )
    weights = actor.poses(np.random.default_rng(1), poses + 1)
    guesses, meshes = guessed(weights, 0.15, np.random.default_rng(2)), fw.evaluate(actor.rig, weights)
    rows = [dict(zip(template.sliders, row.tolist(), strict=True)) for row in guesses]
    still = fw.Rig(actor.rig.neutral, actor.rig.polygons)
    given = tuple(
        GivenPose(f"pose {i}", replace(still, neutral=mesh), guess)
        for i, (mesh, guess) in enumerate(zip(meshes, rows, strict=True))
    )
    plan = BuildPlan(GivenFace("template", template), GivenFace("neutral", still))
    named = max(guess := dict(given[0].guess or {}), key=lambda name: guess[name])
    halved = (replace(given[0], guess=guess | {named: guess[named] / 2}), *given[1:])
    marks = [(process_time(), perf_counter())]
    fw.RigBuilder(template, actor.rig).solve()
    marks.append((process_time(), perf_counter()))
    runner = BuildRunner()
    for some in (given[:-1], given, halved):
        runner.solve(runner.check(replace(plan, poses=some)), lambda _: None)
        marks.append((process_time(), perf_counter()))
    times = 1000 * np.diff(marks, axis=0)
    return {name: (float(every), float(clock)) for name, (every, clock) in zip(STEPS, times, strict=True)}


def _marked(marks: list[float], _: object) -> None:
    marks.append(process_time())


def _row(case: str, times: list[float], baseline: tuple[str, float], goal: str = "") -> Row:
    return Row("build", case, float(np.median(times)), float(np.percentile(times, 99)), *baseline, goal)


def _timed(vertices: int, shapes: int, poses: int, repeats: int = 3) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of single iterations, of whole solves with their set-up, and of solves after one more pose."""
    template, actor, weights = _scene(vertices, shapes, poses)
    meshes = fw.evaluate(actor, weights)
    single: list[float] = []
    whole: list[float] = []
    again: list[float] = []
    for _ in range(repeats):
        start = process_time()
        builder = fw.RigBuilder(template, actor)
        for mesh, row in zip(meshes[:-1], weights[:-1], strict=True):
            builder.add_pose(mesh, row)
        marks: list[float] = []
        builder.solve(progress=partial(_marked, marks))
        whole.append(1000 * (process_time() - start))
        single += (1000 * np.diff(marks)).tolist()
        start = process_time()
        builder.add_pose(meshes[-1], weights[-1])
        builder.solve()
        again.append(1000 * (process_time() - start))
    return single, whole, again


def _scene(vertices: int, shapes: int, poses: int) -> tuple[fw.Rig, fw.Rig, np.ndarray]:
    """A mask, an actor of another build whose shapes differ, and one pose more than asked for."""
    rng = np.random.default_rng(1)
    template = mask(vertices=vertices, shapes=shapes, seed=1, support=0.15)
    actor = fw.transfer(template, template.neutral * [1.1, 1.2, 0.9])
    changed = (replace(shape, offsets=shape.offsets * rng.uniform(0.6, 1.6)) for shape in actor.shapes)
    weights = np.zeros((poses + 1, shapes))
    for row in weights:
        row[rng.choice(shapes, 4, replace=False)] = rng.uniform(0.3, 1, 4)
    return template, replace(actor, shapes=tuple(changed)), weights
