"""How much stronger a person's shape is than the template's, on the whole, where it is stronger here and weaker there.

The ratio of two shapes' sizes tells it badly: a small field over what moves most counts as the whole shape. So the
logarithm of the ratio is looked at in places spread over the shape, as one value that all share and a smooth field of
which nothing else is known, and the shared value is what is likeliest then: a mean that counts places less that lie
close together and those that hardly move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.amplitude import spread_points
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.solve.threads import on_threads

# Chosen on kenji, edith and four ICT identities, with their own shapes and with smooth amplitudes.
_PLACES = 60  # vertices of each shape that are looked at,
_CLEARLY = 0.1  # of those that move as far as this share of its largest motion
_LENGTH = 0.1  # of the rig's size: how far fields reach
# Of the template's assumed error: the standard deviation of the fields, and of what the whole shape has of its own.
_VARIES, _WHOLE = 0.8, 0.6
_NOISE = 0.1  # of the largest motion of a shape: assumed error at each vertex
_FAR = 4.0  # largest factor that is looked at


class ShapeGrowth:
    """Prepared for the shapes of a template on the target, as offsets (k, 3) of the vertices that each moves.

    each: assumed error of the template's strengths, as a share.
    """

    def __init__(self, transfer: DeformationTransfer, offsets: Sequence[Floats], each: float) -> None:
        rest, size = transfer.target.placed, transfer.template.size or 1.0
        rows = list(zip((prior.moved for prior in transfer.priors), offsets, strict=True))
        found = on_threads(lambda row: _counted(rest[row[0]], row[1], size, each), rows)
        self._at, self._counts = [one[0] for one in found], [one[1] for one in found]
        self.doubts = np.array([one[2] for one in found])  # (s,) assumed error of the whole strength of each shape

    def __call__(self, shape: int, before: Floats, after: Floats) -> float:
        """The factor between two versions of a shape, as offsets (k, 3) of the vertices that it moves."""
        at = self._at[shape]
        one, other = before[at], after[at]
        square = (one**2).sum(axis=1)
        ratio = np.divide((one * other).sum(axis=1), square, out=np.ones(len(at)), where=square > 0)
        return float(np.exp(self._counts[shape] @ np.log(np.clip(ratio, 1 / _FAR, _FAR))))


def _counted(rest: Floats, offsets: Floats, size: float, each: float) -> tuple[Ints, Floats, float]:
    """Places (p,) of a shape, how much each counts (p,) with the sum of 1, and the error of what they say together."""
    lengths = np.sqrt((offsets**2).sum(axis=1))
    largest = float(lengths.max(initial=0.0))
    if not largest:
        return np.zeros(0, np.int64), np.zeros(0), each
    at = spread_points(rest, np.flatnonzero(lengths > _CLEARLY * largest), _PLACES)
    apart = ((rest[at][:, None] - rest[at][None]) ** 2).sum(axis=2)
    varies = (_VARIES * each) ** 2 * np.exp(-apart / (2 * (_LENGTH * size) ** 2))
    counts = np.linalg.solve(varies + np.diag((_NOISE * largest / lengths[at]) ** 2), np.ones(len(at)))
    counts /= counts.sum()
    return at, counts, float(np.sqrt((_WHOLE * each) ** 2 + counts @ varies @ counts))
