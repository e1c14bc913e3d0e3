"""A picture as the bytes of its file. Type and size are read from its first bytes; nothing is decoded."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from functools import cached_property

from facewright.errors import BadFile

KTX2 = "image/ktx2"
MEDIA = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", KTX2: ".ktx2"}

MOST_BYTES = 256 << 20  # of one file
MOST_PIXELS = 2**26  # 8192 x 8192: 200 MB once unpacked
_MOST_SCANNED = 2**30  # pixels that all scans of a JPEG cover: a progressive one has about ten scans


@dataclass(frozen=True)
class Encoded:
    """A PNG, JPEG, WebP or KTX2 file; equal where the bytes are."""

    data: bytes = field(repr=False)
    media: str = field(init=False, compare=False)
    width: int = field(init=False, compare=False)
    height: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.data) > MOST_BYTES:
            raise BadFile(f"a picture of {len(self.data) >> 20} MB; at most {MOST_BYTES >> 20} MB are read")
        media, width, height = _about(self.data)
        if width < 1 or height < 1 or width * height > MOST_PIXELS:
            raise BadFile(f"a picture of {width} x {height} pixels; from 1 to {MOST_PIXELS:,} pixels are read")
        for name, value in (("media", media), ("width", width), ("height", height)):
            object.__setattr__(self, name, value)

    @property
    def suffix(self) -> str:
        """The usual file suffix of the media type, such as .png."""
        return MEDIA[self.media]

    @cached_property
    def id(self) -> str:
        """A hash of the bytes."""
        return hashlib.blake2b(self.data, digest_size=12).hexdigest()


def _about(data: bytes) -> tuple[str, int, int]:
    """Media type, width and height."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return "image/png", *struct.unpack_from(">II", data, 16)
        if data.startswith(b"\xff\xd8\xff"):
            width, height = _jpeg_size(data)
            _check_scans(data, width * height)
            return "image/jpeg", width, height
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return "image/webp", *_webp_size(data)
        if data.startswith(b"\xabKTX 20\xbb\r\n\x1a\n"):
            return KTX2, *struct.unpack_from("<II", data, 20)
    except (struct.error, IndexError):
        raise BadFile("a picture's file ends before it says how large it is") from None
    raise BadFile(f"this is no PNG, JPEG, WebP or KTX2 file; it begins with {data[:8]!r}")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at = 2
    while True:
        if data[at] != 0xFF:
            raise BadFile("the JPEG file is damaged: a segment does not begin where the last one ends")
        kind = data[at + 1]
        if kind in range(0xC0, 0xD0) and kind not in (0xC4, 0xC8, 0xCC):  # a start of frame
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        # Markers that stand alone, and fill bytes, have no length.
        at += 1 if kind == 0xFF else 2 if kind in (0x01, *range(0xD0, 0xD9)) else 2 + _length(data, at + 2)


def _check_scans(data: bytes, pixels: int) -> None:
    """Refuse a progressive JPEG of very many scans, each of which goes over all pixels again."""
    scans = data.count(b"\xff\xda")  # within a scan a zero follows every ff
    if scans * pixels > _MOST_SCANNED:
        raise BadFile(f"a JPEG of {scans} scans over {pixels:,} pixels; at most {_MOST_SCANNED:,} are read in all")


def _length(data: bytes, at: int) -> int:
    (length,) = struct.unpack_from(">H", data, at)
    return max(int(length), 2)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        packed = data[24:30]
        if len(packed) < 6:
            raise IndexError
        return 1 + int.from_bytes(packed[:3], "little"), 1 + int.from_bytes(packed[3:], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise BadFile("the WebP file has no picture in it")
