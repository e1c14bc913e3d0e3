"""Our block in a USD file: a text in the layer's own data, which other programs keep and do not read."""

from __future__ import annotations

from typing import Any

import numpy as np

from facewright.errors import BadFile
from facewright.formats.schema.json import decode

KEY = "facewright"  # of `customLayerData`
UNIT = "usd_unit"  # key of `Document.extra`: metres in one unit of the file, where that has no name


def block_in(layer_data: object) -> dict[str, Any]:
    """Our block; empty where there is none."""
    text = layer_data.get(KEY) if isinstance(layer_data, dict) else None
    if not isinstance(text, str) or not text:
        return {}
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except BadFile as problem:
        raise BadFile(f"{KEY} in customLayerData: {problem}") from problem


def kept_value(value: float) -> float:
    """A number as a file of single precision gives it back: the one with the fewest digits."""
    return float(str(np.float32(value)))
