"""The textures of expressions as pages see them: a list, thumbnails, and smooth parts for the graphics card."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Struct

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue
from facewright.image.codec import encoded, pixels
from facewright.image.encoded import Encoded
from facewright.image.srgb import Floats32
from facewright.rig.rig import Rig
from facewright.rig.textures import KINDS, Textures
from facewright.session.context import Context
from facewright.session.frames import Array, Frame
from facewright.session.views.pictures import for_pages
from facewright.session.views.view import Gone, Reply, resource, view
from facewright.texture.bands import Bands
from facewright.texture.detail_fade import DetailFade
from facewright.texture.detail_regions import DetailRegions, means_of
from facewright.texture.face_texture import detail_regions, textured_parts
from facewright.texture.layout import island_labels
from facewright.texture.low_bands import LowBands
from facewright.texture.map_kind import MAP_KINDS
from facewright.texture.sources import Sources

_SIDE = 2048  # texels of the longer side for which smooth parts are made: more than they can hold
_THUMB = 112
_KEPT = 48  # smooth parts, 3 MB each


class PictureInfo(Struct):
    """A picture: the file is at /api/textures/picture/{id}, a small one at /api/textures/thumb/{id}."""

    id: str
    width: int
    height: int
    media: str
    bytes: int


class MapInfo(Struct):
    """A texture that comes in with the mean of its shapes' values."""

    shapes: list[str]
    indices: list[int]  # of those that the rig has
    picture: PictureInfo


class DetailRegionsInfo(Struct):
    """Regions of the textures. Their shares are a DetailShares frame at /api/textures/regions/{id}."""

    id: str
    relevance: list[list[float]]  # of each texture of an expression in each region
    means: list[list[float]]  # the share of each of the face's finest regions in each of these


class TexturesInfo(Struct):
    """Textures of expressions. Smooth parts are LowBand frames at /api/textures/low/{layout}/{picture id}."""

    id: str  # changes with any of it; LowLimits are at /api/textures/limits/{id}
    layout: str  # changes with the layout and the size that smooth parts are made for
    neutral: PictureInfo
    maps: list[MapInfo]
    mask: PictureInfo | None
    parts: list[str]  # that show it; empty: all
    regions: DetailRegionsInfo | None = None  # of which each has the detail of its own texture
    kind: str = "color"  # or normal, whose texels are slopes of the surface, or roughness
    surfaces: list[TexturesInfo] = []  # normals and roughness, each with maps of its own


@view(
    "textures",
    lambda context: (context.document.value.textures, context.document.value.rig, context.document.value.regions),
)
def textures(context: Context) -> TexturesInfo | None:
    """The document's textures, if it has any."""
    return textures_info(context.document.value)


def textures_info(document: Document) -> TexturesInfo | None:
    """What a page has to know of a document's textures; None where it has none."""
    found = _info_of(document, "color")
    surfaces = [_info_of(document, kind) for kind in KINDS[1:]]
    if found is not None:
        found.surfaces = [one for one in surfaces if one is not None]
    return found


def _info_of(document: Document, kind: str) -> TexturesInfo | None:
    """What a page has to know of the textures of one kind."""
    textures, rig = _of_kind(document, kind), document.rig
    if textures is None:
        return None
    row = {name: i for i, name in enumerate(rig.shape_names)}
    maps = [
        MapInfo(list(one.shapes), [row[name] for name in one.shapes if name in row], _info(one.picture))
        for one in textures.maps
    ]
    mask = None if textures.mask is None else _info(textures.mask)
    layout, parts = layout_id(rig, textures, kind), list(textured_parts(rig, textures))
    words = (layout, [(one.shapes, one.indices, one.picture.id) for one in maps], textures.neutral.id, mask)
    regions = _regions_info(document, kind)
    return TexturesInfo(_digest(words), layout, _info(textures.neutral), maps, mask, parts, regions, kind)


def _of_kind(document: Document, kind: str) -> Textures | None:
    return None if document.textures is None else document.textures.of_kind(kind)


def _regions_info(document: Document, kind: str) -> DetailRegionsInfo | None:
    found = _bands.regions(document, kind)
    if found is None or document.regions is None:
        return None
    means = means_of(document.regions).tolist()
    return DetailRegionsInfo(_digest((kind, _digest(found.masks.tobytes()))), found.relevance.tolist(), means)


