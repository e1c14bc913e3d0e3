"""Decoding and encoding pictures: with Pillow, which is imported when needed; KTX2 with our own decoder."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.image.encoded import KTX2, MEDIA, Encoded
from facewright.image.srgb import Bytes

_NAMES = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_OPTIONS: dict[str, dict[str, Any]] = {
    "image/png": {"compress_level": 4},
    "image/jpeg": {"quality": 95, "subsampling": 0},
    "image/webp": {"lossless": True, "method": 2},
}
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}


def pixels(picture: Encoded, *, size: tuple[int, int] | None = None, channels: int = 3) -> Bytes:
    """The picture as sRGB bytes (h, w, 3), with opacity (h, w, 4), or as grey (h, w), by its number of channels.

    `size` (width, height) scales it.
    """
    if picture.media == KTX2:
        return _converted(_unpacked(picture)[..., : max(channels, 3)], size, channels)
    image = _pillow("Reading pictures")
    try:
        with image.open(BytesIO(picture.data), formats=[_NAMES[picture.media]]) as opened:
            if opened.size != (picture.width, picture.height):
                raise BadFile(f"the picture claims two sizes, {opened.size} and {(picture.width, picture.height)}")
            return _scaled(opened.convert(_MODES[channels]), size)
    except (OSError, SyntaxError, ValueError, EOFError, image.DecompressionBombError) as problem:
        raise BadFile(f"the {_NAMES[picture.media]} picture cannot be unpacked: {problem}") from problem


def for_browsers(picture: Encoded) -> Encoded:
    """The picture in a file type that every browser shows: KTX2 becomes PNG, the others stay."""
    return encoded(_unpacked(picture)) if picture.media == KTX2 else picture


def encoded(picture: Bytes, media: str = "image/png") -> Encoded:
    """A file of sRGB bytes (h, w, 3) or of grey (h, w): PNG, JPEG (nearly lossless) or WebP (lossless)."""
    if media not in _NAMES:
        raise BadValue(f"pictures are written as {', '.join(_NAMES)}, not {media!r}")
    picture = np.asarray(picture)
    if picture.dtype != np.uint8 or picture.ndim not in (2, 3) or picture.shape[2:] not in ((), (3,), (4,)):
        raise BadValue(
            f"a picture is bytes of shape (h, w), (h, w, 3) or (h, w, 4), not {picture.dtype} {picture.shape}"
        )
    buffer = BytesIO()
    _pillow("Writing pictures").fromarray(picture).save(buffer, _NAMES[media], **_OPTIONS[media])
    return Encoded(buffer.getvalue())


def media_of(suffix: str) -> str:
    """The media type of a file's suffix."""
    wanted = ".jpg" if suffix.lower() == ".jpeg" else suffix.lower()
    for media, known in MEDIA.items():
        if known == wanted and media in _NAMES:
            return media
    raise BadValue(f"pictures are written as .png, .jpg or .webp, not {suffix!r}")


def _unpacked(picture: Encoded) -> Bytes:
    from facewright.image.ktx2.unpack import unpack  # imported here because few files need it

    return unpack(picture)


def _converted(picture: Bytes, size: tuple[int, int] | None, channels: int) -> Bytes:
    """Scale and convert sRGB bytes (h, w, 3), without Pillow where there is nothing to do."""
    if channels == picture.shape[2] and size in (None, picture.shape[1::-1]):
        return np.ascontiguousarray(picture)
    image = _pillow("Converting pictures").fromarray(np.ascontiguousarray(picture))
    return _scaled(image.convert(_MODES[channels]), size)


def _scaled(image: Any, size: tuple[int, int] | None) -> Bytes:
    if size is not None and size != image.size:
        image = image.resize(size, _pillow("Scaling pictures").Resampling.LANCZOS)
    return np.array(image)


def _pillow(what: str) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra(what, "pillow", "texture") from None
    return Image
