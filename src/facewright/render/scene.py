"""The scene: one mesh, its parts and their materials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facewright.arrays import Floats, Ints, floats, indices, numbers
from facewright.errors import BadValue
from facewright.mesh.normals import vertex_normals
from facewright.render.iris import eye_color, gaze_frame
from facewright.render.material import NamedRange, ShadingMaterial, materials_of
from facewright.render.mipmap import Mipmap
from facewright.render.raster import Samples
from facewright.render.tone import Floats32, to_linear

# The inside of an open surface gets only a little light.
INSIDE = 0.1


@dataclass(frozen=True, eq=False)
class Scene:
    """A mesh to draw."""

    positions: Floats  # (v, 3)
    triangles: Ints  # (t, 3)
    rest: Floats  # (v, 3) the face before it was posed; seams and irises are found there
    materials: tuple[ShadingMaterial, ...]  # p of them
    of_triangle: Ints  # (t,) the material of each triangle
    uvs: Floats32 | None  # (t, 3, 2) texture coordinates of the corners, v up; NaN: none
    welded: Ints  # (t, 3) vertices of the corners, one for all copies of a point
    face: int | None = None  # the first vertices are the face, others are drawn with it; None: all are the face

    @classmethod
    def of(
        cls,
        positions: ArrayLike,
        triangles: ArrayLike,
        *,
        parts: Sequence[NamedRange] = (),
        rest: ArrayLike | None = None,
        materials: Sequence[ShadingMaterial] | None = None,
        of_triangle: ArrayLike | None = None,
        uvs: ArrayLike | None = None,
        face: int | None = None,
    ) -> Scene:
        """A scene with one material for each part, or with the materials of `of_triangle` (t,); uvs (t, 3, 2) or
        (v, 2).
        """
        positions = floats("positions", positions, (None, 3))
        triangles = indices("triangles", triangles, (None, 3), below=len(positions))
        rest = positions if rest is None else floats("rest", rest, positions.shape)
        materials = materials_of(parts) if materials is None else tuple(materials)
        part = _part_of_vertex(parts, len(positions))
        if of_triangle is None:
            if len(materials) != max(len(parts), 1):
                raise BadValue(f"there are {len(parts)} parts but {len(materials)} materials; give one for each part")
            of_triangle = part[triangles[:, 0]]
        chosen = indices("materials of triangles", of_triangle, (len(triangles),), below=len(materials))
        corners = _corner_uvs(uvs, triangles, len(positions))
        return cls(positions, triangles, rest, materials, chosen, corners, _copies(rest)[triangles], face)

    def at(self, positions: ArrayLike, materials: Sequence[ShadingMaterial] | None = None) -> Scene:
        """The same mesh with other positions (v, 3), and with as many other materials if they are given."""
        made = self.materials if materials is None else tuple(materials)
        if len(made) != len(self.materials):
            raise BadValue(f"there are {len(self.materials)} materials, not {len(made)}")
        return replace(self, positions=floats("positions", positions, self.positions.shape), materials=made)

    @property
    def radius(self) -> float:
        """Half the diagonal of the bounding box of the face at rest."""
        return float(np.linalg.norm(np.ptp(self.rest[: self.face], axis=0)) / 2) or 1.0

    @property
    def translucent(self) -> NDArray[np.bool_]:
        """Which triangles (t,) have opacities."""
        return np.array([material.translucent for material in self.materials], bool)[self.of_triangle]

    def with_triangles(self, some: NDArray[np.bool_]) -> Scene:
        """The scene with some of its triangles (t,)."""
        uvs = None if self.uvs is None else self.uvs[some]
        return replace(self, triangles=self.triangles[some], of_triangle=self.of_triangle[some], uvs=uvs,
                       welded=self.welded[some])  # fmt: skip

    def opacities(self, samples: Samples, slopes: Callable[[], Floats32]) -> Floats32:
        """Opacity (n,) of the materials at each sample."""
        which = self.of_triangle[samples.triangle]
        found = np.ones(len(which), np.float32)
        for i, material in enumerate(self.materials):
            here = np.flatnonzero(which == i)
            if not material.translucent or not len(here):
                continue
            found[here] = material.opacity
            if material.opacities is not None:
                found[here] *= self._texture(material.opacities, samples.pick(here), slopes()[here])[:, 0]
            if material.cutoff is not None:
                found[here] = found[here] >= material.cutoff
        return np.clip(found, 0, 1)

    def vertex_normals(self) -> Floats32:
        """Smooth unit normals (v, 3); of copies of a vertex only those in `welded` are set."""
        return vertex_normals(self.positions, self.welded).astype(np.float32)

    def normals(self, samples: Samples) -> Floats32:
        """Smooth unit normals (n, 3), on the visible side."""
        found = samples.mix(self.vertex_normals()[self.welded])
        found *= np.where(samples.front, 1, -1)[:, None] / np.maximum(np.linalg.norm(found, axis=1), 1e-6)[:, None]
        return cast(Floats32, found.astype(np.float32, copy=False))

    def colors(self, samples: Samples, slopes: Callable[[], Floats32] | None = None) -> Floats32:
        """Linear colours (n, 3) of materials and textures, with irises painted and the inside of the surface dimmed.

        slopes: returns derivatives (n, 3, 2) of the barycentrics by pixel; without it, textures are not averaged.
        """
        which = self.of_triangle[samples.triangle]
        colors = to_linear([m.color for m in self.materials]).astype(np.float32)[which]
        for i, material in enumerate(self.materials):
            if not (material.iris or material.texture):
                continue
            here = np.flatnonzero(which == i)
            if material.iris and len(here):
                colors[here] = eye_color(self._on_ball(samples.pick(here)), colors[here])
            elif material.texture is not None and len(here):
                colors[here] *= self._texture(material.texture, samples.pick(here), slopes and slopes()[here])
        inside = ~samples.front & ~np.array([m.double_sided for m in self.materials], bool)[which]
        colors[inside] *= INSIDE
        return colors

    def finish(self, samples: Samples, name: str) -> Floats32:
        """Another property of the materials at each sample."""
        table = np.array([getattr(m, name) for m in self.materials], np.float32)
        return table[self.of_triangle[samples.triangle]]

    def mapped(self, samples: Samples, name: str, slopes: Callable[[], Floats32]) -> tuple[Ints, Floats32]:
        """Which samples (k,) have a map of that name, slopes or roughnesses, and its texels (k, 3) there."""
        which = self.of_triangle[samples.triangle]
        places, values = [np.zeros(0, np.int64)], [np.zeros((0, 3), np.float32)]
        for i, material in enumerate(self.materials):
            texture: Mipmap | None = getattr(material, name)
            if texture is None or self.uvs is None:
                continue
            here = np.flatnonzero((which == i) & np.isfinite(self.uvs[samples.triangle]).all(axis=(1, 2)))
            if len(here):
                places.append(here)
                values.append(self._texture(texture, samples.pick(here), slopes()[here]))
        return np.concatenate(places), np.concatenate(values)

    def balls(self) -> Floats32:
        """The place of each eyeball vertex (v, 3) on its eyeball, in radii; zero elsewhere."""
        placed = np.zeros((len(self.positions), 3), np.float32)
        for i, material in enumerate(self.materials):
            vertices = np.unique(self.triangles[self.of_triangle == i]) if material.iris else np.zeros(0, np.int64)
            if len(vertices):
                placed[vertices] = gaze_frame(self.rest[vertices])
        return placed

    def _on_ball(self, samples: Samples) -> Floats32:
        return samples.mix(self.balls()[self.triangles])

    def _texture(self, texture: Mipmap, samples: Samples, slopes: Floats32 | None) -> Floats32:
        """Colours (n, 3) of a texture; those of the material where a corner has no coordinates."""
        light = np.ones((len(samples.triangle), 3), np.float32)
        if self.uvs is None:
            return light
        mapped = np.flatnonzero(np.isfinite(self.uvs[samples.triangle]).all(axis=(1, 2)))
        corners, shares = self.uvs[samples.triangle[mapped]], samples.barycentric[mapped].astype(np.float32)
        uv = np.einsum("nc,nck->nk", shares, corners)
        none = np.zeros_like(uv)
        across, down = (none, none) if slopes is None else np.einsum("ncd,nck->dnk", slopes[mapped], corners)
        light[mapped] = texture.sample(uv, across, down)
        return light


def _part_of_vertex(parts: Sequence[NamedRange], count: int) -> Ints:
    of = np.zeros(count, np.int64)
    for i, part in enumerate(parts):
        if not 0 <= part.start <= part.stop <= count:
            raise BadValue(f"part {part.name!r} covers vertices {part.start} to {part.stop} of {count}")
        of[part.start : part.stop] = i
    return of


def _corner_uvs(uvs: ArrayLike | None, triangles: Ints, vertices: int) -> Floats32 | None:
    if uvs is None:
        return None
    given = numbers("texture coordinates", uvs)
    if given.shape == (vertices, 2):
        given = given[triangles]
    if given.shape != (len(triangles), 3, 2):
        raise BadValue(
            f"texture coordinates have shape ({len(triangles)}, 3, 2), for each corner of a triangle, or"
            f" ({vertices}, 2), for each vertex, not {given.shape}"
        )
    return given.astype(np.float32)


def _copies(positions: Floats) -> Ints:
    """For each vertex (v,) one vertex at exactly the same place: a seam in the UVs splits a point into several
    vertices.
    """
    order = np.lexsort(positions.T)
    placed = positions[order]
    new = np.ones(len(positions), bool)
    new[1:] = (placed[1:] != placed[:-1]).any(axis=1)
    same = np.empty(len(positions), np.int64)
    same[order] = order[np.flatnonzero(new)[np.cumsum(new) - 1]]
    return same
