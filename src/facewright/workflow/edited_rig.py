"""A document after an edit of its rig: all that names sliders and shapes is changed with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.regions.local_pose import local_curves, local_name
from facewright.rig.captured import Captured
from facewright.rig.expression import renamed_expressions
from facewright.rig.library_pose import LibraryPose
from facewright.rig.prior import Prior
from facewright.rig.rig import Rig
from facewright.rig.slider_sets import set_on

Became = Mapping[str, tuple[str, ...]]


def with_edited_rig(
    document: Document,
    rig: Rig,
    *,
    became: Became | None = None,
    shapes: Mapping[str, str | tuple[str, ...]] | None = None,
) -> Document:
    """The document with an edited rig of the same vertices.

    became: new names of sliders that were renamed, split or merged. A slider that the rig no longer has is dropped from
    the pose, the clips, the locks and the sets. What was split has the old value on both sides; what was merged has the
    value, and the curves, of the first of the old sliders that has any.
    shapes: new names of shapes, old to new, for the textures.
    """
    if rig is document.rig:
        return document
    if rig.vertex_count != document.rig.vertex_count:
        raise BadValue(f"the edited rig has {rig.vertex_count} vertices, the document's {document.rig.vertex_count}")
    now = _names_now(document.rig, rig, became or {})
    fields: dict[str, Any] = {
        "rig": rig,
        "pose": _pose(document, rig, now),
        "clips": _clips(document, now),
        "poses": _poses(document.poses, now),
        "locked": _several(document.locked, now),
        "drag_sliders": _set(rig, document.drag_sliders, now),
        "take_sliders": _set(rig, document.take_sliders, now),
        "slider_sets": _sets(document.slider_sets, now),
        "local": _columns(document, rig, now),
        "prior": document.prior and _prior(document.prior, now),
        "captured": document.captured and _captured(document.captured, now),
    }
    if document.expressions and shapes:
        one = {old: new for old, new in shapes.items() if isinstance(new, str)}
        fields["expressions"] = renamed_expressions(document.expressions, one)
    if document.textures is not None and shapes:
        fields["textures"] = document.textures.renamed(shapes)
    return replace(document, **fields)


def _names_now(before: Rig, after: Rig, became: Became) -> dict[str, tuple[str, ...]]:
    """For each slider of the rig before the edit its names afterwards; none if it was dropped."""
    known = set(after.sliders)
    return {name: tuple(new for new in became.get(name, (name,)) if new in known) for name in before.sliders}


def _pose(document: Document, rig: Rig, now: Became) -> Floats:
    """The pose on the new sliders; values of sliders whose bounds were changed are clipped to them."""
    before, pose = document.rig, np.clip(0.0, *rig.bounds.T)
    column = _first_columns(document, now)
    for j, name in enumerate(rig.sliders):
        if name in column:
            i = column[name]
            same = np.array_equal(before.bounds[i], rig.bounds[j])
            pose[j] = document.pose[i] if same else np.clip(document.pose[i], *rig.bounds[j])
    return document.pose if np.array_equal(pose, document.pose) else pose


def _first_columns(document: Document, now: Became) -> dict[str, int]:
    """For each name afterwards the column of the slider that it was before; of several the first that is not at 0."""
    found: dict[str, int] = {}
    for i in np.argsort(document.pose == 0, kind="stable").tolist():
        for new in now[document.rig.sliders[i]]:
            found.setdefault(new, i)
    return found


def _captured(captured: Captured, now: Became) -> Captured:
    """The take, whose pose at rest is named by the new sliders."""
    pose = captured.rest_pose
    if not isinstance(pose, Mapping):
        return captured
    renamed = {new: value for name, value in pose.items() for new in now.get(name, ())}
    return captured if renamed == dict(pose) else replace(captured, rest_pose=renamed or None)


def _columns(document: Document, rig: Rig, now: Became) -> Floats | None:
    """What regions add, on the new sliders."""
    if document.local is None or document.rig.sliders == rig.sliders:
        return document.local
    local = np.zeros((len(document.local), len(rig.sliders)))
    column = _first_columns(document, now)
    for j, name in enumerate(rig.sliders):
        if name in column:
            local[:, j] = document.local[:, column[name]]
    return local


def _poses(poses: tuple[LibraryPose, ...], now: Became) -> tuple[LibraryPose, ...]:
    """The poses of the library on the new sliders; names that were no slider stay."""
    if all(new == (old,) for old, new in now.items()):
        return poses
    return tuple(
        replace(pose, weights={new: value for name, value in pose.weights.items() for new in now.get(name, (name,))})
        for pose in poses
    )


def _clips(document: Document, now: Became) -> tuple[Clip, ...]:
    if all(new == (old,) for old, new in now.items()):
        return document.clips
    return tuple(_clip(document, clip, now) for clip in document.clips)


def _clip(document: Document, clip: Clip, now: Became) -> Clip:
    """The clip with its curves under the new names; a curve of no slider keeps its name unless a slider has it now."""
    names: dict[str, tuple[str, ...]] = dict(now)
    for name, node, slider in local_curves(clip, document.rig, document.regions):
        assert document.regions is not None
        region = document.regions.names[node]
        names[name] = tuple(local_name(new, region) for new in now[document.rig.sliders[slider]])
    taken = {new for name in clip.moved for new in names.get(name, ())}

    def renamed(before: Mapping[str, Curve]) -> Mapping[str, Curve]:
        curves: dict[str, Curve] = {}
        for name, curve in before.items():
            for new in names.get(name, () if name in taken else (name,)):
                curves.setdefault(new, curve)
        return curves

    return clip.with_each(renamed)


def _several(names: Sequence[str], now: Became) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(new for name in names for new in now.get(name, ())))
    return names if found == tuple(names) and isinstance(names, tuple) else found


def _set(rig: Rig, chosen: str | tuple[str, ...], now: Became) -> str | tuple[str, ...]:
    """A set of sliders; "" where a group of that name, or all of its sliders, are no longer there."""
    return set_on(rig, chosen, {}) if isinstance(chosen, str) else _several(chosen, now) or ""


def _sets(sets: Mapping[str, tuple[str, ...]], now: Became) -> Mapping[str, tuple[str, ...]]:
    """Sets made by hand, without those that have no slider any more."""
    found = {name: _several(sliders, now) for name, sliders in sets.items()}
    return sets if found == sets else {name: sliders for name, sliders in found.items() if sliders}


def _prior(prior: Prior, now: Became) -> Prior | None:
    """The prior on the new sliders: both sides of one that was split have its values, one of several their mean."""
    sources: dict[str, list[str]] = {}
    for old, news in now.items():
        for new in news:
            sources.setdefault(new, []).append(old)
    shares = {new: dict.fromkeys(old, 1 / len(old)) for new, old in sources.items()}
    return prior_on_new(prior, set(now), shares)


def prior_on_new(prior: Prior, old: Collection[str], shares: Mapping[str, Mapping[str, float]]) -> Prior | None:
    """The prior where the sliders `old` made way for others, each the sum of shares of old ones; None: nothing is left.

    What it knows of other sliders stays, unless a slider has that name now.
    """
    kept = {name: {name: 1.0} for name in prior.sliders if name not in old and name not in shares}
    known = {name: {one: share for one, share in of.items() if one in prior.sliders} for name, of in shares.items()}
    parts = {name: of for name, of in known.items() if of} | kept
    if all(of == {name: 1.0} for name, of in parts.items()) and set(parts) == set(prior.sliders):
        return prior
    column = {name: i for i, name in enumerate(prior.sliders)}
    names = sorted(parts, key=lambda name: min(map(column.__getitem__, parts[name])))
    matrix = np.zeros((len(names), len(column)))
    for row, name in enumerate(names):
        for one, share in parts[name].items():
            matrix[row, column[one]] += share
    return prior.carried(names, matrix) if names else None
