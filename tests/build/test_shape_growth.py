"""How much stronger a person's shape is on the whole than the template's."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal

import facewright as fw
from facewright.arrays import Floats
from facewright.build import shape_growth
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.shape_growth import ShapeGrowth

EACH = 0.3


def test_the_factor_is_the_likeliest_of_a_field_that_varies_about_it() -> None:
    transfer = DeformationTransfer(fw.sample(), fw.sample())
    growth = ShapeGrowth(transfer, transfer.plain, EACH)
    shape, rng = transfer.template.slider_index("jawOpen"), np.random.default_rng(1)
    before = transfer.plain[shape]
    logs = rng.normal(scale=0.2, size=len(before))
    found = np.log(growth(shape, before, before * np.exp(logs)[:, None]))

    at, lengths = growth._at[shape], np.linalg.norm(before, axis=1)
    places = transfer.target.placed[transfer.priors[shape].moved][at] / transfer.template.size
    apart = np.linalg.norm(places[:, None] - places, axis=2) / shape_growth._LENGTH
    varies = (shape_growth._VARIES * EACH) ** 2 * np.exp(-(apart**2) / 2)
    noise = np.diag((shape_growth._NOISE * lengths.max() / lengths[at]) ** 2)

    def unlikely(mean: float) -> float:
        return -float(multivariate_normal(np.full(len(at), mean), varies + noise).logpdf(logs[at]))

    assert found == pytest.approx(minimize_scalar(unlikely).x, abs=1e-5)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_shape_that_is_stronger_everywhere_is_that_much_stronger(scale: float) -> None:
    rig = fw.sample()
    shapes = tuple(replace(one, offsets=scale * one.offsets) for one in rig.shapes)
    small = replace(rig, neutral=scale * rig.neutral, shapes=shapes)
    transfer = DeformationTransfer(small, small)
    growth = ShapeGrowth(transfer, transfer.plain, EACH)
    factors = [growth(i, one, 1.3 * one) for i, one in enumerate(transfer.plain)]
    np.testing.assert_allclose(factors, 1.3)
    assert (growth.doubts < EACH).all()


def test_a_field_of_one_place_counts_less_than_its_motion() -> None:
    rig, rng = fw.sample(), np.random.default_rng(2)
    transfer = DeformationTransfer(rig, rig)
    growth, rest = ShapeGrowth(transfer, transfer.plain, EACH), transfer.target.placed
    told, plain = [], []
    for i, (before, prior) in enumerate(zip(transfer.plain, transfer.priors, strict=True)):
        largest = int(np.argmax((before**2).sum(axis=1)))
        apart = np.linalg.norm(rest[prior.moved] - rest[prior.moved[largest]], axis=1) / (0.05 * rig.size)
        field = np.exp(-(apart**2) / 2)
        after = before * np.exp(rng.normal(scale=EACH) * field)[:, None]
        told.append(np.log(growth(i, before, after)))
        plain.append(np.log(_along(before, after)))
    assert np.linalg.norm(told) < 0.8 * np.linalg.norm(plain)


def _along(before: Floats, after: Floats) -> float:
    return float((before * after).sum() / (before**2).sum())
