"""Rigs and clips for programs that know no in-betweens and no combinations: each becomes a target with its own keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.options import suggests_options
from facewright.regions.bake import bake_regions
from facewright.rig.combine import Combine
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.rig.slider import Slider, sliders_of, with_sliders
from facewright.workflow.edited_rig import with_edited_rig

_LISTED = 6
_AT_ONCE = 64  # frames


@dataclass(frozen=True, eq=False)
class PlainTargets:
    """A document in which every slider drives its targets in proportion, and what was done for that."""

    document: Document
    made: tuple[str, ...]  # in-betweens and combinations that are targets with a slider of their own now
    dropped: tuple[str, ...]  # those that were left out because they are too small to be seen
    error: float  # how far a vertex is off at most without them, as a share of the rig's size

    def __str__(self) -> str:
        if not self.made and not self.dropped:
            return "every slider drives its targets in proportion already; nothing was changed"
        count = len(self.made)
        said = f"{count} in-between{'s' * (count != 1)} and combinations are targets with their own keys now"
        if self.dropped:
            names = ", ".join(self.dropped[:_LISTED]) + (" ..." if len(self.dropped) > _LISTED else "")
            off = f"{100 * self.error:.2g} % of the face"
            said += f"; {len(self.dropped)} were dropped, without which no vertex is off by more than {off}: {names}"
        return said


@suggests_options
def plain_targets(document: Document, *, tolerance: float = 0.0) -> PlainTargets:
    """Give each in-between and each combination a slider of its own, with keys in every clip: every frame stays exact.

    Sliders that drive other shapes in proportion keep those and their curves. Poses of regions become shapes first.
    tolerance: those that move no vertex further than this share of the rig's size, in the pose and in any frame, are
    dropped; without clips, those that move none further when they are fully on.
    """
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise BadValue(f"the tolerance is a share of the rig's size, 0 or more, not {tolerance}")
    document = bake_regions(document).document
    rig, combine = document.rig, Combine(document.rig)
    bent = combine.bent
    if not len(bent):
        return PlainTargets(document, (), (), 0.0)
    times = {clip.name: _times(clip) for clip in document.clips}
    values = {clip.name: combine(clip.sample(rig.sliders, times[clip.name])) for clip in document.clips}
    frames = np.concatenate([combine(document.pose)[None], *values.values()])[:, bent]  # (f, b)
    kept = _peaks(rig, bent) * (np.abs(frames).max(axis=0) if document.clips else 1.0) > tolerance * rig.size
    kept |= tolerance == 0
    names = _names(rig, bent)
    limits = np.stack([np.minimum(frames.min(axis=0), 0.0), np.maximum(frames.max(axis=0), 1.0)], axis=1)  # (b, 2)
    made = [i for i in range(len(bent)) if kept[i]]
    plain = _plain_rig(rig, {int(bent[i]): (names[i], limits[i]) for i in made}, set(bent[~kept].tolist()))
    now = with_edited_rig(document, plain, became=dict.fromkeys(set(rig.sliders) - set(plain.sliders), ()))
    pose = now.pose.copy()
    pose[[plain.slider_index(names[i]) for i in made]] = frames[0, made]
    columns = [int(bent[i]) for i in made]
    clips = tuple(
        _with_curves(clip, [names[i] for i in made], times[clip.name], values[clip.name][:, columns])
        for clip in now.clips
    )
    error = _largest(rig, bent[~kept], frames[:, ~kept])
    found = replace(now, pose=pose, clips=clips)
    return PlainTargets(
        found,
        tuple(rig.shapes[i].name for i in columns),
        tuple(rig.shapes[i].name for i in bent[~kept]),
        error / (rig.size or 1.0),
    )


def _times(clip: Clip) -> Floats:
    """Times of all frames, and of all keys between them."""
    if not clip.curves:
        return np.zeros(1)
    keys = [curve.times for curve in clip.curves.values()]
    return np.unique(np.concatenate([clip.times(), *keys]))


def _peaks(rig: Rig, shapes: Ints) -> Floats:
    """How far each shape moves the vertex that it moves most."""
    return np.array([np.linalg.norm(rig.shapes[i].offsets, axis=1).max(initial=0.0) for i in shapes])


def _names(rig: Rig, shapes: Ints) -> list[str]:
    """Names for the sliders of shapes: their own, with a stroke where a slider that stays has it."""
    driving = {name for shape in rig.shapes for name in shape.sliders}
    chosen = set(shapes.tolist())
    staying = {name for i, shape in enumerate(rig.shapes) if i not in chosen for name in shape.sliders}
    taken, names = staying | (set(rig.sliders) - driving), []
    for i in shapes:
        name = rig.shapes[i].name
        while name in taken:
            name += "'"
        taken.add(name)
        names.append(name)
    return names


def _plain_rig(rig: Rig, made: dict[int, tuple[str, Floats]], dropped: set[int]) -> Rig:
    """The rig with new sliders, by shape, of a name and bounds (2,), and without some shapes."""
    shapes: list[Shape] = []
    for i, shape in enumerate(rig.shapes):
        if i in made:
            shapes.append(Shape(shape.name, shape.vertices, shape.offsets, (made[i][0],)))
        elif i not in dropped:
            shapes.append(shape)
    own = {name for name, _ in made.values()}
    used = {name for shape in shapes for name in shape.sliders} - own
    driving = {name for shape in rig.shapes for name in shape.sliders}
    group = dict(zip(rig.sliders, rig.groups, strict=True))
    kept = [slider for slider in sliders_of(rig) if slider.name in used or slider.name not in driving | own]
    new = [
        Slider(name, float(ends[0]), float(ends[1]), group[rig.shapes[i].sliders[0]])
        for i, (name, ends) in made.items()
    ]
    return with_sliders(rig, shapes, (*kept, *new))


def _with_curves(clip: Clip, names: list[str], times: Floats, values: Floats) -> Clip:
    """The clip with curves of new sliders, at times (k,) of values (k, b), those that are always 0 left out."""
    curves = {name: curve for name, curve in clip.curves.items() if name not in names}
    for name, column in zip(names, values.T, strict=True):
        if column.any():
            bends = np.ones(len(column), bool)  # keys in a row of equal values are left out
            bends[1:-1] = (column[1:-1] != column[:-2]) | (column[1:-1] != column[2:])
            curves[name] = Curve(times[bends], column[bends])
    return Clip(clip.name, curves, clip.rate)


def _largest(rig: Rig, shapes: Ints, values: Floats) -> float:
    """How far shapes of values (f, b) move a vertex at most together."""
    if not len(shapes):
        return 0.0
    deltas = np.stack([rig.shapes[i].dense(rig.vertex_count).ravel() for i in shapes])
    most = 0.0
    for start in range(0, len(values), _AT_ONCE):
        moved = (values[start : start + _AT_ONCE] @ deltas).reshape(-1, rig.vertex_count, 3)
        most = max(most, float(np.sqrt(np.einsum("fva,fva->fv", moved, moved).max(initial=0.0))))
    return most
