"""Arrays in a zip, one .npy member each, as in NPZ and .fwface files.

Names, sizes, types and shapes are checked before memory is allocated.
"""

from __future__ import annotations

import builtins
import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats import limits
from facewright.formats.files import Memory, Source, Target, open_ordinary, replacing
from facewright.formats.npy import Header, npy_header

_HEADER = 8192  # bytes in which the header of a .npy must end; numpy's own are 128
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# All that zipfile, zlib and numpy raise on damaged bytes; RuntimeError is an encrypted member.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, RuntimeError, ValueError, OverflowError, KeyError)


class ArrayZip:
    """A zip opened for reading, whose members have been checked."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive = archive
        self._members = _checked_members(archive, size)
        self._widest = max(limits.FREELY_UNPACKED, limits.WIDENED * size)  # bytes that numbers may still take

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._members)

    def bytes(self, name: str, *, limit: int = limits.UNPACKED) -> bytes:
        """A member's content."""
        info = self._member(name)
        if info.file_size > limit:
            raise BadFile(f"{name} has {info.file_size >> 20} MB; at most {limit >> 20} MB are read")
        return self._archive.read(info)

    def header(self, name: str, kind: str) -> Header:
        """The type and shape of an array, whose numbers must be of a kind: "f", "iu" or "US"."""
        info = self._member(name)
        with self._archive.open(info) as member:
            return npy_header(name, member.read(_HEADER), info.file_size, kind)

    def array(self, name: str, kind: str) -> NDArray[Any]:
        """A whole array."""
        header = self.header(name, kind)
        self._widen(name, header)
        with self._archive.open(self._member(name)) as member:
            flat = np.frombuffer(member.read(), header.dtype, offset=header.start)
        return flat.reshape(header.shape, order="F" if header.by_columns else "C")

    def rows(self, name: str, kind: str, counts: Iterable[int]) -> Iterator[NDArray[Any]]:
        """An array in pieces of so many rows each, one at a time in memory."""
        header = self.header(name, kind)
        if header.by_columns and len(header.shape) > 1:
            yield from _split(self.array(name, kind), counts)
            return
        row = math.prod(header.shape[1:])
        with self._archive.open(self._member(name)) as member:
            member.read(header.start)
            for count in counts:
                data = member.read(count * row * header.dtype.itemsize)
                yield np.frombuffer(data, header.dtype).reshape(count, *header.shape[1:])
            member.read()  # the checksum is compared at the end

    def _widen(self, name: str, header: Header) -> None:
        """Count what an array takes in memory, where every number has 8 bytes."""
        self._widest -= max(math.prod(header.shape) * 8, math.prod(header.shape) * header.dtype.itemsize)
        if self._widest < 0:
            raise BadFile(f"{name} has shape {header.shape}, more numbers than a file of this size may unpack to")

    def _member(self, name: str) -> zipfile.ZipInfo:
        if name not in self._members:
            raise BadFile(
                f"there is no {name} in the file; it has {', '.join(sorted(self._members)[:20]) or 'nothing'}"
            )
        return self._members[name]


@contextmanager
def reading_zip(source: Source | bytes) -> Iterator[ArrayZip]:
    """Open a zip of arrays, a file or its bytes; whatever is wrong with the bytes raises BadFile."""
    source = source.data if isinstance(source, Memory) else source
    try:
        with (
            open_ordinary(source) if isinstance(source, Path) else BytesIO(source) as raw,
            zipfile.ZipFile(raw) as archive,
        ):
            yield ArrayZip(archive, raw.seek(0, 2))
    except FacewrightError:
        raise
    except _DAMAGE as problem:
        raise BadFile(f"the file is damaged, or no zip: {problem or type(problem).__name__}") from problem


def write_zip(target: Target, fill: Callable[[ArrayZipWriter], None], *, packed: bool) -> None:
    """Replace a file by a zip that `fill` writes its members into."""
    with replacing(target) as raw:
        if not _filled(raw, fill, packed=packed):  # it would unpack to so many times its size that a reader refuses it
            raw.seek(0)
            raw.truncate()
            _filled(raw, fill, packed=False)


