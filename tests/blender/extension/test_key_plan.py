"""The keys of a rig make the same face as the rig, with their drivers evaluated by Python. Needs no Blender."""

from dataclasses import replace

import numpy as np
import pytest
from blender.key_plan import PlannedKey, key_plan
from tests.blender.extension.scene import bent, random_pose

import facewright as fw
from facewright.samples import mask

RIG = mask(vertices=300, shapes=6, seed=3)


def played(rig: fw.Rig, plan: tuple[PlannedKey, ...], pose: dict[str, float]) -> np.ndarray:
    """The face that keys at these values make."""
    face = rig.neutral.copy()
    for key in plan:
        value = pose.get(key.name, 0.0)
        if key.factors:
            given = {n: pose[factor.slider] for n, factor in zip(key.variables, key.factors, strict=True)}
            value = eval(key.expression, {"min": min, "max": max}, given)
            assert key.low - 1e-9 <= value <= key.high + 1e-9, key.name
        face += value * key.shape.dense(rig.vertex_count)
    return face


def test_keys_make_the_rigs_face_in_any_pose() -> None:
    rng = np.random.default_rng(7)
    rig = bent(RIG, rng, RIG.sliders[:3])  # type: ignore[arg-type]
    plan = key_plan(rig)
    assert [key.name for key in plan if not key.factors] == list(rig.sliders)
    for _ in range(20):
        pose = random_pose(rig, rng)
        np.testing.assert_allclose(played(rig, plan, pose), fw.evaluate(rig, pose), atol=1e-7 * rig.size)


def test_a_slider_whose_shape_ends_at_0_has_a_key_of_its_own() -> None:
    rng = np.random.default_rng(8)
    left, right = (fw.Shape.from_dense(name, rng.normal(size=RIG.neutral.shape), sliders=("jaw",), at=at)
                   for name, at in (("jaw", 1.0), ("jaw left", -1.0)))  # fmt: skip
    rig = fw.Rig(RIG.neutral, RIG.polygons, [left, right], bounds=[[-1, 1]])
    plan = key_plan(rig)
    assert [key.name for key in plan] == ["jaw", "jaw at 1", "jaw left"]
    for value in (-1.0, -0.4, 0.3, 1.0):
        pose = {"jaw": value}
        np.testing.assert_allclose(played(rig, plan, pose), fw.evaluate(rig, pose), atol=1e-7 * rig.size)


def test_a_target_before_or_beyond_1_is_scaled() -> None:
    shape = replace(RIG.shapes[0], sliders=(RIG.shapes[0].name,), at=(0.5,))
    rig = fw.Rig(RIG.neutral, RIG.polygons, [shape])
    (key,) = key_plan(rig)
    np.testing.assert_allclose(key.shape.offsets, 2 * shape.offsets)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bounds": [[-20.0, 1.0]]}, "go from -10 to 10"),
        ({"shapes": [fw.Shape("x" * 80, [0], [[1, 0, 0]])]}, "63 bytes"),
    ],
)
def test_what_blender_cannot_keep_is_refused_in_words(change: dict[str, object], words: str) -> None:
    rig = fw.Rig(RIG.neutral, RIG.polygons, [replace(RIG.shapes[0], name="a", sliders=("a",))])
    given = {"shapes": rig.shapes, "sliders": (), "bounds": None, "groups": (), **change}
    with pytest.raises(fw.BadValue, match=words):
        key_plan(replace(rig, **given))  # type: ignore[arg-type]