def layout_id(rig: Rig, textures: Textures, kind: str = "color") -> str:
    uvs = () if rig.uvs is None else (_digest(rig.uvs.coordinates.tobytes()), _digest(rig.uvs.corners.tobytes()))
    return _digest((uvs, _size(textures), textured_parts(rig, textures), *([] if kind == "color" else [kind])))


def picture_named(document: Document, id: str) -> Encoded:
    for kind in KINDS:
        textures = _of_kind(document, kind)
        for picture in () if textures is None else textures.pictures:
            if picture.id == id:
                return picture
    raise Gone("the face does not have that picture any more")


def thumbnail(picture: Encoded) -> tuple[str, bytes]:
    """Media type and bytes of a small picture."""
    scale = min(1.0, _THUMB / max(picture.width, picture.height))
    size = max(round(picture.width * scale), 1), max(round(picture.height * scale), 1)
    return "image/jpeg", encoded(pixels(picture, size=size), "image/jpeg").data


@dataclass(frozen=True, eq=False, kw_only=True)
class LowBand(Frame):
    """The smooth part of a texture: RGBA of linear light in half precision, two in a word, the bottom row first; and a
    sample of its detail, the same places for all textures of a layout.
    """

    extent: tuple[float, float]  # share of the texels, across and down from the top, that the picture takes
    texels: Annotated[Ints, Array("u4", ("h", "w", 2))]
    detail: Annotated[Floats, Array("f4", ("n", 3))]


@dataclass(frozen=True, eq=False, kw_only=True)
class LowLimits(Frame):
    """What no mix of textures goes beyond, as texels of a LowBand."""

    extent: tuple[float, float]
    darkest: Annotated[Ints, Array("u4", ("h", "w", 2))]
    brightest: Annotated[Ints, Array("u4", ("h", "w", 2))]


@dataclass(frozen=True, eq=False, kw_only=True)
class DetailShares(Frame):
    """The share of each texel in each region, as texels of a LowBand: four regions in the channels of each page."""

    pages: Annotated[Ints, Array("u4", ("q", "h", "w", 2))]


@resource("textures/picture/{id}")
def picture(context: Context, id: str) -> Reply:
    """A picture of the document's textures."""
    found = for_pages(picture_named(context.document.value, id))
    return Reply(found.data, found.media)


@resource("textures/thumb/{id}")
def thumb(context: Context, id: str) -> Reply:
    """A small version of a picture."""
    media, data = thumbnail(for_pages(picture_named(context.document.value, id)))
    return Reply(data, media)


@resource("textures/low/{layout}/{id}")
def low_band(context: Context, layout: str, id: str) -> Reply:
    """The LowBand frame of a picture."""
    document = context.document.value
    kind = _kind_with(document, lambda info: info.layout == layout)
    picture_named(document, id)
    return Reply(_bands.low(document, id, kind).pack())


@resource("textures/limits/{id}")
def low_limits(context: Context, id: str) -> Reply:
    """The LowLimits frame of the document's textures."""
    document = context.document.value
    return Reply(_bands.limits(document, _kind_with(document, lambda info: info.id == id)).pack())


@resource("textures/regions/{id}")
def detail_shares(context: Context, id: str) -> Reply:
    """The DetailShares frame of the regions of the document's textures."""
    document = context.document.value
    kind = _kind_with(document, lambda info: info.regions is not None and info.regions.id == id)
    return Reply(_bands.shares(document, kind).pack())


def _kind_with(document: Document, wanted: Callable[[TexturesInfo], bool]) -> str:
    """The kind of textures that a page means."""
    for kind in KINDS:
        if (info := _info_of(document, kind)) is not None and wanted(info):
            return kind
    raise Gone("the face has other textures or regions now")


