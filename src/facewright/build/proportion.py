"""Whether the shapes of a person are in proportion to the face, or go as far as the template's do.

Deformation transfer makes a shape larger where the face is larger. In models that add expressions to identities, and
on faces of one modeller, they go as far as the template's in the unit of the scene instead, and on others something in
between. The poses tell: shapes are taken as a mixture of both, of the share that fits the poses best before any shape
changes. That also tells how strong all shapes are together, of which the poses say nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats
from facewright.build.deformation_transfer import DeformationTransfer
from facewright.build.shape_prior import turns
from facewright.build.shape_step import Entries
from facewright.build.weight_step import WeightStep
from facewright.mesh.align import Similarity

# Chosen on kenji, edith and two ICT identities.
_PLACES = 3000  # vertices that are looked at
_TRIED = (0.0, 0.5, 1.0)
_FREE = 0.01  # gamma of the weights
_TELLS = 2.0  # numbers that are independent of each other in what is left of a pose
_FEW = 6.0  # poses: so many tell half of what many tell about all shapes
_OTHER_WAY = 0.25  # radians: a face that is turned further against the template lies otherwise in its scene
_OTHER_UNIT = 0.5  # logarithm of a face's size relative to the template's: beyond it, its unit is another one


@dataclass(frozen=True, eq=False)
class ProportionedShapes:
    """The template's shapes on a face, between both."""

    share: float  # 0: in proportion to the face, 1: as far as the template's
    offsets: Sequence[Floats]  # (k, 3) of the moved vertices of each shape
    entries: Entries  # with their edges


def proportioned(
    transfer: DeformationTransfer, motions: Floats, guesses: Floats, weights: Floats, known: Floats
) -> ProportionedShapes:
    """The shapes that fit motions (m, v, 3) of the poses best.

    guesses, weights: (m, n) of the poses, and a start. known: how much each pose counts at each vertex (m, v).
    """
    plain, there = transfer.plain, as_far(transfer)
    moved = np.unique(np.concatenate([prior.moved for prior in transfer.priors]))
    places = moved[:: max(1, len(moved) // _PLACES)]
    both = [transfer.dense(one)[:, places] for one in (plain, there)]
    counts = np.sqrt(known[:, places, None])
    some = motions[:, places]
    left = []
    for share in _TRIED:
        deltas = (1 - share) * both[0] + share * both[1]
        step = WeightStep(transfer.template, deltas, gamma=_FREE)
        values = step.values(step(some, guesses, weights))
        made = (values @ deltas.reshape(len(deltas), -1)).reshape(some.shape)
        left.append(float(((counts * (some - made)) ** 2).sum()))
    share = _lowest(np.array(left), len(motions))
    if share == 0:
        return ProportionedShapes(0.0, plain, transfer.entries)
    offsets = [(1 - share) * one + share * other for one, other in zip(plain, there, strict=True)]
    wanted = transfer.entries.wanted.copy()
    for prior, rows, one in zip(transfer.priors, transfer.entries.of_shape, there, strict=True):
        wanted[rows] += share * (prior.edges_of(one).reshape(-1, 6) - wanted[rows])
    return ProportionedShapes(share, offsets, replace(transfer.entries, wanted=wanted))


def as_far(transfer: DeformationTransfer) -> list[Floats]:
    """Offsets (k, 3) of shapes that go as far as the template's, along the axes of the scene.

    Pieces that turn about themselves, such as eyes, do so by as much as transfer turns them.
    """
    into, pieces = _axes(transfer.target.to_template), transfer.system.pieces
    found = []
    for shape, prior, surface, plain in zip(
        transfer.template.shapes, transfer.priors, transfer.surfaces, transfer.plain, strict=True
    ):
        offsets = shape.offsets[np.searchsorted(shape.vertices, prior.moved)] @ into.T
        for piece in surface.loose:
            own = pieces[prior.moved] == piece
            if turns(offsets[own]):
                offsets[own] = plain[own]
        found.append(offsets)
    return found


def _axes(to_template: Similarity) -> Floats:
    """What (3, 3) brings offsets of the template, taken as those of the face, to the template's coordinates; nothing
    is changed where the face is in another unit or orientation.
    """
    larger = np.log(to_template.scale)
    larger -= np.log(10) * np.round(larger / np.log(10))  # centimetres are as good as metres
    turned = np.trace(to_template.rotation) < 1 + 2 * np.cos(_OTHER_WAY)
    rotation = np.eye(3) if turned else to_template.rotation
    return rotation if abs(larger) > _OTHER_UNIT else np.exp(larger) * rotation


def _lowest(left: Floats, poses: int) -> float:
    """The share from 0 to 1 at which least is left, by what is left at 0, a half and 1; 0 where they tell little."""
    least = max(float(left.min()), 1e-9 * float(left.max()))
    if least == 0:
        return 0.0
    start, middle, end = _TELLS * poses * left / least
    bend, slope = 2 * (start - 2 * middle + end), 4 * middle - 3 * start - end
    best = np.clip(-slope / max(2 * bend + 2.0, 1.0), 0.0, 1.0)
    return float(best) * poses**3 / (poses**3 + _FEW**3)