def has_member(data: bytes, name: str) -> bool:
    """Whether bytes are a zip with a member of that name."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return name in archive.namelist()
    except _DAMAGE:
        return False


def zip_bytes(fill: Callable[[ArrayZipWriter], None]) -> bytes:
    """The bytes of a zip, not deflated, that `fill` writes its members into."""
    stream = BytesIO()
    _filled(stream, fill, packed=False)
    return stream.getvalue()


class ArrayZipWriter:
    """A zip being written member by member. Equal contents give equal bytes: members have no time of writing."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.widened = 0  # bytes of the numbers that a reader has in memory at once

    def bytes(self, name: str, data: bytes) -> None:
        with self._open(name, len(data)) as member:
            member.write(data)

    def array(self, name: str, array: NDArray[Any]) -> None:
        self.widened += 8 * array.size
        self.stream(name, array.dtype, array.shape, [array])

    def stream(self, name: str, dtype: DTypeLike, shape: tuple[int, ...], pieces: Iterable[NDArray[Any]]) -> None:
        """Write an array of the given type and shape, one piece at a time in memory."""
        kind = np.dtype(dtype).newbyteorder("<")
        with self._open(name, math.prod(shape) * kind.itemsize) as member:
            header = {"descr": npy.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
            npy.write_array_header_1_0(member, header)
            for piece in pieces:
                member.write(np.ascontiguousarray(piece, kind).tobytes())

    def _open(self, name: str, size: int) -> IO[builtins.bytes]:
        return self._archive.open(name, "w", force_zip64=size > 1 << 30)


def _filled(raw: BinaryIO, fill: Callable[[ArrayZipWriter], None], *, packed: bool) -> bool:
    """Whether the members that were written can be read again within the limits."""
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    # Level 1: on arrays of floats the levels above take several times as long for some per cent.
    with zipfile.ZipFile(raw, "w", method, compresslevel=1) as archive:
        writer = ArrayZipWriter(archive)
        fill(writer)
        infos = archive.infolist()
    size = sum(info.compress_size for info in infos)
    fits = writer.widened <= max(limits.FREELY_UNPACKED, limits.WIDENED * size)
    return fits and not _is_too_tight(sum(info.file_size for info in infos), size)


def smallest(array: NDArray[Any]) -> np.dtype[Any]:
    """The smallest type that holds every number of an array exactly."""
    if array.dtype.kind == "f":
        return np.dtype("<f4") if is_single(array) else np.dtype("<f8")
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return np.result_type(np.min_scalar_type(low), np.min_scalar_type(high)).newbyteorder("<")


def is_single(array: NDArray[Any]) -> bool:
    """Whether single precision holds every number exactly."""
    with np.errstate(over="ignore"):
        return bool((array.astype(np.float32) == array).all())


def check_member_name(name: str) -> None:
    """Refuse a name that would leave the folder it is unpacked in, or mean something else on another system."""
    segments = name.split("/")
    fine = 0 < len(name) <= 1000 and name.isprintable() and not set(name) & set('\\:*?"<>|')
    if not fine or any(segment in ("", ".", "..") for segment in segments) or PurePosixPath(name).is_absolute():
        raise BadValue(f"{name!r} is no safe name inside a file; use letters, digits and / between folders")


def _split(array: NDArray[Any], counts: Iterable[int]) -> Iterator[NDArray[Any]]:
    start = 0
    for count in counts:
        yield array[start : start + count]
        start += count


def _checked_members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]  # is_dir fails without a name
    if len(infos) > limits.MEMBERS:
        raise BadFile(f"the zip has {len(infos)} members; at most {limits.MEMBERS} are read")
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        check_member_name(info.filename)
        if info.filename in members:
            raise BadFile(f"the zip has two members named {info.filename}")
        if info.compress_type not in _PACKED:
            raise BadFile(f"{info.filename} is packed in a way that is not read; use stored or deflated members")
        if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
            raise BadFile(f"{info.filename} claims two sizes, {info.file_size} and {info.compress_size} bytes")
        members[info.filename] = info
    _check_total(sum(info.file_size for info in infos), sum(info.compress_size for info in infos), size)
    return members


def _check_total(unpacked: int, packed: int, size: int) -> None:
    if packed > size:
        raise BadFile(f"the zip claims {packed} bytes of content, but the file has {size}")
    if unpacked > limits.UNPACKED or _is_too_tight(unpacked, packed):
        raise BadFile(
            f"the zip would unpack from {size} to {unpacked} bytes; more than {limits.RATIO} times"
            f" (beyond {limits.FREELY_UNPACKED >> 20} MB) is not read"
        )


def _is_too_tight(unpacked: int, packed: int) -> bool:
    return unpacked > max(limits.FREELY_UNPACKED, limits.RATIO * packed)
