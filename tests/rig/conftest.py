"""Small rigs that can break the laws of this folder."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.mesh.polygons import Polygons
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

COLUMNS, ROWS = 9, 7


def grid_positions(columns: int = COLUMNS, rows: int = ROWS) -> Floats:
    """A curved patch, symmetric about x = 0 and about nothing else."""
    x, y = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-1.3, 1.1, rows))
    z = 0.8 - 0.5 * x**2 - 0.2 * y**2 + 0.1 * np.sin(3 * y) * np.cos(2 * x)
    return np.stack([x, y, z], axis=-1).reshape(-1, 3)


def grid_quads(columns: int = COLUMNS, rows: int = ROWS) -> Ints:
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.stack([first, first + 1, first + 1 + columns, first + columns], axis=1)


def bump(positions: Floats, centre: ArrayLike, offset: ArrayLike, width: float = 0.5) -> Floats:
    """An offset that fades to exactly zero away from its centre."""
    distance = np.linalg.norm(positions[:, :2] - np.asarray(centre), axis=1) / width
    return np.asarray(np.maximum(0, 1 - distance**2)[:, None] ** 2 * np.asarray(offset))


@pytest.fixture
def face() -> Rig:
    """A symmetric face with two sided shapes, one for both sides, and one in the middle."""
    x = grid_positions()
    deltas = {
        "smileLeft": bump(x, (0.5, -0.5), (0.2, 0.1, 0.05)),
        "smileRight": bump(x, (-0.5, -0.5), (-0.2, 0.1, 0.05)),
        "browUp": bump(x, (0.5, 0.7), (0.02, 0.2, 0)) + bump(x, (-0.5, 0.7), (-0.02, 0.2, 0)),
        "jawOpen": bump(x, (0, -0.9), (0, -0.3, -0.1), 0.9),
    }
    return Rig(x, Polygons.of(grid_quads()), tuple(Shape.from_dense(name, delta) for name, delta in deltas.items()))


@pytest.fixture
def crowded() -> Rig:
    """In-betweens on both sides of zero, products of two and three sliders, bounds, groups, an exclusive pair."""
    rng = np.random.default_rng(3)
    vertices = 20
    spec = [
        ("smile", ("smile",), 1.0), ("smile_half", ("smile",), 0.5), ("smile_back", ("smile",), -0.8),
        ("jaw", ("jaw",), 1.0), ("blink", ("blink",), 0.7), ("puff", ("puff",), 1.0),
        ("smile_jaw", ("smile", "jaw"), 1.0), ("smile_jaw_puff", ("smile", "jaw", "puff"), 1.0),
    ]  # fmt: skip
    shapes = tuple(
        Shape.from_dense(
            name, rng.normal(size=(vertices, 3)) * (rng.random((vertices, 1)) < 0.7), sliders=sliders, at=at
        )
        for name, sliders, at in spec
    )
    return Rig(
        rng.normal(size=(vertices, 3)),
        Polygons.of([[0, 1, 2, 3], [3, 2, 4], [5, 6, 7, 8, 9]]),
        shapes,
        bounds=np.array([[-1, 1], [0, 1], [0, 0.7], [0, 1.5]]),
        groups=("mouth", "jaw", "eye", "cheek"),
        exclusive=(("smile", "puff"),),
    )
