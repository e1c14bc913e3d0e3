"""Skins: where joints place the vertices of a mesh at rest. The rig is placed; the joints themselves are not kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.usd.process import StageFile
from facewright.formats.usd.scene.mesh import integers


def skin_matrices(stage: StageFile, skin: dict[str, Any], points: int, name: str) -> Floats:
    """Matrices (p, 4, 4) from the space of a mesh to that of the stage, or one (4, 4) for a mesh of one body.

    A joint places a point at skeleton * joint * geomBindTransform * point. Points without weights stay as bound.
    """
    each = int(skin["each"])
    rows = integers(stage, skin["indices"], f"the skin of {name!r}: joint indices")
    weights = np.zeros(0) if skin["weights"] is None else stage.array(skin["weights"]).astype(np.float64)
    joints = np.array(skin["joints"], np.float64).reshape(-1, 4, 4).swapaxes(1, 2)  # USD multiplies rows
    count = 1 if skin["is_rigid"] else points
    if each < 1 or len(rows) != each * count or weights.shape != rows.shape:
        raise BadFile(f"the skin of {name!r} has {len(rows)} joints and {len(weights)} weights for {count} points")
    if len(rows) and not (rows.min() >= 0 and rows.max() < len(joints)):
        raise BadFile(f"the skin of {name!r} names joint {rows.max()}; there are {len(joints)}")
    table = weights.reshape(count, each)
    sums = np.zeros((count, 4, 4))
    for column in range(each):
        sums += table[:, column, None, None] * joints[rows.reshape(count, each)[:, column]]
    total = table.sum(axis=1)
    placed = np.where(
        (np.abs(total) > 1e-9)[:, None, None], sums / np.where(total == 0, 1, total)[:, None, None], np.eye(4)
    )
    world, bind = (np.array(skin[key]).reshape(4, 4).T for key in ("world", "bind"))
    found = world @ placed @ bind
    return np.asarray(found[0] if skin["is_rigid"] else found)
