"""Terms added up: wishes to rows in the shapes' values, preferences to one cost in the sliders' values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue
from facewright.rig.rig import Rig
from facewright.solve.hessian import ridge_for, symmetric
from facewright.terms.term import Preference, SliderCost, Term, TermContext, Wish

_STILL = 1e-2  # a slider that moves the face less than this share of the one that moves it most counts as this share


class TermList(NamedTuple):
    """Terms, by kind."""

    wishes: tuple[Wish, ...]
    preferences: tuple[Preference, ...]

    @classmethod
    def of(cls, terms: Sequence[Term]) -> TermList:
        """The terms, checked to have one of the two methods each."""
        if not isinstance(terms, Sequence):
            raise BadValue(f"terms are a list, such as [{type(terms).__name__}(...)], not one term")
        for term in terms:
            if isinstance(term, type) or isinstance(term, Wish) == isinstance(term, Preference):
                raise BadValue(
                    "a term has the method rows (a wish about points) or cost (a preference about sliders), "
                    f"not {term!r}"
                )
        return cls(
            tuple(term for term in terms if isinstance(term, Wish)),
            tuple(term for term in terms if isinstance(term, Preference)),
        )

    def more(self, other: TermList) -> TermList:
        """These terms and others."""
        return TermList(self.wishes + other.wishes, self.preferences + other.preferences)

    def __bool__(self) -> bool:
        return bool(self.wishes or self.preferences)


@dataclass(frozen=True, eq=False)
class TermScale:
    """What the numbers of a SliderCost are shares of, for one drag or one take."""

    full: Floats  # (n,) as in TermContext
    curvature: float  # largest of the pins or markers, for sliders in shares; squared scene units
    reach: float  # furthest that one slider at its full value moves them, all together; scene units


@dataclass(frozen=True, eq=False)
class SliderTerms:
    """All preferences: 1/2 w'Hw + c'w + 1/2 ridge'(w - start)^2 + typical price'|w - start|, w in slider values.

    The typical motion that the price is multiplied by is what a typical pin or marker wants, in scene units.
    """

    H: Floats | None  # (n, n); None: 0
    c: Floats  # (n,)
    ridge: Floats  # (n,)
    price: Floats  # (n,)


@dataclass(frozen=True, eq=False)
class PointTerms:
    """All wishes: 1/2 |rows v - targets|^2, v being the shapes' values."""

    rows: Floats  # (k, s)
    targets: Floats  # (k,)
    sources: tuple[tuple[Ints, Floats], ...]  # vertices (k, m) and weights (k, m, 3) of every wish, in order


def term_context(rig: Rig, start: Floats, amount: Floats, asked: Floats) -> TermContext:
    """The context that terms are given.

    `amount` (n,) is how far each slider moves the face, in any unit; `asked` (q, n) are the rows of pins or markers.
    """
    full = rig.full_values
    amount, reach = amount * full, np.linalg.norm(asked * full, axis=0)
    amount = np.maximum(amount / (amount.max(initial=0.0) or 1.0), _STILL)
    return TermContext(rig, start, full, amount, reach / (reach.max(initial=0.0) or 1.0))


def term_scale(full: Floats, asked: Floats, kept: Floats) -> TermScale:
    """What costs are shares of: rows `asked` (q, n) of pins or markers, or where there are none the rows `kept`."""
    moves = asked * full
    curvature = (_largest(moves) or _largest(kept * full) or 1.0) ** 2
    return TermScale(full, curvature, float(np.linalg.norm(moves, axis=0).max(initial=0.0)))


def stacked_sliders(preferences: Sequence[Preference], context: TermContext, scale: TermScale) -> SliderTerms:
    """Preferences, added up."""
    n, per_full = len(context.full), 1 / scale.full
    costs = [_checked_cost(preference, context) for preference in preferences]
    c, ridge, price = np.zeros(n), np.zeros(n), np.zeros(n)
    for cost in costs:
        for total, part in ((c, cost.c), (ridge, cost.ridge), (price, cost.price)):
            total += 0.0 if part is None else part
    squares = [cost.H for cost in costs if cost.H is not None]
    curvature = scale.curvature
    return SliderTerms(
        curvature * per_full[:, None] * sum(squares) * per_full if squares else None,
        curvature * c / scale.full,
        curvature * ridge / scale.full**2,
        scale.reach * price / scale.full,
    )


def stacked_points(wishes: Sequence[Wish], context: TermContext, offsets: Callable[[Ints], Floats]) -> PointTerms:
    """Wishes, one below the other; `offsets` gives the offsets (k, m, 3, s) of vertices (k, m) in every shape."""
    rig = context.rig
    rows, targets, sources = [np.zeros((0, len(rig.shapes)))], [np.zeros(0)], []
    for wish in wishes:
        given = wish.rows(context)
        indices(f"vertices of {type(wish).__name__}", given.vertices, (None, None), below=rig.vertex_count)
        root = np.sqrt(np.asarray(given.importance, np.float64))  # (k,)
        measure = root[:, None, None] * given.weights
        rows.append(np.einsum("kmc,kmcs->ks", measure, offsets(given.vertices)))
        targets.append(root * given.targets - np.einsum("kmc,kmc->k", measure, rig.neutral[given.vertices]))
        sources.append((given.vertices, measure))
    return PointTerms(np.concatenate(rows), np.concatenate(targets), tuple(sources))


def _largest(rows: Floats) -> float:
    """The largest singular value of rows (q, n)."""
    return float(np.linalg.norm(rows, 2)) if rows.size else 0.0


def _checked_cost(term: Preference, context: TermContext) -> SliderCost:
    """The cost of a preference, checked to be convex and of the right size."""
    cost, n, name = term.cost(context), len(context.full), type(term).__name__

    def column(what: str, given: ArrayLike | None, *, least: float) -> Floats | None:
        checked = None if given is None else floats(f"{what} of {name}", given, (n,))
        if checked is not None and checked.min(initial=0.0) < least:
            raise BadValue(f"{what} of {name} has {checked.min():g}; it goes from 0 up")
        return checked

    H = None if cost.H is None else floats(f"H of {name}", cost.H, (n, n))
    if H is not None:
        try:
            H = symmetric(H)
            ridge_for(H / (H.diagonal().max(initial=0.0) or 1.0))
        except BadValue as problem:
            raise BadValue(f"{name}: {problem}") from None
    return SliderCost(
        H,
        column("c", cost.c, least=-np.inf),
        column("ridge", cost.ridge, least=0.0),
        column("price", cost.price, least=0.0),
    )
