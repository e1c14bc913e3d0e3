"""What is known about real faces is found."""

from pathlib import Path

import numpy as np
import pytest

from facewright.report.interference import Interference, interference
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples.head import sample


@pytest.fixture(scope="module")
def ict(shared_data: Path) -> Interference:
    with np.load(shared_data / "ict_face" / "ict_face.npz") as data:
        shapes = tuple(
            Shape.from_dense(str(name), delta) for name, delta in zip(data["names"], data["deltas"], strict=True)
        )
        return interference(Rig(data["neutral"], data["quads"], shapes))


def test_on_the_scanned_face_the_pupil_is_dead_and_opposites_oppose(ict: Interference) -> None:
    assert ict.dead == ("PupilDilate_L",)
    pairs = {(pair.first, pair.second): pair for pair in ict.pairs}
    assert pairs["jawLeft", "jawRight"].interference < -0.95
    assert pairs["jawOpen", "mouthClose"].direction < -0.9
    assert pairs["mouthFunnel", "mouthPucker"].interference > 0.8


def test_the_scanned_face_is_nearly_even(ict: Interference) -> None:
    assert ict.asymmetry is not None
    assert ict.asymmetry.alone == ()
    assert 0 < ict.asymmetry.shapes[0].difference < 0.05


def test_on_the_embedded_head_the_jaw_forward_is_left_and_right_together() -> None:
    found = interference(sample())
    (jaw,) = (one for one in found.dependent if one.name == "jawForward")
    assert {term.name for term in jaw.terms[:2]} == {"jawLeft", "jawRight"}
    assert jaw.terms[0].factor == pytest.approx(jaw.terms[1].factor, rel=1e-3)
    assert found.asymmetry is not None
    assert found.asymmetry.shapes[0].difference < 1e-6
