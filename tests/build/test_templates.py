"""Several templates as one."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from tests.build.faces import bent, template


def _other(rig: fw.Rig, seed: int) -> fw.Rig:
    """A rig with shapes of its own, where those of the first are."""
    rng = np.random.default_rng(seed)
    turns = [np.linalg.qr(np.eye(3) + 0.6 * rng.normal(size=(3, 3)))[0] for _ in rig.shapes]
    shapes = [replace(one, offsets=one.offsets @ turn) for one, turn in zip(rig.shapes, turns, strict=True)]
    return replace(rig, shapes=tuple(shapes))


def test_one_template_is_what_transfer_makes() -> None:
    rig = template()
    found = fw.blend_templates([rig], bent(rig))
    np.testing.assert_allclose(found.rig.deltas(), fw.transfer(rig, bent(rig)).deltas(), atol=1e-12)
    assert found.shares.tolist() == [1.0]


@pytest.mark.parametrize("factor", [1.0, 0.01])
def test_the_shares_of_templates_are_found_from_poses_of_a_person_between_them(factor: float) -> None:
    rigs = [template(), _other(template(), 1), _other(template(), 2)]
    wanted = np.array([0.6, 0.4, 0.0])
    neutral = factor * bent(rigs[0])
    person = fw.blend_templates(rigs, neutral, shares=5 * wanted).rig
    weights = np.random.default_rng(3).uniform(0.3, 1, (6, 6)) * (np.random.default_rng(4).random((6, 6)) < 0.5)
    found = fw.blend_templates(rigs, neutral, fw.evaluate(person, weights), weights)
    np.testing.assert_allclose(found.shares, wanted, atol=0.05)
    assert found.left < 0.1
    built = fw.build_rig(rigs, neutral, fw.evaluate(person, weights), weights)
    best = fw.build_rig(rigs[0], neutral, fw.evaluate(person, weights), weights)
    off = [np.linalg.norm(one.rig.deltas() - person.deltas()) for one in (built, best)]
    assert off[0] < 0.5 * off[1]


def test_templates_are_matched_by_the_names_of_their_shapes() -> None:
    rig = template()
    other = _other(rig, 1)
    fewer = fw.Rig(other.neutral, other.polygons, other.shapes[::-1][:-1])  # in another order, without the first
    found = fw.blend_templates([rig, fewer], bent(rig)).rig
    one, two = (fw.transfer(each, bent(rig)) for each in (rig, other))
    np.testing.assert_allclose(found.deltas()[0], one.deltas()[0], atol=1e-9)
    np.testing.assert_allclose(found.deltas()[1:], (one.deltas() + two.deltas())[1:] / 2, atol=1e-9)
    strange = tuple(fw.Shape(f"x{i}", one.vertices, one.offsets) for i, one in enumerate(rig.shapes))
    with pytest.raises(BadValue, match="matched by their names"):
        fw.blend_templates([rig, fw.Rig(rig.neutral, rig.polygons, strange)], bent(rig))
    with pytest.raises(BadValue, match="at least one template"):
        fw.blend_templates([], bent(rig))
    with pytest.raises(BadValue, match="at least 0"):
        fw.blend_templates([rig, other], bent(rig), shares=[-1, 2])
