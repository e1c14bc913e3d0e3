"""Generated skin for the embedded head, at rest and in seven expressions, each slightly misregistered."""

from facewright.samples.skin.expressions import EXPRESSIONS
from facewright.samples.skin.paint import NEUTRAL, Painter, textured_sample

__all__ = ["EXPRESSIONS", "NEUTRAL", "Painter", "textured_sample"]
