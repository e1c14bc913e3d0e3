"""The document's take as the page sees it."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats
from facewright.capture.gaps import runs
from facewright.capture.placement import placed_beside
from facewright.capture.statistics import worst_frames
from facewright.document import Document
from facewright.mesh.align import Similarity
from facewright.motion.take import METRES, Take
from facewright.rig.binding import Binding, SurfacePoint
from facewright.rig.captured import Captured
from facewright.rig.rig import Rig
from facewright.session.commands.takes import FILE, NAMES
from facewright.studio.frames import TakeFitTable, TakeTable, pack
from facewright.studio.take_messages import MarkerInfo, PlaceInfo, PointInfo, SolvedInfo, TakeInfo
from facewright.workflow.solver_cache import SolverCache
from facewright.workflow.take.fit import TakeFit, take_fit
from facewright.workflow.take.solve import STATUSES

_SEEN = 0.02  # share of the frames in which a marker must be seen to be bound
_WORST = 8  # frames that are marked


def take_id(take: Take) -> str:
    """A name that changes when the markers or their positions do, and only then."""
    digest = hashlib.blake2b(repr((take.names, take.positions.shape)).encode(), digest_size=12)
    digest.update(take.positions.tobytes())
    return digest.hexdigest()


def take_info(rig: Rig, captured: Captured, id: str, solvers: SolverCache) -> TakeInfo:
    take, binding = captured.take, captured.binding
    gaps = solvers.kept("take gaps", (take,), lambda: _gaps(take))
    place = solvers.kept("take place", (rig, take, binding), lambda: _placed(rig, take, binding))
    solved = captured.solved
    return TakeInfo(
        id=id,
        name=take.name,
        unit=take.unit,
        units=list(METRES),
        rate=take.rate,
        frames=len(take),
        gaps=float(1 - take.seen.mean()) if take.seen.size else 0.0,
        markers=_markers(rig, captured, gaps),
        notes=[*take.notes, *(() if binding is None else binding.notes)],
        place=place,
        bound=binding is not None,
        origin=captured.origin,
        neutral=captured.neutral,
        millimetres=0.0 if binding is None else 1000 * METRES[binding.unit] / binding.to_rig.scale,
        solved=None if solved is None else SolvedInfo(solved.clip, len(solved.status), list(solved.notes)),
    )


def told(captured: Captured) -> str:
    """A take in a sentence, and what to do with it."""
    take, binding = captured.take, captured.binding
    gaps = 1 - take.seen.mean() if take.seen.size else 0.0
    facts = f"{take.name}: {len(take.names)} markers, {len(take):,} frames at {take.rate:g} a second, in {take.unit}"
    facts += f", {gaps:.1%} gaps" if gaps else ", no gaps"
    if binding is None:
        return (
            f"{facts}. Their names do not say where they belong: click three markers, each with its place on the face."
        )
    how = {NAMES: "by names", FILE: "as before"}.get(captured.origin, "as before")
    doubts = "".join(f" {note[0].upper()}{note[1:]}." for note in binding.notes if "no face" in note)
    return f"{facts}; {len(binding)} of them bound {how}.{doubts}"


def take_table(take: Take, id: str) -> bytes:
    """All positions, for the page to show."""
    return pack(TakeTable, {"positions": take.positions}, take=id)


def fit_table(document: Document, clip: str, solvers: SolverCache, seq: int) -> bytes:
    """How near a clip comes to the take; empty arrays where it is not bound."""
    fit = take_fit(document, clip, solvers)
    captured = document.captured
    if fit is None or captured is None or captured.active is None:
        figures: dict[str, Any] = {"statuses": [], "worst_frames": [], "typical": 0.0, "most": 0.0}
        return pack(TakeFitTable, {"mean": np.zeros(0)}, seq=seq, clip=clip, **figures)
    names = captured.take.names
    columns = np.array([names.index(name) if name in names else 0 for name in captured.active.markers], np.int64)
    arrays = {
        "mean": fit.mean,
        "worst": columns[fit.worst],
        "status": fit.status,
        "doubted": np.column_stack([fit.doubted[:, 0], columns[fit.doubted[:, 1]]]),
        "head": _head(fit),
    }
    known = fit.residual[~np.isnan(fit.residual)]
    return pack(
        TakeFitTable,
        arrays,
        seq=seq,
        clip=clip,
        statuses=[status.value for status in STATUSES],
        worst_frames=worst_frames(fit.mean, _WORST, captured.take.rate).tolist(),
        typical=float(known.mean()) if len(known) else 0.0,
        most=float(np.quantile(known, 0.95)) if len(known) else 0.0,
    )


def _head(fit: TakeFit) -> Floats:
    """Rotation, rows first, and offset (f, 12), where the clip does not say it; else nothing."""
    if not fit.from_markers:
        return np.zeros((0, 12))
    return np.concatenate([fit.head.rotations.reshape(-1, 9), fit.head.offsets], axis=1)


def _markers(rig: Rig, captured: Captured, gaps: NDArray[np.int64]) -> list[MarkerInfo]:
    take, binding = captured.take, captured.binding
    share = take.seen.mean(axis=0) if len(take) else np.zeros(len(take.names))
    named = set(take.labelled)
    away = {} if binding is None else _away(rig, binding)
    found = []
    for i, name in enumerate(take.names):
        point = _point(captured, name)
        found.append(
            MarkerInfo(
                name=name,
                seen=float(share[i]),
                gap=int(gaps[i]),
                point=None if point is None else PointInfo(point.vertices, point.shares),
                offset=away.get(name),
                paired=name in captured.pairs,
                ignored=name in captured.ignored,
                bindable=name in named and bool(share[i] >= _SEEN),
            )
        )
    return found


def _point(captured: Captured, name: str) -> SurfacePoint | None:
    binding = captured.binding
    if binding is None or name not in binding.markers:
        return captured.pairs.get(name)
    at = binding.index(name)
    a, b, c = binding.vertices[at].tolist()
    u, v, w = binding.barycentric[at].tolist()
    return SurfacePoint((a, b, c), (max(u, 0.0), max(v, 0.0), max(w, 0.0)))


def _away(rig: Rig, binding: Binding) -> dict[str, tuple[float, float, float]]:
    """From where each marker is glued to where it is on the actor at rest."""
    offsets = binding.to_rig(binding.rest) - binding.places(rig.neutral)
    return {name: (x, y, z) for name, (x, y, z) in zip(binding.markers, offsets.tolist(), strict=True)}


def _placed(rig: Rig, take: Take, binding: Binding | None) -> PlaceInfo:
    if binding is None:
        return _place(placed_beside(rig, take), 1.0, mirrored=False)
    return _place(binding.to_rig, METRES[take.unit] / METRES[binding.unit], mirrored=binding.mirrored)


def _place(way: Similarity, unit: float, *, mirrored: bool) -> PlaceInfo:
    x, y, z = way.offset.tolist()
    return PlaceInfo(way.rotation.ravel().tolist(), (x, y, z), way.scale * unit, mirrored)


def _gaps(take: Take) -> NDArray[np.int64]:
    """Frames (m,) of each marker's longest gap."""
    longest = np.zeros(len(take.names), np.int64)
    for marker in np.flatnonzero(~take.seen.all(axis=0)):
        longest[marker] = max(stop - start for start, stop in runs(~take.seen[:, marker]))
    return longest
