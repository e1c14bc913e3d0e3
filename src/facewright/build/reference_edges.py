"""The edges that a template's shapes act on, learned from the poses of a face by all shapes together.

Transfer multiplies the change of the gradient of each triangle, G - I, with the face's own edges E. Whether a wider
mouth also moves further is not known beforehand: people of one modeller may move as far as the template in
centimetres, which is (G - I) E for the edges of the template, and others in between, or by another face's edges. The
poses tell: E is what brings the sum of a_ji (G_i - I) E nearest to the edges of the poses, with the values a_ji of the
shapes. The face's own edges are assumed where the poses tell little.

Edges of neighbouring triangles do not fit together, so that vertices, which follow by least squares, have others: on
faces the difference is a seventh of all. E is therefore found in steps: what shapes as vertices leave of the poses is
asked of the edges in addition to what these make already.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.shape_step import Entries, TriangleBlock, for_blocks
from facewright.solve.elimination import eliminate

# Squared change of a gradient that outweighs the face's own edges: the first number, and the second times the square of
# what is left of the poses, relative to what is not. Where shapes are stronger here and weaker there, each by itself,
# edges in common would imitate that. Chosen on kenji, edith and two ICT identities.
_OWN, _LEFT = 0.003, 30.0
_FURTHER = 1.5  # times what a step asks; below 2 steps come to rest, since least squares are a projection


def learned_edges(
    entries: Entries, values: Floats, left: Floats, added: Floats, left_over: float, present: Floats | None = None
) -> tuple[Floats, Floats]:
    """Wanted edges (e, 6) of all shapes on the edges that the poses tell, and what these add (t, 2, 3) to the face's.

    values: shape values (m, s). left: edge changes (t, m, 6) of the poses less those of shapes to whose edges so much
    is added already, and left_over: the share of the poses' squares that they are. present: how much each pose counts
    in each triangle (t, m); by default fully. Triangles are those of the entries.
    """
    wanted, found = np.empty_like(entries.wanted), np.empty_like(added)

    changes = entries.turned_changes
    price = _OWN + _LEFT * (left_over / max(1 - left_over, _OWN)) ** 2

    def learn(block: TriangleBlock) -> None:
        t, m, c = len(block.number), block.poses, block.count
        own = changes[9 * block.rows.start : 9 * block.rows.stop].reshape(t, 9, c)
        # what the shapes that are on do to any edge, axis by axis: numbers are coordinates and poses
        makes = block.times(own, block.of_sets.swapaxes(1, 2), m).reshape(t, 3, 3 * m)
        asked = _FURTHER * block.turned_motions(left).reshape(t, 2, 3 * m) + np.einsum(
            "tja,tax->tjx", added[block.at], makes
        )
        counts = block.of(present)
        counted = makes if counts is None else (makes.reshape(t, 9, m) * counts[:, None]).reshape(makes.shape)
        # not by `@`: libraries take turns at products, and threads would wait for each other
        normal = np.einsum("tax,tbx->abt", counted, makes)
        normal[np.diag_indices(3)] += price
        edges = eliminate(normal, np.einsum("tax,tjx->ajt", counted, asked))  # (3, 2, t)
        found[block.at] = edges.transpose(2, 1, 0)
        change = np.einsum("tja,tax->tjx", found[block.at], own.reshape(t, 3, 3 * c)).reshape(t, 6, c)
        np.add(block.wanted, change.swapaxes(1, 2), out=wanted[block.rows].reshape(t, c, 6))

    for_blocks(entries, values, learn)
    return wanted, found
