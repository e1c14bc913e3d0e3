"""Paints the texture of the embedded head at rest and in expressions."""

from __future__ import annotations

import numpy as np

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.image.codec import encoded
from facewright.image.srgb import Bytes, Floats32, to_bytes
from facewright.options import suggests_options
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples.head import UNIT, people, sample
from facewright.samples.skin.complexion import TONES, Amounts, complexion
from facewright.samples.skin.expressions import EXPRESSIONS, express
from facewright.samples.skin.noise import Noise
from facewright.samples.skin.scalar_fields import ramp
from facewright.samples.skin.skin_texels import SkinTexels

NEUTRAL = "neutral"
_MISREGISTERED = 0.17  # centimetres by which a place is off from the neutral, on average
_WAVE = 5.0  # centimetres over which that changes


class Painter:
    """Paints textures of one size; the same arguments give the same pictures."""

    def __init__(self, size: int = 1024, person: str = "default", *, seed: int = 0) -> None:
        """size: texels along each side."""
        if person not in people():
            raise UnknownName("person", person, people())
        if size < 16:
            raise BadValue(f"a texture of the head has at least 16 texels along a side, not {size}")
        self.surface = SkinTexels.of((size, size))
        self.tone, self.seed = TONES[person], seed

    def __call__(self, expression: str = NEUTRAL) -> Bytes:
        """The texture (size, size, 3) in sRGB."""
        return to_bytes(self.surface.picture(self._amounts(expression).light(self.tone)))

    def mask(self) -> Bytes:
        """Where the neutral's texture stays (size, size): scalp, ears, neck and inner surfaces 255, the face 0."""
        y, z = self.surface.place[:, 1], self.surface.place[:, 2]
        still = np.maximum.reduce([ramp(y, 6.9, 8.6), ramp(-z, 0.5, 2.8), ramp(-y, 10.2, 11.4), self.surface.inner])
        levels = np.rint(255 * self.surface.picture(still[:, None])[..., 0]).astype(np.uint8)
        return np.where(self.surface.nearest < 0, np.uint8(255), levels)

    def _amounts(self, expression: str) -> Amounts:
        if expression != NEUTRAL and expression not in EXPRESSIONS:
            raise UnknownName("expression", expression, (NEUTRAL, *EXPRESSIONS))
        place = self.surface.place if expression == NEUTRAL else self._misregistered(expression)
        found = complexion(self.surface, place, self.tone, self.seed)
        for name in EXPRESSIONS if self.tone.age else ():
            express(found, place, name, self.seed, strength=0.4 * self.tone.age)
        if expression != NEUTRAL:
            express(found, place, expression, self.seed)
        return found

    def _misregistered(self, expression: str) -> Floats32:
        """Places that are slightly off, by an offset that changes slowly over the face."""
        noise, number = Noise(self.seed), list(EXPRESSIONS).index(expression)
        off = [noise(self.surface.place, _WAVE, 200 + 3 * number + axis) for axis in range(3)]
        return self.surface.place + np.float32(_MISREGISTERED / np.sqrt(3)) * np.stack(off, axis=1)


@suggests_options
def textured_sample(size: int = 1024, person: str = "default", *, seed: int = 0, media: str = "image/png") -> Document:
    """The embedded head as a document with a texture for its rest and for each of seven expressions, and a mask.

    size: texels along each side. person: one of `people()`. media: the media type of the encoded pictures.
    """
    paint = Painter(size, person, seed=seed)
    maps = []
    for name, expression in EXPRESSIONS.items():
        picture = encoded(paint(name), media)
        maps += [ShapeTexture(shapes, picture) for shapes in expression.shapes]
    textures = Textures(encoded(paint(), media), tuple(maps), encoded(paint.mask()), ("head",))
    return Document(sample(person), textures=textures, unit=UNIT)
