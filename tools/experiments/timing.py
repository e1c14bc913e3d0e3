"""Cetinaslan 2017, table 1: processor time to set pins and to move them, at the sizes of the paper's five faces."""

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np
from tools.experiments.result import Results, markdown

import facewright as fw
from facewright.samples import mask

# Vertices, targets, and the paper's seconds for setting a pin and for an edit.
PRINTED = [(6720, 40, 0.15, 0.0099), (9562, 18, 0.03, 0.0099), (11926, 36, 0.13, 0.0099)]
PRINTED += [(5692, 127, 1.75, 0.015), (5792, 136, 1.46, 0.019)]
PINS = 8


def results() -> Results:
    head = ["vertices x targets", "setting pins", "in print", "an edit", "99 % of edits below", "in print"]
    return Results("posing.md", {"timing": markdown(head, map(_row, PRINTED))})


def _row(printed: tuple[int, int, float, float]) -> list[str]:
    vertices, targets, pin, edit = printed
    rig = mask(vertices=vertices, shapes=targets, seed=1)
    solver = fw.PoseSolver(rig)
    pins, path = _dragged(rig)
    solver.drag(pins)  # what is made once per rig is made now
    setting = _milliseconds(lambda: solver.drag(pins), 20)
    drag, places = solver.drag(pins), iter(path)
    edits = _milliseconds(lambda: drag.to(next(places)), len(path))
    return [
        f"{vertices} x {targets}",
        f"{np.median(setting):.1f} ms",
        f"{1000 * pin:.0f} ms",
        f"{np.median(edits):.2f} ms",
        f"{np.percentile(edits, 99):.2f} ms",
        f"{1000 * edit:.1f} ms",
    ]


def _dragged(rig: fw.Rig) -> tuple[list[fw.Pin], list[np.ndarray]]:
    """Pins, and places on their way to a hidden pose."""
    rng = np.random.default_rng(1)
    goal = rng.uniform(size=len(rig.sliders)) * (rng.uniform(size=len(rig.sliders)) < 0.15)
    way = fw.evaluate(rig, goal) - rig.neutral
    moved = np.linalg.norm(way, axis=1)
    vertices = rng.choice(len(moved), PINS, replace=False, p=moved / moved.sum())
    pins = [fw.Pin(vertex=int(v), target=rig.neutral[v]) for v in vertices]
    return pins, [rig.neutral[vertices] + share * way[vertices] for share in np.linspace(0, 1.2, 400)]


def _milliseconds(run: Callable[[], object], repeats: int) -> list[float]:
    return list(_timed(run, repeats))


def _timed(run: Callable[[], object], repeats: int) -> Iterator[float]:
    for _ in range(repeats):
        start = process_time()
        run()
        yield 1000 * (process_time() - start)
