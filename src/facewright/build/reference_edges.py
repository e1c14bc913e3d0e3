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
from facewright.solve.elimination import eliminate

# Squared change of a gradient that outweighs the face's own edges. Chosen on kenji, edith and two ICT identities.
_OWN = 0.01


def learned_edges(entries: Entries, values: Floats, motions: Floats, present: Floats | None = None) -> Floats:
    """Wanted edges (e, 6) of all shapes on the edges that the poses tell.

    values: shape values (m, s). motions: the poses' edge changes (t, m, 6).
    present: how much each pose counts in each triangle (t, m); by default fully. Triangles are those of the entries.
    """
    wanted = np.empty_like(entries.wanted)

    changes = entries.turned_changes

    def learn(block: TriangleBlock) -> None:
        t, m, c = len(block.number), block.poses, block.count
        own = changes[9 * block.rows.start : 9 * block.rows.stop].reshape(t, 9, c)
        turned = block.of_sets.swapaxes(1, 2)
        # what the shapes that are on do to any edge, axis by axis: numbers are coordinates and poses
        makes = block.times(own, turned, m).reshape(t, 3, 3 * m)
        left = (block.turned_motions(motions) - block.times(block.turned_wanted, turned, m)).reshape(t, 2, 3 * m)
        counts = block.of(present)
        counted = makes if counts is None else (makes.reshape(t, 9, m) * counts[:, None]).reshape(makes.shape)
        # not by `@`: libraries take turns at products, and threads would wait for each other
        normal = np.einsum("tax,tbx->abt", counted, makes)
        normal[np.diag_indices(3)] += _OWN
        edges = eliminate(normal, np.einsum("tax,tjx->ajt", counted, left))  # (3, 2, t) to add to the face's own
        edges = np.ascontiguousarray(edges.transpose(2, 1, 0))
        change = np.einsum("tja,tax->tjx", edges, own.reshape(t, 3, 3 * c)).reshape(t, 6, c)
        np.add(block.wanted, change.swapaxes(1, 2), out=wanted[block.rows].reshape(t, c, 6))

    for_blocks(entries, values, learn)
    return wanted
