"""Following faces in depth with known truth, with the true rig and with a transferred one, and a real mannequin.

Constants of `tracking/` were chosen on the embedded head and the first half of the recording (`CHOSEN`). Reported are
ICT identities and the second half (`REPORTED`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np
from scipy.ndimage import uniform_filter
from tools.experiments.build_truth import AMPLITUDES, OTHERS, OWN, ict, identity, shaped
from tools.experiments.depth_sequences import KnownDepth, known_depth
from tools.experiments.faces import SHARED
from tools.experiments.result import Results, markdown
from tools.experiments.takes import correlation, real_weights

import facewright as fw
from facewright.arrays import Floats
from facewright.motion.depth import DepthImage, ScanSequence
from facewright.render.picture import mesh_picture
from facewright.samples.head import people
from facewright.tracking.identity import FittedIdentity, fit_identity, people_modes
from facewright.tracking.surface_samples import SurfaceSamples

CHOSEN = (("embedded head", 300), ("embedded head", 1500))
REPORTED = (("ICT 101", 2200), ("ICT 102", 3300))
FRAMES = 300
USED = 60  # frames that refine a rig
ELSEWHERE = 3700  # where the part of the recording begins that nothing of a refinement sees
_EVERY = 5  # frames


@dataclass(frozen=True)
class TrackFigures:
    """How well one sequence was followed."""

    case: str
    error: float  # of the skin, over its motion
    correlation: float  # median over the sliders that move
    residual: float  # mm


def rig_of(name: str, kind: str = OWN) -> fw.Rig:
    """The embedded head, or an ICT identity with shapes of a kind."""
    if name == "embedded head":
        return fw.sample()
    seed = int(name.split()[1])
    return shaped(identity(seed), kind, seed)


def known(name: str, start: int, frames: int = FRAMES, kind: str = OWN) -> KnownDepth:
    """Depth of a person who plays a part of the recording."""
    rig = rig_of(name, kind)
    return known_depth(rig, real_weights(rig)[start : start + frames], seed=start)


def mesh_error(truth: KnownDepth, rig: fw.Rig, weights: Floats, frames: np.ndarray | None = None) -> float:
    """Mean distance of the skin that is compared from where it should be, over how far it moves, the head held."""
    skin = SurfaceSamples(truth.rig, 6000).vertices
    at = np.arange(0, len(weights), _EVERY) if frames is None else frames
    wanted = fw.evaluate(truth.rig, truth.weights[at])[:, skin]
    there = fw.evaluate(rig, weights[at])[:, skin]
    moved = np.linalg.norm(wanted - truth.rig.neutral[skin], axis=2).mean()
    return float(np.linalg.norm(there - wanted, axis=2).mean() / moved)


def correlation_of(truth: KnownDepth, weights: Floats) -> float:
    """The median over the sliders that move and that skin shows: gaze and tongue are not looked for in depth."""
    free = fw.TrackSolver(truth.rig).free
    return correlation(truth.weights[:, free], weights[:, free])


def with_transferred_rigs(cases: tuple[tuple[str, int], ...] = REPORTED) -> Iterator[TrackFigures]:
    """Each case with the template's shapes, transferred to the person's true neutral."""
    for name, start in cases:
        truth = known(name, start)
        rig = fw.transfer(ict(), truth.rig.neutral)
        found = fw.track(rig, truth.sequence)
        left = 1000 * float(np.nanmedian(found.residual))
        error = mesh_error(truth, rig, found.weights)
        words = f"{name}, frames {start} to {start + FRAMES}, transferred rig, prior: names"
        yield TrackFigures(words, error, correlation_of(truth, found.weights), left)


@dataclass(frozen=True)
class RefineFigures:
    """What refining a transferred rig brought, in frames that were not used."""

    case: str
    used: int
    before: float  # error of the skin, over its motion
    after: float
    elsewhere: tuple[float, float]  # the same in another part of the recording
    true_rig: float  # the same with the rig that made the depth
    seconds: float  # of processor time


def refined_rig(name: str, start: int, kind: str = OWN, frames: int = USED) -> RefineFigures:
    """A transferred rig, refined by some frames of a part of the recording."""
    truth, other = (known(name, at, kind=kind) for at in (start, ELSEWHERE))
    rig = fw.transfer(ict(), truth.rig.neutral)
    begun = process_time()
    found = fw.refine_rig(rig, truth.sequence, count=frames, template=ict())
    seconds = process_time() - begun
    left = np.setdiff1d(np.arange(len(truth.weights)), found.used)
    errors = [mesh_error(truth, each.rig, each.weights, left) for each in (found.before, found.after)]
    away = [mesh_error(other, each, fw.track(each, other.sequence).weights) for each in (rig, found.rig)]
    best = mesh_error(truth, truth.rig, fw.track(truth.rig, truth.sequence).weights, left)
    case = f"{name}, shapes: {kind}, frames {start} to {start + FRAMES}"
    return RefineFigures(case, len(found.used), errors[0], errors[1], (away[0], away[1]), best, seconds)


def refined_table() -> str:
    """The people and parts of the recording that nothing was chosen on."""
    rows = []
    for name, start in REPORTED:
        for kind in (OWN, AMPLITUDES, OTHERS):
            found = refined_rig(name, start, kind)
            (far, near), share = found.elsewhere, found.after / found.before
            cells = (f"{found.before:.3f}", f"{found.after:.3f}", f"{share:.2f}", f"{found.true_rig:.3f}")
            rows.append((found.case, *cells, f"{far:.3f} -> {near:.3f} ({near / far:.2f})"))
    head = ("person, part of the recording", "transferred", "refined", "share", "true rig", "another part")
    return markdown(head, rows)


def with_true_rigs(cases: tuple[tuple[str, int], ...] = REPORTED) -> Iterator[TrackFigures]:
    """Each case with the rig that made the depth."""
    for name, start in cases:
        truth = known(name, start)
        for prior, words in ((None, "names"), (learned(truth.rig), "learned from the other half")):
            found = fw.track(truth.rig, truth.sequence, prior=prior)
            error, alike = mesh_error(truth, truth.rig, found.weights), correlation_of(truth, found.weights)
            left = 1000 * float(np.nanmedian(found.residual))
            case = f"{name}, frames {start} to {start + FRAMES}, true rig, prior: {words}"
            yield TrackFigures(case, error, alike, left)


def learned(rig: fw.Rig) -> fw.Prior:
    """What the first half of the recording tells."""
    weights = real_weights(rig)
    return fw.Prior.learn(rig, weights[: len(weights) // 2])


def mannequin() -> ScanSequence:
    """The real frames of a mannequin that is turned."""
    with np.load(SHARED / "depth" / "sven_truedepth.npz") as data:
        lens = fw.Pinhole.of(data["intrinsics"], (data["depth"].shape[2], data["depth"].shape[1]))
        frames = [DepthImage(np.where(each < 2, each, 0).astype(np.float32), lens) for each in data["depth"]]
        return ScanSequence(frames, data["time"], "mannequin")


def mannequin_identity(sequence: ScanSequence) -> FittedIdentity:
    """The embedded head with the mannequin's face."""
    modes = people_modes([fw.sample(name).neutral for name in people()])
    return fit_identity(fw.sample(), sequence, modes=modes)


