"""Binary frames: a JSON header that names arrays, then the arrays. One layout for all that is too big for JSON.

Bytes 0 to 3 are `FWF1`, 4 to 7 the header's length (little endian), then the header, zeros up to a multiple of 8, and
the arrays, each at a multiple of 8, in little endian.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from facewright.studio.region_messages import RegionInfo
from facewright.studio.stiff_parts import EyeInfo

MAGIC = b"FWF1"
_ALIGNED = 8
_KINDS = {"f": "f4", "i": "u4", "u": "u4"}


class ArrayInfo(Struct):
    """One array of a frame: `offset` bytes after the header's padding, row after row."""

    kind: Literal["f4", "u4"]
    shape: list[int]
    offset: int


class Frame(Struct, tag=True, tag_field="type", kw_only=True):
    """The JSON header of a binary frame."""

    arrays: dict[str, ArrayInfo]


class Pose(Frame):
    """The face as it is now. n sliders, s shapes, k pins.

    weights (n,), values (s,) of the shapes or, where regions are posed each for itself, (1 + r, s) of the whole face
    and of each of the finest regions; places (k, 3) of the pins. What regions add to the weights: local (p,), with
    spots (p, 2) of region and slider. After a drag also change (n,) of each slider, in the region that was meant, since
    its beginning, helped (n,) share of the wanted motion that it brought, and for the dragged and holding pins (d of
    them) residual (d,) and target (d, 3).
    """

    seq: int  # of the newest message that the pose answers, of the connection that sent it; 0 for others
    gesture: int  # 0 outside
    revision: int
    status: str  # of the solver, "" where none was asked
    pins: list[int]  # (k,)
    dragged: list[int]  # (d,)
    reasons: list[str]  # (d,) why a pin is not met, "" where it is


class ClipTable(Frame):
    """A clip frame by frame: times (f,) seconds, weights (f, n), values (f, s) or (f, 1 + r, s), local (f, p) with
    spots (p, 2) as in Pose. What has no curve stays as it is.
    """

    seq: int
    clip: str
    rate: float


class TakeTable(Frame):
    """Where the markers of a take are: positions (f, m, 3) in the take's room, NaN where one was not seen."""

    take: str  # its id


class TakeFitTable(Frame):
    """How near a clip comes to the take, frame by frame of the take.

    mean (f,) millimetres, NaN where nothing is known; worst (f,) the marker furthest off; status (f,) of `statuses`;
    doubted (q, 2) frame and marker that were recorded, but not gone by; head (f, 12) rotation, rows first, and offset,
    as the still markers show it, empty where the clip has the head's motion itself. Markers count as in TakeInfo.
    """

    seq: int
    clip: str
    statuses: list[str]
    worst_frames: list[int]
    typical: float  # millimetres, the mean of all
    most: float  # 95 % are below


class RangeInfo(Struct):
    """Triangles that belong to one part and one of `materials` (0 where there are none)."""

    part: int
    material: int
    start: int  # first triangle
    count: int


class MaterialInfo(Struct):
    """How a surface looks. An image is at `GET /api/texture/{rig id}/{image}`."""

    name: str
    color: tuple[float, float, float, float]  # linear, a factor on the image
    roughness: float
    image: int | None
    media: str  # in its file: image/png, image/jpeg, image/webp or image/ktx2 (sent as PNG); "" without an image
    alpha: str  # OPAQUE, MASK or BLEND
    cutoff: float
    double_sided: bool


class Geometry(Frame):
    """What the graphics card needs. r render vertices (copies where texture coordinates have a seam), t triangles.

    positions (r, 3), normals (r, 3), uvs (r, 2) v up (if there are any), vertex (r,) of the rig, triangles (t, 3),
    triangle (t,) of the rig. Shapes are sparse over rig vertices: starts (s + 1,), vertices (m,), offsets (m, 3) and
    turns (m, 3), by which the normals change. Parts that move as one: riders (k,) of the rig go where carriers (c,) go,
    eyes (e,) are the vertices of the eyeballs.
    """

    rig: str
    ranges: list[RangeInfo]
    materials: list[MaterialInfo]  # empty: the file says nothing, the page chooses
    eyes: list[EyeInfo] = []


class RegionMap(Frame):
    """Regions, whenever they changed, before the Pose; none for a face without.

    Of v vertices: starts (v + 1,), then region (k,), of the finest, and share (k,) from starts[i] to starts[i + 1].
    """

    regions: list[RegionInfo]


class LowBand(Frame):
    """The smooth part of a texture: texels (H, W, 2), RGBA of linear light in half precision, two in a word, the bottom
    row first; of its detail a sample (n, 3), the same places for all textures of a layout.
    """

    extent: tuple[float, float]  # share of the texels, across and down from the top, that the picture takes


class LowLimits(Frame):
    """What no mix of textures goes beyond: darkest and brightest (H, W, 2), as in LowBand."""

    extent: tuple[float, float]


class BuiltPose(Frame):
    """An example beside the rig's own version of it, over rig vertices: example and example_normals (v, 3); where it is
    solved also version and version_normals (v, 3), and distances (v,) between the two.
    """

    view: str  # as asked for


FrameHeader = BuiltPose | LowBand | LowLimits | Pose | ClipTable | Geometry | RegionMap | TakeTable | TakeFitTable


def pack(header: type[Frame], arrays: Mapping[str, NDArray[Any]], **fields: Any) -> bytes:
    """A frame: floating point numbers become f4, whole numbers u4."""
    infos, pieces, at = {}, [], 0
    for name, array in arrays.items():
        kind = _KINDS[array.dtype.kind]
        data = np.ascontiguousarray(array, f"<{kind}").tobytes()
        infos[name] = ArrayInfo(kind, list(array.shape), at)  # type: ignore[arg-type]
        pieces += [data, bytes(-len(data) % _ALIGNED)]
        at += len(data) + len(pieces[-1])
    text = msgspec.json.encode(header(arrays=infos, **fields))
    head = MAGIC + struct.pack("<I", len(text)) + text
    return b"".join([head, bytes(-len(head) % _ALIGNED), *pieces])


def unpack(data: bytes) -> tuple[Any, dict[str, NDArray[Any]]]:
    """The header and the arrays of a frame."""
    (length,) = struct.unpack_from("<I", data, 4)
    header = msgspec.json.decode(data[8 : 8 + length], type=FrameHeader)
    start = -(-(8 + length) // _ALIGNED) * _ALIGNED
    arrays = {
        name: np.frombuffer(data, f"<{info.kind}", int(np.prod(info.shape)), start + info.offset).reshape(info.shape)
        for name, info in header.arrays.items()
    }
    return header, arrays
