"""Redundant shapes: shapes that move nothing, that equal another up to a factor, or that are a sum of others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack, solve_triangular
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.report.overlap import UNSEEN
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

SAME = 1e-4  # of a shape's own length: shapes that differ less are equal
NEARLY = 0.1  # of a shape's own length: the largest residual of a dependent shape
_NONE = 1e-6  # of a shape's own length: products are squares, so that rounding hides smaller residuals
_SHOWN = 4  # number of terms of a sum that are named
_PROBES = 8  # random directions by which candidates for equal shapes are found


@dataclass(frozen=True)
class Duplicate:
    """Two equal shapes up to a factor: `second` is `first` times `factor`."""

    first: str
    second: str
    factor: float  # 1 if equal; negative if opposite


@dataclass(frozen=True)
class LinearTerm:
    """A shape and its factor."""

    name: str
    factor: float


@dataclass(frozen=True)
class Dependent:
    """A shape that is nearly a sum of others."""

    name: str
    residual: float  # length of what the sum leaves, as a share of the shape's own
    terms: tuple[LinearTerm, ...]  # those that contribute most
    others: int  # number of terms that are not named


@dataclass(frozen=True)
class OwnShare:
    """The part of a shape that no sum of the other shapes makes."""

    name: str
    share: float  # length of the part orthogonal to all others, as a share of the shape's own length: 0 .. 1


def dead_shapes(rig: Rig) -> tuple[str, ...]:
    """Shapes that move nothing, or nothing visible."""
    limit = UNSEEN * rig.size
    return tuple(shape.name for shape in rig.shapes if not _reach(shape) > limit)


def duplicates(rig: Rig) -> tuple[Duplicate, ...]:
    """Shapes that equal an earlier one up to a factor; each is named once.

    Random projections of the unit shapes are compared first: for shapes that differ by SAME, the chance that one of
    eight
    projections differs by more than ten times that is 1e-22, and other shapes hardly ever have similar projections.
    """
    dead = set(dead_shapes(rig))
    live = [shape for shape in rig.shapes if shape.name not in dead]
    marks = _marks(rig, live)
    tree = cKDTree(marks) if live else None
    found: list[Duplicate] = []
    taken: set[int] = set()
    for i, shape in enumerate(live):
        near = _near(tree, marks[i]) if tree and i not in taken else ()
        for j in near:
            if j > i and j not in taken and (factor := _factor(shape, live[j])) is not None:
                taken.add(j)
                found.append(Duplicate(shape.name, live[j].name, factor))
    return tuple(found)


def dependents(rig: Rig, gram: Floats, *, residual: float = NEARLY) -> tuple[Dependent, ...]:
    """Shapes that the others make up to a residual, the nearest first; gram (s, s): products of the shapes.

    A pivoted Cholesky factorisation repeatedly takes the shape that the shapes taken before reproduce worst. It stops
    where
    they reproduce all that are left; these are the dependent shapes.
    """
    live, unit, norm = _normalised(rig, gram)
    if len(live) < 2:
        return ()
    factor, pivots, rank, _ = lapack.dpstrf(unit, tol=residual**2, lower=0)
    order, upper = pivots - 1, np.triu(factor)
    kept, left = order[:rank], order[rank:]
    weights = solve_triangular(upper[:rank, :rank], upper[:rank, rank:])  # (rank, left) factors of the unit shapes
    gaps = np.sqrt(np.maximum(1 - (upper[:rank, rank:] ** 2).sum(axis=0), 0.0))
    names = [rig.shapes[i].name for i in live]
    found = []
    for column, (shape, gap) in enumerate(zip(left, gaps, strict=True)):
        terms = _terms(names, kept, weights[:, column], norm[kept] / norm[shape])
        named = tuple(terms[:_SHOWN])
        found.append(Dependent(names[shape], float(gap), named, len(terms) - len(named)))
    return tuple(sorted(found, key=lambda one: one.residual))


def own_shares(rig: Rig, gram: Floats) -> tuple[OwnShare, ...]:
    """For each shape the part that no sum of all others makes; 0 for shapes that move nothing.

    With K the products of the unit shapes, the squared distance of shape i from the span of the others is 1/(K^-1)_ii.
    """
    live, unit, _ = _normalised(rig, gram)
    share = np.zeros(len(rig.shapes))
    values, vectors = np.linalg.eigh(unit)
    share[live] = 1 / np.sqrt((vectors**2 / np.maximum(values, _NONE**2 / 100)).sum(axis=1))
    share[share < _NONE] = 0.0
    return tuple(
        OwnShare(shape.name, float(value)) for shape, value in zip(rig.shapes, np.minimum(share, 1), strict=True)
    )


def _normalised(rig: Rig, gram: Floats) -> tuple[Ints, Floats, Floats]:
    """The shapes (k,) that move something, their products (k, k) at length 1, and their lengths (k,)."""
    dead = set(dead_shapes(rig))
    live = np.array([i for i, shape in enumerate(rig.shapes) if shape.name not in dead], np.int64)
    norm = np.sqrt(np.diag(gram)[live])
    return live, gram[np.ix_(live, live)] / np.outer(norm, norm), norm


def _terms(names: list[str], kept: Ints, weights: Floats, ratio: Floats) -> list[LinearTerm]:
    """The terms of a sum that matter, the greatest contribution first."""
    order = np.argsort(-np.abs(weights), kind="stable")
    counts = [i for i in order if abs(weights[i]) > 0.02]
    return [LinearTerm(names[kept[i]], float(weights[i] / ratio[i])) for i in counts]


def _reach(shape: Shape) -> float:
    return float(np.linalg.norm(shape.offsets, axis=1).max(initial=0.0))


def _marks(rig: Rig, shapes: list[Shape]) -> Floats:
    """Projections (k, 8) of the shapes at length 1 onto random directions."""
    probes = np.random.default_rng(8).standard_normal((rig.vertex_count, 3, _PROBES))
    found = [np.tensordot(shape.offsets, probes[shape.vertices], 2) / np.linalg.norm(shape.offsets) for shape in shapes]
    return np.array(found).reshape(-1, _PROBES)


def _near(tree: cKDTree, mark: Floats) -> list[int]:
    """Shapes with nearly the same projections as one, or nearly the opposite ones."""
    room = 10 * SAME * np.sqrt(_PROBES)
    return sorted({*tree.query_ball_point(mark, room), *tree.query_ball_point(-mark, room)})


def _factor(a: Shape, b: Shape) -> float | None:
    """The factor by which `a` gives `b`, if there is one."""
    both = np.union1d(a.vertices, b.vertices)
    dense = np.zeros((2, len(both), 3))
    for row, shape in zip(dense, (a, b), strict=True):
        row[np.searchsorted(both, shape.vertices)] = shape.offsets
    factor = float((dense[0] * dense[1]).sum() / (dense[0] ** 2).sum())
    apart = float(np.linalg.norm(dense[1] - factor * dense[0]))
    return factor if apart <= SAME * float(np.linalg.norm(dense[1])) else None
