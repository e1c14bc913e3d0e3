"""Joshi, Tien, Desbrun and Pighin 2003, sec. 6: ten whole faces, a take of 300 frames, rigid teeth, tongue and eyes.

The ten faces are the frames of the first half of a phone recording that are furthest apart; the take is a lively part
of the second half, seen by 41 markers. So no face of the take was sculpted, as in the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time

import numpy as np
from tools.experiments.capture_pictures import shot
from tools.experiments.faces import faces
from tools.experiments.result import Results, markdown
from tools.experiments.takes import Known, has_takes, known_markers, named_binding, real_weights

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.capture.followers import Followers
from facewright.capture.options import Method
from facewright.capture.places import FacePlaces
from facewright.capture.solution import TakeSolution
from facewright.render.face_renderer import face_picture
from facewright.render.region_palette import region_colors
from facewright.render.sheet_layout import contact_sheet
from facewright.render.tone import Bytes

FACES, FRAMES = 10, 300
NOISE, GAPS = 0.3, 0.0  # millimetres; the paper's markers have no gaps
PRINTED = "33 ms (30 Hz, 1 GHz)"
SHOWN = (30, 110, 190, 270)
SIZE = (250, 290)
_JAW = 0.5  # of how far the jaw's slider moves any skin: what moves so far carries the lower teeth


@dataclass(frozen=True, eq=False)
class Actor:
    """A take of an actor whose every frame is known, and a rig of ten of his faces."""

    known: Known
    ten: fw.Rig
    rigid: tuple[Followers, ...]


def actors() -> Iterator[tuple[str, Actor]]:
    for name, rig in faces().items():
        weights = real_weights(rig)
        half = len(weights) // 2
        known = known_markers(
            rig, liveliest(rig, weights[half:]), named_binding(rig), noise=NOISE, gaps=GAPS, moves=False
        )
        ten = ten_faces(rig, weights[:half:5])
        yield name, Actor(known, ten, rigid_parts(rig, ten))


def liveliest(rig: fw.Rig, weights: Floats) -> Floats:
    """The 300 frames in a row whose markers' shapes change most."""
    change = np.abs(np.diff(weights, axis=0)).sum(axis=1)
    most = int(np.convolve(change, np.ones(FRAMES), "valid").argmax())
    return weights[most : most + FRAMES]


def ten_faces(rig: fw.Rig, weights: Floats) -> fw.Rig:
    """A rig of the ten poses that are furthest from each other and from rest; parts inside the head are left out."""
    skin = FacePlaces(rig).skin
    moved = (fw.evaluate(rig, weights) - rig.neutral) * skin[:, None]
    flat = moved[:, skin].reshape(len(moved), -1)
    chosen, apart = list[int](), np.linalg.norm(flat, axis=1)
    for _ in range(FACES):
        chosen.append(int(apart.argmax()))
        apart = np.minimum(apart, np.linalg.norm(flat - flat[chosen[-1]], axis=1))
    shapes = tuple(fw.Shape.from_dense(f"face {number + 1}", moved[at]) for number, at in enumerate(chosen))
    return fw.Rig(rig.neutral, rig.polygons, shapes, parts=rig.parts)


def rigid_parts(rig: fw.Rig, ten: fw.Rig) -> tuple[Followers, ...]:
    """Sets of points: lower teeth and tongue with the skin of the jaw, eyes and upper teeth with what never moves."""
    skin, none = FacePlaces(rig).skin, np.zeros(0, np.int64)
    opens = fw.match_names(["jawOpen"], rig.sliders).pairs["jawOpen"]
    moved = np.linalg.norm(fw.evaluate(rig, {opens: 1.0}) - rig.neutral, axis=1) * skin
    jaw = np.flatnonzero(moved > _JAW * moved.max())
    scalp = np.flatnonzero(~np.linalg.norm(ten.deltas(), axis=2).any(axis=0) & skin)
    sets = []
    for words, carriers in ((("lower", "tongue"), jaw), (("eye", "upper"), scalp)):
        own = [np.arange(part.start, part.stop) for part in rig.parts if any(word in part.name for word in words)]
        sets.append(Followers(np.concatenate([none, *own]), carriers))
    return tuple(one for one in sets if len(one))


@dataclass(frozen=True, eq=False)
class Run:
    """One way to solve the take."""

    method: Method
    regions: str = ""  # "": the whole face
    steady: float = 0.0  # frame by frame, as in the paper


