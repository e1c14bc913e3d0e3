"""The edges that a template's shapes act on, learned from the poses of a face by all shapes together.

Transfer multiplies the change of the gradient of each triangle, G - I, with the face's own edges E. Whether a wider
mouth also moves further is not known beforehand: people of one modeller may move as far as the template in
centimetres, which is (G - I) E for the edges of the template, and others in between, or by another face's edges. The
poses tell: E is what brings the sum of a_ji (G_i - I) E nearest to the edges of the poses, with the values a_ji of the
shapes. The face's own edges are assumed where the poses tell little.
"""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.build.shape_step import Entries, TriangleBlock, for_blocks

# Squared change of a gradient that outweighs the face's own edges. Chosen on kenji, edith and two ICT identities.
_OWN = 0.01


def learned_edges(entries: Entries, values: Floats, motions: Floats, present: Floats | None = None) -> Floats:
    """Wanted edges (e, 6) of all shapes on the edges that the poses tell.

    values: shape values (m, s). motions: the poses' edge changes (t, m, 6).
    present: how much each pose counts in each triangle (t, m); by default fully. Triangles are those of the entries.
    """
    wanted = np.empty_like(entries.wanted)

    def learn(block: TriangleBlock) -> None:
        (t, m, c), counts = block.values.shape, block.of(present)
        own = entries.changes[block.rows].reshape(t, c, 9)
        makes = (block.values @ own).reshape(t, m, 3, 3)  # what the shapes that are on do to any edge
        counted = makes if counts is None else counts[:, :, None, None] * makes
        # rows are poses and coordinates, so that both products are plain ones
        turned = counted.reshape(t, 3 * m, 3).swapaxes(1, 2)
        left = block.residual(motions).reshape(t, m, 2, 3).swapaxes(2, 3).reshape(t, 3 * m, 2)
        normal = turned @ makes.reshape(t, 3 * m, 3) + _OWN * np.eye(3)
        edges = np.linalg.solve(normal, turned @ left).swapaxes(1, 2)  # (t, 2, 3) to add to the face's own
        change = edges[:, None] @ own.reshape(t, c, 3, 3).swapaxes(2, 3)  # (t, c, 2, 3)
        np.add(block.wanted, change.reshape(t, c, 6), out=wanted[block.rows].reshape(t, c, 6))

    for_blocks(entries, values, learn)
    return wanted
