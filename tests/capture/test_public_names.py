"""The calls that people make, as they make them."""

from pathlib import Path

import numpy as np

import facewright as fw
from tests.capture.acting import acted
from tests.capture.test_names_and_places import actor


def test_a_take_is_loaded_bound_and_solved_by_public_names(tmp_path: Path) -> None:
    fw.save_take(actor(), tmp_path / "take.csv")
    rig = fw.sample()
    take = fw.load_take(tmp_path / "take.csv")
    binding = fw.bind(rig, take)
    result = fw.solve_take(rig, take, binding)
    assert result.weights.shape == (len(take), len(rig.sliders))
    assert set(rig.sliders) <= set(result.clip.curves)
    assert result.residual.shape == (len(take), len(binding.markers))
    assert len(result.status) == len(take)
    assert all(status.value for status in result.status)


def test_regions_found_by_a_threshold_are_taken_by_the_solver() -> None:
    made = acted(frames=20)
    regions = fw.segment(made.rig, threshold=0.5)
    assert isinstance(regions, fw.Regions)
    pairs = {name: int(vertex) for name, vertex in zip(made.binding.markers, made.binding.vertices[:, 0], strict=True)}
    binding = fw.bind(made.rig, made.take, pairs=pairs)
    result = fw.solve_take(made.rig, made.take, binding, regions=regions)
    assert result.weights.shape == (20, 16)
    assert result.region_weights is not None
    assert result.region_weights.shape == (regions.count, 20, 16)
    np.testing.assert_array_equal(binding.vertices[:, 0], list(pairs.values()))
