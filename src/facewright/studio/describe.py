"""A session as the page sees it: whole at first, then only what is different from what it saw last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.pose.attenuation import default_alpha
from facewright.regions.clip_samples import frame_times, sample_clip
from facewright.rig.names import mirror_name
from facewright.rig.rig import Rig
from facewright.session.remembered import Remembered
from facewright.session.session import Session
from facewright.studio import protocol
from facewright.studio.frames import ClipTable, Pose, pack
from facewright.studio.look import look_info
from facewright.terms.selection import Selection
from facewright.workflow.drag.drag import DragResult
from facewright.workflow.solver_cache import SolverCache


@dataclass(frozen=True, eq=False)
class Seen:
    """Everything about a session that a page can see."""

    document: Document
    rig: str  # its id
    history: protocol.HistoryInfo
    file: protocol.FileInfo
    remembered: Remembered
    take: protocol.TakeInfo | None
    solving: protocol.SolvingInfo | None


def seen(
    session: Session,
    rig: str,
    file: protocol.FileInfo,
    *,
    take: protocol.TakeInfo | None = None,
    solving: protocol.SolvingInfo | None = None,
) -> Seen:
    gesture = "" if session.gesture is None else session.gesture.label
    history = protocol.HistoryInfo(session.history.labels, session.history.at, gesture)
    return Seen(session.document, rig, history, file, session.remembered, take, solving)


def state(before: Seen | None, now: Seen, revision: int) -> protocol.State | None:
    """What is different, or all of it; None where nothing is."""
    old, new = (None if before is None else before.document), now.document
    found = protocol.State(revision=revision)
    if before is None or before.rig != now.rig:
        found.rig = rig_info(new.rig, now.rig)
    if old is None or old.pins != new.pins:
        found.pins = [msgspec.convert(pin, protocol.PinInfo, from_attributes=True) for pin in new.pins]
    if old is None or old.held is not new.held or old.rig is not new.rig:  # the default alpha is the rig's
        found.held = held_info(new)
    if old is None or old.clips is not new.clips:
        found.clips = [clip_info(clip) for clip in new.clips]
        found.curves = list(_new_curves(() if old is None else old.clips, new.clips))
    for name in ("locked", "clip", "time"):
        if old is None or getattr(old, name) != getattr(new, name):
            setattr(found, name, getattr(new, name))
    if before is None or before.history != now.history:
        found.history = now.history
    if before is None or before.file != now.file:
        found.file = now.file
    if before is None or before.take is not now.take:
        found.take = now.take
    if before is None or before.solving != now.solving:
        found.solving = now.solving
    if old is None or old.textures is not new.textures or old.rig is not new.rig:
        found.look = look_info(new)
    if before is None or before.remembered != now.remembered:
        found.drag = protocol.DragOptions(now.remembered.method, now.remembered.damped)
        found.view = now.remembered.view
    return found if found != protocol.State(revision=revision) else None


def rig_info(rig: Rig, id: str) -> protocol.RigInfo:
    index = {name: i for i, name in enumerate(rig.sliders)}
    sliders = [
        protocol.SliderInfo(name, low, high, group, index.get(mirror_name(name) or "", -1))
        for name, (low, high), group in zip(rig.sliders, rig.bounds.tolist(), rig.groups, strict=True)
    ]
    return protocol.RigInfo(
        id=id,
        vertices=rig.vertex_count,
        triangles=len(rig.triangles),
        size=rig.size,
        sliders=sliders,
        shapes=[protocol.ShapeInfo(s.name, [index[name] for name in s.sliders], s.at) for s in rig.shapes],
        parts=[protocol.PartInfo(part.name, part.start, part.stop) for part in rig.parts],
        exclusive=[(index[a], index[b]) for a, b in rig.exclusive],
    )


def held_info(document: Document) -> protocol.HeldInfo:
    held = document.held
    alpha = default_alpha(document.rig, Selection(held.coordinates))
    return protocol.HeldInfo(held.vertices.tolist(), held.axes.tolist(), held.on, held.alpha, alpha)


def clip_info(clip: Clip) -> protocol.ClipInfo:
    return protocol.ClipInfo(clip.name, clip.rate, clip.start, clip.end, list(clip.curves))


def pose_frame(session: Session, answer: Answer, revision: int) -> bytes:
    """The face as it is now."""
    document, solvers = session.document, session.solvers
    values = solvers.values(document)
    places = solvers.places(document).at(values)
    arrays: dict[str, NDArray[Any]] = {"weights": document.pose, "values": values, "places": places}
    if values.ndim == 2:
        arrays["values"] = np.vstack([solvers.combine(document.rig)(document.pose), values])
    if document.local is not None:
        spots = np.argwhere(document.local)
        arrays |= {"spots": spots, "local": document.local[tuple(spots.T)]}
    dragged = answer.dragged
    if dragged is not None:
        solution = dragged.solution
        arrays |= {"change": solution.change, "helped": solution.helped}
        arrays |= {"residual": dragged.residual, "target": dragged.targets}
    return pack(
        Pose,
        arrays,
        seq=answer.seq,
        gesture=answer.gesture,
        revision=revision,
        status="" if dragged is None else dragged.status.value,
        pins=[pin.id for pin in document.pins],
        dragged=[] if dragged is None else list(dragged.ids),
        reasons=[] if dragged is None else list(dragged.reasons),
    )


@dataclass(frozen=True, eq=False)
class Answer:
    """What a pose answers."""

    seq: int = 0
    gesture: int = 0
    dragged: DragResult | None = None
    is_asked: bool = False  # the page waits for it, moved or not


def clip_table(document: Document, name: str, solvers: SolverCache, seq: int) -> bytes:
    """A clip frame by frame; what has no curve stays as it is in the document."""
    clip = document.clip_named(name)
    moments = sample_clip(document, clip, frame_times(clip))
    combine, weights = solvers.combine(document.rig), moments.weights
    arrays: dict[str, NDArray[Any]] = {"times": moments.times, "weights": weights}
    if moments.spots:
        rows = np.concatenate([weights[:, None], moments.of_regions(document)], axis=1)
        values = combine(rows.reshape(-1, rows.shape[2])).reshape(*rows.shape[:2], -1)
        arrays |= {"values": values, "spots": np.array(moments.spots), "local": moments.local}
    else:
        arrays["values"] = combine(weights)
    return pack(ClipTable, arrays, seq=seq, clip=name, rate=clip.rate)


def _new_curves(before: tuple[Clip, ...], now: tuple[Clip, ...]) -> Iterator[protocol.CurveInfo]:
    known = {(clip.name, name): curve for clip in before for name, curve in clip.curves.items()}
    for clip in now:
        for name, curve in clip.curves.items():
            if known.get((clip.name, name)) is not curve:
                slopes = None if curve.slopes is None else curve.slopes.tolist()
                yield protocol.CurveInfo(
                    clip.name, name, curve.times.tolist(), curve.values.tolist(), curve.interpolation, slopes
                )
