"""Several templates as one: a weighted mean of their shapes on the face that is to be rigged (future work in Li 2010).

Each template is brought onto the face by transfer, whatever its topology. How much each counts is set, or found by
how near the mean comes to example poses, with free weights of the sliders that their guesses name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats, frozen
from facewright.build.reach_fit import ReachFit
from facewright.build.target import Face, positions_of
from facewright.build.transfer import transfer
from facewright.build.weight_guess import guess_weights
from facewright.errors import BadValue, OtherTopology
from facewright.options import suggests_options
from facewright.rig.combine import Combine
from facewright.rig.names import meanings
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.solve.limits import RowLimits
from facewright.solve.qp import solve_qp

_ROUNDS = 4  # shares and weights are solved for in turn
_EVEN = 1e-3  # cost of uneven shares, relative to the mean diagonal element


@dataclass(frozen=True, eq=False)
class BlendedTemplate:
    """Several templates on one face."""

    rig: Rig  # the face with the weighted mean of the templates' shapes; a template for this face
    shares: Floats  # (k,) of the templates; they sum to 1
    left: float  # share of the poses' motion that the mean leaves with free weights; 0 without poses

    def __repr__(self) -> str:
        shares = ", ".join(f"{share:.2f}" for share in self.shares)
        return f"BlendedTemplate({self.rig!r}, shares {shares})"


@suggests_options
def blend_templates(
    templates: Sequence[Rig],
    neutral: Face,
    poses: Sequence[Face] | Floats = (),
    weights: Sequence[Mapping[str, float] | None] | ArrayLike | None = None,
    *,
    shares: ArrayLike | None = None,
    closing: Mapping[str, str | None] | None = None,
) -> BlendedTemplate:
    """One template from several, for one face. Sliders are those of the first; shapes are matched by their names.

    poses, weights: as for `build_rig`; they tell how much each template counts. Without poses all count alike.
    shares: how much each template counts, instead.
    closing: as for `transfer`.
    """
    if not templates:
        raise BadValue("give at least one template, such as facewright.sample()")
    carried = [transfer(one, neutral, closing=closing) for one in templates]
    first = carried[0]
    if any(one.vertex_count != first.vertex_count for one in carried):
        raise OtherTopology(
            "the templates end up with different vertices, since the neutral looks like a scan; register one of them"
            " onto it, and use the result as the neutral"
        )
    deltas, known = _matched(carried)
    if shares is not None:
        return BlendedTemplate(*_blend(first, deltas, known, _checked(shares, len(templates))), left=0.0)
    even = np.full(len(templates), 1 / len(templates))
    motions = np.array([positions_of(first, pose, "a pose") - first.neutral for pose in poses])
    if not len(motions):
        return BlendedTemplate(*_blend(first, deltas, known, even), left=0.0)
    guesses = _guesses(_blend(first, deltas, known, even)[0], motions, weights)
    found, left = _fitted(first, deltas, known, motions, guesses)
    return BlendedTemplate(*_blend(first, deltas, known, found), left=left)


def _matched(rigs: Sequence[Rig]) -> tuple[Floats, Floats]:
    """Offsets (k, s, v, 3) of the first rig's shapes in all rigs, and which rig has which (k, s), as 1 or 0."""
    first = rigs[0]
    wanted = [meaning.canonical for meaning in meanings(first.shape_names).values()]
    deltas = np.zeros((len(rigs), len(wanted), first.vertex_count, 3))
    known = np.zeros((len(rigs), len(wanted)))
    for k, rig in enumerate(rigs):
        theirs = {meaning.canonical: i for i, meaning in enumerate(meanings(rig.shape_names).values())}
        for i, name in enumerate(wanted):
            at = i if rig.shape_names == first.shape_names else theirs.get(name)
            if at is not None and len(rig.shapes[at].sliders) == len(first.shapes[i].sliders):
                deltas[k, i], known[k, i] = rig.shapes[at].dense(first.vertex_count), 1.0
    if not known[1:].any(axis=1).all():
        raise BadValue("a template has no shape of the first one's; shapes of templates are matched by their names")
    return deltas, known


def _of_shapes(known: Floats, shares: Floats) -> Floats:
    """The share of each template in each shape (k, s), among those that have it."""
    some = np.maximum(shares, 1e-9)[:, None] * known
    return np.asarray(some / some.sum(axis=0))


def _blend(first: Rig, deltas: Floats, known: Floats, shares: Floats) -> tuple[Rig, Floats]:
    mean = np.einsum("ks,ksvc->svc", _of_shapes(known, shares), deltas)
    shapes = tuple(
        Shape.from_dense(one.name, offsets).driven_as(one) for one, offsets in zip(first.shapes, mean, strict=True)
    )
    return replace(first, shapes=shapes), frozen(shares.copy())


def _checked(shares: ArrayLike, count: int) -> Floats:
    found = floats("shares of the templates", shares, (count,))
    if (found < 0).any() or not found.any():
        raise BadValue(f"shares of templates are numbers of at least 0, and not all 0; these are {found.tolist()}")
    return np.asarray(found / found.sum())


def _guesses(rig: Rig, motions: Floats, weights: Sequence[Mapping[str, float] | None] | ArrayLike | None) -> Floats:
    rows = [None] * len(motions) if weights is None else list(weights)  # type: ignore[arg-type]
    if len(rows) != len(motions):
        raise BadValue(f"there are {len(motions)} poses but {len(rows)} rows of weights; each pose needs one")
    return np.array(
        [
            rig.weights(guess_weights(rig, motion) if row is None else row)
            for row, motion in zip(rows, motions, strict=True)
        ]
    )


def _fitted(first: Rig, deltas: Floats, known: Floats, motions: Floats, guesses: Floats) -> tuple[Floats, float]:
    """Shares (k,) of the templates that come nearest to the motions (m, v, 3), and what they leave of these."""
    count, combine = len(deltas), Combine(first)
    shares, flat = np.full(count, 1 / count), motions.reshape(len(motions), -1)
    one = RowLimits(np.ones((1, count)), np.ones(1), np.ones(1))
    left = 1.0
    for _ in range(_ROUNDS):
        fit = ReachFit(first, np.einsum("ks,ksvc->svc", _of_shapes(known, shares), deltas))
        weights = np.array([fit(fit.product(m), g != 0, g) for m, g in zip(motions, guesses, strict=True)])
        values = combine(weights)  # (m, s)
        made = np.array([(values @ own.reshape(len(own), -1)).ravel() for own in deltas])  # (k, m * 3v)
        H = made @ made.T
        even = _EVEN * float(H.diagonal().mean())
        c = -made @ flat.ravel() - even / count
        shares = np.clip(solve_qp(H + even * np.eye(count), c, np.zeros(count), np.ones(count), rows=one).x, 0, 1)
        shares = shares / shares.sum()
        left = float(np.linalg.norm(flat.ravel() - shares @ made) / (np.linalg.norm(flat) or 1.0))
    return shares, left
