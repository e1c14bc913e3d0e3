"""How much stronger or weaker each shape is, from place to place, learned from poses as a smooth field over the face.

A person's shape is a(x) d(x) for the shape d of the template on the face. The field a is 1 plus a Gaussian process over
space, so that neighbouring vertices agree. A pose of several shapes is then told apart into these by the directions of
their motions, also where a single vertex could not decide: min sum |sum_i v_ji a_i d_i - m_j|^2 + p |c|^2, with the
coefficients c of the fields, for all poses and shapes at once. How large p is follows from the poses: where fields
explain what is left of them, it is small, and where they do not, fields stay near 1.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from facewright.arrays import Floats, Ints

# Chosen on kenji, edith and two ICT identities, as all constants here.
_LENGTH = 0.15  # of the size: how far neighbours agree
_CENTRES = 24  # points that carry the fields
_PLACES = 1500  # vertices that are looked at
_PRICE = 0.025  # p relative to the squared motion of a pose, where fields explain half of what is left
_PASSES = 3  # solves in which p is found
_EXACT, _STEPS = 1e-2, 200  # of conjugate gradients; what is left is far below what poses tell
_WEAKEST, _STRONGEST = 0.0, 3.0


class Amplitudes:
    """Smooth fields over a face of vertices (v, 3), of which some (k,) are moved by shapes."""

    def __init__(self, rest: Floats, moved: Ints, size: float) -> None:
        self._places = moved[:: max(1, len(moved) // _PLACES)]
        self._basis = smooth_fields(rest, rest[spread_points(rest, self._places, _CENTRES)], size)  # (v, b)

    def __call__(self, values: Floats, deltas: Floats, motions: Floats, known: Floats) -> Floats:
        """Amplitudes (s, v) for shape values (m, s), offsets (s, v, 3), motions (m, v, 3) of the poses.

        known: how much each pose counts at each vertex (m, v), from 0 to 1.
        """
        seen, at = np.flatnonzero(np.abs(values).max(axis=0, initial=0.0) > 0), self._places
        found = np.ones(deltas.shape[:2])
        if not len(seen) or not len(at):
            return found
        places = deltas[seen[:, None], at]
        problem = FieldProblem(values[:, seen], places, motions[:, at], known[:, at], self._basis[at])
        found[seen] += problem.solve() @ self._basis.T
        return np.clip(found, _WEAKEST, _STRONGEST)


class FieldProblem:
    """The least squares problem of the coefficients (s, b) of all fields."""

    def __init__(self, values: Floats, deltas: Floats, motions: Floats, known: Floats, basis: Floats) -> None:
        # coordinates come first, so that no product runs over three numbers
        self._values, self._deltas, self._basis = values, np.ascontiguousarray(deltas.transpose(2, 0, 1)), basis
        self._counts = known
        whole = np.ascontiguousarray(motions.transpose(2, 0, 1))  # (3, m, v)
        self.left = whole - values @ self._deltas  # (3, m, v)
        self._price = _PRICE * float((known * whole**2).sum()) / max(len(motions), 1)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the coefficients."""
        return self._deltas.shape[1], self._basis.shape[1]

    def made(self, coefficients: Floats) -> Floats:
        """The motions (3, m, v) that coefficients (s, b) add to the poses."""
        fields = coefficients @ self._basis.T  # (s, v)
        return np.asarray(self._values @ (fields * self._deltas))

    def back(self, motions: Floats) -> Floats:
        """The transpose of `made`, with poses counted where they tell something."""
        of_shapes = self._values.T @ (self._counts * motions)  # (3, s, v)
        return np.asarray((of_shapes * self._deltas).sum(axis=0) @ self._basis)

    def solve(self) -> Floats:
        """Coefficients (s, b)."""
        whole = float((self._counts * self.left**2).sum())
        found, price = np.zeros(self.shape), self._price
        if whole == 0 or price == 0:
            return found
        for _ in range(_PASSES):
            found = self.at_price(price, found)
            rest = float((self._counts * (self.left - self.made(found)) ** 2).sum()) / whole
            price = self._price * (rest / max(1 - rest, 1e-3)) ** 2
        return found

    def at_price(self, price: float, start: Floats, exact: float = _EXACT) -> Floats:
        """Coefficients (s, b) for the cost of their squares, by conjugate gradients."""
        flat = LinearOperator(
            (start.size, start.size),
            matvec=lambda c: (self.back(self.made(c.reshape(self.shape))) + price * c.reshape(self.shape)).ravel(),
            dtype=np.float64,
        )
        found, _ = cg(flat, self.back(self.left).ravel(), x0=start.ravel(), rtol=exact, maxiter=_STEPS)
        return np.asarray(found.reshape(self.shape))


def smooth_fields(points: Floats, centres: Floats, size: float, length: float = _LENGTH) -> Floats:
    """Fields (k, b) at points (k, 3) of a face of such a size: independent coefficients of variance 1 give a Gaussian
    process of variance 1 at the centres (c, 3). Neighbours agree over a length, a share of the size.
    """
    values, vectors = np.linalg.eigh(_kernel(centres, centres, length * size))
    kept = values > 1e-6 * values.max(initial=0.0)
    return np.asarray(_kernel(points, centres, length * size) @ (vectors[:, kept] / np.sqrt(values[kept])))


def _kernel(points: Floats, centres: Floats, length: float) -> Floats:
    apart = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    return np.asarray(np.exp(-apart / (2 * length**2)))


def spread_points(points: Floats, among: Ints, count: int) -> Ints:
    """So many of the points, far from each other."""
    if not len(among):
        return among
    some, chosen = points[among], [0]
    far = np.linalg.norm(some - some[0], axis=1)
    while len(chosen) < min(count, len(among)):
        chosen.append(int(far.argmax()))
        far = np.minimum(far, np.linalg.norm(some - some[chosen[-1]], axis=1))
    return np.asarray(among[chosen])
