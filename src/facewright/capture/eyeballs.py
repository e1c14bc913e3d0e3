"""Eyeballs: the residual that is spread over the skin must not move lids into them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.places import places_of
from facewright.mesh.sphere import fitted_sphere, is_round
from facewright.mesh.topology import Topology
from facewright.rig.rig import Rig

_LEAST = 20  # vertices of an eyeball
_AT_EYE = 0.5  # of the distance between the eyes: an eyeball is nearer to its eye than this
_NEAR = 1.8  # radii: skin that is further away at rest is not checked
_LID = 1.02  # radii: skin is not moved nearer to the middle than this


@dataclass(frozen=True, eq=False)
class Eyeball:
    """An eyeball as a sphere, and the skin around it."""

    middle: Floats  # (3,)
    radius: float
    skin: Ints  # (k,)

    def keep_out(self, positions: Floats, before: Floats) -> None:
        """Move skin of positions (frames, v, 3) out of the ball, but no further than where it was before."""
        away = positions[:, self.skin] - self.middle
        distance = np.linalg.norm(away, axis=2)
        least = np.minimum(np.linalg.norm(before[:, self.skin] - self.middle, axis=2), _LID * self.radius)
        pressed = distance < least
        if pressed.any():
            stretch = np.where(pressed, least / np.maximum(distance, 1e-12 * self.radius), 1.0)
            positions[:, self.skin] = self.middle + away * stretch[:, :, None]


def eyeballs(rig: Rig) -> tuple[Eyeball, ...]:
    """The round pieces of a rig near the points where its lids close."""
    places = places_of(rig)
    eyes = [places.found[name] for name in ("eye left", "eye right") if name in places.found]
    pieces, skin = Topology(rig.polygons, rig.vertex_count).pieces, np.flatnonzero(places.skin)
    candidates = np.setdiff1d(np.flatnonzero(np.bincount(pieces) >= _LEAST), np.unique(pieces[skin])) if eyes else ()
    found = []
    for piece in candidates:
        ball = rig.neutral[pieces == piece]
        middle, radius = fitted_sphere(ball)
        if min(np.linalg.norm(middle - eye) for eye in eyes) < _AT_EYE * places.between_eyes and is_round(ball):
            near = np.linalg.norm(rig.neutral[skin] - middle, axis=1) < _NEAR * radius
            found.append(Eyeball(middle, radius, skin[near]))
    return tuple(found)
