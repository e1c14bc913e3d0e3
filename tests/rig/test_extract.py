"""Correctives from the sculpt of a pose."""

import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, OtherTopology, UnknownName
from facewright.rig.combine import Combine
from facewright.rig.edit import extract_corrective, scale
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Rig

POSES = [
    {"jaw": 1.0, "blink": 0.7, "puff": 1.0},
    {"smile": 0.5, "puff": 0.4},  # a knot of smile
    {"smile": -0.6, "jaw": 0.25},
    {"jaw": 0.3},
    {"puff": 1.0},  # it goes to 1.5
    {"smile": -0.5},
]


def sculpt_of(rig: Rig) -> Floats:
    return np.asarray(rig.neutral + np.random.default_rng(8).normal(size=rig.neutral.shape))


@pytest.mark.parametrize("additive", [True, False])
@pytest.mark.parametrize("pose", POSES, ids=str)
def test_the_face_is_the_sculpt_in_the_pose(crowded: Rig, pose: dict[str, float], additive: bool) -> None:
    sculpt = sculpt_of(crowded)
    new = extract_corrective(crowded, "fix", pose, sculpt, additive=additive)
    np.testing.assert_allclose(evaluate(new, pose), sculpt, atol=1e-6 * crowded.size)
    assert new.shape("fix").sliders == tuple(name for name in crowded.sliders if name in pose)
    assert Combine(new)(new.pose(pose))[-1] == pytest.approx(1)
    assert new.sliders == crowded.sliders


@pytest.mark.parametrize("pose", POSES, ids=str)
def test_an_addition_does_nothing_where_one_of_its_sliders_is_off(crowded: Rig, pose: dict[str, float]) -> None:
    new = extract_corrective(crowded, "fix", pose, sculpt_of(crowded))
    for name in pose:
        without = {"smile": 0.2, "jaw": 0.9, "blink": 0.3, "puff": 0.8} | pose | {name: 0.0}
        np.testing.assert_allclose(evaluate(new, without), evaluate(crowded, without), atol=1e-12)


def test_an_in_between_at_one_ends_where_its_slider_ends(crowded: Rig) -> None:
    new = extract_corrective(crowded, "fix", {"puff": 1.0}, sculpt_of(crowded))
    np.testing.assert_allclose(evaluate(new, {"puff": 1.5}), evaluate(crowded, {"puff": 1.5}), atol=1e-12)


def test_other_sliders_of_the_pose_keep_what_they_do_in_it(crowded: Rig) -> None:
    pose, sculpt = {"smile": 0.4, "jaw": 1.0, "puff": 0.5}, sculpt_of(crowded)
    new = extract_corrective(crowded, "fix", pose, sculpt, sliders=("jaw", "puff"))
    np.testing.assert_allclose(evaluate(new, pose), sculpt, atol=1e-6 * crowded.size)
    assert new.shape("fix").at == (1.0, 0.5)
    moved = {"jaw": 1.0, "puff": 0.5}
    added = evaluate(new, moved) - evaluate(crowded, moved)
    np.testing.assert_allclose(added, sculpt - evaluate(crowded, pose), atol=1e-6 * crowded.size)


@pytest.mark.parametrize("factor", [0.01, 1.0, 100.0])
def test_only_vertices_that_were_sculpted_are_stored_in_any_unit(crowded: Rig, factor: float) -> None:
    rig = scale(crowded, factor)
    pose = {"jaw": 0.7, "puff": 0.9}
    rounded = evaluate(rig, pose).astype(np.float32).astype(float)  # as a file keeps it
    rounded[[3, 7]] += 0.01 * rig.size
    assert extract_corrective(rig, "fix", pose, rounded).shape("fix").vertices.tolist() == [3, 7]


def test_a_corrective_with_knots_of_its_own_is_on_between_them_alone(crowded: Rig) -> None:
    pose, sculpt = {"jaw": 0.5, "puff": 0.9}, sculpt_of(crowded)
    new = extract_corrective(crowded, "fix", pose, sculpt, spans={"jaw": (0.3, 0.6)})
    np.testing.assert_allclose(evaluate(new, pose), sculpt, atol=1e-6 * crowded.size)
    for jaw in (0.3, 0.6, 0.8):
        other = {"jaw": jaw, "puff": 0.9}
        np.testing.assert_allclose(evaluate(new, other), evaluate(crowded, other), atol=1e-12)
    with pytest.raises(BadValue, match=r"the knots 0\.6, 0\.5, 0\.3 are out of order"):
        extract_corrective(crowded, "fix", pose, sculpt, spans={"jaw": (0.6, 0.3)})
    with pytest.raises(UnknownName, match="no slider of the corrective named 'blink'"):
        extract_corrective(crowded, "fix", pose, sculpt, spans={"blink": (0.1, 0.6)})


def test_mistakes_are_told(crowded: Rig) -> None:
    sculpt = sculpt_of(crowded)
    with pytest.raises(OtherTopology, match=r"19 vertices, the rig 20.*facewright register"):
        extract_corrective(crowded, "fix", {"jaw": 0.5}, sculpt[1:])
    with pytest.raises(BadValue, match="the pose is the neutral"):
        extract_corrective(crowded, "fix", {}, sculpt)
    with pytest.raises(BadValue, match="'blink' is 0 in the pose"):
        extract_corrective(crowded, "fix", {"jaw": 0.5}, sculpt, sliders=("jaw", "blink"))
    with pytest.raises(BadValue, match="each slider once"):
        extract_corrective(crowded, "fix", {"jaw": 0.5}, sculpt, sliders=("jaw", "jaw"))
    for end in ({"jaw": 1.0}, {"blink": 0.7}, {"smile": -1.0}):
        with pytest.raises(BadValue, match="two or more sliders, or for one before its end"):
            extract_corrective(crowded, "fix", end, sculpt)
    with pytest.raises(UnknownName, match="no slider named 'jow'"):
        extract_corrective(crowded, "fix", {"jaw": 0.5}, sculpt, sliders=("jow",))
    with pytest.raises(BadValue, match="a shape named 'jaw' already"):
        extract_corrective(crowded, "jaw", {"jaw": 0.5}, sculpt)
    with pytest.raises(BadValue, match="not finite"):
        extract_corrective(crowded, "fix", {"jaw": 0.5}, np.full_like(sculpt, np.nan))
