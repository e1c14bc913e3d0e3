"""Vertices of every frame of a clip, for programs that play meshes: point caches in PC2, MDD and NPZ files.

PC2 (3ds Max, Blender, Houdini) is little-endian: the word POINTCACHE2, version, points, first frame, frames a sample,
samples, then the points. MDD (LightWave, Maya, Blender) is big-endian: frames, points, the time of each frame in
seconds, then the points. Both have 32-bit floats. NPZ has the arrays `times` (f,) and `positions` (f, v, 3).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import replacing

SUFFIXES = (".pc2", ".mdd", ".npz")
_MOST = 2**31 - 1  # frames or points, by their 32-bit fields


def check_cache_name(path: Path) -> None:
    """Refuse a name that no point cache has."""
    if path.suffix.lower() not in SUFFIXES:
        raise UnknownFormat(f"{path}: a point cache is written as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def save_point_cache(path: Path, times: Floats, chunks: Iterable[Floats], *, vertices: int) -> None:
    """Write positions (k, v, 3), some frames at a time, in the format of the path's suffix; times (f,) in seconds."""
    check_cache_name(path)
    if max(len(times), vertices) > _MOST:
        raise BadValue(f"a point cache holds at most {_MOST:,} frames and points")
    if path.suffix.lower() == ".npz":
        frames = [np.zeros((0, vertices, 3), np.float32), *(np.asarray(chunk, np.float32) for chunk in chunks)]
        with replacing(path) as file:
            np.savez(file, times=times, positions=np.concatenate(frames))
        return
    is_pc2 = path.suffix.lower() == ".pc2"
    with replacing(path) as file:
        if is_pc2:
            file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertices, 0.0, 1.0, len(times)))
        else:
            file.write(struct.pack(">ii", len(times), vertices) + np.asarray(times, ">f4").tobytes())
        for chunk in chunks:
            file.write(np.asarray(chunk, "<f4" if is_pc2 else ">f4").tobytes())
