"""Pairs of corresponding points: given by hand, or found from both faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.shape_landmarks import shape_landmarks
from facewright.build.target import is_mirrored
from facewright.errors import BadValue, UnknownName
from facewright.mesh.align import Similarity, align
from facewright.rig.rig import Rig

LandmarkEnd = int | str  # a vertex, or the name of a landmark that is found on the face
Landmarks = (
    Sequence[Sequence[LandmarkEnd]] | Mapping[str, LandmarkEnd]
)  # pairs, or names of landmarks of the source with the target's vertices

_LEAST = 3
_SPREAD = 24  # number of pairs for meshes whose vertices correspond
_ASTRAY = 0.3  # of the spread: a pair that is further off after the best alignment is wrong
_MIRRORED = 0.15  # of the spread: the smallest mean error of pairs that are mirrored
_HELP = (
    "Pairs are vertices that belong together: landmarks=[(vertex of the source, vertex of the target), ...], or a file"
    ' {"pairs": [[12, 340], ...]}: corners of the eyes and of the mouth, tip of the nose and chin are enough'
)


@dataclass(frozen=True, eq=False)
class LandmarkPairs:
    """Landmarks of a source and a target that correspond."""

    source: Ints  # (k,) vertices
    target: Ints  # (k,)
    names: tuple[str, ...]
    origin: str  # how they were found, in words
    exact: bool = True  # False if they are only a rough start of the fit

    def __len__(self) -> int:
        return len(self.source)

    def alignment(self, source: Rig, target: Rig) -> Similarity:
        """The similarity that lays the source onto the target."""
        ours, theirs = source.neutral[self.source], target.neutral[self.target]
        self._check(ours, theirs)
        return align(ours, theirs, scaled=True)

    def _check(self, ours: Floats, theirs: Floats) -> None:
        found = align(ours, theirs, scaled=True)
        off = np.linalg.norm(found(ours) - theirs, axis=1)
        spread = float(np.linalg.norm(theirs - theirs.mean(axis=0), axis=1).max())
        # flat faces are nearly equal to their mirror images
        if is_mirrored(ours, theirs) and off.mean() > _MIRRORED * spread:
            raise BadValue(
                "by the pairs the target is a mirror image of the source: left and right are swapped in the pairs, or"
                " one of the meshes is mirrored; swap them, or negate one axis of that mesh"
            )
        if off.max() > _ASTRAY * spread:
            worst = int(off.argmax())
            raise BadValue(
                f"the pairs do not fit together: {self.names[worst]} (vertex {self.source[worst]} of the source,"
                f" {self.target[worst]} of the target) is {off[worst] / spread:.0%} of the face's extent from where the"
                " others put it; check that one first"
            )

    def __repr__(self) -> str:
        return f"LandmarkPairs({len(self)}: {self.origin})"


def landmark_pairs(source: FaceMesh, target: FaceMesh, given: Landmarks | LandmarkPairs | None) -> LandmarkPairs:
    """The given pairs, or pairs that are found; raises `BadValue` if there are too few."""
    if isinstance(given, LandmarkPairs):
        return given
    found = _proposed(source, target) if given is None else _given(source, target, given)
    if found is None:
        raise BadValue(f"nothing in these meshes says which points belong together. {_HELP}")
    if len(found) < _LEAST:
        raise BadValue(f"there are {len(found)} pairs; at least {_LEAST} are needed, eight or more are better. {_HELP}")
    return found


def _given(source: FaceMesh, target: FaceMesh, given: Landmarks) -> LandmarkPairs:
    rows = list(given.items()) if isinstance(given, Mapping) else [tuple(pair) for pair in given]
    if any(len(row) != 2 for row in rows):
        raise BadValue(f"each pair has two ends. {_HELP}")
    ours = np.array([_vertex(source, one) for one, _ in rows], np.int64)
    theirs = np.array([_vertex(target, other) for _, other in rows], np.int64)
    names = tuple(one if isinstance(one, str) else f"pair {i}" for i, (one, _) in enumerate(rows, 1))
    for side, ends in ((source, ours), (target, theirs)):
        values, counts = np.unique(ends, return_counts=True)
        if (counts > 1).any():
            raise BadValue(f"vertex {values[counts.argmax()]} of {side.what} is in {counts.max()} pairs; each has one")
    return LandmarkPairs(ours, theirs, names, f"{len(rows)} pairs given")


def _vertex(side: FaceMesh, end: LandmarkEnd) -> int:
    if isinstance(end, str):
        if end not in side.landmarks:
            raise UnknownName(f"landmark of {side.what}", end, side.landmarks)
        return side.landmarks[end]
    if isinstance(end, bool) or not isinstance(end, int | np.integer):
        raise BadValue(f"an end of a pair is a vertex's number or a landmark's name, not {end!r}")
    if not 0 <= end < side.rig.vertex_count:
        raise BadValue(f"a pair names vertex {end} of {side.what}, which has vertices 0 to {side.rig.vertex_count - 1}")
    return int(end)


def _proposed(source: FaceMesh, target: FaceMesh) -> LandmarkPairs | None:
    if _same_polygons(source.rig, target.rig):
        spread = _spread(source.rig.neutral, source.visible.vertices)
        names = tuple(f"vertex {i}" for i in spread)
        return LandmarkPairs(spread, spread, names, "both have the same polygons, so vertices correspond")
    common = [name for name in source.landmarks if name in target.landmarks]
    if len(common) >= _LEAST:
        ours, theirs = (np.array([side.landmarks[name] for name in common]) for side in (source, target))
        return LandmarkPairs(
            ours, theirs, tuple(common), f"{len(common)} landmarks found from the openings of eyes and mouth"
        )
    places = shape_landmarks(source.rig, target.rig)
    if len(places) >= _LEAST:
        ours, theirs = np.array(list(places.values())).T
        words = f"{len(places)} landmarks found from shapes of the same name"
        return LandmarkPairs(ours, theirs, tuple(places), words, exact=False)
    return None


def _same_polygons(one: Rig, other: Rig) -> bool:
    return one.vertex_count == other.vertex_count and one.polygons.same_as(other.polygons)


def _spread(positions: Floats, among: Ints) -> Ints:
    """Vertices far from each other: each is the furthest from those before it."""
    chosen = [int(among[np.linalg.norm(positions[among] - positions[among].mean(axis=0), axis=1).argmax()])]
    apart = np.full(len(among), np.inf)
    while len(chosen) < min(_SPREAD, len(among)):
        apart = np.minimum(apart, np.linalg.norm(positions[among] - positions[chosen[-1]], axis=1))
        chosen.append(int(among[apart.argmax()]))
    return np.array(chosen)
