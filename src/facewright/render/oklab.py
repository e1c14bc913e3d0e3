"""Colours by perceived lightness, chroma and hue (Oklab, Ottosson 2020)."""

from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats

_OKLAB_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def lab_of(lightness: ArrayLike, chroma: ArrayLike, degrees: ArrayLike) -> Floats:
    """Oklab coordinates (..., 3); distances between them are perceived differences."""
    hue = np.radians(np.asarray(degrees, np.float64))
    a, b = np.asarray(chroma) * np.cos(hue), np.asarray(chroma) * np.sin(hue)
    return np.stack(np.broadcast_arrays(np.asarray(lightness, np.float64), a, b), axis=-1)


def linear_of(lab: Floats) -> Floats:
    """Linear light (..., 3) of Oklab coordinates, clipped to the range of a screen."""
    return cast(Floats, np.clip((lab @ _OKLAB_TO_LMS.T) ** 3 @ _LMS_TO_RGB.T, 0, 1))


def lab_of_linear(light: Floats) -> Floats:
    """Oklab coordinates (..., 3) of linear light."""
    cones = np.cbrt(light @ np.linalg.inv(_LMS_TO_RGB).T)
    return cast(Floats, cones @ np.linalg.inv(_OKLAB_TO_LMS).T)
