"""Terms: what an artist wants, as data that the solvers of drags and of takes add up.

A wish is about points of the face and gives rows; a preference is about sliders and gives a cost. Any object with one
of the two methods is a term. Nothing a preference gives has a unit, so that a rig in metres gets the weights of the
same rig in centimetres; a slider is measured in shares of its full value, so that one which goes to 100 is treated like
one which goes to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue
from facewright.rig.combine import Combine
from facewright.rig.evaluate import delta_rows
from facewright.rig.rig import Rig


@dataclass(frozen=True, eq=False)
class TermContext:
    """The face that a term is asked about. A drag starts at the pose it begins with, a take at the neutral face."""

    rig: Rig
    start: Floats  # (n,) weights
    full: Floats  # (n,) full value of each slider: its bound that is further from 0
    amount: Floats  # (n,) how far each slider at its full value moves the whole face; the largest is 1
    reach: Floats  # (n,) how far each slider at its full value moves the pins or markers; the largest is 1

    def positions(self, vertices: ArrayLike) -> Floats:
        """Where vertices (k,) are at the start: (k, 3), scene units."""
        chosen = indices("vertices", vertices, (None,), below=self.rig.vertex_count)
        offsets = delta_rows(self.rig, chosen)  # (s, k, 3)
        return self.rig.neutral[chosen] + np.tensordot(Combine(self.rig)(self.start), offsets, axes=1)


@dataclass(frozen=True, eq=False)
class PointRows:
    """k linear measures of vertex positions, each of m vertices, and the value that each should have.

    The measure is the sum of weights times coordinates. It costs importance / 2 times the square of what it is off; a
    pin of strength 1, or a marker, has weights of length 1 and the importance 1.
    """

    vertices: Ints  # (k, m)
    weights: Floats  # (k, m, 3)
    targets: Floats  # (k,) scene units, if the weights have none
    importance: ArrayLike = 1.0  # one number, or (k,)

    def __post_init__(self) -> None:
        vertices = indices("vertices of a wish", self.vertices, (None, None), below=2**31)
        weights = floats("weights of a wish", self.weights, (*vertices.shape, 3))
        importance = floats("importance of a wish", np.broadcast_to(self.importance, len(vertices)), (len(vertices),))
        if importance.min(initial=0.0) < 0:
            raise BadValue(f"the importance of a wish is a number from 0 up, not {importance.min():g}")
        targets = floats("targets of a wish", self.targets, (len(vertices),))
        for name, value in (
            ("vertices", vertices), ("weights", weights), ("targets", targets), ("importance", importance),
        ):  # fmt: skip
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class SliderCost:
    """1/2 w'Hw + c'w + 1/2 ridge'(w - start)^2 + price'|w - start|, for weights w in shares of the full values.

    H, c and ridge are shares of the largest curvature that the pins or the markers have: 1 counts as much as they do
    along the sliders that move them most. The price is a share of what they ask: a slider that moves them as far as any
    other stays where it is while it would bring less than this share of what a typical pin or marker wants. What is
    not given is 0.
    """

    H: Floats | None = None  # (n, n) symmetric, without negative eigenvalues
    c: Floats | None = None  # (n,)
    ridge: Floats | None = None  # (n,) from 0 up
    price: Floats | None = None  # (n,) from 0 up


@runtime_checkable
class Wish(Protocol):
    """Something wanted of points of the face."""

    def rows(self, context: TermContext) -> PointRows:
        """What is measured, and the values wanted; asked once for a drag or a take."""


@runtime_checkable
class Preference(Protocol):
    """Something preferred of the sliders."""

    def cost(self, context: TermContext) -> SliderCost:
        """What the sliders' values cost; asked once for a drag or a take."""


Term = Wish | Preference
