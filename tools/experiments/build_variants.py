"""Ways to build that are worse, for comparison (Li 2010, fig. 4)."""

from collections.abc import Callable
from typing import Any

import numpy as np

import facewright as fw
from facewright.arrays import Floats
from facewright.build import builder as steps
from facewright.build import shape_prior
from facewright.build.shape_step import ridge
from facewright.samples.actor import Actor

Make = Callable[..., fw.Rig]  # of an actor, poses, guesses and a schedule


def weighted(known: Actor, poses: Floats, guesses: Floats, schedule: fw.Schedule | None = None) -> fw.Rig:
    return fw.build_rig(known.template, known.rig, poses, guesses, closing={}, schedule=schedule).rig


def unweighted(known: Actor, poses: Floats, guesses: Floats, schedule: fw.Schedule | None = None) -> fw.Rig:
    """All triangles alike: a shape may differ as easily where the template is still as where it moves."""
    before, shape_prior.KAPPA = shape_prior.KAPPA, 1.0
    try:
        return weighted(known, poses, guesses, schedule)
    finally:
        shape_prior.KAPPA = before


def on_vertices(known: Actor, poses: Floats, guesses: Floats, schedule: fw.Schedule | None = None) -> fw.Rig:
    """Each vertex by itself, firm where its triangles are."""

    class VertexRun(steps._Run):
        def step_a(self, offsets: Any, weights: Floats, beta: float) -> list[Floats]:
            transfer, values = self.transfer, self.combine(weights)
            softness = np.zeros((len(transfer.target.placed), len(transfer.priors)))
            for i, one in enumerate(transfer.priors):
                corners = transfer.triangles[one.triangles]
                total, count = (
                    np.bincount(corners.ravel(), np.repeat(row, 3), minlength=len(softness))
                    for row in (1 / one.firmness, np.ones(len(corners)))
                )
                softness[one.moved, i] = (total / np.maximum(count, 1))[one.moved]
            wanted = transfer.dense(transfer.plain).swapaxes(0, 1)  # (v, s, 3)
            left = self.motions.swapaxes(0, 1) - values @ wanted
            found = wanted + ridge(values, softness, left, beta)
            return [found[one.moved, i] for i, one in enumerate(transfer.priors)]

    before, steps._Run = steps._Run, VertexRun  # type: ignore[misc]
    try:
        return weighted(known, poses, guesses, schedule)
    finally:
        steps._Run = before  # type: ignore[misc]


VARIANTS: dict[str, Make] = {
    "gradients, all triangles alike": unweighted,
    "vertices, weighted": on_vertices,
    "gradients, weighted (ours)": weighted,
}
