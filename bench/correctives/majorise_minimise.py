"""The published inverse rig with corrections of pairs, by majorise-minimise steps, written from its description.

Rackovic, Soares, Jakovetic and Desnica 2023, "A majorization-minimization-based method for nonconvex inverse rig
problems in facial animation": min |f(w) - m|^2 + alpha sum w, 0 <= w <= 1, where each coordinate of the mesh is
f_i(w) = B_i w + w' D_i w, D_i symmetric, of the shapes of single sliders and of pairs. About weights w, a change v
costs (g_i + h_i'v + v'D_i v)^2 in a coordinate, with g = f(w) - m and h_i = B_i + 2 D_i w. This is at most

    g_i^2 + 2 g_i h_i'v + 2 (g_i l_i + |h_i|^2) |v|^2 + 2 n s_i^2 sum_j v_j^4

where l_i is the largest eigenvalue of D_i if g_i is positive and the least if not, s_i the largest by size, and n the
number of sliders. The bound is a sum over the sliders, q_j v_j + r v_j^2 + s v_j^4, and its least for each is the one
real root of a cubic, cut at the bounds. No step costs more than the one before.

It gets what makes it fast here: all frames at once, few coordinates in place of thousands of vertices, lengths of h by
the products of the shapes, and as its start the exact answer of the linear part.
"""

import numpy as np
import scipy.sparse as sp

import facewright as fw
from facewright.arrays import Floats
from facewright.rig.combine import Combine

_STEPS = 2000
_SETTLED = 1e-6  # of the cost: steps of a frame end when it gains less
_FEWEST = 20  # steps that are taken in any case, since the first may be short


def is_quadratic(rig: fw.Rig, shape: fw.Shape) -> bool:
    """Whether the published model has a shape: that of a slider, or of a pair at full values."""
    pair = len(shape.sliders) == 2 and set(shape.at) == {1.0} and not any(shape.spans)
    return shape.name in rig.sliders or (shape.is_combination and pair)


class MajoriseMinimise:
    """Weights within 0 and 1 for meshes in coordinates (r,), of which rows (r, s) give the shapes'."""

    def __init__(self, rig: fw.Rig, rows: Floats) -> None:
        strange = [shape.name for shape in rig.shapes if not is_quadratic(rig, shape)]
        assert not strange, f"these are neither of a slider nor of a pair: {strange}"
        self._rows, self._combine = rows, Combine(rig)
        straight, bent = self._combine.straight, self._combine.bent_shapes
        # The derivative of the shapes' values has these entries, each of one shape by one slider.
        self._shapes = np.concatenate([straight[:, 0], bent.slope_shapes])
        sliders = np.concatenate([straight[:, 1], bent.slope_sliders])
        places = np.arange(len(sliders)), sliders
        self._by_slider = sp.csr_array((np.ones(len(sliders)), places), shape=(len(sliders), len(rig.sliders)))
        of_shapes = rows[:, self._shapes]
        self._products = (of_shapes.T @ of_shapes) * (sliders[:, None] == sliders)
        values = [np.linalg.eigvalsh(each) for each in pair_matrices(rig, rows)]
        self._least, self._largest = np.array([(each[0], each[-1]) for each in values]).T  # (r,), (r,)
        sizes = np.maximum(-self._least, self._largest)
        self._quartic = 2 * len(rig.sliders) * float((sizes**2).sum())

    def __call__(self, wanted: Floats, alpha: float, start: Floats) -> Floats:
        """Weights (frames, n) for meshes (frames, r) from a start (frames, n)."""
        weights, busy = np.clip(start, 0.0, 1.0), np.arange(len(start))
        now = self.cost(weights, wanted, alpha)
        for number in range(_STEPS):
            weights[busy] += self.step(weights[busy], wanted[busy], alpha)
            before, costs = now[busy], self.cost(weights[busy], wanted[busy], alpha)
            now[busy] = costs
            if number >= _FEWEST:
                busy = busy[before - costs > _SETTLED * before]
            if not len(busy):
                break
        return weights

    def step(self, weights: Floats, wanted: Floats, alpha: float) -> Floats:
        """The change (frames, n) that minimises the bound within the limits of the weights (frames, n)."""
        q, r, s = self.bound(weights, wanted, alpha)
        return np.asarray(np.clip(_least_of_quartic(q, r[:, None], s), -weights, 1 - weights))

    def bound(self, weights: Floats, wanted: Floats, alpha: float) -> tuple[Floats, Floats, float]:
        """Of a change of each weight: slopes q (frames, n), curvatures r (frames,), and the factor s of the fourth."""
        left = self._combine(weights) @ self._rows.T - wanted  # (frames, r)
        straight = np.broadcast_to(self._combine.gain, (len(weights), len(self._combine.gain)))
        slopes = np.concatenate([straight, self._combine.bent_shapes.slopes(weights)], axis=1)  # (frames, entries)
        by_entry = slopes * (left @ self._rows)[:, self._shapes]
        q = 2 * np.asarray((self._by_slider.T @ by_entry.T).T) + alpha
        bent = (left * np.where(left > 0, self._largest, self._least)).sum(axis=1)
        lengths = ((slopes @ self._products) * slopes).sum(axis=1)
        return q, 2 * (bent + lengths), self._quartic

    def cost(self, weights: Floats, wanted: Floats, alpha: float) -> Floats:
        """What is minimised, for each frame (frames,)."""
        left = self._combine(weights) @ self._rows.T - wanted
        return np.asarray((left**2).sum(axis=1) + alpha * weights.sum(axis=1))


def pair_matrices(rig: fw.Rig, rows: Floats) -> Floats:
    """The symmetric matrices D (r, n, n) of pairs of sliders, one for each coordinate."""
    found = np.zeros((len(rows), len(rig.sliders), len(rig.sliders)))
    for at, shape in enumerate(rig.shapes):
        if shape.is_combination:
            one, other = map(rig.slider_index, shape.sliders)
            found[:, one, other] += rows[:, at] / 2
            found[:, other, one] += rows[:, at] / 2
    return found


def _least_of_quartic(q: Floats, r: Floats, s: float) -> Floats:
    """Where q v + r v^2 + s v^4 is least, for r > 0 and s >= 0: the real root of q + 2 r v + 4 s v^3."""
    if s == 0:
        return np.asarray(-q / (2 * r))
    p = r / (2 * s)  # v^3 + p v + q / (4 s) = 0, whose root is a hyperbolic sine (Holmes 2002)
    return np.asarray(-2 * np.sqrt(p / 3) * np.sinh(np.arcsinh(3 * q / (8 * s * p) * np.sqrt(3 / p)) / 3))
