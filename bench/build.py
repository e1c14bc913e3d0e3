"""Rigs from examples: an iteration at the paper's size, its growth, and one more pose in a solved builder.

Li, Weise and Pauly 2010 report 45 s an iteration for 11K vertices, 29 shapes and 14 poses. Times are those of one
processor at work, not of the clock: these tasks run for seconds, and a machine has other things to do.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.samples import mask

PAPER = (11_000, 29, 14)  # vertices, shapes, poses
PUBLISHED = 45_000.0  # milliseconds
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
