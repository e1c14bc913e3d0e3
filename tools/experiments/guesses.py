"""Guesses of the weights of example poses: frames of a recorded performance on heads of other persons.

The guess has the shapes of the template, transferred to the person's neutral; the pose is made with the person's own
shapes. How exactly a mesh shows a pose was chosen on kenji.
"""

from collections.abc import Callable

import numpy as np
from tools.experiments.real_poses import production_clip, thirds
from tools.experiments.result import Results, markdown
from tools.experiments.takes import has_takes, real_weights

import facewright as fw
from facewright.arrays import Floats
from facewright.solve.qp import ParametricQP

COUNT = 60
PEOPLE = ("kenji", "amara", "edith")
FEW, LEARNED, WRONG, PLAIN = (
    "few sliders, without a prior",
    "**by a prior**, learned from other minutes",
    "by a prior, learned from another rig's animation",
    "plain least squares within bounds",
)
Guess = Callable[[Floats], Floats]


def results() -> Results:
    """One table: median error of the guessed weights, as a share of their length."""
    if not has_takes():
        return Results("building.md")
    template = fw.sample()
    first, second, last = thirds(real_weights(template))
    columns = {
        name: of_person(template, fw.sample(name), last, np.concatenate([first, second]), production_clip())
        for name in PEOPLE
    }
    rows = [[way, *(f"{found[way]:.2f}" for found in columns.values())] for way in (FEW, LEARNED, WRONG, PLAIN)]
    return Results("building.md", {"guesses-recorded": markdown(["guess", *columns], rows)})


def of_person(
    template: fw.Rig, person: fw.Rig, poses: Floats, learned: Floats, other: fw.Clip, *, count: int = COUNT
) -> dict[str, float]:
    """Median errors by way of guessing, on poses (frames, n), with priors learned from others."""
    rig = fw.transfer(template, person.neutral)
    chosen = poses[np.random.default_rng(5).choice(len(poses), count, replace=False)]
    chosen = chosen[np.abs(chosen).max(axis=1) > 0.2]
    motions = fw.evaluate(person, chosen) - person.neutral
    ways: dict[str, Guess] = {FEW: lambda motion: rig.weights(fw.guess_weights(rig, motion)), PLAIN: _plain(rig)}
    for name, data in ((LEARNED, learned), (WRONG, other)):
        ways[name] = _by(rig, fw.Prior.learn(rig, data))
    return {name: _median([way(motion) for motion in motions], chosen) for name, way in ways.items()}


def _by(rig: fw.Rig, prior: fw.Prior) -> Guess:
    return lambda motion: rig.weights(fw.guess_weights(rig, motion, prior=prior))


def _plain(rig: fw.Rig) -> Guess:
    columns = rig.deltas().reshape(len(rig.sliders), -1)
    problem = ParametricQP(columns @ columns.T, *rig.bounds.T)
    return lambda motion: problem.solve(-columns @ motion.ravel()).x


def _median(found: list[Floats], poses: Floats) -> float:
    return float(np.median(np.linalg.norm(np.array(found) - poses, axis=1) / np.linalg.norm(poses, axis=1)))
