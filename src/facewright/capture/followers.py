"""Teeth, tongue and other parts that no shape moves follow the skin rigidly (Joshi 2003, sec. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints, indices
from facewright.capture.places import places_of
from facewright.errors import BadValue
from facewright.mesh.align import align_many
from facewright.mesh.topology import Topology
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

_JAW = ("lower", "tongue", "jaw", "bottom")  # words in the names of parts that move with the jaw
_SKULL = ("upper", "top")  # words in the names of parts that do not
_BOTH = (
    "teeth",
    "tooth",
    "gum",
    "denture",
)  # of parts that may contain both rows: pieces below the lips move with the jaw
_ABOUT = 0.35  # of the distance between the eyes: the parts follow the skin this near to the chin
_CARRIERS = 3  # vertices that tell a rotation
_LEAST = 8  # vertices of that skin


@dataclass(frozen=True, eq=False)
class Followers:
    """Vertices that move rigidly with others, such as lower teeth with the skin round the chin."""

    vertices: Ints  # (k,)
    carried_by: Ints  # (c,) at least 3 of them, not on one line

    def __len__(self) -> int:
        return len(self.vertices)

    def check(self, rig: Rig) -> None:
        """Raise an error if a vertex does not exist, or if too few carry the others."""
        indices("vertices that follow", self.vertices, (None,), below=rig.vertex_count)
        carriers = indices("vertices that carry them", self.carried_by, (None,), below=rig.vertex_count)
        if len(self) and len(np.unique(carriers)) < _CARRIERS:
            raise BadValue(f"a rigid part is carried by at least {_CARRIERS} vertices, not by {len(carriers)}")

    def follow(self, rest: Floats, positions: Floats) -> Floats:
        """Positions (frames, v, 3) with the followers moved as the skin that carries them moves from rest (v, 3)."""
        if not len(self):
            return positions
        weights = np.ones((len(positions), len(self.carried_by)))
        rotations, offsets = align_many(rest[None, self.carried_by], positions[:, self.carried_by], weights)
        moved = positions.copy()
        moved[:, self.vertices] = rest[self.vertices] @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
        return moved


def followers(rig: Rig) -> Followers:
    """The parts of a rig that no shape moves and whose names are of the jaw, and the skin that carries them."""
    none, moved = np.zeros(0, np.int64), _moved(rig)
    still = [part for part in rig.parts if not moved[part.start : part.stop].any()]
    if not any(_contains(part.name, (*_JAW, *_BOTH)) for part in still):
        return Followers(none, none)
    places = places_of(rig)
    hanging = np.concatenate([none, *(_on_jaw(rig, part, places.found.get("mouth")) for part in still)])
    chin = places.found.get("chin")
    if chin is None or not len(hanging):
        return Followers(none, none)
    skin = np.flatnonzero(places.skin)
    distance = np.linalg.norm(rig.neutral[skin] - chin, axis=1)
    near = np.flatnonzero(distance < _ABOUT * places.between_eyes)
    near = near if len(near) >= _LEAST else np.argsort(distance)[:_LEAST]
    return Followers(hanging, skin[near])


def following_rig(rig: Rig) -> Rig:
    """The rig with shapes that also move the followers, for programs that only have shapes.

    Each shape moves them rigidly; several shapes together do so approximately.
    """
    found = followers(rig)
    return replace(rig, shapes=tuple(_with_followers(found, rig, shape) for shape in rig.shapes)) if len(found) else rig


def _with_followers(found: Followers, rig: Rig, shape: Shape) -> Shape:
    delta = shape.dense(rig.vertex_count)
    if not delta[found.carried_by].any():
        return shape
    delta[found.vertices] = found.follow(rig.neutral, (rig.neutral + delta)[None])[0, found.vertices]
    delta[found.vertices] -= rig.neutral[found.vertices]
    return Shape.from_dense(shape.name, delta).driven_as(shape)


def _moved(rig: Rig) -> NDArray[np.bool_]:
    moved = np.zeros(rig.vertex_count, bool)
    for shape in rig.shapes:
        moved[shape.vertices[shape.offsets.any(axis=1)]] = True
    return moved


def _on_jaw(rig: Rig, part: Part, mouth: Floats | None) -> Ints:
    """Vertices of a part that move with the jaw: all, none, or the pieces with a centre below the lips."""
    vertices = np.arange(part.start, part.stop)
    if _contains(part.name, _JAW):
        return vertices
    if mouth is None or _contains(part.name, _SKULL) or not _contains(part.name, _BOTH):
        return vertices[:0]
    pieces = Topology(rig.polygons, rig.vertex_count).pieces[vertices]
    middles = np.bincount(pieces, rig.neutral[vertices, 1]) / np.maximum(np.bincount(pieces), 1)
    return np.asarray(vertices[middles[pieces] < mouth[1]])


def _contains(name: str, words: Sequence[str]) -> bool:
    return any(word in name.lower() for word in words)
