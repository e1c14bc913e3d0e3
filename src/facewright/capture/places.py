"""The places of eyes, brows, nose, mouth and chin on a rig, found from the motion of its shapes.

Shapes are found by ARKit's names, in any spelling. The lips are points that are near each other at rest and move apart
when the jaw opens; the eyes are where lids close; the nose is the foremost point between eyes and mouth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import vertex_normals
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig

SIDES = ("left", "right")
_TOGETHER = 0.05  # of the distance between the eyes: how near lips that touch are at rest
_PARTED = 0.08  # of the jaw's motion: how differently upper and lower lip move
_PEAK = 0.8  # of a shape's largest motion: vertices that move more are its centre
_STRIP = 0.1  # of the distance between the eyes: half the width of the middle of the face
_EYES_IN_SIZE = 0.17  # distance between the eyes over a head's size, where the eyes are not found
_CHIN = 0.25  # of the way from the lowest point of the jaw to the mouth
_AHEAD = 0.02  # of the distance between the eyes: a triangle nearer than this does not hide a point


@dataclass(frozen=True, eq=False)
class FacePlaces:
    """The named places of a rig's face that can be found."""

    rig: Rig

    @cached_property
    def found(self) -> dict[str, Floats]:
        """Place -> (3,): eye, brow, mouth with left or right; mouth, nose, chin."""
        single = {"nose": self._nose(), "chin": self._chin()}
        return {**self._eyes, **self._brows, **self._mouth, **{k: at for k, at in single.items() if at is not None}}

    @cached_property
    def skin(self) -> NDArray[np.bool_]:
        """Vertices (v,) of the part that shapes move most, which markers are bound to."""
        amount = np.sum([*self._motion.values(), np.zeros(self.rig.vertex_count)], axis=0)
        best = max(self.rig.parts, key=lambda part: float(amount[part.start : part.stop].sum()))
        chosen = np.zeros(self.rig.vertex_count, bool)
        chosen[best.start : best.stop] = True
        return chosen

    @cached_property
    def jaw(self) -> Floats | None:
        """How far each vertex (v,) moves when the jaw opens; the largest is 1."""
        motion = self._motion.get("jawOpen")
        return None if motion is None or not motion.any() else motion / motion.max()

    @cached_property
    def between_eyes(self) -> float:
        """Distance between the eyes, scene units; other lengths on a face are relative to it."""
        if len(self._eyes) == 2:
            return float(np.linalg.norm(self._eyes["eye left"] - self._eyes["eye right"]))
        return _EYES_IN_SIZE * self.rig.size

    @cached_property
    def _motion(self) -> dict[str, Floats]:
        """How far each shape moves each vertex (v,), by the shape's name in ARKit's spelling."""
        found = {}
        for shape in self.rig.shapes:
            length = np.zeros(self.rig.vertex_count)
            length[shape.vertices] = np.linalg.norm(shape.offsets, axis=1)
            found[canonical_name(shape.name)] = length
        return found

    @cached_property
    def _eyes(self) -> dict[str, Floats]:
        """Eyes, midway between open and closed lids."""
        found = {}
        for side in SIDES:
            name = f"eyeBlink{side.capitalize()}"
            shape = next((shape for shape in self.rig.shapes if canonical_name(shape.name) == name), None)
            if shape is not None and shape.offsets.any():
                length = np.linalg.norm(shape.offsets, axis=1)
                lid = length >= 0.5 * length.max()
                found[f"eye {side}"] = (self.rig.neutral[shape.vertices[lid]] + shape.offsets[lid] / 2).mean(axis=0)
        return found

    @cached_property
    def _brows(self) -> dict[str, Floats]:
        found = {}
        for side in SIDES:
            names = [f"{name}{side.capitalize()}" for name in ("browDown", "browInnerUp", "browOuterUp")]
            peaks = [self._peak(name, side) for name in (*names, "browInnerUp")]
            known = [peak for peak in peaks if peak is not None]
            if known:
                found[f"brow {side}"] = np.mean(known, axis=0)
        return found

    def _peak(self, name: str, side: str) -> Floats | None:
        """The centre of the vertices that a shape moves most on one side."""
        motion = self._motion.get(name)
        if motion is None:
            return None
        across = self.rig.neutral[:, 0] - self._middle
        here = self.skin & ((across > 0) == (side == "left"))
        most = (motion * here).max(initial=0.0)
        return self.rig.neutral[here & (motion >= _PEAK * most)].mean(axis=0) if most > 0 else None

    @cached_property
    def _middle(self) -> float:
        """The x of the middle plane; a face's own left is at +x."""
        if len(self._eyes) == 2:
            return float((self._eyes["eye left"][0] + self._eyes["eye right"][0]) / 2)
        across = self.rig.neutral[self.skin, 0]
        return float((across.min() + across.max()) / 2) if len(across) else 0.0

    @cached_property
    def _mouth(self) -> dict[str, Floats]:
        """Corners and middle of the line between the lips."""
        seam = self._seam()
        if len(seam) < 3:
            return {}
        points = self.rig.neutral[seam]
        across = points[:, 0]
        near = np.argsort(np.abs(across - self._middle))[: max(3, len(seam) // 20)]
        return {
            "mouth left": points[across.argmax()],
            "mouth right": points[across.argmin()],
            "mouth": np.array([self._middle, *points[near, 1:].mean(axis=0)]),
        }

    def _seam(self) -> Ints:
        """Vertices (k,) on the line between the lips that can be seen."""
        if self.jaw is None:
            return np.zeros(0, np.int64)
        moving = np.flatnonzero(self.skin & (self.jaw > _PARTED / 4))
        pairs = moving[
            cKDTree(self.rig.neutral[moving]).query_pairs(_TOGETHER * self.between_eyes, output_type="ndarray")
        ]
        parted = np.abs(self.jaw[pairs[:, 0]] - self.jaw[pairs[:, 1]]) > _PARTED
        lips = np.unique(pairs[parted])
        return lips[~self._hidden(lips)]

    def _chin(self) -> Floats | None:
        mouth = self._mouth.get("mouth")
        if mouth is None or self.jaw is None:
            return None
        facing = vertex_normals(self.rig.neutral, self.rig.triangles)[:, 2] > 0.3
        low = self._strip(facing & (self.jaw > 0.5) & (self.rig.neutral[:, 1] < mouth[1]))
        if not len(low):
            return None
        heights = self.rig.neutral[low, 1]
        wanted = heights.min() + _CHIN * (mouth[1] - heights.min())
        return np.asarray(self.rig.neutral[low[np.abs(heights - wanted).argmin()]])

    def _nose(self) -> Floats | None:
        if "mouth" not in self._mouth or len(self._eyes) != 2:
            return None
        heights, top = self.rig.neutral[:, 1], min(eye[1] for eye in self._eyes.values())
        between = self._strip((heights > self._mouth["mouth"][1]) & (heights < top))
        return self.rig.neutral[between[self.rig.neutral[between, 2].argmax()]] if len(between) else None

    def _strip(self, chosen: NDArray[np.bool_]) -> Ints:
        """Chosen vertices of the skin in the middle of the face that can be seen."""
        near = np.abs(self.rig.neutral[:, 0] - self._middle) < _STRIP * self.between_eyes
        found = np.flatnonzero(chosen & near & self.skin)
        return found[~self._hidden(found)]

    def _hidden(self, vertices: Ints) -> NDArray[np.bool_]:
        """Which of the vertices (k,) are hidden by a triangle in front of them."""
        return hidden_from_front(
            self.rig.neutral[vertices], self.rig.neutral, self.rig.triangles, _AHEAD * self.between_eyes
        )


@lru_cache(maxsize=1)
def places_of(rig: Rig) -> FacePlaces:
    """The places of a rig; those of the last rig are kept, since several steps of a solve ask for them."""
    return FacePlaces(rig)


def hidden_from_front(points: Floats, positions: Floats, triangles: Ints, margin: float) -> NDArray[np.bool_]:
    """Which points (k, 3) have a triangle in front of them, towards +z, by more than the margin."""
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    u, v = (b - a)[:, :2], (c - a)[:, :2]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    seen = np.abs(area) > 1e-12 * np.abs(area).max(initial=0.0)
    a, u, v, area = a[seen], u[seen], v[seen], area[seen]
    rise = np.stack([(b - a_)[:, 2] for b, a_ in ((positions[triangles[seen, i]], a) for i in (1, 2))], axis=1)
    return np.array([_covered(point, (a, u, v, area, rise), margin) for point in points], bool)


def _covered(point: Floats, sides: Sequence[Floats], margin: float) -> bool:
    a, u, v, area, rise = sides
    x, y = point[0] - a[:, 0], point[1] - a[:, 1]
    s, t = (x * v[:, 1] - y * v[:, 0]) / area, (y * u[:, 0] - x * u[:, 1]) / area
    over = (s >= 0) & (t >= 0) & (s + t <= 1)
    height = a[over, 2] + s[over] * rise[over, 0] + t[over] * rise[over, 1]
    return bool((height > point[2] + margin).any())
