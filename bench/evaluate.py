"""Evaluating a pose, beside the time the machine needs to read as many bytes from memory."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import facewright as fw
from bench.row import Row, compare
from facewright.samples import mask

SIZES = [(10_000, 52), (50_000, 150), (50_000, 946)]


def rows() -> Iterator[Row]:
    for vertices, shapes in SIZES:
        rig = mask(vertices=vertices, shapes=shapes, seed=1, support=0.15)
        run = fw.Evaluator(rig)
        rng = np.random.default_rng(2)
        for active in (shapes, 15):
            weights = np.zeros(shapes)
            weights[rng.choice(shapes, active, replace=False)] = rng.uniform(0.1, 1, active)
            block = np.ones(run.bytes_touched(weights) // 8)
            yield compare(
                "evaluate",
                f"{vertices // 1000}K x {shapes}, {'all' if active == shapes else active} active",
                partial(run, weights),
                baseline=("read that many bytes", block.sum),
                repeats=30,
                goal="within 2x",
            )
