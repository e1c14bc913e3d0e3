"""Pins mirrored to the other side of the face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.mesh.closest import nearest_in_triangle
from facewright.mesh.plane import Plane
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry
from facewright.rig.symmetry import symmetry as find_symmetry
from facewright.terms.pin import Pin, points_of

_LEANS = 1e-4  # a reflected unit axis that differs from the axis by less counts as the axis


@suggests_options
def mirror_pins(rig: Rig, pins: Sequence[Pin], symmetry: Symmetry | None = None) -> list[Pin]:
    """Each pin on the partner of its point, with the reflected offset from rest as its target.

    On a symmetric face this is the reflected target; on any face a pin at rest has a mirrored pin at rest. A pin on the
    middle stays on its point. Give the rig's symmetry if it is known; finding it takes time.
    """
    known = find_symmetry(rig) if symmetry is None else symmetry
    corners = points_of(rig, pins).vertices  # (k, 3)
    placed = [_placed(rig, known, i, pin, corners[i]) for i, pin in enumerate(pins)]
    here, there = (points_of(rig, each).of(rig.neutral) for each in (pins, placed))
    return [_directed(i, _aimed(pin, known.plane, here[i], there[i]), known.plane) for i, pin in enumerate(placed)]


def _placed(rig: Rig, known: Symmetry, number: int, pin: Pin, corners: Ints) -> Pin:
    """The pin on the partner of its point, otherwise unchanged."""
    partners = known.partner[corners]
    if (partners < 0).any():
        lost = int(corners[int(partners.argmin())])
        raise BadValue(f"pin {number}: vertex {lost} has no partner on the other side of the face")
    if pin.triangle is None:
        return replace(pin, vertex=int(partners[0]))
    assert pin.barycentric is not None
    # Polygons may be split along the other diagonal on that side: try all triangles around the partners.
    around = np.flatnonzero(np.isin(rig.triangles, partners).any(axis=1))
    places = rig.neutral[rig.triangles[around]]  # (t, 3, 3)
    point = pin.barycentric @ rig.neutral[partners]
    mixes = nearest_in_triangle(np.broadcast_to(point, (len(around), 3)), places)
    nearest = int(np.linalg.norm(np.einsum("tc,tcx->tx", mixes, places) - point, axis=1).argmin())
    return replace(pin, triangle=int(around[nearest]), barycentric=mixes[nearest])


def _aimed(pin: Pin, plane: Plane, here: Floats, there: Floats) -> Pin:
    """The pin with its offset from rest reflected."""
    if pin.target is None:
        return pin
    return replace(pin, target=there + plane.mirror_vectors(pin.target - here))


def _directed(number: int, pin: Pin, plane: Plane) -> Pin:
    """The pin with its directions reflected: axes, or the plane that two of them span."""
    if pin.plane is not None:
        return replace(pin, plane=plane.mirror_vectors(pin.plane))
    axes = pin.directions()  # (k, 3)
    leaning = plane.mirror_vectors(axes) - np.sign(np.sum(plane.mirror_vectors(axes) * axes, axis=1))[:, None] * axes
    if len(axes) == 3 or np.abs(leaning).max() <= _LEANS:
        return pin
    if len(axes) == 2:
        return replace(pin, axes="xyz", plane=plane.mirror_vectors(np.cross(*axes)))
    raise BadValue(
        f"pin {number}: its axis {pin.axes} is no axis once it is mirrored, since the face's middle plane leans; "
        "use two axes, all three, or a plane"
    )
