"""What is in front of the camera: one mesh, its parts and what they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue
from facewright.mesh.normals import vertex_normals
from facewright.render.eye import eye_color, gaze_frame
from facewright.render.material import SKIN, Material, NamedRange, material_named
from facewright.render.raster import Samples
from facewright.render.seams import copies
from facewright.render.tone import Floats32, to_linear

# Inside of an open surface: what little light there is has come through.
_INSIDE = 0.1


@dataclass(frozen=True, eq=False)
class Scene:
    """A mesh to take pictures of."""

    positions: Floats  # (v, 3)
    triangles: Ints  # (t, 3)
    rest: Floats  # (v, 3) the face before it was posed: seams and irises are found there
    materials: tuple[Material, ...]  # p of them
    part: Ints  # (v,) which material a vertex is of

    @classmethod
    def of(
        cls,
        positions: ArrayLike,
        triangles: ArrayLike,
        *,
        parts: Sequence[NamedRange] = (),
        rest: ArrayLike | None = None,
        materials: Sequence[Material] | None = None,
    ) -> "Scene":
        positions = floats("positions", positions, (None, 3))
        triangles = indices("triangles", triangles, (None, 3), below=len(positions))
        rest = positions if rest is None else floats("rest", rest, positions.shape)
        if materials is None:
            materials = [material_named(part.name) for part in parts] if parts else [SKIN]
        if len(materials) != max(len(parts), 1):
            raise BadValue(f"there are {len(parts)} parts but {len(materials)} materials; give one for each part")
        return cls(positions, triangles, rest, tuple(materials), _part_of_vertex(parts, len(positions)))

    @property
    def radius(self) -> float:
        """Half the length of the box that holds it at rest."""
        return float(np.linalg.norm(np.ptp(self.rest, axis=0)) / 2) or 1.0

    def normals(self, samples: Samples) -> Floats32:
        """Smooth unit normals (n, 3), turned to the side that is seen."""
        corners = copies(self.rest)[self.triangles]
        found = samples.mix(vertex_normals(self.positions, corners).astype(np.float32)[corners])
        found *= np.where(samples.front, 1, -1)[:, None] / np.maximum(np.linalg.norm(found, axis=1), 1e-6)[:, None]
        return cast(Floats32, found.astype(np.float32, copy=False))

    def part_of(self, samples: Samples) -> Ints:
        return self.part[self.triangles[:, 0]][samples.triangle]

    def colors(self, samples: Samples) -> Floats32:
        """Linear colours (n, 3) of the materials, with irises painted on and insides dimmed."""
        part = self.part_of(samples)
        colors = to_linear([m.color for m in self.materials]).astype(np.float32)[part]
        for i, material in enumerate(self.materials):
            here = np.flatnonzero(part == i)
            if material.iris and len(here):
                colors[here] = eye_color(self._on_ball(i, samples.pick(here)), colors[here])
        colors[~samples.front] *= _INSIDE
        return colors

    def finish(self, samples: Samples, name: str) -> Floats32:
        """One of the materials' other properties at each sample."""
        table = np.array([getattr(m, name) for m in self.materials], np.float32)
        return table[self.part_of(samples)]

    def _on_ball(self, part: int, samples: Samples) -> Floats32:
        vertices = np.flatnonzero(self.part == part)
        placed = np.zeros((len(self.positions), 3), np.float32)
        placed[vertices] = gaze_frame(self.rest[vertices])
        return samples.mix(placed[self.triangles])


def _part_of_vertex(parts: Sequence[NamedRange], count: int) -> Ints:
    of = np.zeros(count, np.int64)
    for i, part in enumerate(parts):
        if not 0 <= part.start <= part.stop <= count:
            raise BadValue(f"part {part.name!r} covers vertices {part.start} to {part.stop} of {count}")
        of[part.start : part.stop] = i
    return of
