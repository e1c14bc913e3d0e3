"""Attenuation with a prior: what makes up for the motion of held points is what goes together."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import facewright as fw
from facewright.terms.prior_evidence import PosePrior
from tests.laws.things import random_rig


def recorded(rig: fw.Rig) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.clip(rng.normal(size=(300, 3)) @ rng.normal(size=(3, len(rig.sliders))) / 3, *rig.bounds.T)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_least_squares_solution_with_one_more_term(seed: int) -> None:
    rig = random_rig(seed)
    prior = fw.Prior.learn(rig, recorded(rig), strength=0.5)
    alpha, wanted = 20.0, np.random.default_rng(seed).uniform(0, 1, len(rig.sliders))
    found = fw.Attenuation(rig, [0, 1], alpha=alpha, prior=prior).solve(wanted).weights
    D = rig.deltas().reshape(len(rig.shapes), -1).T  # (3v, n)
    moment = PosePrior(rig, prior).moments(np.arange(len(rig.sliders)))[1]
    usual = np.trace(D.T @ D @ moment) / len(moment)
    root = np.linalg.cholesky(0.1 * 0.5 * usual * np.linalg.inv(moment)).T
    stacked = np.concatenate([np.sqrt(alpha) * D[:6], D[6:], root])
    asked = np.concatenate([np.zeros(6), D[6:] @ wanted, root @ wanted])
    np.testing.assert_allclose(found, lsq_linear(stacked, asked, (0, 1), tol=1e-14).x, atol=1e-5)


def test_without_strength_it_changes_nothing() -> None:
    rig = random_rig(1)
    options: dict[str, Any] = {"alpha": 20.0}
    none = fw.Attenuation(rig, [0, 1], **options)
    weak = fw.Attenuation(rig, [0, 1], prior=fw.Prior.learn(rig, recorded(rig), strength=0.0), **options)
    wanted = np.linspace(0, 1, len(rig.sliders))
    np.testing.assert_array_equal(weak.solve(wanted).weights, none.solve(wanted).weights)


def test_a_solver_hands_its_prior_on() -> None:
    rig = random_rig(2)
    prior = fw.Prior.learn(rig, recorded(rig))
    wanted = np.linspace(0, 1, len(rig.sliders))
    by_solver = fw.PoseSolver(rig, prior=prior).attenuate([0, 1]).solve(wanted).weights
    by_itself = fw.Attenuation(rig, [0, 1], prior=prior).solve(wanted).weights
    np.testing.assert_array_equal(by_solver, by_itself)
    assert np.abs(by_solver - fw.Attenuation(rig, [0, 1]).solve(wanted).weights).max() > 1e-3
