"""The vertex buffer of a scene: all corners of its triangles with their attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Ints
from facewright.render.material import ShadingMaterial
from facewright.render.scene import Scene
from facewright.render.shot import Shot
from facewright.render.tone import Floats32, to_linear
from facewright.render.wire import drawn_edges, heights, strength

LAYOUT = "3f 3f 3f 2f 4f 3f 2f"
NAMES = ("place", "bend", "ball", "uv", "paint", "apart", "kind")
_FAR = 1e6  # pixels: a distance to edges that are not drawn


@dataclass(frozen=True, eq=False)
class CornerBuffer:
    """Corners in drawing order, and ranges of them with the same texture."""

    values: Floats32  # (3 t, 20)
    runs: tuple[tuple[ShadingMaterial | None, int, int], ...]  # of a texture, first corner, number of corners

    @classmethod
    def of(cls, shot: Shot) -> CornerBuffer:
        """The corners of a shot."""
        scene = shot.scene
        groups = _groups(scene)
        # Of triangles at the same depth the first one is shown; it is drawn last, over what is not nearer.
        order = np.lexsort([-np.arange(len(groups)), groups])
        columns = [
            scene.positions[scene.triangles],
            scene.vertex_normals()[scene.welded],
            scene.balls()[scene.triangles],
            _uvs(scene),
            np.zeros((len(groups), 3, 4)) if shot.paint is None else shot.paint[scene.triangles],
            *_lines(shot),
        ]
        values = np.concatenate([np.asarray(column, np.float32)[order] for column in columns], axis=2)
        return cls(values.reshape(-1, values.shape[2]), tuple(_runs(scene, groups[order])))


def material_table(scene: Scene) -> Floats32:
    """Rows (p, 3, 4): colour and shine, wrap and roughness, iris and whether it has two sides."""
    table = np.zeros((len(scene.materials), 3, 4), np.float32)
    for row, material in zip(table, scene.materials, strict=True):
        row[0] = (*to_linear(material.color), material.shine)
        row[1] = (*material.wrap, material.roughness)
        row[2, :2] = material.iris, material.double_sided
    return table


def _groups(scene: Scene) -> Ints:
    """For each triangle (t,) the material whose texture it has, or -1."""
    textured = np.array([material.texture is not None for material in scene.materials], bool)
    mapped = np.zeros(len(scene.triangles), bool) if scene.uvs is None else np.isfinite(scene.uvs).all(axis=(1, 2))
    return np.where(mapped & textured[scene.of_triangle], scene.of_triangle, -1)


def _runs(scene: Scene, groups: Ints) -> list[tuple[ShadingMaterial | None, int, int]]:
    found, starts, counts = np.unique(groups, return_index=True, return_counts=True)
    return [
        (None if group < 0 else scene.materials[group], 3 * start, 3 * count)
        for group, start, count in zip(found.tolist(), starts.tolist(), counts.tolist(), strict=True)
    ]


def _uvs(scene: Scene) -> Floats32:
    count = len(scene.triangles)
    return np.zeros((count, 3, 2), np.float32) if scene.uvs is None else np.nan_to_num(scene.uvs)


def _lines(shot: Shot) -> tuple[Floats32, Floats32]:
    """Distances (t, 3, 3) of each corner from the three edges in pixels, and (t, 3, 2) the material and a line's
    strength.
    """
    scene = shot.scene
    apart, kind = np.zeros((len(scene.triangles), 3, 3), np.float32), np.zeros((len(scene.triangles), 3, 2), np.float32)
    kind[:, :, 0] = scene.of_triangle[:, None]
    if shot.wire:
        high = heights(shot.camera, scene.positions, scene.triangles, shot.size)
        apart[:, range(3), range(3)] = high
        apart += np.where(drawn_edges(scene.triangles, shot.edges, len(scene.positions)), 0, _FAR)[:, None]
        kind[:, :, 1] = strength(high)[:, None]
    return apart, kind
