"""The methods that are compared: ours, the published ones with several parameters, and their equations as printed."""

from collections.abc import Callable

import numpy as np
from tools.experiments.animator import Task

import facewright as fw
from facewright.arrays import Floats
from facewright.pose.pin_rows import PinRows
from facewright.solve import printed
from facewright.solve.filters import Filter, Hybrid, Landweber, PseudoInverse, Spectrum, Tikhonov, Transpose
from facewright.solve.qp import solve_qp

Method = Callable[[fw.PoseSolver, Task], Floats]


def rows(solver: fw.PoseSolver, task: Task) -> tuple[Floats, Floats]:
    """B (3k, n), about the pose at rest, and m (3k,) of the paper."""
    pinned = PinRows(solver.deltas, task.pins(), solver.rig.weights())
    return pinned.by_slider, pinned.wanted(task.targets)


def bounded(solver: fw.PoseSolver, task: Task) -> Floats:
    """Hidden poses have any slider, so any may be used."""
    return solver.solve(task.pins(), sliders="all").weights


def automatic(solver: fw.PoseSolver, task: Task) -> Floats:
    return solver.solve(task.pins(), method="automatic", sliders="all").weights


def flat_price(solver: fw.PoseSolver, task: Task) -> Floats:
    """Bounded, but every slider costs the same: a = 1e-4 s_max^2, l = 1e-3 max|B'm|."""
    B, m = rows(solver, task)
    H, pull = B.T @ B, B.T @ m
    ridge = 1e-4 * np.linalg.norm(H, 2) * np.eye(len(H))
    return solve_qp(H + ridge, 1e-3 * np.abs(pull).max() - pull, 0.0, 1.0).x


def filtered(filter: Filter) -> Method:
    def run(solver: fw.PoseSolver, task: Task) -> Floats:
        B, m = rows(solver, task)
        return Spectrum(B).apply(filter, m)

    return run


def as_printed(equation: Callable[[Floats, Floats], Floats]) -> Method:
    """On a rig in centimetres, as the paper's are."""
    return lambda solver, task: equation(*rows(solver, task))


OURS = "**bounded** (default)"
PUBLISHED: dict[str, Method] = {
    "pseudo-inverse, eq. 3": filtered(PseudoInverse()),
    "pseudo-inverse, rcond 1e-2": filtered(PseudoInverse(1e-2)),
    "Tikhonov 1e-4": filtered(Tikhonov(1e-4)),
    "Tikhonov 1e-3": filtered(Tikhonov(1e-3)),
    "Tikhonov 1e-2": filtered(Tikhonov(1e-2)),
    "Tikhonov, eq. 4 as printed": as_printed(lambda B, m: printed.equation_4(B, m, np.zeros(B.shape[1]), 1e-3)),
    "transpose, exact step": filtered(Transpose()),
    "transpose, eq. 6 as printed": as_printed(printed.equation_6),
    "hybrid, relative gamma": filtered(Hybrid()),
    "hybrid, eq. 8 as printed": as_printed(printed.equation_8),
}
OTHERS: dict[str, Method] = {
    "automatic": automatic,
    "Landweber, 10 steps": filtered(Landweber(10)),
    "bounded, flat price": flat_price,
}
METHODS: dict[str, Method] = {OURS: bounded} | OTHERS | PUBLISHED
