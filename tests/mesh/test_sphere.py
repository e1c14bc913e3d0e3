import numpy as np

from facewright.mesh.sphere import fitted_sphere, is_round


def on_a_cap(height: float, count: int = 60) -> np.ndarray:
    """Points of a sphere of radius 3 about (40, -2, 7), above a height on it."""
    rng = np.random.default_rng(3)
    up, turn = rng.uniform(height, 1, count), rng.uniform(0, 2 * np.pi, count)
    across = np.sqrt(1 - up**2)
    return 3 * np.stack([across * np.cos(turn), across * np.sin(turn), up], axis=1) + (40, -2, 7)


def test_the_sphere_is_found_also_from_a_part_of_it() -> None:
    for height in (-1.0, 0.3):
        middle, radius = fitted_sphere(on_a_cap(height))
        np.testing.assert_allclose(middle, (40, -2, 7), atol=1e-9)
        assert abs(radius - 3) < 1e-9


def test_a_ball_is_round_and_a_slab_is_not() -> None:
    assert is_round(on_a_cap(-1.0))
    assert is_round(on_a_cap(-1.0) + 0.1 * np.random.default_rng(0).normal(size=(60, 3)))
    assert not is_round(np.random.default_rng(0).uniform(size=(60, 3)) * (9, 4, 1))