class SmoothParts:
    """Smooth parts of pictures, made when they are first asked for. For any thread, one at a time."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._bands: dict[str, tuple[str, Bands]] = {}  # by kind, with the layout's id
        self._kept: OrderedDict[tuple[str, str], tuple[Floats32, Floats32]] = OrderedDict()
        self._regions: dict[str, tuple[tuple[object, ...], DetailRegions | None]] = {}  # by kind

    def low(self, document: Document, id: str, kind: str = "color") -> LowBand:
        """The LowBand frame of a picture."""
        with self._busy:
            bands, parts = self._of(document, kind)
            low, sample = parts(picture_named(document, id))
            return LowBand(extent=_extent(bands), texels=_halves(low), detail=sample.astype(np.float64))

    def limits(self, document: Document, kind: str = "color") -> LowLimits:
        """The LowLimits frame: the darkest and the brightest of all the textures at each place."""
        own = _of_kind(document, kind)
        assert own is not None
        with self._busy:
            bands, parts = self._of(document, kind)
            darkest = brightest = parts(own.neutral)[0]
            for one in own.maps:
                low = parts(one.picture)[0]
                darkest, brightest = np.minimum(darkest, low), np.maximum(brightest, low)
            return LowLimits(extent=_extent(bands), darkest=_halves(darkest), brightest=_halves(brightest))

    def regions(self, document: Document, kind: str = "color") -> DetailRegions | None:
        """The regions of the document's textures of a kind, each with the detail of its own."""
        inputs = (document.textures, document.rig, document.regions)
        known = self._regions.get(kind)
        if known is None or any(a is not b for a, b in zip(known[0], inputs, strict=True)):
            own = _of_kind(document, kind)
            known = self._regions[kind] = (
                inputs,
                None if own is None else detail_regions(document, own, _size(own)),
            )
        return known[1]

    def shares(self, document: Document, kind: str = "color") -> DetailShares:
        """The DetailShares frame."""
        found = self.regions(document, kind)
        assert found is not None
        with self._busy:
            shares = found.on(self._of(document, kind)[0].cells)
        empty = np.zeros((-len(shares) % 4, *shares.shape[1:]), np.float32)
        pages = np.concatenate([shares, empty]).reshape(-1, 4, *shares.shape[1:])
        return DetailShares(pages=np.stack([_words(np.moveaxis(page, 0, -1)) for page in pages]))

    def _of(self, document: Document, kind: str) -> tuple[Bands, Callable[[Encoded], tuple[Floats32, Floats32]]]:
        own, rig = _of_kind(document, kind), document.rig
        if own is None:
            raise BadValue("the face has no textures any more")
        layout, size = layout_id(rig, own, kind), _size(own)
        if kind not in self._bands or self._bands[kind][0] != layout:
            self._bands[kind] = (layout, Bands(size, island_labels(rig, size, textured_parts(rig, own))))
        bands = self._bands[kind][1]

        def parts(picture: Encoded) -> tuple[Floats32, Floats32]:
            key = (layout, picture.id)
            if key not in self._kept:
                self._kept[key] = _split(bands, picture, kind)
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]

        return bands, parts


_bands = SmoothParts()


def _split(bands: Bands, picture: Encoded, kind: str) -> tuple[Floats32, Floats32]:
    """The smooth part (H, W, 3), and a sample (n, 3) of the detail."""
    sources = Sources([picture], bands.size[::-1], None if kind == "color" else MAP_KINDS[kind].unpack)
    lows = LowBands(bands, sources)
    return lows[0], DetailFade(bands, lows.detail).detail(0).astype(np.float32)


def _size(textures: Textures) -> tuple[int, int]:
    """Height and width for which smooth parts are made."""
    width, height = textures.neutral.width, textures.neutral.height
    scale = min(1.0, _SIDE / max(width, height))
    return max(round(height * scale), 1), max(round(width * scale), 1)


def _extent(bands: Bands) -> tuple[float, float]:
    """How much of the grid of cells the picture takes, across and down."""
    (height, width), scale = bands.size, bands.cells.scale
    rows, columns = bands.cells.count.shape
    return width / (scale * columns), height / (scale * rows)


def _halves(low: Floats32) -> np.ndarray:
    """Light (H, W, 3) as RGBA in half precision, two in a word: (H, W, 2), the bottom row first."""
    whole = np.ones((*low.shape[:2], 4), np.float32)
    whole[..., :3] = low
    return _words(whole)


def _words(texels: Floats32) -> np.ndarray:
    """Texels (H, W, 4) in half precision, two numbers in a word: (H, W, 2), the bottom row first."""
    return np.ascontiguousarray(texels[::-1].astype("<f2")).view("<u4")


def _info(picture: Encoded) -> PictureInfo:
    return PictureInfo(picture.id, picture.width, picture.height, picture.media, len(picture.data))


def _digest(of: Any) -> str:
    data = of if isinstance(of, bytes) else repr(of).encode()
    return hashlib.blake2b(data, digest_size=12).hexdigest()
