"""Normalising skin weights that do not add up to 1: the specification demands it, and validators report it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.errors import BadFile
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json

_STEP = 2e-7  # rounding that is allowed for each weight that is not zero


def normalise_skin_weights(asset: Asset) -> Asset:
    """The asset with the skin weights of each vertex divided by their sum, where that is not 1 already.

    Viewers do the same on loading, so that the picture does not change.
    """
    primitives = [primitive for mesh in asset.json["meshes"] for primitive in mesh["primitives"]]
    if not any(name.startswith("WEIGHTS_") for primitive in primitives for name in primitive["attributes"]):
        return asset
    patched = Asset(asset.json, memoryview(bytearray(asset.binary)), asset.chunks)
    changed = [_normalised(patched, primitive) for primitive in primitives]
    return Asset(asset.json, bytes(patched.binary), asset.chunks) if any(changed) else asset


def _normalised(asset: Asset, primitive: Json) -> bool:
    try:
        sets = list(_weights(asset, primitive))
        stored = np.concatenate([values for _, values in sets], axis=1, dtype=np.float64) if sets else np.zeros((0, 1))
    except (BadFile, ValueError):  # data that is not valid is left as it is
        return False
    sums = stored.sum(axis=1)
    wrong = (np.abs(sums - 1) > _STEP * np.maximum((stored != 0).sum(axis=1), 1)) & (sums > 0) & np.isfinite(sums)
    for index, values in sets:
        values[wrong] = values[wrong] / sums[wrong, None]
        accessor = asset.json["accessors"][index]
        for key, bound in (("min", values.min(axis=0)), ("max", values.max(axis=0))):
            if key in accessor and wrong.any():
                accessor[key] = bound.tolist()
    return bool(wrong.any())


def _weights(asset: Asset, primitive: Json) -> Iterator[tuple[int, NDArray[Any]]]:
    """The accessors of skin weights, as views of the buffer."""
    for name, index in primitive["attributes"].items():
        accessor = asset.json["accessors"][index]
        if name.startswith("WEIGHTS_") and accessor.get("componentType") == 5126 and "sparse" not in accessor:
            yield index, decode.elements(asset, index, "VEC4")
