"""The skin of the embedded people, painted beforehand and stored with them."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from facewright.image.encoded import Encoded
from facewright.rig.rig import Rig
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples.head import people, sample
from facewright.samples.skin.expressions import EXPRESSIONS
from facewright.samples.skin.paint import NEUTRAL

SIZE = 1024
FOLDER = "data/skin"  # of facewright.samples: PERSON/EXPRESSION.webp and mask.webp, written by tools/keep_skin.py
MASK = "mask"


def embedded_skin(person: str, rig: Rig) -> Textures:
    """A person's textures of those expressions for which a rig has the shapes."""
    maps = []
    for name, expression in EXPRESSIONS.items():
        known = [shapes for shapes in expression.shapes if set(shapes) <= set(rig.shape_names)]
        maps += [ShapeTexture(shapes, _kept(person, name)) for shapes in known]
    return Textures(_kept(person, NEUTRAL), tuple(maps), _kept(person, MASK), ("head",))


def person_of(rig: Rig) -> str | None:
    """The embedded person that a rig is, or is nearest to; None if it has another layout."""
    own = sample()
    assert own.uvs is not None
    if rig.uvs is None or rig.vertex_count != own.vertex_count or rig.parts != own.parts:
        return None
    if not np.array_equal(rig.uvs.corners, own.uvs.corners) or not np.allclose(
        rig.uvs.coordinates, own.uvs.coordinates
    ):
        return None
    return min(people(), key=lambda person: float(np.abs(sample(person).neutral - rig.neutral).max()))


def _kept(person: str, name: str) -> Encoded:
    return Encoded((files("facewright.samples") / FOLDER / person / f"{name}.webp").read_bytes())
