"""Registration of 5K onto 10K vertices beside trimesh's nricp_amberg: time, and error, of both in one run.

Both get the same meshes and the same pairs. Times are those of one processor at work.
"""

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

import facewright as fw
from bench.row import Row
from facewright.mesh.align import align
from facewright.mesh.closest import Surface
from facewright.samples import mask
from facewright.samples.mask import MaskGrid

SOURCE, TARGET = 5000, 10_000
PAIRS = 12


def rows() -> Iterator[Row]:
    source, target, truth, pairs = _scene()
    size = float(np.linalg.norm(np.ptp(target.neutral, axis=0)))
    ours, fitted = _timed(lambda: fw.register(source, target, pairs).fitted)
    theirs, baseline = _timed(lambda: _amberg(source, target, pairs, size))
    case = f"{SOURCE // 1000}K onto {TARGET // 1000}K vertices"
    yield Row("register", case, ours, ours, "trimesh nricp_amberg", theirs, "faster")
    surface = Surface(target.neutral, target.triangles)
    for what, error in (
        ("distance to the surface, millionths of the size", lambda x: surface.closest(x).distances.mean()),
        ("distance to the truth, millionths of the size", lambda x: np.linalg.norm(x - truth, axis=1).mean()),
    ):
        mine, its = (1e6 * float(error(x)) / size for x in (fitted, baseline))  # type: ignore[no-untyped-call]
        yield Row("register", what, mine, mine, "trimesh nricp_amberg", its, "no larger", unit="")


def _timed(run: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    start = process_time()
    found = run()
    return 1000 * (process_time() - start), found


def _scene() -> tuple[fw.Rig, fw.Rig, np.ndarray, list[tuple[int, int]]]:
    """A mask, another person's of another topology, where the first one's vertices belong, and pairs."""
    source, fine = mask(vertices=SOURCE, shapes=1), mask(vertices=TARGET, shapes=1)
    ours, theirs = MaskGrid.of(SOURCE).places(), MaskGrid.of(TARGET).places()
    chosen = np.random.default_rng(0).choice(SOURCE, PAIRS, replace=False)
    pairs = [(int(i), int(((theirs - ours[i]) ** 2).sum(axis=1).argmin())) for i in chosen]
    return source, fw.Rig(_other(fine.neutral), fine.polygons), _other(source.neutral), pairs


def _other(points: np.ndarray) -> np.ndarray:
    """Another person: wider above, longer, with other cheeks."""
    x, y, z = points.T
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    depth = 0.92 * z + 0.03 * size * np.sin(6 * y / size) + 0.01 * size * np.sin(20 * x / size)
    return np.stack([x * (1.08 + 0.15 * y / size), 1.1 * y + 0.03 * x, depth], axis=1)


def _amberg(source: fw.Rig, target: fw.Rig, pairs: list[tuple[int, int]], size: float) -> np.ndarray:
    """Its own defaults, which are for meshes of size 1, from the same alignment."""
    from trimesh import Trimesh
    from trimesh.registration import nricp_amberg

    own, other = np.array(pairs).T
    placed = align(source.neutral[own], target.neutral[other], scaled=True)(source.neutral) / size
    moving = Trimesh(placed, source.triangles, process=False)
    still = Trimesh(target.neutral / size, target.triangles, process=False)
    found = nricp_amberg(moving, still, own, target.neutral[other] / size)  # type: ignore[no-untyped-call]
    return size * np.asarray(found)
