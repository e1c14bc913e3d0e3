"""Mirror images of vertices: by position, or by following the polygons from one certain pair."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import vertex_normals
from facewright.mesh.plane import Plane
from facewright.mesh.topology import Topology

_SEEDS = 16  # pairs of polygons that are tried for each piece
_CLOSE = 1e-4  # of the size: a reflection whose largest distance is below this is accepted
_NORMAL = 1e-3  # of the size: enough to distinguish an upper from a lower lip where they touch


def partners_by_position(positions: Floats, triangles: Ints, plane: Plane, *, tolerance: float) -> Ints:
    """For each vertex (v,) the nearest to its mirror image, if within tolerance and mutual; else -1.

    Where vertices coincide, normals decide.
    """
    if len(positions) == 0:
        return np.zeros(0, np.int64)
    normals = _NORMAL * _size(positions) * vertex_normals(positions, triangles)
    tree = cKDTree(np.hstack([positions, normals]))
    mirrored = plane.mirror(positions)
    nearest = np.asarray(tree.query(np.hstack([mirrored, plane.mirror_vectors(normals)]))[1], np.int64)
    near = np.linalg.norm(mirrored - positions[nearest], axis=1) <= tolerance
    mutual = nearest[nearest] == np.arange(len(nearest))
    return np.where(near & mutual, nearest, -1)


def partners_by_topology(positions: Floats, topology: Topology, plane: Plane) -> Ints:
    """For each vertex (v,) its image under a reflection that keeps every polygon, or -1 in pieces without one.

    Positions are used only to find a first pair of polygons; the rest of a piece follows from their connectivity.
    """
    partner = np.full(len(positions), -1)
    if len(topology.polygons) == 0:
        return partner
    seeds = _Seeds(positions, topology, plane)
    order = np.argsort(topology.polygon_pieces, kind="stable")
    pieces = np.split(order, np.cumsum(np.bincount(topology.polygon_pieces))[:-1])
    for polygons in sorted(pieces, key=len, reverse=True):
        corner = topology.polygons.starts[polygons[0]]
        if partner[topology.polygons.corners[corner]] < 0:  # else it is the image of an earlier piece
            found = _reflect_piece(seeds, polygons)
            if found is not None and _agrees(partner, *found):
                vertices, images = found
                partner[vertices], partner[images] = images, vertices
    return partner


class _Seeds:
    """Polygons, each with the one nearest to its mirror image."""

    def __init__(self, positions: Floats, topology: Topology, plane: Plane) -> None:
        self.positions, self.topology, self.mirrored = positions, topology, plane.mirror(positions)
        polygons = topology.polygons
        sums = np.add.reduceat(positions[polygons.corners], polygons.starts[:-1])
        centres = sums / polygons.counts[:, None]
        distances, nearest = cKDTree(centres).query(plane.mirror(centres))
        self.distances, self.nearest = np.asarray(distances), np.asarray(nearest, np.int64)

    def best(self, polygons: Ints) -> list[tuple[int, int]]:
        """Pairs of half-edges, the most certain first: of a polygon, and of its image in the opposite direction."""
        order = polygons[np.argsort(self.distances[polygons], kind="stable")[:_SEEDS]]
        counts = self.topology.polygons.counts
        return [self._aligned(i) for i in order if counts[i] == counts[self.nearest[i]]]

    def _aligned(self, polygon: int) -> tuple[int, int]:
        starts, corners = self.topology.polygons.starts, self.topology.polygons.corners
        own = corners[starts[polygon] : starts[polygon + 1]]
        image = corners[starts[self.nearest[polygon]] : starts[self.nearest[polygon] + 1]]
        turns = [np.roll(image[::-1], turn) for turn in range(len(own))]
        misses = [np.linalg.norm(self.mirrored[own] - self.positions[turn]) for turn in turns]
        turn = int(np.argmin(misses))
        # `own` starts at its first half-edge a -> b; the image of that runs from b' to a', and b' = turns[turn][1]
        at = (len(own) - 1 - (1 - turn)) % len(own)
        return int(starts[polygon]), int(starts[self.nearest[polygon]] + at)


def _reflect_piece(seeds: _Seeds, polygons: Ints) -> tuple[Ints, Ints] | None:
    """Vertices of a piece and their images, from the seed whose reflection fits the positions best."""
    best, least = None, np.inf
    known: list[Ints] = []  # images of the half-edges in reflections that were found
    for seed, image in seeds.best(polygons):
        if any(images[seed] == image for images in known):
            continue  # one pair of half-edges tells a reflection, so that this is the same one
        images = _follow(seeds.topology, seed, image)
        found = None if images is None else _as_vertices(seeds.topology, np.flatnonzero(images >= 0), images)
        if images is not None and found is not None:
            known.append(images)
            vertices, partners = found
            misses = np.linalg.norm(seeds.mirrored[vertices] - seeds.positions[partners], axis=1)
            if misses.mean() < least:
                best, least = found, misses.mean()
            if misses.max() <= _CLOSE * _size(seeds.positions):
                break
    return best


def _follow(topology: Topology, seed: int, image: int) -> Ints | None:
    """Images of all half-edges of a piece, -1 elsewhere, from those of one pair; None if polygons do not match."""
    corners, counts = topology.polygons.corners, topology.polygons.counts
    images = np.full(len(corners), -1)  # image of each half-edge
    ours, theirs = np.array([seed]), np.array([image])
    while len(ours):
        of, by = topology.polygon_of_corner[ours], topology.polygon_of_corner[theirs]
        if (counts[of] != counts[by]).any():
            return None
        across: list[Ints] = []
        for _ in range(counts[of].max()):  # smaller polygons are passed again, with the same result
            images[ours] = theirs
            across.append(ours)
            ours, theirs = topology.next_corner[ours], topology.previous_corner[theirs]
        edge = np.concatenate(across)
        ours, theirs = topology.opposite[edge], topology.opposite[images[edge]]
        if ((ours < 0) != (theirs < 0)).any():
            return None
        new = np.flatnonzero((ours >= 0) & (images[ours] < 0))
        _, first = np.unique(topology.polygon_of_corner[ours[new]], return_index=True)
        ours, theirs = ours[new[first]], theirs[new[first]]
    return images


def _as_vertices(topology: Topology, half_edges: Ints, images: Ints) -> tuple[Ints, Ints] | None:
    """Vertices and images of a reflection of half-edges; None unless neighbours stay neighbours and twice is the
    identity.
    """
    corners, back = topology.polygons.corners, topology.opposite
    inner = half_edges[back[half_edges] >= 0]
    if (images[back[inner]] != back[images[inner]]).any():
        return None
    own, image = corners[half_edges], corners[topology.next_corner[images[half_edges]]]
    partner = np.full(topology.vertex_count, -1)
    partner[own] = image
    vertices = np.unique(own)
    found = partner[vertices]
    one_to_one = len(np.unique(found)) == len(found) and (partner[own] == image).all()
    again = partner[found]
    return (vertices, found) if one_to_one and ((again == vertices) | (again < 0)).all() else None


def _agrees(partner: Ints, vertices: Ints, images: Ints) -> bool:
    """Whether new pairs agree with the old ones."""
    ours, theirs = partner[vertices], partner[images]
    return bool(((ours < 0) | (ours == images)).all() and ((theirs < 0) | (theirs == vertices)).all())


def _size(positions: Floats) -> float:
    return float(np.linalg.norm(np.ptp(positions, axis=0)))
