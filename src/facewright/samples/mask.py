"""A generated face of any size, with any number of local, overlapping, smooth shapes, for tests and measurements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.names import group_of
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples.relief import HEIGHT, relief

_SMALLEST = 100  # vertices; fewer are no face, and not every smaller number fits a grid
_MIDDLE = 5  # one shape in this many is symmetric; the others come in pairs
_AMOUNT = (0.015, 0.05)  # largest motion of a shape, in face heights

# Places of shapes, in centimetres on the side of +x: centre and spread across and up, and frequency. As on a real face,
# most are around the mouth and the eyes.
_REGIONS = {
    "mouth": ((2.2, -4.4), (1.6, 1.1), 0.34),
    "eye": ((3.3, 1.9), (1.1, 0.8), 0.20),
    "brow": ((3.0, 4.2), (1.8, 0.7), 0.16),
    "cheek": ((4.6, -1.4), (1.1, 1.3), 0.14),
    "nose": ((0.9, -0.6), (0.6, 1.4), 0.08),
    "jaw": ((1.6, -8.0), (2.2, 1.0), 0.08),
}


def mask(vertices: int = 5000, shapes: int = 52, seed: int = 0, *, support: float = 0.15) -> Rig:
    """A symmetric face of exactly so many vertices, in quads, with texture coordinates.

    Shapes come as mirrored pairs named ...Left and ...Right, and some symmetric ones. support: the mean share of the
    vertices that a shape moves. The same arguments give the same rig.
    """
    if vertices < _SMALLEST:
        raise BadValue(f"a mask has at least {_SMALLEST} vertices, not {vertices}")
    if shapes < 1 or not 0 < support <= 1:
        raise BadValue(f"a mask has at least 1 shape and a support in (0, 1], not {shapes} and {support}")
    grid = MaskGrid.of(vertices)
    flat = grid.places()
    neutral = relief(flat)
    # In memory column by column, because distances are computed an axis at a time.
    made = tuple(_shapes(np.asfortranarray(neutral), grid.mirror(), shapes, support, np.random.default_rng(seed)))
    quads = grid.quads()
    return Rig(
        neutral,
        Polygons(quads.ravel(), np.full(len(quads), 4)),
        made,
        groups=tuple(group_of(shape.name) for shape in made),
        uvs=Uvs((flat + 1) / 2, quads.ravel()),
    )


@dataclass(frozen=True)
class MaskGrid:
    """Full rows of vertices from the brow down and, if the number requires it, a shorter one under the chin."""

    columns: int
    rows: int  # full ones
    rest: int  # vertices of the shorter row, 0 for none

    @classmethod
    def of(cls, vertices: int) -> MaskGrid:
        """The best proportioned of the grids that have this many vertices and two equal halves."""
        ideal = np.sqrt(vertices / 1.3)
        wide = range(max(3, int(0.6 * ideal)), int(1.6 * ideal) + 2)
        grids = [cls(columns, *divmod(vertices, columns)) for columns in wide]

        def cost(grid: MaskGrid) -> float:
            """How far a grid is from the wanted proportions."""
            notch = 1 - grid.rest / grid.columns if grid.rest else 0.0
            return float(3 * abs(np.log(grid.columns / ideal)) + notch + (grid.columns % 2 == 0))

        # A shorter row is centred, and a single vertex makes no quad.
        fitting = [grid for grid in grids if grid.rest == 0 or (grid.rest > 1 and (grid.columns - grid.rest) % 2 == 0)]
        return min(fitting, key=cost)

    def index(self) -> Ints:
        """Vertices (rows, columns), -1 where the last row has none."""
        full = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        if not self.rest:
            return full
        side = (self.columns - self.rest) // 2
        last = np.full(self.columns, -1)
        last[side : side + self.rest] = full.size + np.arange(self.rest)
        return np.vstack([full, last])

    def quads(self) -> Ints:
        """Quads (f, 4), counterclockwise from the front."""
        at = self.index()
        quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
        return quads[(quads >= 0).all(axis=1)]

    def mirror(self) -> Ints:
        """For each vertex (v,) the one on the other side."""
        at = self.index()
        partner = np.empty(at.max() + 1, np.int64)
        partner[at[at >= 0]] = at[:, ::-1][at >= 0]
        return partner

    def places(self) -> Floats:
        """Places (v, 2) in a disc of radius 1: a square grid mapped to a disc, without its thin outermost part."""
        at = self.index()
        across = 0.95 * np.linspace(-1, 1, at.shape[1])
        up = 0.95 * np.linspace(1, -1, at.shape[0])
        u, v = (values[at >= 0] for values in np.meshgrid(across, up))
        return np.stack([u * np.sqrt(1 - v**2 / 2), v * np.sqrt(1 - u**2 / 2)], axis=1)


def _shapes(neutral: Floats, mirror: Ints, number: int, support: float, rng: np.random.Generator) -> Iterator[Shape]:
    middles = number // _MIDDLE + (number - number // _MIDDLE) % 2
    numbers = count(1)
    for _ in range((number - middles) // 2):
        region, centre = _centre(rng)
        left = _bump(neutral, centre, support, rng)
        name = f"{region}{next(numbers):03d}"
        yield Shape(f"{name}Left", *left)
        yield Shape(f"{name}Right", *_mirrored(*left, mirror))
    for _ in range(middles):
        region, centre = _centre(rng)
        half = _bump(neutral, centre * [0, 1], support, rng)
        yield Shape(f"{region}{next(numbers):03d}", *_symmetric(*half, mirror))


def _centre(rng: np.random.Generator) -> tuple[str, Floats]:
    """The name of a region and a place (2,) in it."""
    odds = np.array([often for _, _, often in _REGIONS.values()])
    region = list(_REGIONS)[rng.choice(len(odds), p=odds / odds.sum())]
    middle, spread, _ = _REGIONS[region]
    return region, np.clip(rng.normal(middle, spread), [0.4, -10.0], [6.5, 7.0])


def _bump(neutral: Floats, centre: Floats, support: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Vertices (k,) around a place and their offsets (k, 3), which fade to zero at the rim, twice differentiable."""
    stretch = np.exp(rng.uniform(-0.35, 0.35, 2))
    share = min(support * rng.uniform(0.6, 1.4), 1.0)
    # The direction changes slowly over the bump: a shift, a rotation and a stretch.
    shift, turn = rng.normal(size=3) * [1, 1, 0.6], rng.normal(scale=0.5, size=(3, 3))
    amount = rng.uniform(*_AMOUNT) * HEIGHT
    x, y, z = neutral.T
    start = neutral[np.argmin((x - centre[0]) ** 2 + (y - centre[1]) ** 2)]
    away = (stretch[0] * (x - start[0])) ** 2 + (stretch[1] * (y - start[1])) ** 2 + (z - start[2]) ** 2
    reach = _reach(away, share)
    moved = np.flatnonzero(away < reach)
    fade = (1 - away[moved] / reach) ** 3
    offsets = fade[:, None] * (shift + (neutral[moved] - start) / np.sqrt(reach) @ turn.T)
    return moved, offsets * (amount / np.linalg.norm(offsets, axis=1).max())


def _reach(away: Floats, share: float) -> float:
    """The squared distance within which a share of all vertices lies, at least the nearest one."""
    number = max(1, round(share * len(away)))
    if number >= len(away):
        return float(1.1 * away.max())
    return float(np.partition(away, number)[number])


def _mirrored(vertices: Ints, offsets: Floats, mirror: Ints) -> tuple[Ints, Floats]:
    order = np.argsort(mirror[vertices])
    return mirror[vertices][order], offsets[order] * [-1, 1, 1]


def _symmetric(vertices: Ints, offsets: Floats, mirror: Ints) -> tuple[Ints, Floats]:
    """The mean of a bump and its mirror image."""
    touched = np.zeros(len(mirror), bool)
    touched[vertices] = touched[mirror[vertices]] = True
    both = np.flatnonzero(touched)
    mean = np.zeros((len(both), 3))
    for at, part in ((vertices, offsets), _mirrored(vertices, offsets, mirror)):
        mean[np.searchsorted(both, at)] += part / 2
    return both, mean
