"""Which meshes of a file are parts of the face, where they are, and what moves them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile, FacewrightWarning
from facewright.formats.channels.channel import Channel
from facewright.formats.channels.place import is_mirrored, placed_points, turned_vectors
from facewright.formats.fbx.scene.channels import channels_of
from facewright.formats.fbx.scene.mesh import FbxMesh, read_mesh
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene, Id
from facewright.formats.fbx.scene.skin import is_skinned, skin_matrices
from facewright.formats.fbx.scene.transforms import Transforms, to_our_axes
from facewright.formats.unique_names import unique
from facewright.mesh.polygons import Polygons, Uvs


@dataclass(frozen=True, eq=False)
class FbxPart:
    """A part of the rig: its model, its mesh, its channels, and where it is."""

    name: str
    model: FbxObject
    mesh: FbxMesh  # with the polygons as they are seen from outside in the rig's space
    channels: tuple[Channel, ...]
    place: Floats  # (4, 4), or (p, 4, 4) of a skin: from the mesh's space to the rig's
    skinned: bool

    @property
    def polygons(self) -> Polygons:
        return self.mesh.polygons

    @property
    def uvs(self) -> Uvs | None:
        return self.mesh.uvs

    @property
    def points(self) -> Floats:
        """Positions (p, 3) in the rig's space."""
        return placed_points(self.mesh.points, self.place)

    def turned(self, vectors: Floats, rows: Ints) -> Floats:
        """Vectors (k, 3) of some points in the rig's axes."""
        return turned_vectors(vectors, rows, self.place)


def source_parts(scene: FbxScene) -> tuple[FbxPart, ...]:
    """The parts of the face.

    Meshes with blend shapes, and rigid ones such as eyes and teeth. A skinned mesh without shapes is the body, and a
    hidden one without shapes a copy to model with; both are left out. Where no mesh has shapes, every mesh is a part.
    """
    transforms, axes = Transforms(scene), np.eye(4)
    axes[:3, :3] = to_our_axes(scene.settings)
    shown = _shown(scene)
    if not shown:
        raise BadFile("no model of the file has a mesh; a face needs at least one")
    chosen = _chosen(scene, shown)
    names = unique(model.name or geometry.name or f"mesh {n}" for n, (model, geometry) in enumerate(chosen))
    return tuple(
        _part(scene, model, geometry, name, transforms, axes)
        for (model, geometry), name in zip(chosen, names, strict=True)
    )


def _shown(scene: FbxScene) -> list[tuple[FbxObject, FbxObject]]:
    """Models with their meshes; of a mesh that several models show, the first."""
    found: dict[Id, tuple[FbxObject, FbxObject]] = {}
    for model in scene.of_kind("Model"):
        if model.node.child("Vertices") is not None:  # version 6 has the mesh in the model
            found.setdefault(model.id, (model, model))
        for geometry in scene.owned(model, "Geometry"):
            if geometry.sort == "Mesh" and geometry.node.child("Vertices") is not None:
                found.setdefault(geometry.id, (model, geometry))
    return list(found.values())


def _chosen(scene: FbxScene, shown: list[tuple[FbxObject, FbxObject]]) -> list[tuple[FbxObject, FbxObject]]:
    faces = {id(model) for model, geometry in shown if _has_shapes(scene, model, geometry)}
    kept = [
        (model, geometry)
        for model, geometry in shown
        if id(model) in faces or not (faces and (is_skinned(scene, geometry, model) or _is_hidden(model)))
    ]
    left = [model.name for model, geometry in shown if all(model is not one for one, _ in kept)]
    if left:
        warnings.warn(
            f"skinned or hidden meshes without shapes are left out: {', '.join(left[:12])[:200]}",
            FacewrightWarning,
            stacklevel=2,
        )
    return kept


def _has_shapes(scene: FbxScene, model: FbxObject, geometry: FbxObject) -> bool:
    if geometry is model:
        return model.node.child("Shape") is not None
    return any(
        scene.owned(channel, "Geometry", "Shape")
        for deformer in scene.owned(geometry, "Deformer", "BlendShape")
        for channel in scene.owned(deformer, "Deformer", "BlendShapeChannel")
    )


def _is_hidden(model: FbxObject) -> bool:
    return model.number("Visibility", 1.0) == 0 or model.number("Show", 1.0) == 0


def _part(
    scene: FbxScene, model: FbxObject, geometry: FbxObject, name: str, transforms: Transforms, axes: Floats
) -> FbxPart:
    mesh = read_mesh(geometry.node, name, scene.budget)
    if not len(mesh.points):
        raise BadFile(f"mesh {name!r} has no vertices")
    skin = skin_matrices(scene, geometry, model, len(mesh.points), transforms)
    place = axes @ (transforms.world(model) @ transforms.geometric(model) if skin is None else skin)
    channels = channels_of(scene, geometry, model, len(mesh.points))
    return FbxPart(name, model, mesh.turned_over() if is_mirrored(place) else mesh, channels, place, skin is not None)
