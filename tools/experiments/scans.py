"""A made-up scan: another person's face, meshed anew, noisy, with holes and parts that were never seen."""

from dataclasses import dataclass

import numpy as np
from tools.experiments.faces import SHARED

import facewright as fw
from facewright.arrays import Floats, Ints

NOISE = 0.03  # centimetres
MISSING = 0.1  # of the surface
_CELL = 0.55  # centimetres: what falls into one is one vertex


@dataclass(frozen=True, eq=False)
class Scan:
    """What a scanner saw, and what was there."""

    mesh: fw.Rig
    truth: fw.Rig  # the person, with all shapes
    missing: float  # share of the surface


def scanned(seed: int = 0) -> Scan:
    """Somebody who is nobody: the ICT neutral and its identity modes."""
    rng = np.random.default_rng(seed)
    with np.load(SHARED / "ict_face" / "ict_face.npz") as data:
        person = data["neutral"] + np.tensordot(rng.normal(size=len(data["identity"])), data["identity"], axes=1)
        named = zip(data["names"].tolist(), data["deltas"], strict=True)
        truth = fw.Rig(person, data["quads"], tuple(fw.Shape.from_dense(name, delta) for name, delta in named))
    positions, triangles = _meshed_anew(*_subdivided(truth.neutral, truth.triangles), rng)
    kept = _seen(positions, triangles, rng)
    missing = 1 - float(_areas(positions, triangles[kept]).sum() / _areas(positions, triangles).sum())
    noisy = positions + NOISE * rng.normal(size=positions.shape)
    used, corners = np.unique(triangles[kept], return_inverse=True)
    return Scan(fw.Rig(noisy[used], fw.Polygons.of(corners.reshape(-1, 3))), truth, missing)


def _subdivided(positions: Floats, triangles: Ints) -> tuple[Floats, Ints]:
    """Every triangle in four."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    each, at = np.unique(edges, axis=0, return_inverse=True)
    middle = len(positions) + at.reshape(-1, 3)
    a, b, c = triangles.T
    ab, bc, ca = middle.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([positions, positions[each].mean(axis=1)]), np.concatenate([np.stack(p, 1) for p in parts])


def _meshed_anew(positions: Floats, triangles: Ints, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """What lies in one cell of a turned grid becomes one vertex: nothing of the old topology is left."""
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    cells = np.floor(positions @ turn.T / _CELL + rng.random(3)).astype(np.int64)
    _, cell = np.unique(cells, axis=0, return_inverse=True)
    counts = np.bincount(cell)
    middles = np.stack([np.bincount(cell, column) / counts for column in positions.T], axis=1)
    merged = np.unique(np.sort(cell[triangles], axis=1), axis=0, return_index=True)[1]
    kept = cell[triangles][merged]
    whole = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])
    return middles, kept[whole]


def _seen(positions: Floats, triangles: Ints, rng: np.random.Generator) -> np.ndarray:
    """Triangles (t,) without round holes and a patch at the side that was hidden."""
    middles = positions[triangles].mean(axis=1)
    kept = np.ones(len(triangles), bool)
    while _areas(positions, triangles[~kept]).sum() < MISSING * _areas(positions, triangles).sum():
        at, radius = middles[rng.integers(len(middles))], rng.uniform(0.5, 2.0)
        kept &= np.linalg.norm(middles - at, axis=1) > radius
    return kept


def _areas(positions: Floats, triangles: Ints) -> Floats:
    a, b, c = np.moveaxis(positions[triangles], 1, 0)
    return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2)
