"""The methods of a drag, by name."""

from __future__ import annotations

import re

from facewright.errors import BadValue, UnknownName
from facewright.solve.filters import (
    Filter,
    Hybrid,
    Landweber,
    PrintedHybrid,
    PrintedTikhonov,
    PrintedTranspose,
    PseudoInverse,
    Tikhonov,
    Transpose,
)

BOUNDED = "bounded"
NATURAL = "natural"  # the pose that a face is likely to make, by a prior
AUTOMATIC = "automatic"  # bounded where few sliders make what is asked, natural where that takes many
CONVEX = "convex"  # whole faces, weights at least 0 that sum to 1 (Joshi 2003, eq. 2)
_FILTERS: dict[str, Filter] = {
    "pinv": PseudoInverse(),
    "tikhonov": Tikhonov(),
    "transpose": Transpose(),
    "hybrid": Hybrid(),
    "landweber": Landweber(),
}
_PRINTED: dict[str, Filter] = {  # in the rig's unit
    "printed.pinv": PseudoInverse(),
    "printed.tikhonov": PrintedTikhonov(),
    "printed.transpose": PrintedTranspose(),
    "printed.hybrid": PrintedHybrid(),
}
PRINTED = tuple(_PRINTED)  # for comparison, from the library and the command line
WITH_BOUNDS = (BOUNDED, NATURAL, AUTOMATIC, CONVEX)
METHODS = (*WITH_BOUNDS, *_FILTERS)


def filter_of(method: str) -> Filter | None:
    """The spectral filter of a method, None for the methods with bounds. `landweber(20)` gives the number of steps."""
    if method in WITH_BOUNDS:
        return None
    if match := re.fullmatch(r"landweber\(([^()]*)\)", method):
        try:
            return Landweber(float(match[1]))
        except ValueError:
            raise BadValue(f"landweber takes a number of steps, such as landweber(20), not {match[1]!r}") from None
    found = _FILTERS.get(method) or _PRINTED.get(method)
    if found is None:
        raise UnknownName("method", method, (*METHODS, *PRINTED))
    return found