RUNS = {
    "convex, whole face": Run("convex"),
    "convex, regions in print (t = 0.75)": Run("convex", "threshold"),
    "convex, our regions": Run("convex", "likeness"),
    "bounded, whole face (our default)": Run("bounded", "", 1.0),
    "bounded, our regions": Run("bounded", "likeness", 1.0),
}


def results() -> Results:
    if not has_takes():
        raise SystemExit("the recordings are not beside the checkout: docs/papers-experiments.md stays as it is")
    rows, pictures = [], {}
    for name, actor in actors():
        solved = {label: solve(actor, run) for label, run in RUNS.items()}
        rows += [[name, label, *figures(actor, *one)] for label, one in solved.items()]
        best = {label: found for label, (found, _) in solved.items() if label.startswith("convex")}
        pictures[f"papers-ten-{name.split()[0].lower()}.png"] = sheet(actor, best)
    head = ["face", "way", "regions", "mesh", "mesh, with residual", "markers off", "with residual", "lower teeth",
            "solving a frame", "playing a frame", "in print"]  # fmt: skip
    return Results("papers-experiments.md", {"ten-faces": markdown(head, rows)}, pictures)


def solve(actor: Actor, run: Run) -> tuple[TakeSolution, float]:
    """The solved take, and the processor's seconds."""
    regions = fw.segment(actor.ten, method=run.regions) if run.regions else None  # type: ignore[arg-type]
    binding = replace(actor.known.binding, rest=actor.known.binding.places(actor.ten.neutral))
    start = process_time()
    found = fw.solve_take(
        actor.ten, actor.known.take, binding, regions, method=run.method, steady=run.steady, head="still", sliders="all"
    )
    return found, process_time() - start


def figures(actor: Actor, found: TakeSolution, seconds: float) -> list[str]:
    known, frames = actor.known, np.arange(0, FRAMES, 10)
    wanted = fw.evaluate(known.rig, known.weights[frames])
    moved = np.linalg.norm((wanted - known.rig.neutral)[:, known.skin], axis=2).mean()
    mesh, off, played = [], [], []
    for residual in (False, True):
        playback = fw.Playback(found, residual=residual, kernel="paper", space="deformed", rigid=actor.rigid)
        start = process_time()
        face = playback(frames)
        played.append((process_time() - start) / len(frames))
        mesh.append(np.linalg.norm((face - wanted)[:, known.skin], axis=2).mean() / moved)
        at = np.array([found.binding.places(one) for one in face])
        off.append(10 * np.linalg.norm(at - known.binding.rest - known.clean[frames], axis=2).mean())
    teeth = lower_teeth(known.rig)
    gaps = [10 * np.linalg.norm((one - wanted)[:, teeth], axis=2).sum() for one in (known.rig.neutral, face)]
    rigid = " → ".join(f"{gap / (len(frames) * len(teeth)):.1f}" for gap in gaps) + " mm" if len(teeth) else "-"
    count = 1 if found.regions is None else found.regions.count
    times = f"{1000 * seconds / FRAMES:.2f} ms", f"{1000 * played[1]:.2f} ms", PRINTED
    errors = f"{mesh[0]:.3f}", f"{mesh[1]:.3f}", f"{off[0]:.2f} mm", f"{off[1]:.2f} mm"
    return [f"{count}", *errors, rigid, *times]


def lower_teeth(rig: fw.Rig) -> Ints:
    inside = [np.arange(part.start, part.stop) for part in rig.parts if "lower" in part.name]
    return np.concatenate([np.zeros(0, np.int64), *inside])


def sheet(actor: Actor, solved: dict[str, TakeSolution]) -> Bytes:
    """The regions, then frames: the truth, and each way with its residual."""
    known, tiles, labels = actor.known, list[Bytes](), list[str]()
    truth = fw.evaluate(known.rig, known.weights[list(SHOWN)])
    first = next(iter(solved.values()))
    tiles.append(face_picture(actor.ten, actor.ten.weights({"face 1": 1.0}), size=SIZE))
    labels.append("one of the ten")
    tiles += [shot(first, face, SIZE) for face in truth]
    labels += [f"true, frame {number}" for number in SHOWN]
    for label, found in solved.items():
        colors = None if found.regions is None else region_colors(actor.ten, found.regions)
        tiles.append(face_picture(actor.ten, size=SIZE, colors=colors))
        labels.append(label.removeprefix("convex, ").split(" (")[0])
        playback = fw.Playback(found, kernel="paper", space="deformed", rigid=actor.rigid)
        tiles += [shot(found, face, SIZE) for face in playback(list(SHOWN))]
        labels += [""] * len(SHOWN)
    return contact_sheet(tiles, labels, columns=1 + len(SHOWN))
