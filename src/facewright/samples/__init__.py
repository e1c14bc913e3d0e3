"""Faces that are always at hand: the embedded head and the generated mask."""

from facewright.samples.head import people, sample
from facewright.samples.mask import mask
from facewright.samples.skin.paint import Painter, textured_sample

__all__ = ["Painter", "mask", "people", "sample", "textured_sample"]
