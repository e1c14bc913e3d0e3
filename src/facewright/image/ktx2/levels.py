"""A level's bytes, without their supercompression; never more than its stated size."""

from __future__ import annotations

import zlib

from facewright.errors import BadFile, MissingExtra
from facewright.image.ktx2.container import Container

NONE, BASIS_LZ, ZSTD, ZLIB = range(4)
_MOST_WINDOW = 1 << 27


def plain_level(file: Container, size: int) -> bytes:
    """The level's `size` bytes."""
    if file.unpacked not in (0, size) and file.scheme != NONE:
        raise BadFile(f"the KTX2 file's first level claims {file.unpacked} bytes; {size} are needed")
    data = _unpacked(file, size)
    if len(data) != size:
        raise BadFile(f"the KTX2 file's first level has {len(data)} bytes; {size} are needed")
    return data


def _unpacked(file: Container, size: int) -> bytes:
    if file.scheme == NONE:
        return file.level
    if file.scheme == ZSTD:
        return _zstd(file.level, size)
    if file.scheme == ZLIB:
        try:
            return zlib.decompressobj().decompress(file.level, size + 1)
        except zlib.error as problem:
            raise BadFile(f"the KTX2 file's zlib stream is damaged: {problem}") from problem
    raise BadFile(f"the KTX2 file is compressed by scheme {file.scheme}; none, BasisLZ, Zstandard and zlib are read")


def _zstd(data: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("Unpacking this KTX2 file", "zstandard", "texture") from None
    try:
        with zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW).stream_reader(data) as stream:
            return stream.read(size + 1)
    except zstandard.ZstdError as problem:
        raise BadFile(f"the KTX2 file's Zstandard stream is damaged: {problem}") from problem