def mannequin_halves(sequence: ScanSequence) -> Iterator[tuple[str, float]]:
    """The largest weight in every other frame, with the mannequin's face made from the frames between."""
    for name, first in (("odd", 0), ("even", 1)):
        made, followed = (_every_other(sequence, start) for start in (first, 1 - first))
        person = mannequin_identity(made)
        found = fw.track(person.rig, followed, scale=person.scale)
        yield name, float(found.weights.max())


def mannequin_later(sequence: ScanSequence) -> float:
    """The largest weight in the frames from 12 on, of which no limit was chosen, with the face of all frames."""
    person, at = mannequin_identity(sequence), np.arange(12, len(sequence))
    later = ScanSequence([sequence.frames[i] for i in at.tolist()], sequence.times[at], sequence.name)
    return float(fw.track(person.rig, later, scale=person.scale).weights.max())


def _every_other(sequence: ScanSequence, start: int) -> ScanSequence:
    at = np.arange(start, len(sequence), 2)
    return ScanSequence([sequence.frames[i] for i in at.tolist()], sequence.times[at], sequence.name)


def depth_noise(sequence: ScanSequence) -> float:
    """Standard deviation of depth about the mean of its neighbours on smooth surfaces, metres."""
    found = []
    for frame in sequence.frames:
        assert isinstance(frame, DepthImage)
        depth = frame.depth.astype(np.float64)
        seen = uniform_filter((depth > 0).astype(float), 5) > 0.99
        off = depth - uniform_filter(depth, 5)
        off = off[seen & (depth < 0.45)]
        found.append(1.4826 * np.median(np.abs(off - np.median(off))))
    return float(np.median(found))


