"""How near a clip comes to the document's take, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.capture.head import HeadMotion
from facewright.capture.options import Head
from facewright.capture.solution import FrameStatus
from facewright.capture.solver import PreparedTake, TakeSolver
from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.motion.take import METRES, Take
from facewright.rig.binding import Binding
from facewright.rig.captured import Captured
from facewright.rig.head_motion import ANGLES, OFFSETS, has_head_motion, head_motion_of
from facewright.rig.rig import Rig
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.clip_motion import clip_motion
from facewright.workflow.take.solve import STATUSES

_AT_AN_END = 1e-6  # seconds


@dataclass(frozen=True, eq=False)
class TakeFit:
    """Figures of a clip beside a take; f frames of the take, k bound markers."""

    residual: Floats  # (f, k) millimetres of the actor; NaN where a marker is not used, or outside the clip
    status: Ints  # (f,) index into STATUSES
    doubted: Ints  # (q, 2) frame and bound marker that are recorded, but not used
    head: HeadMotion  # of the clip; of the still markers where the clip has none
    from_markers: bool  # the head's motion is that of the still markers

    @property
    def mean(self) -> Floats:
        """(f,) NaN where nothing is known."""
        known = ~np.isnan(self.residual)
        count = known.sum(axis=1)
        total = np.where(known, self.residual, 0.0).sum(axis=1)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    @property
    def worst(self) -> Ints:
        """(f,) the marker that is furthest off; 0 where none is."""
        return np.asarray(np.where(np.isnan(self.residual), -1.0, self.residual).argmax(axis=1))


def take_fit(document: Document, clip: str, solvers: SolverCache) -> TakeFit | None:
    """The figures of a clip, or with "" those of the head alone; None without a bound take."""
    captured = document.captured
    binding = None if captured is None else captured.active
    if captured is None or binding is None or not len(captured.take) or len(binding) < 3:
        return None
    chosen = document.clip_named(clip) if clip else None
    head_option: Head = "still" if chosen is not None and _is_still(chosen) else "solved"
    solver, prepared = _prepared(document.rig, captured.take, binding, solvers, head_option)
    head, from_markers = prepared.head, True
    if chosen is not None and has_head_motion(chosen):
        head, from_markers = _head_of(document, chosen, captured.take), False
    positions = prepared.recorded.positions
    doubted = _doubted(captured, binding, clip)
    believed = prepared.recorded.seen & ~doubted
    residual = np.full(positions.shape[:2], np.nan)
    if chosen is not None and chosen.curves:
        motion = clip_motion(document, chosen, captured.take.times, solver.bound)
        left = head.taken_out(positions) - solver.bound.rest - motion
        shown = believed & _inside(chosen, captured.take)[:, None]
        residual[shown] = np.linalg.norm(left[shown], axis=1) * 1000 * METRES[binding.unit] / binding.to_rig.scale
    recorded = _recorded(captured.take, binding)
    return TakeFit(residual, _status(captured, believed, clip), np.argwhere(recorded & ~believed), head, from_markers)


def _prepared(
    rig: Rig, take: Take, binding: Binding, solvers: SolverCache, head: Head
) -> tuple[TakeSolver, PreparedTake]:
    def make() -> tuple[TakeSolver, PreparedTake]:
        solver = TakeSolver(rig, binding, head=head)
        return solver, solver.prepare(take)

    return solvers.kept(f"take, head {head}", (rig, take, binding), make)


def _is_still(clip: Clip) -> bool:
    """Whether a clip has curves of the head that are 0 all the time, as one solved with a still head has."""
    own = [clip.curves[name] for name in (*ANGLES, *OFFSETS) if name in clip.curves]
    return has_head_motion(clip) and not any(curve.values.any() for curve in own)


def _head_of(document: Document, clip: Clip, take: Take) -> HeadMotion:
    from scipy.spatial.transform import Rotation

    turns, offsets = head_motion_of(clip, take.times, document.head)
    return HeadMotion(Rotation.from_quat(turns).as_matrix(), offsets, np.ones(len(take), bool))


def _inside(clip: Clip, take: Take) -> NDArray[np.bool_]:
    """The frames (f,) between the start and the end of the clip."""
    return (take.times >= clip.start - _AT_AN_END) & (take.times <= clip.end + _AT_AN_END)


def _recorded(take: Take, binding: Binding) -> NDArray[np.bool_]:
    """Whether the file shows each bound marker (f, k)."""
    seen = np.zeros((len(take), len(binding)), bool)
    for column, name in enumerate(binding.markers):
        if name in take.names:
            seen[:, column] = take.seen[:, take.index(name)]
    return seen


def _doubted(captured: Captured, binding: Binding, clip: str) -> NDArray[np.bool_]:
    """Markers (f, k) that the solver left out when it made this clip."""
    found = np.zeros((len(captured.take), len(binding)), bool)
    solved = captured.solved
    if solved is not None and solved.clip == clip and len(solved.doubted):
        frames, markers = solved.doubted.T
        known = (frames < found.shape[0]) & (markers < found.shape[1])
        found[frames[known], markers[known]] = True
    return found


def _status(captured: Captured, believed: NDArray[np.bool_], clip: str) -> Ints:
    counts = believed.sum(axis=1)
    few = 2 * counts < believed.shape[1]
    status = np.where(few, STATUSES.index(FrameStatus.FEW_MARKERS), STATUSES.index(FrameStatus.SOLVED))
    status[counts == 0] = STATUSES.index(FrameStatus.NO_MARKERS)
    solved = captured.solved
    if solved is not None and solved.clip == clip:
        known = min(len(solved.status), len(status))
        status[:known] = solved.status[:known]
    return status
