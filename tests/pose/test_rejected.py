"""The alternatives to attenuation, against what defines them."""

import numpy as np
import pytest
from scipy.linalg import null_space as scipy_null_space

import facewright as fw
from facewright.errors import BadValue
from facewright.pose.rejected import null_space, orthogonal_to, zeroed_rows
from tests.laws.things import random_rig


def case() -> tuple[fw.Rig, fw.Selection, np.ndarray, np.ndarray]:
    rig = random_rig(5)
    rng = np.random.default_rng(6)
    n = len(rig.sliders)
    return rig, fw.Selection.of({1: "xy", 4: "z"}), rng.uniform(0.1, 0.4, n), rng.uniform(0.3, 0.9, n)


def test_zeroed_rows_keep_the_selection_and_leave_all_else() -> None:
    rig, selection, before, after = case()
    face = zeroed_rows(rig, selection, before, after).ravel()
    chosen = np.zeros(len(face), bool)
    chosen[selection.coordinates] = True
    np.testing.assert_array_equal(face[chosen], fw.evaluate(rig, before).ravel()[chosen])
    np.testing.assert_array_equal(face[~chosen], fw.evaluate(rig, after).ravel()[~chosen])


def test_the_null_space_is_the_one_scipy_finds_and_the_limit_of_attenuation_by_weights() -> None:
    rig, selection, before, after = case()
    found = null_space(rig, selection, before, after)
    rows = np.array([shape.dense(rig.vertex_count).ravel()[selection.coordinates] for shape in rig.shapes]).T
    ways = scipy_null_space(rows)
    np.testing.assert_allclose(found, before + ways @ (ways.T @ (after - before)), atol=1e-12)
    held = (fw.evaluate(rig, found) - fw.evaluate(rig, before)).ravel()[selection.coordinates]
    assert np.abs(held).max() < 1e-9 < np.abs(found - after).max()


def test_later_motion_is_orthogonal_to_what_was_used_and_yet_moves_its_points() -> None:
    rig, selection, before, after = case()
    used = rig.sliders[:2]
    later = orthogonal_to(rig, used, before, after) - fw.evaluate(rig, before)
    for name in used:
        vector = rig.shape(name).dense(rig.vertex_count)
        assert abs(np.vdot(vector, later)) < 1e-9 * np.linalg.norm(vector) * np.linalg.norm(later)
    assert np.abs(later.ravel()[selection.coordinates]).max() > 1e-3
    with pytest.raises(BadValue, match="at least one slider"):
        orthogonal_to(rig, (), before, after)


def clip_of(rig: fw.Rig, frames: int = 7) -> fw.Clip:
    values = np.random.default_rng(8).uniform(0, 0.8, (frames, len(rig.sliders)))
    return fw.Clip.from_table("talk", rig.sliders, np.arange(frames) / 24, values)


def test_every_frame_under_the_layer_is_the_frame_attenuated_alone() -> None:
    rig, selection, before, _ = case()
    clip = clip_of(rig)
    layer = fw.attenuation_layer(rig, clip, selection, before, 50.0)
    over = fw.Clip(clip.name, clip.curves, clip.rate, (layer,)).sample(rig.sliders, bounds=rig.bounds)
    plain = clip.sample(rig.sliders)
    for frame, weights in zip(plain, over, strict=True):
        alone = fw.Attenuation(rig, selection, before, 50.0).solve(frame).weights
        np.testing.assert_allclose(weights, alone, atol=1e-9)
    assert np.abs(over - plain).max() > 0.01


def test_a_layer_of_alpha_zero_is_empty_and_a_clip_without_curves_is_refused() -> None:
    rig, selection, *_ = case()
    assert not fw.attenuation_layer(rig, clip_of(rig), selection, None, 0.0).curves
    with pytest.raises(BadValue, match="no curves"):
        fw.attenuation_layer(rig, fw.Clip("empty"), selection)
