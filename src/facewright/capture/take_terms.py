"""The terms of a user in every frame of a take: wishes as markers that are always seen, preferences as a quadratic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.frame_solvers import FrameQuadratic
from facewright.capture.markers import BoundRig
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.terms.rules import vertex_offsets
from facewright.terms.stack import TermList, stacked_points, stacked_sliders, term_context, term_scale
from facewright.terms.term import Term


class TakeTerms:
    """Terms about a bound rig. The rows of wishes are grouped in threes, m of them, like the axes of a marker."""

    def __init__(self, bound: BoundRig, terms: Sequence[Term]) -> None:
        rig, n = bound.rig, len(bound.rig.sliders)
        own, self._bound = TermList.of(terms), bound
        asked, start = bound.rows.reshape(-1, n), rig.weights()
        context = term_context(rig, start, bound.amount, asked)
        wishes = stacked_points(own.wishes, context, vertex_offsets(rig))
        by_slider = wishes.rows @ bound.chords
        sliders = stacked_sliders(own.preferences, context, term_scale(context.full, asked, by_slider))
        _check_price(rig, sliders.price)
        ridge = np.diag(sliders.ridge)
        self._H, self._c, self.price = ridge if sliders.H is None else ridge + sliders.H, sliders.c, sliders.price
        self.shape_rows = _in_threes(wishes.rows)  # (m, 3, s)
        self.rows = _in_threes(by_slider)  # (m, 3, n) each slider from rest to its full value
        self._targets = _in_threes(wishes.targets[:, None])[:, :, 0]  # (m, 3)
        self._sources = wishes.sources

    def quadratic(self, unknowns: int) -> FrameQuadratic:
        """The preferences for frames whose unknowns are the sliders and perhaps others after them."""
        n = len(self._c)
        H, c = np.zeros((unknowns, unknowns)), np.zeros(unknowns)
        H[:n, :n], c[:n] = self._H, self._c
        return FrameQuadratic(H, c)

    def wanted(self, frames: int) -> Floats:
        """What the wishes ask (frames, m, 3), as motion of markers."""
        return np.broadcast_to(self._targets, (frames, *self._targets.shape))

    def linearised(self, weights: Floats) -> Floats:
        """The same (frames, m, 3) less what in-betweens and combinations add at weights (frames, n)."""
        wanted = self.wanted(len(weights))
        if self._bound.is_linear or not len(self.rows):
            return wanted
        whole = self._bound.combine(weights) @ self.shape_rows.reshape(-1, self._bound.combine.shapes).T
        linear = weights @ self.rows.reshape(-1, weights.shape[1]).T
        return np.asarray(wanted - (whole - linear).reshape(wanted.shape))

    def seen(self, seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which markers are seen (frames, k + m), those of the wishes in every frame."""
        return np.concatenate([seen, np.ones((len(seen), len(self.rows)), bool)], axis=1)

    def shares(self, of_vertices: Floats) -> Floats:
        """How much each row of the wishes (r, m, 3) belongs to regions, whose shares of the vertices are (r, v)."""
        parts = [np.zeros((len(of_vertices), 0))]
        for vertices, weights in self._sources:
            size = np.abs(weights).sum(axis=2)  # (k, m)
            total = np.where(size.sum(axis=1) > 0, size.sum(axis=1), 1.0)
            parts.append(np.einsum("km,rkm->rk", size, of_vertices[:, vertices]) / total)
        by_row = np.concatenate(parts, axis=1).T  # (k, r)
        return np.moveaxis(_in_threes(by_row), 2, 0)


def typical_motion(wanted: Floats, most: Floats) -> float:
    """How far a typical marker wants to go in a take (frames, k, 3): the mean, each motion weighted by itself.

    Of each coordinate no more than `most` (k, 3), which is as far as the sliders could move it.
    """
    squares = (np.minimum(np.abs(np.nan_to_num(wanted)), most) ** 2).sum(axis=2)
    return float(squares.sum() / (np.sqrt(squares).sum() or 1.0))


def _in_threes(rows: Floats) -> Floats:
    """Rows (k, n) as (m, 3, n), the last filled up with zeros."""
    groups = -(-len(rows) // 3)
    padded = np.zeros((3 * groups, rows.shape[1]))
    padded[: len(rows)] = rows
    return padded.reshape(groups, 3, rows.shape[1])


def _check_price(rig: Rig, price: Floats) -> None:
    below = np.flatnonzero((price > 0) & (rig.bounds[:, 0] < 0))
    if len(below):
        raise BadValue(
            f"a preference has a price for {rig.sliders[below[0]]}, which goes below 0; in a take give it a ridge or H"
        )
