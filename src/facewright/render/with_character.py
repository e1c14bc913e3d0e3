"""The scene of a face with the meshes that its file carries: one mesh, whose first vertices are the face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.render.material import CLAY, ShadingMaterial
from facewright.render.scene import Scene
from facewright.render.tone import Floats32
from facewright.render.triangle_materials import read_images, shading_material
from facewright.rig.character import CarriedMesh, Character, HeadTurn


class WithCharacter:
    """A face's scene with the meshes besides it."""

    def __init__(self, scene: Scene, character: Character) -> None:
        self._character = character
        self._count = len(scene.materials)
        own, rows = _materials(character)
        meshes = character.meshes
        starts = np.cumsum([len(scene.positions), *(len(mesh.positions) for mesh in meshes)])
        shifted = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
        self._own = own
        self._scene = Scene.of(
            np.concatenate([scene.positions, *(mesh.positions for mesh in meshes)]),
            np.concatenate([scene.triangles, *shifted]),
            materials=(*scene.materials, *own),
            of_triangle=np.concatenate([scene.of_triangle, rows + self._count]),
            uvs=np.concatenate([_corners(scene), *(_corner_uvs(mesh) for mesh in meshes)]),
            face=len(scene.positions),
        )

    def at(self, positions: Floats, materials: Sequence[ShadingMaterial], turn: HeadTurn | None) -> Scene:
        """The scene with the face's vertices at positions (v, 3), and all else where the head's turn has it."""
        meshes = self._character.meshes
        moved = [mesh.positions if turn is None else turn.carried(mesh) for mesh in meshes]
        return self._scene.at(np.concatenate([positions, *moved]), (*materials, *self._own))


def _materials(character: Character) -> tuple[tuple[ShadingMaterial, ...], Ints]:
    """The materials of the meshes, and the row of each triangle (t,), mesh after mesh."""
    given = character.materials
    count = sum(len(mesh.triangles) for mesh in character.meshes)
    if given is None:
        return (CLAY,), np.zeros(count, np.int64)
    images = read_images(given, sorted({one.image for one in given if one.image is not None}))
    made: dict[tuple[str, int], ShadingMaterial] = {}
    rows = []
    for mesh in character.meshes:
        for row in np.unique(mesh.material).tolist():
            made[mesh.name, row] = replace(
                shading_material(f"{mesh.name} {given[row].name}", given[row], images),
                double_sided=given[row].double_sided,
                iris=False,
            )
        places = {key: place for place, key in enumerate(made)}
        rows.append(np.array([places[mesh.name, row] for row in mesh.material.tolist()], np.int64))
    return tuple(made.values()), np.concatenate([np.zeros(0, np.int64), *rows])


def _corners(scene: Scene) -> Floats32:
    return np.full((len(scene.triangles), 3, 2), np.nan, np.float32) if scene.uvs is None else scene.uvs


def _corner_uvs(mesh: CarriedMesh) -> Floats32:
    """Texture coordinates (t, 3, 2) of the corners, NaN where there are none."""
    if mesh.uvs is None:
        return np.full((len(mesh.triangles), 3, 2), np.nan, np.float32)
    return np.asarray(mesh.uvs[mesh.triangles], np.float32)
