"""Teeth, tongue and other parts that no shape moves: they follow the skin rigidly (Joshi 2003, sec. 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.places import FacePlaces
from facewright.mesh.align import align_many
from facewright.rig.rig import Rig

_JAW = ("lower", "tongue", "jaw", "bottom")  # in the name of a part that hangs on the jaw
_ABOUT = 0.35  # of the distance between the eyes: skin that near to the chin carries it
_LEAST = 8  # vertices of it


@dataclass(frozen=True, eq=False)
class Followers:
    """Vertices that move as one with the jaw; all others that no shape moves stay with the head."""

    vertices: Ints  # (k,)
    carried_by: Ints  # (c,) skin round the chin

    def follow(self, rest: Floats, positions: Floats) -> Floats:
        """Positions (frames, v, 3) with the followers where the skin that carries them goes; rest (v, 3)."""
        if not len(self.vertices) or not len(self.carried_by):
            return positions
        source = np.repeat(rest[self.carried_by][None], len(positions), axis=0)
        weights = np.ones(source.shape[:2])
        rotations, offsets = align_many(source, positions[:, self.carried_by], weights)
        moved = positions.copy()
        moved[:, self.vertices] = rest[self.vertices] @ np.swapaxes(rotations, 1, 2) + offsets[:, None]
        return moved


def followers(rig: Rig) -> Followers:
    """The parts of a rig that no shape moves and whose names place them on the jaw, and the skin that carries them."""
    none = np.zeros(0, np.int64)
    moved = np.zeros(rig.vertex_count, bool)
    for shape in rig.shapes:
        moved[shape.vertices[shape.offsets.any(axis=1)]] = True
    hanging = [
        np.arange(part.start, part.stop)
        for part in rig.parts
        if any(word in part.name.lower() for word in _JAW) and not moved[part.start : part.stop].any()
    ]
    if not hanging:
        return Followers(none, none)
    places = FacePlaces(rig)
    chin = places.found.get("chin")
    if chin is None:
        return Followers(none, none)
    skin = np.flatnonzero(places.skin)
    apart = np.linalg.norm(rig.neutral[skin] - chin, axis=1)
    near = np.flatnonzero(apart < _ABOUT * places.between_eyes)
    near = near if len(near) >= _LEAST else np.argsort(apart)[:_LEAST]
    return Followers(np.concatenate(hanging), skin[near])
