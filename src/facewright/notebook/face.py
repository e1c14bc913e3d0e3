"""What a notebook's page is sent of a face: once, and weights alone from then on."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.formats.character import character_of
from facewright.image.encoded import KTX2
from facewright.motion.clip import Clip
from facewright.rig.combine import Combine
from facewright.rig.head_motion import CURVES, has_head_motion, posed_head, rigid_motion
from facewright.rig.materials import Materials
from facewright.rig.rig import Rig
from facewright.session.frames import Array, Frame
from facewright.session.views.character import character_frame
from facewright.session.views.geometry import geometry, rig_id
from facewright.session.views.pictures import for_pages
from facewright.session.views.rig import describe_rig

Packed = dict[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class ShapeDrivers(Frame):
    """How sliders drive shapes: the value of shape j is the product of its factors starts[j] ... starts[j + 1].

    A factor is base + slope * (x - at) for the value x of its slider, with slope `rise` for x below `at` and `fall`
    from there on; it is 0 below `low`, and from `high` on.
    """

    starts: Annotated[Ints, Array("u4", ("s+1",))]
    slider: Annotated[Ints, Array("u4", ("k",))]
    base: Annotated[Floats, Array("f8", ("k",))]
    at: Annotated[Floats, Array("f8", ("k",))]
    rise: Annotated[Floats, Array("f8", ("k",))]
    fall: Annotated[Floats, Array("f8", ("k",))]
    low: Annotated[Floats, Array("f8", ("k",))]
    high: Annotated[Floats, Array("f8", ("k",))]


def shape_drivers(rig: Rig) -> ShapeDrivers:
    """The ShapeDrivers frame of a rig."""
    combine = Combine(rig)
    factors: list[list[tuple[float, ...]]] = [[] for _ in rig.shapes]
    for (shape, slider), gain in zip(combine.straight.tolist(), combine.gain.tolist(), strict=True):
        factors[shape] = [_straight(slider, gain)]
    for shape, several in combine.bent_shapes.factors:
        factors[shape] = [
            _straight(one, 1.0) if isinstance(one, int) else (one.slider, 1.0, *one[:5]) for one in several
        ]
    rows = np.array([row for each in factors for row in each], np.float64).reshape(-1, 7)
    return ShapeDrivers(
        starts=np.cumsum([0, *map(len, factors)]),
        slider=rows[:, 0].astype(np.int64),
        **dict(zip(("base", "at", "rise", "fall", "low", "high"), rows[:, 1:].T, strict=True)),
    )


def _straight(slider: int, gain: float) -> tuple[float, ...]:
    return slider, 0.0, 0.0, gain, gain, -np.inf, np.inf


def packed_face(document: Document, name: str) -> Packed:
    """A face with all that draws it: the rig in words and arrays, what its file carries besides, and its images."""
    rig, id = document.rig, rig_id(document.rig)
    character = character_of(document)
    head = posed_head(document.controls, document.head)
    return {
        "name": name,
        "rig": msgspec.to_builtins(describe_rig(rig, id)),
        "geometry": geometry(document, id).pack(),
        "drivers": shape_drivers(rig).pack(),
        "images": _images(document.materials),
        "character": character_frame(character, [], id).pack()
        if character.meshes or character.face is not None
        else b"",
        "carried": _images(character.materials),
        "head": [] if head is None else [*head[0].ravel().tolist(), *head[1].tolist()],
    }


def _images(materials: Materials | None) -> dict[str, Packed]:
    """The images that materials show, by number, as a browser can read them; one that cannot be read is left out."""
    found = {}
    for image in sorted({one.image for one in materials or () if one.image is not None}):
        assert materials is not None
        try:
            file = materials.image(image)
            shown = for_pages(file.encoded()) if file.media == KTX2 else file
            found[str(image)] = {"media": shown.media, "data": bytes(shown.data)}
        except FacewrightError as problem:
            warnings.warn(FacewrightWarning(f"a texture of the file is not shown: {problem}"), stacklevel=2)
    return found


def packed_clip(document: Document, clip: Clip) -> Packed:
    """A clip frame by frame: weights (f, n), and (f, 12) of the head where it moves, as 32-bit floats."""
    times = clip.times()
    head = b""
    if has_head_motion(clip):
        turns, offsets = rigid_motion(clip.sample(CURVES, times), document.head)
        head = np.concatenate([turns.reshape(-1, 9), offsets], axis=1).astype("<f4").tobytes()
    return {
        "name": clip.name,
        "start": float(times[0]),
        "end": float(times[-1]),
        "weights": clip_weights(document, clip, times).astype("<f4").tobytes(),
        "head": head,
    }


def clip_weights(document: Document, clip: Clip, times: ArrayLike) -> Floats:
    """Weights (f, n) of a clip at times; sliders without a curve are as the document has them."""
    rig = document.rig
    weights = clip.sample(rig.sliders, times, rig.bounds)
    moved = set(clip.moved)
    still = [i for i, name in enumerate(rig.sliders) if name not in moved]
    weights[:, still] = document.pose[still]
    return weights
