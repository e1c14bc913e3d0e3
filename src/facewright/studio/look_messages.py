"""Messages about a face's look: textures of expressions, what never changes, who wears them."""

from __future__ import annotations

from msgspec import Struct

from facewright.studio.message import Edit, Name


class RemoveTexture(Edit, kw_only=True):
    """Take the texture of some shapes away."""

    shapes: list[Name]


class MoveTexture(Edit, kw_only=True):
    """Let the texture of some shapes come in with others."""

    shapes: list[Name]
    to: list[Name]


class RemoveMask(Edit, kw_only=True):
    """All of the face may change."""


class WearTextures(Edit, kw_only=True):
    """The parts that wear the textures; none: all."""

    parts: list[Name]


class TakeOffTextures(Edit, kw_only=True):
    """A face without textures of expressions, as its file says."""


class WearSampleSkin(Edit, kw_only=True):
    """The embedded people's own textures, on one of them."""


LookEdit = RemoveTexture | MoveTexture | RemoveMask | WearTextures | TakeOffTextures | WearSampleSkin


class PictureInfo(Struct):
    """A picture: the file is at /api/look/picture/{id}, a small one at /api/look/thumb/{id}."""

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


class LookInfo(Struct):
    """Textures of expressions. Smooth parts are LowBand frames at /api/look/low/{layout}/{picture id}."""

    id: str  # changes with any of it; LowLimits are at /api/look/limits/{id}
    layout: str  # changes with the layout and the size that smooth parts are made for
    neutral: PictureInfo
    maps: list[MapInfo]
    mask: PictureInfo | None
    parts: list[str]  # that wear it; empty: all
