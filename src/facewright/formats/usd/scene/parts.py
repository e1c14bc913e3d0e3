"""Which meshes of a stage are parts of the face, where they are, and what moves them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile, FacewrightWarning
from facewright.formats import limits
from facewright.formats.channels.channel import Channel
from facewright.formats.channels.place import is_mirrored, placed_points, turned_vectors
from facewright.formats.unique_names import unique
from facewright.formats.usd.process import StageFile
from facewright.formats.usd.scene.mesh import UsdMesh, read_mesh
from facewright.formats.usd.scene.shapes import read_channels
from facewright.formats.usd.scene.skin import skin_matrices

_Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # z becomes y, and y becomes -z


@dataclass(frozen=True, eq=False)
class UsdPart:
    """A part of the rig: its mesh, its channels, and where it is."""

    name: str
    number: int  # of the mesh on the stage
    mesh: UsdMesh  # with the polygons as they are seen from outside in the rig's space
    channels: tuple[Channel, ...]
    world: Floats  # (4, 4) from the mesh's space to that of the stage, without a skin
    place: Floats  # (4, 4), or (p, 4, 4) of a skin: from the mesh's space to the rig's
    is_skinned: bool

    @property
    def polygons(self) -> Any:
        return self.mesh.polygons

    @property
    def uvs(self) -> Any:
        return self.mesh.uvs

    @property
    def points(self) -> Floats:
        """Positions (p, 3) in the rig's space."""
        return placed_points(self.mesh.points, self.place)

    def turned(self, vectors: Floats, rows: Ints) -> Floats:
        """Vectors (k, 3) of some points in the rig's axes."""
        return turned_vectors(vectors, rows, self.place)


def axes_of(stage: StageFile) -> Floats:
    """The rotation (4, 4) from the axes of a stage to those of the rig."""
    return _Z_UP if stage.description.get("up") == "Z" else np.eye(4)


def stage_parts(
    stage: StageFile, pose: Mapping[str, Mapping[str, float]], helping: frozenset[str]
) -> tuple[UsdPart, ...]:
    """The parts of the face.

    Meshes with blend shapes, and rigid ones such as eyes and teeth. A skinned mesh without shapes is the body, and a
    hidden one without shapes is no part of what is seen; both are left out. Where no mesh has shapes, all are parts.

    pose: weights at rest by animation and channel; helping: channels whose target at 1 is none of the rig's.
    """
    described = _chosen(stage)
    names = unique(str(one["name"]) or f"mesh {n}" for n, one in described)
    found = [_part(stage, n, one, name, pose, helping) for (n, one), name in zip(described, names, strict=True)]
    if sum(len(part.channels) for part in found) > limits.SHAPES:
        raise BadFile(f"there are more than {limits.SHAPES:,} shapes")
    return tuple(found)


def _chosen(stage: StageFile) -> list[tuple[int, dict[str, Any]]]:
    with_points = [(n, one) for n, one in enumerate(stage.description["meshes"]) if one["points"] is not None]
    if not with_points:
        raise BadFile("no mesh on the stage has points")
    has_shapes = any(one["channels"] for _, one in with_points)
    kept = [(n, one) for n, one in with_points if one["channels"] or not (has_shapes and _is_body_or_hidden(one))]
    left = [one["name"] for n, one in with_points if all(n != number for number, _ in kept)]
    if left:
        words = f"skinned or hidden meshes without shapes are left out: {', '.join(left[:12])[:200]}"
        warnings.warn(words, FacewrightWarning, stacklevel=4)
    if any(one["moving"] for _, one in kept):
        words = "the points of a mesh move over time by themselves, which is left out: the first moment is read"
        warnings.warn(words, FacewrightWarning, stacklevel=4)
    return kept


def _is_body_or_hidden(one: dict[str, Any]) -> bool:
    return bool(one["hidden"] or (one["skin"] is not None and not one["skin"]["is_rigid"]))


def _part(
    stage: StageFile,
    number: int,
    one: dict[str, Any],
    name: str,
    pose: Mapping[str, Mapping[str, float]],
    helping: frozenset[str],
) -> UsdPart:
    mesh = read_mesh(stage, one, name)
    world = np.array(one["world"]).reshape(4, 4).T  # USD multiplies rows
    place = axes_of(stage) @ (
        world if one["skin"] is None else skin_matrices(stage, one["skin"], len(mesh.points), name)
    )
    channels = read_channels(stage, one, len(mesh.points), pose.get(one["animation"], {}), helping)
    if is_mirrored(place):
        mesh = mesh.turned_over()
    return UsdPart(name, number, mesh, channels, world, place, one["skin"] is not None)
