"""Rigs with in-betweens and combinations, beside their own linear part in the same run."""

from collections.abc import Iterator

from bench.correctives import attenuation, drags, evaluate, inverse_rig, takes
from bench.row import Row


def rows() -> Iterator[Row]:
    yield from evaluate.rows()
    yield from drags.rows()
    yield from attenuation.rows()
    yield from takes.rows()
    yield from inverse_rig.rows()
