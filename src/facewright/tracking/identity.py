"""The face of the person who is seen: the rig's neutral fitted to frames at rest, and its shapes carried along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, floats
from facewright.build.transfer import transfer
from facewright.errors import BadValue
from facewright.motion.depth import ScanFrame, ScanSequence
from facewright.options import suggests_options
from facewright.rig.rig import Rig
from facewright.tracking.comparison import Tolerance
from facewright.tracking.find import fit_rigid
from facewright.tracking.observed import observed
from facewright.tracking.options import TrackOptions
from facewright.tracking.solver import TrackSolver
from facewright.tracking.surface_fit import BentSurface, FrameView, MeanResidual
from facewright.tracking.surface_samples import SurfaceSamples
from facewright.tracking.track import as_sequence, first_head, shown_frames

_FRAMES = 20  # that are used, evenly chosen
# smallest bend, as a share of the face's size (None: modes alone), and most distance, in eye distances
_ROUNDS = (
    (None, 0.5), (None, 0.4), (None, 0.4),
    (0.2, 0.4), (0.1, 0.4), (0.06, 0.3), (0.06, 0.3), (0.03, 0.2), (0.03, 0.2), (0.02, 0.15), (0.02, 0.15),
    (0.015, 0.1), (0.015, 0.1), (0.01, 0.1), (0.01, 0.08), (0.01, 0.08), (0.007, 0.08), (0.007, 0.08), (0.007, 0.08),
)  # fmt: skip
_USUAL = 0.5  # of the most distance: a residual that counts a quarter
_NEAR = (0.2, 0.1, 0.05)  # most distances of the rigid fits, eye distances
_LIKELY = 0.02  # of the distance between the eyes: residual at which modes are believed as much as not


@dataclass(frozen=True, eq=False)
class FittedIdentity:
    """A rig for the person who is seen."""

    rig: Rig
    scale: float  # metres in a scene unit
    residual: float  # root mean square of single frames along the normals, metres
    mean_residual: float  # the same of the mean over all frames: what is left of shape
    coefficients: Floats  # (m,) of the modes


@suggests_options
def fit_identity(
    rig: Rig,
    frames: ScanSequence | Sequence[ScanFrame | None],
    *,
    modes: ArrayLike | None = None,
    options: TrackOptions | None = None,
    scale: float | None = None,
) -> FittedIdentity:
    """The rig with the face of the person in frames at rest, in the rig's topology.

    modes: offsets (m, v, 3) of the neutral towards other people, each likely up to a coefficient of about 1.
    """
    sequence = as_sequence(frames)
    offsets = _modes(rig, modes)
    solver = TrackSolver(rig, options=options, scale=scale)
    views = _views(solver, sequence)
    surface, neutral, found = BentSurface(rig, solver.samples), rig.neutral, np.zeros(len(offsets))
    for smallest, most in _ROUNDS if len(offsets) else [each for each in _ROUNDS if each[0] is not None]:
        eyes = solver.samples.eyes * views[0].place.scale
        views = _placed(replace_neutral(rig, neutral), solver.samples, views)
        residual = surface.residual(neutral, views, Tolerance(most * eyes, _USUAL * most * eyes))
        if smallest is None:
            step = _mode_step(solver.samples, surface, neutral, residual, offsets, found)
            found, neutral = found + step, neutral + np.tensordot(step, offsets, axes=1)
        else:
            neutral = surface.bent(neutral, residual, smallest)
    views = _placed(replace_neutral(rig, neutral), solver.samples, views)
    last = surface.residual(neutral, views, Tolerance(0.06 * eyes, 0.06 * eyes))
    shape = float(np.sqrt(np.average(last.along**2, weights=last.sure))) * views[0].place.scale
    return FittedIdentity(transfer(rig, neutral), views[0].place.scale, last.spread, shape, found)


def people_modes(neutrals: Sequence[Floats]) -> Floats:
    """Modes (m, v, 3) from the first of some people's neutrals (v, 3) of one topology to the others."""
    first = neutrals[0]
    return np.array([other - first for other in neutrals[1:]]).reshape(-1, len(first), 3)


def _modes(rig: Rig, modes: ArrayLike | None) -> Floats:
    if modes is None:
        return np.zeros((0, rig.vertex_count, 3))
    found = floats("modes", modes, (None, None, 3))
    if found.shape[1] != rig.vertex_count:
        raise BadValue(f"the modes move {found.shape[1]:,} vertices, but the rig has {rig.vertex_count:,}")
    return found


def _views(solver: TrackSolver, sequence: ScanSequence) -> list[FrameView]:
    """Some frames with the head in them, followed from where it is found best."""
    seen = shown_frames(sequence)
    first, head = first_head(solver, sequence, seen)
    found: dict[int, FrameView] = {}
    for frames, sign in ((range(first, len(sequence)), 1.0), (range(first, -1, -1), -1.0)):
        solver.begin(head.place, sign * float(sequence.times[first]))
        for i in frames:
            frame, each = sequence.frames[i], solver.next(sequence.frames[i], sign * float(sequence.times[i]))
            if frame is not None and each.status.seen:
                found[i] = FrameView(observed(frame), each.place)
    kept = np.array(sorted(found))
    kept = kept[np.unique(np.linspace(0, len(kept) - 1, _FRAMES).round().astype(np.int64))]
    scale = float(np.median([found[i].place.scale for i in kept.tolist()]))
    middle = solver.samples.middle
    return [_resized(found[i], scale, middle) for i in kept.tolist()]


def _resized(view: FrameView, scale: float, middle: Floats) -> FrameView:
    place = view.place
    offset = place(middle) - scale * place.rotation @ middle
    return replace(view, place=replace(place, scale=scale, offset=offset))


def replace_neutral(rig: Rig, neutral: Floats) -> Rig:
    """The rig with other positions at rest and the same offsets."""
    return replace(rig, neutral=neutral)


def _placed(rig: Rig, samples: SurfaceSamples, views: Sequence[FrameView]) -> list[FrameView]:
    """The frames with the head fitted rigidly to each."""
    at_rest = samples.on(rig)
    return [
        replace(view, place=fit_rigid(at_rest, view.seen, view.place, limits=_NEAR, fixed_scale=True)) for view in views
    ]


def _mode_step(
    samples: SurfaceSamples, surface: BentSurface, neutral: Floats, residual: MeanResidual, modes: Floats, now: Floats
) -> Floats:
    """Changes (m,) of the coefficients; large ones are unlikely."""
    normals = surface.posed(neutral).normals
    moved = np.einsum("kc,mkca->mka", samples.barycentric, modes[:, samples.triangles])
    rows = (moved * normals).sum(axis=2).T  # (k, m)
    counts = samples.weights * residual.sure / (_LIKELY * samples.eyes) ** 2 / np.sqrt(len(samples))
    H = (rows.T * counts) @ rows + np.eye(len(modes))
    return np.asarray(np.linalg.solve(H, (rows.T * counts) @ residual.along - now))