def results() -> Results:
    """Tables and pictures of docs/tracking.md."""
    figures = [*with_true_rigs(CHOSEN[1:]), *with_true_rigs(), *with_transferred_rigs()]
    rows = [(each.case, f"{each.error:.3f}", f"{each.correlation:.3f}", f"{each.residual:.2f} mm") for each in figures]
    table = markdown(("person, part of the recording, rig", "mesh", "r", "residual"), rows)
    sequence = mannequin()
    person = mannequin_identity(sequence)
    found = fw.track(person.rig, sequence, scale=person.scale)
    facts = [
        ("noise of depth about its neighbours' mean, along the view", f"{1000 * depth_noise(sequence):.2f} mm"),
        ("rigid residual of single frames, along the normals", f"{1000 * person.residual:.2f} mm"),
        ("of the mean over all frames: what is left of shape", f"{1000 * person.mean_residual:.2f} mm"),
        ("frames in which the head was found or followed", f"{sum(s.seen for s in found.status)} of {len(found)}"),
        ("largest weight of a slider", f"{found.weights.max():.3f}"),
        ("the same from frame 12 on, of which no limit was chosen", f"{mannequin_later(sequence):.3f}"),
    ]
    pictures = {"tracking-known.png": known_picture(), "tracking-mannequin.png": mannequin_picture(sequence, person)}
    return Results(
        "tracking.md", {"tracking": table, "refined": refined_table(), "mannequin": markdown(("", ""), facts)}, pictures
    )


def shaded(depth: np.ndarray, focal: float) -> np.ndarray:
    """A depth image as if it were lit from above, (h, w, 3) bytes."""
    smooth = uniform_filter(np.where(depth > 0, depth, np.nan), 1)
    down, along = np.gradient(smooth)
    step = smooth / focal
    normal = np.stack([-along / step, -down / step, np.ones_like(depth)], axis=2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    light = np.clip(np.nan_to_num(normal @ [0.35, -0.45, 0.82]), 0, 1)
    return np.asarray(np.rint(255 * np.repeat(light[..., None], 3, axis=2)), np.uint8)


def known_picture() -> np.ndarray:
    """Frames as the camera measured them, and as they were followed, beside the truth."""
    name, start = REPORTED[0]
    truth = known(name, start, 120)
    found = fw.track(truth.rig, truth.sequence)
    columns = []
    for i in np.argsort(-np.abs(truth.weights).sum(axis=1))[::40][:3].tolist():
        frame = truth.sequence.frames[i]
        assert isinstance(frame, DepthImage)
        seen = shaded(frame.depth, frame.lens.fx)[10:230, 60:260]
        faces = [_face(truth.rig, row) for row in (found.weights[i], truth.weights[i])]
        columns.append(np.vstack([_fitted(seen, faces[0].shape[1]), *faces]))
    return np.asarray(np.hstack(columns))


def mannequin_picture(sequence: ScanSequence, person: FittedIdentity) -> np.ndarray:
    """A frame on its side as it was measured, the embedded head, and the same with the mannequin's face."""
    frame = sequence.frames[14]
    assert isinstance(frame, DepthImage)
    near = np.where(frame.depth < 0.45, frame.depth, 0)
    seen = np.rot90(shaded(near, frame.lens.fx), 3)
    faces = [_face(rig, None, (360, 440)) for rig in (fw.sample(), person.rig)]
    side = mesh_picture(person.rig.neutral, person.rig.triangles, size=(360, 440), view=70.0, parts=person.rig.parts)
    return np.hstack([_fitted(seen, 330, 440), *faces, side])


def _face(rig: fw.Rig, weights: Floats | None, size: tuple[int, int] = (300, 340)) -> np.ndarray:
    positions = fw.evaluate(rig, weights)
    return mesh_picture(positions, rig.triangles, size=size, view=12.0, parts=rig.parts, rest=rig.neutral)


def _fitted(picture: np.ndarray, width: int, height: int | None = None) -> np.ndarray:
    """The picture scaled by whole pixels to a width, cut or filled to a height."""
    rows = height or round(picture.shape[0] * width / picture.shape[1])
    down = np.minimum(np.arange(rows) * picture.shape[0] // rows, picture.shape[0] - 1)
    across = np.minimum(np.arange(width) * picture.shape[1] // width, picture.shape[1] - 1)
    return np.asarray(picture[down][:, across])
