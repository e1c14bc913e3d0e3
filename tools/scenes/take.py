"""A sentence, recorded by markers on a head that moves, and solved back."""

from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np
from tools.experiments.marks import PIN, draw_dots, places_in
from tools.scenes.performance import RATE, sentence, turning
from tools.scenes.scene import Scene

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.capture.places import FacePlaces
from facewright.capture.solution import TakeSolution
from facewright.mesh.normals import vertex_normals
from facewright.render.camera import frame
from facewright.render.face_renderer import FaceRenderer
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

MARKERS = 41
NOISE = 0.03  # centimetres
GAPS = 0.03
TILE = (270, 320)
MET = (110, 200, 255)


@dataclass(frozen=True, eq=False)
class Recorded:
    """What was played, and what came of it."""

    weights: Floats  # (frames, n) as played
    take: fw.Take
    solved: TakeSolution
    seconds: float


@cache
def recorded() -> Recorded:
    """The embedded head says its sentence, is recorded, and solved from the recording alone."""
    rig = fw.sample()
    weights, pairs = sentence(rig), markers(rig)
    places = fw.evaluate(rig, weights)[:, list(pairs.values())]
    turns, offsets = turning(len(weights), rig.size)
    rng = np.random.default_rng(3)
    seen = places @ np.swapaxes(turns, 1, 2) + offsets[:, None] + NOISE * rng.normal(size=places.shape)
    for start, marker in zip(rng.integers(1, len(seen), 60), rng.integers(MARKERS, size=60), strict=True):
        seen[start : start + 8, marker] = np.nan
    take = fw.Take(tuple(pairs), seen, RATE, "cm", "a sentence")
    binding = fw.bind(rig, take, pairs, neutral=0)
    start = perf_counter()
    solved = fw.solve_take(rig, take, binding)
    return Recorded(weights, take, solved, perf_counter() - start)


def markers(rig: fw.Rig) -> dict[str, int]:
    """Marker -> vertex: as far from each other as they can be, on what moves and looks ahead."""
    motion = np.linalg.norm(rig.deltas(), axis=2).max(axis=0)
    ahead = vertex_normals(rig.neutral, rig.triangles)[:, 2] > 0.25
    free = np.flatnonzero(FacePlaces(rig).skin & ahead & (motion > 0.03 * motion.max()))
    chosen = [int(free[rig.neutral[free, 2].argmax()])]
    apart = np.full(len(free), np.inf)
    while len(chosen) < MARKERS:
        apart = np.minimum(apart, np.linalg.norm(rig.neutral[free] - rig.neutral[chosen[-1]], axis=1))
        chosen.append(int(free[apart.argmax()]))
    return {f"m{i + 1}": vertex for i, vertex in enumerate(chosen)}


def scene() -> Scene:
    known = recorded()
    solved, rig = known.solved, known.solved.rig
    truth, found = (fw.evaluate(rig, w) - rig.neutral for w in (known.weights, solved.weights))
    off = float(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    moved = np.ptp(known.weights, axis=0) > 0.2
    like = [float(np.corrcoef(known.weights[:, i], solved.weights[:, i])[0, 1]) for i in np.flatnonzero(moved)]
    missing = float(np.isnan(known.take.positions[:, :, 0]).mean())
    return Scene(
        "Capture: a take of markers onto the rig",
        f"The head says a sentence while it turns. {MARKERS} markers see it, with {10 * NOISE:.1f} mm of noise, "
        f"{missing:.0%} of them missing. The head's own motion is taken out, the weights are solved within bounds, "
        "steady in time, and what is left is spread over the skin, so that the markers are met.",
        {"yellow: the markers, blue: the points they are bound to": _tiles(known)},
        figures={
            "the face, off by": f"{off:.2f} of its motion",
            "weights, correlation": f"{np.nanmedian(like):.2f}, median of {len(like)} sliders",
            "left at the markers": f"{np.nanmean(solved.residual) * solved.millimetres:.2f} mm before the skin follows",
            "solved at": f"{len(solved) / known.seconds:,.0f} frames a second",
        },
        code="facewright solve sample take.c3d -o take.glb --report take.html",
    )


def _tiles(known: Recorded) -> Bytes:
    """Lively frames, the head held, with the markers over them."""
    solved = known.solved
    frames, surface = lively(solved.weights), solved.binding.places(solved.rig.neutral)
    camera = frame(surface, 10.0, aspect=TILE[0] / TILE[1], margin=0.12)
    portrait = FaceRenderer(solved.rig, size=TILE, camera=camera)
    tiles = [np.array(portrait.of(face)) for face in fw.Playback(solved)(frames)]
    for tile, number in zip(tiles, frames, strict=True):
        wanted = solved.wanted[number]
        seen = ~np.isnan(wanted[:, 0])
        draw_dots(tile, places_in(camera, surface + solved.motion[number], TILE), MET, radius=1.6)
        draw_dots(tile, places_in(camera, (surface + wanted)[seen], TILE), PIN, radius=1.6)
    return contact_sheet(tiles, [f"{solved.times[number]:.1f} s" for number in frames], columns=6)


def lively(weights: Floats, count: int = 6) -> Ints:
    """Frames (count,) of weights (frames, n) that are as unlike each other as they can be."""
    chosen = [int(np.linalg.norm(weights, axis=1).argmax())]
    apart = np.full(len(weights), np.inf)
    while len(chosen) < count:
        apart = np.minimum(apart, np.linalg.norm(weights - weights[chosen[-1]], axis=1))
        chosen.append(int(apart.argmax()))
    return np.array(sorted(chosen))
