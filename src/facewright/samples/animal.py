"""A generated animal's face with muzzle and ears, for trying on what is not human."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.mesh.polygons import Polygons, Uvs
from facewright.rig.names import group_of
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.samples.mask import MaskGrid
from facewright.samples.relief import HEIGHT, WIDTH, Mound

_EAR = (4.6, 8.2, 2.1, 3.4)  # its foot: centre x and y, and reach across and up, in centimetres
_MOUTH, _HINGE, _GAPE = -5.3, (-3.2, -4.0), 22.0  # height of the mouth; the jaw's hinge, y and z; degrees
_FADE = 0.8  # centimetres over which the jaw's motion begins below the mouth

MOUNDS = (
    Mound(0.0, -3.6, 2.3, 2.6, 6.0),  # muzzle
    Mound(0.0, -2.2, 1.1, 1.0, 1.8),  # nose
    Mound(0.0, 1.0, 1.5, 3.0, 1.2),  # bridge
    Mound(3.4, 1.8, 1.3, 0.9, -1.0, tilt=0.25),  # eye sockets
    Mound(3.4, 1.8, 0.9, 0.6, 0.8, tilt=0.25),  # lids
    Mound(3.4, 3.4, 1.8, 0.8, 0.6, tilt=0.2),  # brows
    Mound(4.8, -2.6, 2.0, 1.8, 0.9),  # cheeks
    Mound(0.0, _MOUTH, 2.6, 0.25, -0.7),  # mouth
    Mound(4.6, 8.6, 0.9, 1.8, -0.9),  # hollows of the ears
)


@dataclass(frozen=True)
class Pull:
    """A shape that moves the face about a place, in one direction: centimetres on the side of +x."""

    name: str
    place: tuple[float, float]
    reach: tuple[float, float]  # across and up
    way: tuple[float, float, float]


PULLS = (
    Pull("snarl", (1.8, -2.6), (2.0, 1.8), (0.3, 1.1, 0.3)),
    Pull("mouthCornerBack", (3.2, -5.0), (1.8, 1.6), (0.9, 0.5, -1.2)),
    Pull("whiskerPad", (2.2, -4.2), (1.6, 1.3), (0.7, 0.0, 0.7)),
    Pull("nostrilFlare", (0.9, -2.4), (0.9, 0.9), (0.4, 0.1, 0.2)),
    Pull("eyeClose", (3.4, 2.2), (1.5, 0.8), (0.0, -0.9, 0.1)),
    Pull("eyeWide", (3.4, 2.3), (1.5, 1.0), (0.0, 0.6, 0.0)),
    Pull("browUp", (3.2, 3.6), (2.0, 1.3), (0.0, 1.0, -0.1)),
    Pull("browDown", (2.6, 3.4), (2.0, 1.3), (-0.4, -0.9, 0.2)),
    Pull("cheekUp", (4.8, -1.4), (2.2, 2.0), (0.2, 1.1, 0.2)),
)
NOSE = Pull("noseUp", (0.0, -2.2), (1.6, 1.3), (0.0, 0.7, -0.2))


def animal_mask(vertices: int = 4000) -> Rig:
    """A symmetric animal's face of so many vertices, in quads: 24 shapes of jaw, muzzle, eyes, brows and ears."""
    grid = MaskGrid.of(vertices)
    flat, mirror, quads = grid.places(), grid.mirror(), grid.quads()
    rest = _surface(flat)
    shapes = [Shape.from_dense("jawOpen", _jaw(rest)), Shape.from_dense(NOSE.name, _pulled(rest, NOSE))]
    for name, left in [(pull.name, _pulled(rest, pull)) for pull in PULLS] + [
        ("earBack", _turned_ear(rest, (1.0, 0.0, 0.0), -50.0)),
        ("earOut", _turned_ear(rest, (0.0, 0.0, 1.0), -40.0)),
    ]:
        right = (left * [-1, 1, 1])[mirror]
        shapes += [Shape.from_dense(f"{name}Left", left), Shape.from_dense(f"{name}Right", right)]
    return Rig(
        rest,
        Polygons(quads.ravel(), np.full(len(quads), 4)),
        tuple(shapes),
        groups=tuple(group_of(shape.name) for shape in shapes),
        uvs=Uvs((flat + 1) / 2, quads.ravel()),
    )


def _surface(flat: Floats) -> Floats:
    """Points (v, 3) at places (v, 2) in a disc of radius 1; ears stand up from it."""
    side, up = flat.T
    x, y = 1.05 * WIDTH / 2 * np.sin(1.2 * side) / np.sin(1.2), HEIGHT / 2 * up - 1.0
    x = x * (1 - 0.3 * np.clip(-up, 0, None) ** 1.5)
    z = 7.0 * (np.cos(1.2 * side) - 1) + 3.2 * (np.cos(1.25 * up) - 1) + sum(mound.over(x, y) for mound in MOUNDS)
    ear = _ear(x, y)
    return np.stack([x + 1.2 * np.sign(x) * ear, y + 6.5 * ear, z + 3.5 * ear], axis=1)


def _ear(x: Floats, y: Floats) -> Floats:
    """How much of an ear each place is, from 0 to 1, on both sides."""
    middle_x, middle_y, wide, high = _EAR
    away = ((np.abs(x) - middle_x) / wide) ** 2 + ((y - middle_y) / high) ** 2
    return np.asarray(np.clip(1 - away, 0, None) ** 1.5)


def _pulled(rest: Floats, pull: Pull) -> Floats:
    """Offsets (v, 3) that fade to zero at the rim, twice differentiable."""
    away = sum(((rest[:, i] - pull.place[i]) / pull.reach[i]) ** 2 for i in (0, 1))
    return np.asarray(np.clip(1 - away / 2, 0, None)[:, None] ** 3 * np.array(pull.way))


def _jaw(rest: Floats) -> Floats:
    """The muzzle below the mouth turned about the hinge."""
    below = np.clip((_MOUTH - rest[:, 1]) / _FADE + 0.5, 0, 1)
    ahead = np.clip((rest[:, 2] - _HINGE[1]) / 3.0, 0, 1)
    share = (below**2 * (3 - 2 * below) * ahead**2 * (3 - 2 * ahead))[:, None]
    angle = np.radians(_GAPE)
    y, z = rest[:, 1] - _HINGE[0], rest[:, 2] - _HINGE[1]
    turned = [np.zeros(len(rest)), y * np.cos(angle) - z * np.sin(angle) - y, y * np.sin(angle) + z * np.cos(angle) - z]
    return np.asarray(share * np.stack(turned, axis=1))


def _turned_ear(rest: Floats, axis: tuple[float, float, float], degrees: float) -> Floats:
    """The left ear turned about its foot, more towards its tip."""
    foot = np.array([_EAR[0], 7.5, 0.0])
    foot[2] = rest[np.linalg.norm(rest[:, :2] - foot[:2], axis=1).argmin(), 2]
    height = np.clip((rest[:, 1] - 7.0) / 5.0, 0, 1) * (rest[:, 0] > 0) * np.clip(rest[:, 0] / 2.0 - 0.5, 0, 1)
    share = (height**2 * (3 - 2 * height))[:, None]
    angle, along = np.radians(degrees), np.array(axis)
    arms = rest - foot
    turned = arms * np.cos(angle) + np.cross(along, arms) * np.sin(angle)
    turned += (arms @ along)[:, None] * along * (1 - np.cos(angle))
    return np.asarray(share * (turned - arms))
