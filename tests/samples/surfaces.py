"""What tests ask about a mesh of polygons."""

from collections import Counter

import numpy as np

from facewright import Rig


def edges_of(rig: Rig, part: str) -> Counter[tuple[int, int]]:
    """How often each directed edge of a part's polygons occurs."""
    found = rig.part(part)
    rows = [row for row in rig.polygons.rows() if found.start <= row[0] < found.stop]
    assert all(((row >= found.start) & (row < found.stop)).all() for row in rows), "a polygon crosses parts"
    return Counter(edge for row in rows for edge in zip(row.tolist(), np.roll(row, -1).tolist(), strict=True))


def border(rig: Rig, part: str) -> list[list[int]]:
    """The closed loops of edges that have a polygon on one side only."""
    edges = edges_of(rig, part)
    after = {b: a for a, b in edges if (b, a) not in edges}
    loops = []
    while after:
        loop = [next(iter(after))]
        while (following := after.pop(loop[-1])) != loop[0]:
            loop.append(following)
        loops.append(loop)
    return loops


def volume(rig: Rig, part: str, about: np.ndarray) -> float:
    """Signed volume between a part's surface and a point: positive where polygons are counterclockwise from outside."""
    found = rig.part(part)
    triangles = rig.triangles[(rig.triangles[:, 0] >= found.start) & (rig.triangles[:, 0] < found.stop)]
    a, b, c = (rig.neutral[triangles[:, i]] - about for i in range(3))
    return float(np.einsum("ij,ij->", np.cross(a, b), c) / 6)
