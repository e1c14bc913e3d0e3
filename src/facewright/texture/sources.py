"""The pictures to blend: arrays, or encoded files, which are decoded when needed; only a few are kept decoded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.errors import BadValue
from facewright.image.codec import pixels
from facewright.image.encoded import Encoded
from facewright.image.srgb import Bytes, Floats32

Picture = ArrayLike | Encoded
Pixels = NDArray[np.uint8] | NDArray[np.float32]

_UNPACKED = 3  # decoded pictures kept: the neutral, the one that gives the detail, and the previous one
_ROOM = 2**28  # bytes: as many more as fit, since each region may show the detail of another


class Sources:
    """Pictures of one size by number; 0 is the neutral."""

    def __init__(
        self,
        pictures: Sequence[Picture],
        size: tuple[int, int] | None = None,
        unpack: Callable[[Bytes], Floats32] | None = None,
    ) -> None:
        """Size (w, h): the size that encoded pictures are scaled to; by default that of the first.

        unpack: the numbers that the bytes of pictures stand for; by default they are sRGB.
        """
        self._unpack: Callable[[Any], Pixels] = unpack or _as_they_are
        self._pictures = [one if isinstance(one, Encoded) else self._unpacking(_checked(one)) for one in pictures]
        arrays = [one for one in self._pictures if not isinstance(one, Encoded)]
        first = arrays[0] if arrays else self._pictures[0]
        own = (first.width, first.height) if isinstance(first, Encoded) else (first.shape[1], first.shape[0])
        width, height = size or own
        self.size = (height, width)
        for one in arrays:
            if one.shape[:2] != self.size:
                raise BadValue(f"textures are of one size: {one.shape[1]} x {one.shape[0]} is not {width} x {height}")
        self._unpacked: OrderedDict[int, Pixels] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._pictures)

    def __getitem__(self, index: int) -> Pixels:
        """A picture (h, w, 3), sRGB bytes or linear floats."""
        picture = self._pictures[index]
        if not isinstance(picture, Encoded):
            return picture
        with self._lock:  # frames of a film are blended on several threads
            if index not in self._unpacked:
                self._unpacked[index] = found = self._unpacking(pixels(picture, size=self.size[::-1]))
                while len(self._unpacked) > max(_UNPACKED, _ROOM // found.nbytes):
                    self._unpacked.popitem(last=False)
            self._unpacked.move_to_end(index)
            return self._unpacked[index]

    def _unpacking(self, picture: Pixels) -> Pixels:
        return self._unpack(picture) if picture.dtype == np.uint8 else picture


def _as_they_are(picture: Pixels) -> Pixels:
    return picture


def mask_of(mask: ArrayLike | Encoded, size: tuple[int, int]) -> Floats32:
    """A mask (h, w) from 0 to 1, from numbers, booleans or bytes, or from the grey values of a picture."""
    given = pixels(mask, size=size[::-1], channels=1) if isinstance(mask, Encoded) else np.asarray(mask)
    if given.shape != size:
        raise BadValue(f"the mask has shape {given.shape}; the textures have {size[0]} rows and {size[1]} columns")
    scale = 255 if given.dtype == np.uint8 else 1
    return np.asarray(np.clip(given.astype(np.float32) / np.float32(scale), 0, 1))


def _checked(picture: ArrayLike) -> Pixels:
    pixels = np.asarray(picture)
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or 0 in pixels.shape or pixels.dtype.kind not in "uf":
        raise BadValue(f"a texture is an array (h, w, 3) of bytes or floats, not {pixels.dtype} {pixels.shape}")
    if pixels.dtype != np.uint8:
        pixels = pixels.astype(np.float32, copy=False)
    return pixels[..., :3]
