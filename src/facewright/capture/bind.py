"""Binding a take's markers to a rig: from pairs of marker and vertex, or from the markers' names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.capture.marker_names import marker_name, place_markers
from facewright.capture.neutral import Neutral, rest_markers
from facewright.capture.places import FacePlaces, places_of
from facewright.capture.rest_pose import at_rest, find_rest_pose
from facewright.errors import BadValue, UnknownName
from facewright.mesh.align import Similarity, align
from facewright.mesh.closest import Surface
from facewright.mesh.exposure import exposed
from facewright.motion.take import Take, is_face_sized, span
from facewright.options import suggests_options
from facewright.rig.binding import Binding, SurfacePoint
from facewright.rig.rig import Rig

_LIP = 0.5  # of the jaw's motion: skin that moves more is below the mouth
_ASTRAY = 0.35  # of the distance between the eyes: an anchor further off than this is mentioned in the notes
_MIRRORED = 0.6  # of the misfit: a take is mirrored if its mirror image has less than this share of it


@dataclass(frozen=True, eq=False)
class Anchors:
    """Points of the take whose places on the rig are known."""

    names: tuple[str, ...]
    points: Floats  # (a, 3) take
    places: Floats  # (a, 3) rig


@suggests_options
def bind(
    rig: Rig,
    take: Take,
    pairs: Mapping[str, int | SurfacePoint] | None = None,
    *,
    neutral: Neutral | None = None,
    rest_pose: Mapping[str, float] | Floats | Literal["solved"] | None = None,
    mirrored: bool | None = None,
) -> Binding:
    """Bind the named markers of a take to the rig's surface.

    pairs: marker name -> vertex or point of the surface, at least three that are not on a line; by default from the
    markers' names. Markers without a pair are interpolated from those with one and set on the nearest skin.
    neutral: the frame in which the face is at rest, several of which the mean counts, or another take that shows it; by
    default the most frequent shape. rest_pose: the pose of the rig that the face at rest is in, if that is not quite
    its neutral, or "solved" to find it from the take. mirrored: whether the take's x is reversed; by default the better
    fit.
    """
    found = rest_markers(take, neutral)
    names, rest = found.names, found.positions
    notes: tuple[str, ...] = (found.note,) if found.note else ()
    places = places_of(rig)
    points = {name: _point(rig, name, at) for name, at in (pairs or {}).items()}
    anchors = _paired(rig, names, rest, points) if points else _named(places, names, rest)
    to_rig, flipped = _similarity(anchors, mirrored)
    if flipped:
        sign = np.array([-1.0, 1.0, 1.0])
        anchors, rest = Anchors(anchors.names, anchors.points * sign, anchors.places), rest * sign
        notes = (*notes, "the take is a mirror image: its x is reversed, or its left and right are the viewer's")
    notes = (*notes, *_notes(take, places, anchors, to_rig))
    wanted = _interpolated(anchors, to_rig, to_rig(rest))
    vertices, barycentric = _on_skin(places, names, wanted)
    bound = Binding(names, vertices, barycentric, rest, to_rig, take.unit, flipped, notes).moved(points)
    if rest_pose is None:
        return bound
    if not isinstance(rest_pose, str):
        return at_rest(rig, bound, rig.pose(rest_pose))
    if rest_pose != "solved":
        raise UnknownName("pose at rest", rest_pose, ("solved",))
    return at_rest(rig, bound, find_rest_pose(rig, take, bound))


def _point(rig: Rig, name: str, at: int | SurfacePoint) -> SurfacePoint:
    corners = at.vertices if isinstance(at, SurfacePoint) else (int(at),)
    for vertex in corners:
        if not 0 <= vertex < rig.vertex_count:
            raise BadValue(f"marker {name!r} is on vertex {vertex}; they go from 0 to {rig.vertex_count - 1}")
    return at if isinstance(at, SurfacePoint) else SurfacePoint.vertex(int(at))


def _paired(rig: Rig, names: tuple[str, ...], rest: Floats, pairs: Mapping[str, SurfacePoint]) -> Anchors:
    for name in pairs:
        if name not in names:
            raise BadValue(f"marker {name!r} is not in the take, or never seen; there are {', '.join(names)}")
    if len(pairs) < 3:
        raise BadValue(f"binding needs at least three pairs of marker and vertex, not {len(pairs)}")
    at = [names.index(name) for name in pairs]
    return Anchors(tuple(pairs), rest[at], np.array([point.place(rig.neutral) for point in pairs.values()]))


def _named(places: FacePlaces, names: tuple[str, ...], rest: Floats) -> Anchors:
    """The places that can be found both from the rig's shapes and from the markers' names."""
    named = place_markers(names)
    both = [place for place in places.found if place in named]
    if len(both) < 4:
        raise BadValue(
            f"the markers' names show {_listed(named)} and the rig's shapes {_listed(places.found)}; four in common "
            "are needed: give pairs of marker and vertex"
        )
    points = np.array([rest[[names.index(name) for name in named[place]]].mean(axis=0) for place in both])
    return Anchors(tuple(both), points, np.array([places.found[place] for place in both]))


def _similarity(anchors: Anchors, mirrored: bool | None) -> tuple[Similarity, bool]:
    straight = align(anchors.points, anchors.places, scaled=True)
    flipped = align(anchors.points * np.array([-1.0, 1.0, 1.0]), anchors.places, scaled=True)
    if mirrored is None:
        misfits = [
            float(np.linalg.norm(fit(anchors.points * np.array([sign, 1.0, 1.0])) - anchors.places))
            for fit, sign in ((straight, 1.0), (flipped, -1.0))
        ]
        mirrored = misfits[1] < _MIRRORED * misfits[0]
    return (flipped, True) if mirrored else (straight, False)


def _notes(take: Take, places: FacePlaces, anchors: Anchors, to_rig: Similarity) -> tuple[str, ...]:
    notes = []
    if not is_face_sized(take):
        size, guess = span(take.positions), _fitting(take)
        notes.append(
            f"the markers span {size:.3g} {take.unit}, which is no face; "
            + (
                "nor is it one in any other metric unit: are all of these markers on the face?"
                if guess == take.unit
                else f"if the numbers are {guess}, say so: take.really_in({guess!r}), or --unit {guess}"
            )
        )
    misses = np.linalg.norm(to_rig(anchors.points) - anchors.places, axis=1) / places.between_eyes
    notes += [
        f"{name} is {miss:.0%} of the distance between the eyes away from where it should be: is it named right?"
        for name, miss in zip(anchors.names, misses, strict=True)
        if miss > _ASTRAY
    ]
    return tuple(notes)


def _fitting(take: Take) -> str:
    return Take(take.names, take.positions, take.rate).unit


def _interpolated(anchors: Anchors, to_rig: Similarity, points: Floats) -> Floats:
    """Points (k, 3) on the rig, moved by the offsets of the anchors from their places, interpolated."""
    from scipy.interpolate import RBFInterpolator

    here = to_rig(anchors.points)
    return np.asarray(points + RBFInterpolator(here, anchors.places - here, kernel="linear", degree=0)(points))


def _on_skin(places: FacePlaces, names: tuple[str, ...], points: Floats) -> tuple[Ints, Floats]:
    """Corners (k, 3) and barycentric coordinates (k, 3) of the nearest points of the visible skin.

    Markers of the upper lip go to the upper lip and those of the lower lip to the lower one.
    """
    triangles = places.rig.triangles
    skin = (places.skin & exposed(places.rig.neutral, triangles))[triangles].all(axis=1)
    below = None if places.jaw is None else places.jaw[triangles].mean(axis=1) > _LIP
    corners, barycentric = np.zeros((len(names), 3), np.int64), np.zeros((len(names), 3))
    lips = np.array([_lip(name) for name in names])
    for lip in np.unique(lips):
        allowed = skin if lip == 0 or below is None else skin & (below == (lip < 0))
        allowed = allowed if allowed.any() else skin
        chosen = np.flatnonzero(lips == lip)
        found = Surface(places.rig.neutral, triangles[allowed]).closest(points[chosen])
        corners[chosen], barycentric[chosen] = triangles[allowed][found.triangles], found.barycentric
    return corners, barycentric


def _lip(name: str) -> int:
    """1 for a marker on the upper lip, -1 for one on the lower, 0 for all others."""
    parsed = marker_name(name)
    if parsed.region != "mouth" or "end" in parsed.words:
        return 0
    return ("up" in parsed.words) - ("down" in parsed.words)


def _listed(found: Mapping[str, object]) -> str:
    return ", ".join(found) or "nothing"
