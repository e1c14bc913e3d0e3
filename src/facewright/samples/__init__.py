"""Faces that come with the library: the embedded head and the generated mask."""

from facewright.samples.head import people, sample
from facewright.samples.mask import mask

__all__ = ["mask", "people", "sample"]
