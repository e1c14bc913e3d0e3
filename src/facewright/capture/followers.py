"""Teeth, tongue and other parts that no shape moves: they follow the skin rigidly (Joshi 2003, sec. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.places import FacePlaces
from facewright.mesh.align import align_many
from facewright.mesh.topology import Topology
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape

_JAW = ("lower", "tongue", "jaw", "bottom")  # in the name of a part that hangs on the jaw
_SKULL = ("upper", "top")  # and of one that does not
_BOTH = ("teeth", "tooth", "gum", "denture")  # of one that may hold both rows: pieces below the lips hang on the jaw
_ABOUT = 0.35  # of the distance between the eyes: skin that near to the chin carries it
_LEAST = 8  # vertices of it


@dataclass(frozen=True, eq=False)
class Followers:
    """Vertices that move as one with the jaw; all others that no shape moves stay with the head."""

    vertices: Ints  # (k,)
    carried_by: Ints  # (c,) skin round the chin

    def __len__(self) -> int:
        return len(self.vertices)

    def follow(self, rest: Floats, positions: Floats) -> Floats:
        """Positions (frames, v, 3) with the followers where the skin that carries them goes; rest (v, 3)."""
        if not len(self):
            return positions
        weights = np.ones((len(positions), len(self.carried_by)))
        rotations, offsets = align_many(rest[None, self.carried_by], positions[:, self.carried_by], weights)
        moved = positions.copy()
        moved[:, self.vertices] = rest[self.vertices] @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
        return moved


def followers(rig: Rig) -> Followers:
    """The parts of a rig that no shape moves and whose names place them on the jaw, and the skin that carries them."""
    none, moved = np.zeros(0, np.int64), _moved(rig)
    still = [part for part in rig.parts if not moved[part.start : part.stop].any()]
    if not any(_says(part.name, (*_JAW, *_BOTH)) for part in still):
        return Followers(none, none)
    places = FacePlaces(rig)
    hanging = np.concatenate([none, *(_on_jaw(rig, part, places.found.get("mouth")) for part in still)])
    chin = places.found.get("chin")
    if chin is None or not len(hanging):
        return Followers(none, none)
    skin = np.flatnonzero(places.skin)
    apart = np.linalg.norm(rig.neutral[skin] - chin, axis=1)
    near = np.flatnonzero(apart < _ABOUT * places.between_eyes)
    near = near if len(near) >= _LEAST else np.argsort(apart)[:_LEAST]
    return Followers(hanging, skin[near])


def following_rig(rig: Rig) -> Rig:
    """The rig with shapes that take the followers along, for programs that only know shapes.

    Each shape alone moves them as one; what several do together is the sum, which is nearly so.
    """
    found = followers(rig)
    return replace(rig, shapes=tuple(_taking(found, rig, shape) for shape in rig.shapes)) if len(found) else rig


def _taking(found: Followers, rig: Rig, shape: Shape) -> Shape:
    delta = shape.dense(rig.vertex_count)
    if not delta[found.carried_by].any():
        return shape
    delta[found.vertices] = found.follow(rig.neutral, (rig.neutral + delta)[None])[0, found.vertices]
    delta[found.vertices] -= rig.neutral[found.vertices]
    return Shape.from_dense(shape.name, delta, sliders=shape.sliders, at=shape.at)


def _moved(rig: Rig) -> NDArray[np.bool_]:
    moved = np.zeros(rig.vertex_count, bool)
    for shape in rig.shapes:
        moved[shape.vertices[shape.offsets.any(axis=1)]] = True
    return moved


def _on_jaw(rig: Rig, part: Part, mouth: Floats | None) -> Ints:
    """Vertices of a part that hang on the jaw: all, none, or the pieces whose middle is below the lips."""
    vertices = np.arange(part.start, part.stop)
    if _says(part.name, _JAW):
        return vertices
    if mouth is None or _says(part.name, _SKULL) or not _says(part.name, _BOTH):
        return vertices[:0]
    pieces = Topology(rig.polygons, rig.vertex_count).pieces[vertices]
    middles = np.bincount(pieces, rig.neutral[vertices, 1]) / np.maximum(np.bincount(pieces), 1)
    return np.asarray(vertices[middles[pieces] < mouth[1]])


def _says(name: str, words: Sequence[str]) -> bool:
    return any(word in name.lower() for word in words)
