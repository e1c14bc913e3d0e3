"""Known truth: an actor whose true shapes nobody tells the builder, and poses that were no examples."""

from functools import cache

import numpy as np
import pytest

import facewright as fw
from facewright.samples.actor import Actor, actor, guessed


@cache
def prepared(person: str, seed: int) -> tuple[Actor, fw.RigBuilder]:
    known = actor(person, seed)
    # the truth's lids are stronger here and weaker there, and do not close
    return known, fw.RigBuilder(known.template, known.rig, closing={})


@pytest.mark.parametrize(("person", "seed", "off"), [("kenji", 0, 0.15), ("kenji", 0, 0.3), ("edith", 2, 0.3)])
def test_examples_bring_poses_that_were_none_nearer_than_transfer(person: str, seed: int, off: float) -> None:
    known, builder = prepared(person, seed)
    held_out = known.poses(np.random.default_rng(5), 60)
    plain = known.error(builder.transferred, held_out)
    for count, share in ((8, 0.8), (20, 0.4)):
        rng = np.random.default_rng([7, count])
        weights = known.poses(rng, count)
        poses, guesses = fw.evaluate(known.rig, weights), guessed(weights, off, rng)
        for name in builder.poses:
            builder.remove_pose(name)
        for pose, guess in zip(poses, guesses, strict=True):
            builder.add_pose(pose, guess)
        built = builder.solve(warm=False)
        assert known.error(built.rig, held_out) <= share * plain
        assert all(fit.reached for fit in built.errors)
        assert not built.proposals
        for pair in built.rig.exclusive:
            columns = [built.rig.slider_index(name) for name in pair]
            assert (built.weights[:, columns].min(axis=1) <= 1e-9).all()
