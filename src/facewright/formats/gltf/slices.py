"""What a shape does to one range of the rig's vertices."""

from __future__ import annotations

import numpy as np

from facewright.formats.gltf.accessors import Rows
from facewright.rig.rig import Part
from facewright.rig.shape import Shape


def on_part(shape: Shape, part: Part) -> Rows:
    """Offsets of the part's vertices, numbered from its first."""
    low, high = np.searchsorted(shape.vertices, [part.start, part.stop])
    return Rows(shape.vertices[low:high] - part.start, shape.offsets[low:high])


def same(a: Rows, b: Rows) -> bool:
    return np.array_equal(a.rows, b.rows) and np.array_equal(a.values, b.values)
