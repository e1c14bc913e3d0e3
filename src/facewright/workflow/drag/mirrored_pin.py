"""The mirror image of a pin on the other side of the face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import PlacedPin
from facewright.rig.rig import Rig
from facewright.rig.symmetry import Symmetry

_MIDDLE = 1e-3  # of the rig's size: a pin nearer to its mirror image than this has none


def mirrored_pin(rig: Rig, pin: PlacedPin, sides: Symmetry) -> PlacedPin | None:
    """The same pin on the other side; None for a pin in the middle, or on a vertex without a partner."""
    if pin.vertex is not None:
        partner = int(sides.partner[pin.vertex])
        return None if partner in (-1, pin.vertex) else replace(pin, vertex=partner)
    corners = rig.triangles[pin.triangle]
    partners = sides.partner[corners]
    mix = np.array(pin.barycentric)
    if (partners < 0).any():
        return None
    here, there = mix @ rig.neutral[corners], mix @ rig.neutral[partners]
    if np.linalg.norm(here - there) <= _MIDDLE * rig.size:
        return None
    return _nearest(rig, pin, partners, there)


def _nearest(rig: Rig, pin: PlacedPin, vertices: Ints, place: Floats) -> PlacedPin:
    """The pin on the triangle nearest to a place, of those about the vertices (a quad may be cut the other way)."""
    around = np.flatnonzero(np.isin(rig.triangles, vertices).sum(axis=1) >= 2)
    mixes = _barycentric(rig.neutral[rig.triangles[around]], place)  # (k, 3)
    places = np.einsum("kc,kca->ka", mixes, rig.neutral[rig.triangles[around]])
    best = int(np.argmin(np.linalg.norm(places - place, axis=1)))
    a, b, c = mixes[best].tolist()
    return replace(pin, triangle=int(around[best]), barycentric=(a, b, c))


def _barycentric(corners: Floats, place: Floats) -> Floats:
    """Barycentric coordinates (k, 3) of a place projected onto triangles (k, 3, 3), clipped to the inside."""
    e1, e2, p = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], place - corners[:, 0]
    d11, d12, d22 = (np.einsum("ka,ka->k", a, b) for a, b in ((e1, e1), (e1, e2), (e2, e2)))
    d1, d2 = (np.einsum("ka,ka->k", p, e) for e in (e1, e2))
    area = d11 * d22 - d12**2
    flat = area <= 1e-12 * d11 * d22
    safe = np.where(flat, 1.0, area)
    v, w = (np.where(flat, 0.0, x / safe) for x in (d22 * d1 - d12 * d2, d11 * d2 - d12 * d1))
    inside = np.maximum(np.stack([1 - v - w, v, w], axis=1), 0.0)
    return np.asarray(inside / inside.sum(axis=1, keepdims=True))
