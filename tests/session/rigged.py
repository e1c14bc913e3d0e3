"""A small face with all that an edit of its rig must follow: clips, regions, textures, a prior, ties, rules, locks."""

from dataclasses import replace
from functools import cache

import numpy as np

from facewright.document import Document, HeldPoints, PlacedPin
from facewright.image.codec import encoded
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.rules import OnlyMovedBy, StaysWithin
from facewright.rig.shape import Shape
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask
from facewright.session.edits.pose import set_weights
from facewright.session.edits.regions import find_regions
from facewright.workflow.solver_cache import SolverCache

NAMES = ("jawOpen", "smileLeft", "smileRight", "pucker", "browUp", "blinkLeft", "blinkRight", "sneer")


@cache
def rigged() -> Document:
    """The face, with the jaw open and a smile on the left."""
    made = mask(vertices=400, shapes=len(NAMES), seed=3)
    shapes = [replace(shape, name=name, sliders=(name,)) for shape, name in zip(made.shapes, NAMES, strict=True)]
    both = Shape("jawSmile", shapes[1].vertices, -0.3 * shapes[1].offsets, ("jawOpen", "smileLeft"))
    half = Shape("puckerHalf", shapes[3].vertices, 0.7 * shapes[3].offsets, ("pucker",), 0.5)
    rig = Rig(
        made.neutral,
        made.polygons,
        (*shapes, both, half),
        uvs=made.uvs,
        groups=("jaw", "mouth", "mouth", "mouth", "brow", "eye", "eye", "nose"),
        exclusive=(("pucker", "smileLeft"),),
        ties=(("pucker", "jawOpen"),),
        rules=(OnlyMovedBy("lid", np.arange(5), ("blinkLeft", "sneer")), StaysWithin("chin", np.arange(3), 1.0)),
    )
    rng = np.random.default_rng(3)
    curves = {name: Curve([0.0, 0.5, 1.0], rng.uniform(0, 1, 3)) for name in ("jawOpen", "blinkLeft", "foreign")}
    pictures = [encoded(rng.integers(0, 255, (8, 8, 3), dtype=np.uint8), "image/png") for _ in range(2)]
    document = Document(
        rig,
        (Clip("talk", curves),),
        {"jawOpen": 1.0, "smileLeft": 0.5},
        pins=(PlacedPin(id=1, vertex=7),),
        held=HeldPoints(np.array([3, 8]), np.array([1, 6])),
        locked=("browUp",),
        drag_sliders=("jawOpen", "smileLeft"),
        take_sliders=("jawOpen",),
        clip="talk",
        textures=Textures(pictures[0], (ShapeTexture(("jawOpen",), pictures[1]),)),
        prior=Prior.learn(rig, rng.uniform(0, 1, (20, len(rig.sliders)))),
    )
    document = find_regions(document, 0.6)
    assert document.regions is not None
    region = document.regions.names[0]
    document = set_weights(document, {"sneer": 0.4}, SolverCache(), region)
    in_region = Curve([0.0, 1.0], [0.0, 0.6])
    clip = replace(document.clips[0], curves={**curves, f"sneer @ {region}": in_region})
    return replace(document, clips=(clip,))
