"""Recorded poses reached by dragging: a few of those in docs/posing.md."""

import numpy as np
import pytest
from tools.experiments.methods import PUBLISHED
from tools.experiments.real_poses import LEARNED, NAMES, WRONG, of_face, thirds
from tools.experiments.takes import has_takes, real_weights

import facewright as fw


def test_a_natural_face_is_nearer_to_a_recorded_one_than_any_published_method_gets() -> None:
    if not has_takes():
        pytest.skip("no recordings: there is no folder shared/data beside the checkout")
    rig = fw.sample()
    first, second, last = thirds(real_weights(rig))
    errors = of_face(rig, last, np.concatenate([first, second]), count=25)
    best = np.min([errors[method] for method in PUBLISHED], axis=0)
    assert (errors[LEARNED] < 0.8 * best).all()
    assert (errors[NAMES] < best).all()
    assert (errors[WRONG] < best).all()
