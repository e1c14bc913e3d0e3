"""Sequences that a depth camera or a scanner recorded: depth images, point clouds, meshes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats
from facewright.errors import BadFile, UnknownFormat, UnknownName
from facewright.formats import limits
from facewright.formats.files import read_up_to
from facewright.formats.obj.text import ObjText
from facewright.formats.scans.depth import load_depth_folder, load_depth_npz
from facewright.formats.scans.landmarks import LANDMARKS, has_frames, with_landmarks
from facewright.formats.scans.ply import ScanMesh, parse_ply
from facewright.formats.scans.zipped import load_zip
from facewright.formats.sources import naming
from facewright.mesh.normals import vertex_normals
from facewright.motion.depth import PointCloud, ScanSequence
from facewright.motion.frames_on_demand import FramesOnDemand
from facewright.motion.take import METRES
from facewright.options import suggests_options
from facewright.rig.mirrored_scan import mirrored

_CLOUDS = (".ply", ".obj")
_FILES = 100_000  # of one folder
_SIZES = (0.12, 1.5)  # metres: a scan of a face, a head, or a person to the waist
_NEIGHBOURS = 12  # points that tell the normal of one


@suggests_options
def load_scan(
    path: str | PathLike[str],
    *,
    unit: str = "",
    rate: float | None = None,
    landmarks: str | PathLike[str] | None = None,
    mirror: bool = False,
) -> ScanSequence:
    """A depth sequence (.npz, or a folder or .zip of 16-bit PNG files with intrinsics.json), or scans (.ply, .obj).

    unit: of the numbers: mm, cm, m ...; by default as the file says, or as a head's size suggests.
    rate: frames a second, where the files do not say.
    landmarks: a JSON file of all frames, or a folder of one for each; by default landmarks.json beside the frames.
    mirror: turn pictures back that were mirrored when they were written.
    """
    where = Path(path)
    if unit and unit not in METRES:
        raise UnknownName("unit", unit, METRES)
    metres, marks = METRES[unit] if unit else None, None if landmarks is None else Path(landmarks)
    if where.is_dir():
        found = _folder(where, metres, marks)
    elif where.suffix.lower() == ".zip":
        found = load_zip(where, lambda folder: _folder(folder, metres, marks))
    elif where.suffix.lower() == ".npz":
        found = _marked(load_depth_npz(where, metres), marks)
    elif where.suffix.lower() in _CLOUDS:
        found = _marked(_clouds(where, [where], metres), marks, [where])
    else:
        raise UnknownFormat(f"{where}: a scan is .npz, .ply, .obj, or a folder or .zip of .png, .ply or .obj files")
    if rate is not None:
        found = replace(found, times=np.arange(len(found)) / rate)
    return mirrored(found) if mirror else found


def _marked(found: ScanSequence, landmarks: Path | None, files: Sequence[Path] = ()) -> ScanSequence:
    """With landmarks, if there are some; files: of the frames, if each has its own."""
    if landmarks is None:
        return found
    names = [path.stem for path in files] or [f"{i:06}" for i in range(len(found))]
    return with_landmarks(found, landmarks, names, found.frames.metres if isinstance(found.frames, _Clouds) else 1.0)


def _folder(folder: Path, metres: float | None, landmarks: Path | None) -> ScanSequence:
    files: dict[str, list[Path]] = {}
    for count, each in enumerate(folder.iterdir()):
        if count >= _FILES:
            raise BadFile(f"{folder}: there are more than {_FILES:,} files")
        files.setdefault(each.suffix.lower(), []).append(each)
    for suffix in (".png", *_CLOUDS):
        if suffix in files:
            named = sorted(files[suffix], key=_number)
            read = load_depth_folder if suffix == ".png" else _clouds
            found, beside = read(folder, named, metres), folder / LANDMARKS
            if landmarks is not None or not beside.is_file():
                return _marked(found, landmarks, named)
            if has_frames(beside):
                return _marked(found, beside, named)
            return replace(found, notes=(*found.notes, f"{LANDMARKS} beside the frames is not of them: it is not used"))
    raise BadFile(f"{folder}: there are no depth images (.png) and no scans (.ply, .obj) in this folder")


def _number(path: Path) -> tuple[list[int], str]:
    """The numbers in a name, so that frame 10 comes after frame 9."""
    return [int(digits) for digits in re.findall(r"\d{1,18}", path.stem)], path.name


@dataclass(frozen=True, eq=False)
class _Clouds(FramesOnDemand[Path]):
    """Scans of a folder, read when they are asked for."""

    metres: float

    def frame(self, part: Path) -> PointCloud | None:
        mesh = _mesh(part)
        return cloud_of(mesh, self.metres) if len(mesh.points) else None


def _clouds(where: Path, paths: Sequence[Path], metres: float | None) -> ScanSequence:
    scale, notes = metres, list[str]()
    if scale is None:
        first = next((mesh for path in paths if len((mesh := _mesh(path)).points)), None)
        if first is None:
            raise BadFile(f"{where}: there are no points in any of {len(paths)} files")
        unit = _unit(first.points)
        scale = METRES[unit]
        notes.append(f"the scans are taken to be in {unit}, by their size")
    return ScanSequence(_Clouds(tuple(paths), scale), np.arange(len(paths)) / 30.0, where.stem, tuple(notes))


def _mesh(path: Path) -> ScanMesh:
    with naming(path):
        data = read_up_to(path, limits.TEXT)
        if path.suffix.lower() == ".ply":
            return parse_ply(data)
        text = ObjText(data)
        polygons = text.faces()[0]
        return ScanMesh(text.positions(), None, polygons.triangles)


def _unit(points: Floats) -> str:
    """The unit in which points have the size of a head, or of a person to the waist."""
    size = float(np.ptp(np.quantile(points, [0.02, 0.98], axis=0), axis=0).max())
    found = next((unit for unit in ("m", "cm", "mm") if _SIZES[0] <= size * METRES[unit] <= _SIZES[1]), "")
    if not found:
        raise BadFile(f"the points are {size:.3g} across, which is no head in metres, centimetres or millimetres")
    return found


def cloud_of(mesh: ScanMesh, metres: float) -> PointCloud:
    """The points in metres with outward normals: of the file, of its triangles, or of each point's neighbours."""
    points = metres * mesh.points
    if mesh.normals is not None:
        normals = mesh.normals
    elif len(mesh.triangles):
        normals = vertex_normals(points, mesh.triangles)
    else:
        normals = _estimated(points)
    sizes = np.linalg.norm(normals, axis=1)
    known = np.isfinite(sizes) & (sizes > 1e-12)
    return PointCloud(points[known], normals[known] / sizes[known, None])


def _estimated(points: Floats) -> Floats:
    """Normals (k, 3) of the planes through each point's neighbours, towards a camera at the origin.

    Points all around the origin have no such camera: their normals point away from their middle.
    """
    if len(points) < 3:
        return np.zeros(points.shape)
    near = np.asarray(cKDTree(points).query(points, min(_NEIGHBOURS, len(points)))[1])
    off = points[near] - points[near].mean(axis=1, keepdims=True)
    normals = np.linalg.eigh(np.swapaxes(off, 1, 2) @ off)[1][:, :, 0]
    inside = bool(((points.min(axis=0) < 0) & (points.max(axis=0) > 0)).all())
    outward = points - points.mean(axis=0) if inside else -points
    return np.asarray(normals * np.where((normals * outward).sum(axis=1) < 0, -1.0, 1.0)[:, None])
