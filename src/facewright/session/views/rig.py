"""The rig as pages see it, and its geometry."""

from __future__ import annotations

from msgspec import Struct

from facewright.document import with_materials_of
from facewright.errors import BadFile, FacewrightError
from facewright.image.encoded import KTX2
from facewright.rig.names import group_of, mirror_name
from facewright.rig.rig import Rig
from facewright.rig.ties import ties_of
from facewright.session.context import Context
from facewright.session.views.geometry import geometry, rig_id
from facewright.session.views.pictures import for_pages
from facewright.session.views.shape_change import RigChanges
from facewright.session.views.view import Gone, Reply, resource, view


class SliderInfo(Struct):
    """A slider."""

    name: str
    low: float
    high: float
    group: str  # as the file says, or else by the name
    mirror: int  # index of the slider for the other side, -1 where there is none


class ShapeInfo(Struct):
    """A shape and what drives it: the target of a slider at a value, or, if additive, the product of factors."""

    name: str
    sliders: list[int]
    at: list[float]  # one for each slider
    additive: bool


class PartInfo(Struct):
    """A part of the face, as a range of rig vertices."""

    name: str
    start: int
    stop: int


class RigInfo(Struct):
    """The rig without its arrays, which are at `GET /api/geometry/{id}`."""

    id: str  # changes when anything of the rig does, and only then
    base: str  # the rig of which only one shape's offsets differ: a ShapeChange frame follows; "": none
    vertices: int
    triangles: int
    size: float  # diagonal of the neutral's bounding box, scene units
    linear: bool  # without in-betweens and combinations
    sliders: list[SliderInfo]
    shapes: list[ShapeInfo]
    parts: list[PartInfo]
    exclusive: list[tuple[int, int]]


@view("rig", lambda context: (context.document.value.rig,))
def rig_info(context: Context) -> RigInfo:
    """The document's rig."""
    rig = context.document.value.rig
    return describe_rig(rig, known_rig_id(context, rig), context.task(RigChanges).base_of(rig))


def describe_rig(rig: Rig, id: str, base: str = "") -> RigInfo:
    """A rig without its arrays."""
    index = {name: i for i, name in enumerate(rig.sliders)}
    sliders = [
        SliderInfo(name, low, high, group, index.get(mirror_name(name) or "", -1))
        for name, (low, high), group in zip(rig.sliders, rig.bounds.tolist(), _groups(rig), strict=True)
    ]
    return RigInfo(
        id=id,
        base=base,
        vertices=rig.vertex_count,
        triangles=len(rig.triangles),
        size=rig.size,
        linear=rig.is_linear,
        sliders=sliders,
        shapes=[ShapeInfo(s.name, [index[name] for name in s.sliders], list(s.at), s.additive) for s in rig.shapes],
        parts=[PartInfo(part.name, part.start, part.stop) for part in rig.parts],
        exclusive=[(index[a], index[b]) for a, b in rig.exclusive],
    )


def _groups(rig: Rig) -> list[str]:
    """The part of the face that each slider moves: as the file says, or else by its name."""
    return [group_of(name) if group == "other" else group for name, group in zip(rig.sliders, rig.groups, strict=True)]


@view("ties", lambda context: (context.document.value.rig,))
def ties(context: Context) -> list[tuple[str, str]]:
    """Pairs of a slider and the one that solvers move it no further than."""
    return list(ties_of(context.document.value.rig))


def known_rig_id(context: Context, rig: Rig) -> str:
    """The id of a rig, worked out once."""
    return context.ids.of(rig, rig_id)


@resource("geometry/{rig}")
def geometry_of(context: Context, rig: str) -> Reply:
    """The Geometry frame of the document's rig, or of one that it had.

    A page may ask for a rig that a step has just replaced; that is no mistake.
    """
    document = context.document.value
    if rig == known_rig_id(context, document.rig):
        return Reply(geometry(document, rig).pack())
    before = context.ids.value(rig, Rig)
    if before is None:
        raise Gone("another face is open now")
    return Reply(geometry(with_materials_of(before, document), rig).pack())


@resource("texture/{rig}/{image}")
def texture_of(context: Context, rig: str, image: str) -> Reply:
    """An image of the document's file, as it came, unless no browser knows its kind."""
    document = context.document.value
    if rig != known_rig_id(context, document.rig) or not image.isascii() or not image.isdigit():
        raise Gone("another face is open now")
    try:
        if document.materials is None:
            raise BadFile("the face has no materials")
        found = document.materials.image(int(image))
        shown = for_pages(found.encoded()) if found.media == KTX2 else found
    except FacewrightError as problem:
        context.say_later(f"A texture of the file is not shown: {problem}.")
        raise
    return Reply(shown.data, shown.media)
