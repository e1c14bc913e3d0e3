import numpy as np
import pytest
import scipy.sparse as sp

import facewright as fw
from facewright.capture.options import Method
from facewright.capture.playback import Playback
from facewright.capture.solver import solve_take
from facewright.errors import BadValue
from facewright.rig.regions import Regions
from tests.capture.acting import Acted, a_rig, acted, markers_on


def halves(rig: fw.Rig) -> Regions:
    """Left and right with a soft border, and the whole face above them."""
    left = np.clip(rig.neutral[:, 0] / 2 + 0.5, 0, 1)
    weights = sp.csr_array(np.stack([left, 1 - left]))
    return Regions.of(weights, [np.zeros(2, int)], {(0,): "left", (1,): "right", (0, 1): "face"})


def two_faces(frames: int = 80) -> tuple[Acted, np.ndarray]:
    """A take in which the same shapes have other weights on the left than on the right."""
    rig = a_rig()
    one, other = acted(frames=frames, head=False, seed=1), acted(frames=frames, head=False, seed=2)
    share = halves(rig).weights.toarray()
    blend = sum(
        part[:, None] * (fw.evaluate(rig, made.weights) - rig.neutral)
        for part, made in zip(share, (one, other), strict=True)
    )
    binding = markers_on(rig)
    positions = binding.places(rig.neutral + blend)
    from dataclasses import replace

    return replace(one, take=replace(one.take, positions=positions)), rig.neutral + blend


def test_regions_follow_what_one_weight_for_the_whole_face_cannot() -> None:
    made, truth = two_faces()
    whole = solve_take(made.rig, made.take, made.binding, head="markers")
    parts = solve_take(made.rig, made.take, made.binding, halves(made.rig), head="markers")
    assert np.nanmean(parts.residual) < 0.6 * np.nanmean(whole.residual)
    frames = np.arange(0, 80, 10)
    errors = [
        np.linalg.norm(Playback(s, residual=False)(frames) - truth[frames], axis=2).mean() for s in (whole, parts)
    ]
    assert errors[1] < 0.8 * errors[0]


@pytest.mark.parametrize("method", ["bounded", "convex"])
def test_weights_of_every_region_keep_the_bounds_and_the_markers_tell_the_same_as_the_mesh(method: Method) -> None:
    made, _ = two_faces(frames=40)
    found = solve_take(made.rig, made.take, made.binding, halves(made.rig), method=method)
    assert found.region_weights is not None
    assert found.region_weights.shape == (2, 40, 16)
    assert found.region_weights.min() >= 0
    assert found.region_weights.max() <= 1
    if method == "convex":
        assert found.region_weights.sum(axis=2).max() <= 1 + 1e-9
    mesh = Playback(found, residual=False)(np.arange(40))
    moved = made.binding.places(mesh) - made.binding.places(made.rig.neutral)
    np.testing.assert_allclose(moved, found.motion, atol=1e-9)


def test_where_all_regions_do_the_same_the_one_weight_is_theirs() -> None:
    made = acted(frames=60, head=False)
    found = solve_take(made.rig, made.take, made.binding, halves(made.rig))
    np.testing.assert_allclose(found.weights, made.weights, atol=0.03)


def test_at_the_level_of_the_whole_face_regions_change_little() -> None:
    made = acted(frames=60)
    whole = solve_take(made.rig, made.take, made.binding)
    top = solve_take(made.rig, made.take, made.binding, halves(made.rig), level=1)
    assert top.region_weights is not None
    assert len(top.region_weights) == 1
    np.testing.assert_allclose(whole.weights, top.weights, atol=0.02)


def test_regions_of_another_face_are_refused() -> None:
    made = acted(frames=5)
    with pytest.raises(BadValue, match="regions are of a face with"):
        solve_take(made.rig, made.take, made.binding, halves(a_rig(12).__class__(np.eye(3), np.array([[0, 1, 2]]))))


def test_regions_found_from_the_shapes_serve() -> None:
    rig = fw.sample()
    made = acted(rig, frames=30, head=False)
    regions = fw.segment(rig, threshold=0.5)
    found = solve_take(rig, made.take, made.binding, regions)
    assert np.nanmean(found.residual) <= np.nanmean(solve_take(rig, made.take, made.binding).residual) + 1e-6
