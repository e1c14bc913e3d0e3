"""Regions: the deformation map beside one with a decomposition for each ring, and how finding regions grows."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import facewright as fw
from bench.row import Row, compare
from facewright.document import PlacedPin
from facewright.regions.deformation import Bending, deformation, expressions
from facewright.regions.region_evaluator import RegionEvaluator, region_weights
from facewright.samples import mask
from facewright.workflow.drag.drag import PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache

SIZES = (30_000, 100_000, 200_000)


def rows() -> Iterator[Row]:
    rig = mask(vertices=9_400, shapes=57, seed=1, support=0.7)  # shapes as wide as a scanned face's
    yield compare(
        "regions",
        "deformation map, 9.4K x 57",
        partial(deformation, rig),
        baseline=("numpy's SVD of every ring", partial(by_decomposition, rig)),
        repeats=3,
    )
    small = partial(fw.segment, mask(vertices=10_000, shapes=57, seed=1))
    yield compare(
        "regions",
        "segment, 9.4K x 57",
        partial(fw.segment, rig),
        baseline=("its deformation map", partial(deformation, rig)),
        repeats=5,
        goal="under 1 s",
    )
    for vertices in SIZES:
        yield compare(
            "regions",
            f"segment, {vertices // 1000}K x 57",
            partial(fw.segment, mask(vertices=vertices, shapes=57, seed=1)),
            baseline=("10K x 57", small),
            repeats=2,
            goal=f"about {vertices // 10_000}x",
        )
    yield blending(rig)
    yield dragging(rig)


def blending(rig: fw.Rig) -> Row:
    """A pose in which every region has weights of its own, beside one with the same weights everywhere."""
    regions, rng = fw.segment(rig), np.random.default_rng(2)
    weights = np.array(region_weights(rig, regions))
    weights[:, :12] = rng.uniform(size=(regions.count, 12))
    run, plain = RegionEvaluator(rig, regions), fw.Evaluator(rig)
    return compare(
        "regions",
        f"pose of {regions.count} regions, 12 sliders",
        partial(run, weights),
        baseline=("one pose", partial(plain, weights[0])),
        repeats=20,
    )


def dragging(rig: fw.Rig) -> Row:
    """One move of a pin that is kept to its region, beside one on the whole face."""
    regions = fw.segment(rig)
    vertex = int(np.linalg.norm(rig.deltas(), axis=2).sum(axis=0).argmax())
    region = regions.names[int(regions.labels()[vertex])]
    document = fw.Document(rig, regions=regions, pins=(PlacedPin(id=1, vertex=vertex),))
    way = rig.neutral[vertex] + 0.01 * rig.size * np.random.default_rng(3).normal(size=(64, 3))
    whole, inside = SolverCache(), SolverCache()

    def moved(region: str, solvers: SolverCache) -> None:
        for place in way:
            drag_pins(document, PinDrag({1: tuple(place.tolist())}, region=region), solvers)

    return compare(
        "regions",
        "64 moves of a pin in a region, 9.4K x 57",
        partial(moved, region, inside),
        baseline=("on the whole face", partial(moved, "", whole)),
        repeats=5,
        goal="under 16 ms each",
    )


def by_decomposition(rig: fw.Rig) -> np.ndarray:
    """The same map in the plainest vectorised way."""
    bending = Bending(rig)
    largest = np.zeros(rig.vertex_count)
    for moved in expressions(rig):
        laplacian, spread = bending._of(moved)
        U, _, Vt = np.linalg.svd((bending._spread + spread).transpose(2, 0, 1))
        U[:, :, 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
        turned = np.einsum("nij,jn->in", U @ Vt, bending._rest)
        np.maximum(largest, rig.size * np.linalg.norm(bending._rest + laplacian - turned, axis=0), out=largest)
    return largest
