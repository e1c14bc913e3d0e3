"""Faces that are always at hand: the embedded head and the generated mask."""

from facewright.samples.head import people, sample

__all__ = ["people", "sample"]
