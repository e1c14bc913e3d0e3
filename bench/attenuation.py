"""Attenuation: switching it on, and every slider move after; the moves must not grow with the vertices."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle

import numpy as np

import facewright as fw
from bench.row import Row, compare
from facewright.samples import mask

SIZES, SHAPES, SELECTED, STEPS = (10_000, 100_000), 150, 40, 400


def rows() -> Iterator[Row]:
    for vertices in SIZES:
        rig = mask(vertices=vertices, shapes=SHAPES, seed=1)
        solver = fw.PoseSolver(rig)
        rng = np.random.default_rng(3)
        reference = rng.uniform(size=SHAPES) * (rng.uniform(size=SHAPES) < 0.3)
        selected = np.argsort(-np.linalg.norm(rig.shapes[0].dense(vertices), axis=1))[:SELECTED]
        size = f"{vertices // 1000}K x {SHAPES}, {SELECTED} vertices selected"
        solver.attenuate(selected, reference)  # D'D is made once per rig, on first use
        yield compare(
            "attenuation",
            f"{size}: switch on",
            partial(solver.attenuate, selected, reference),
            baseline=("D'D anew", partial(fw.Attenuation, rig, [0])),
            repeats=12,
            goal="at most 10 ms",
        )
        attenuation, formula = solver.attenuate(selected, reference), paper(rig, selected)
        for moved in (1, SHAPES):
            path = moves(reference, moved)
            yield compare(
                "attenuation",
                f"{size}: {'a slider' if moved == 1 else 'all sliders'} moved",
                partial(next, map(attenuation.solve, cycle(path))),
                baseline=("eq. 3 as printed, no bounds", partial(next, map(formula, cycle(path)))),
                repeats=STEPS,
                goal="at most 0.3 ms",
            )


def moves(reference: np.ndarray, count: int) -> list[np.ndarray]:
    """Slider values on their way to others, in small steps."""
    rng = np.random.default_rng(4)
    goal = reference.copy()
    chosen = rng.choice(len(goal), count, replace=False)
    goal[chosen] = rng.uniform(size=count)
    return [reference + share * (goal - reference) for share in np.linspace(0, 1, STEPS)]


def paper(rig: fw.Rig, selected: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """w2 = (P + alpha Q)^-1 P w1, solved anew for every w1."""
    J = fw.jacobian(rig).reshape(3 * rig.vertex_count, -1)
    S = J[fw.Selection.of(selected).coordinates]
    Q = S.T @ S
    P = J.T @ J - Q
    alpha = (rig.vertex_count - len(selected)) / len(selected)
    return lambda w1: np.asarray(np.linalg.solve(P + alpha * Q, P @ w1))
