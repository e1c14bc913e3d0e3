"""Moving sliders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from facewright.arrays import Floats, floats
from facewright.document import Document
from facewright.errors import BadValue
from facewright.rig.controls import mirrored_controls
from facewright.rig.names import mirror_name
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Number, Region, slider_set, some
from facewright.workflow.drag.region_values import (
    WHOLE,
    local_of,
    region_named,
    regions_of,
    values_in,
    with_local,
    with_values,
)
from facewright.workflow.solver_cache import SolverCache

_ON = 1e-9  # a slider above this is on
_DRAGS = {  # the labels of SetDragMethod
    "automatic": "Drag by automatic choice",
    "bounded": "Drag only what I touch",
    "natural": "Drag a natural face",
}


def set_weights(
    document: Document, weights: Mapping[str, float], solvers: SolverCache, region: str = WHOLE
) -> Document:
    """Sliders of the face, or of one region, at new values, within their bounds.

    A slider that excludes one of them goes off. While points are held, all sliders may move a little to spare them, and
    those that were set need not arrive.
    """
    rig = document.rig
    if not weights:
        return document
    region = region_named(document, region)
    which = np.array([rig.slider_index(name) for name in weights])
    _check_unlocked(document, tuple(weights))
    wanted = values_in(document, region).copy()
    given = floats("weights", list(weights.values()), (len(weights),))
    wanted[which] = np.clip(given, rig.bounds[which, 0], rig.bounds[which, 1])
    wanted = _without_excluded(document, wanted, set(weights))
    if document.held.on and len(document.held):
        wanted = solvers.attenuation(document, region).solve(wanted).weights
    return with_values(document, region, wanted)


def reset_weights(
    document: Document, sliders: Sequence[str] | None, solvers: SolverCache, region: str = WHOLE
) -> Document:
    """Sliders at 0 all over the face, or the nearest value that they have: the named ones, or all that are not locked.

    Those of a region go to what they are around it.
    """
    rig = document.rig
    names = sliders if sliders is not None else [name for name in rig.sliders if name not in document.locked]
    _check_unlocked(document, names)
    region = region_named(document, region)
    document = _without_local(document, names, region)
    return document if region != WHOLE else set_weights(document, dict.fromkeys(names, 0.0), solvers)


def _without_local(document: Document, names: Sequence[str], region: str) -> Document:
    """The document with a region, and all regions inside it, adding nothing to some sliders."""
    columns = np.array([document.rig.slider_index(name) for name in names], np.int64)
    if document.local is None or not document.local[:, columns].any():
        return document
    local, regions = local_of(document), regions_of(document)
    inside = np.ones(len(regions.names), bool) if region == WHOLE else regions.inside(region)
    local[np.ix_(inside, columns)] = 0.0
    return with_local(document, local)


def lock_sliders(document: Document, sliders: Sequence[str], locked: bool) -> Document:
    """Sliders that solvers, resets and the person leave alone, or that they may move again."""
    rig = document.rig
    chosen = {rig.sliders[rig.slider_index(name)] for name in sliders}
    now = set(document.locked) | chosen if locked else set(document.locked) - chosen
    return document if now == set(document.locked) else replace(document, locked=tuple(sorted(now)))


def mirror_pose(document: Document, solvers: SolverCache) -> Document:
    """The pose with left and right exchanged, by the names of sliders and by the mirror images of regions.

    Sliders without another side stay, and so do pairs of which one is locked.
    """
    rig, regions, local = document.rig, document.regions, document.local
    index = {name: i for i, name in enumerate(rig.sliders)}
    others = np.array([index.get(mirror_name(name) or "", i) for name, i in index.items()], np.int64)
    stuck = np.isin(rig.sliders, document.locked)
    others = np.where(stuck | stuck[others], np.arange(len(others)), others)
    pose = np.clip(document.pose[others], *rig.bounds.T)
    if regions is not None and local is not None:
        images = solvers.mirrors(rig, regions)
        local = local[np.where(images < 0, np.arange(len(images)), images)][:, others]
    controls = mirrored_controls(document.controls)
    same_local = local is None or document.local is None or np.array_equal(local, document.local)
    same = np.array_equal(pose, document.pose) and same_local and dict(controls) == dict(document.controls)
    return document if same else replace(document, pose=pose, local=local, controls=controls)


def _moved_along(before: Document, after: Document, asked: Sequence[str], region: str) -> Floats:
    """The change (n,) of the sliders of the face or a region that nobody asked to move; 0 for those that were set."""
    change = values_in(after, region) - values_in(before, region)
    change[[before.rig.slider_index(name) for name in asked]] = 0.0
    return change


def _check_unlocked(document: Document, names: Sequence[str]) -> None:
    if stuck := sorted(set(names) & set(document.locked)):
        raise BadValue(f"{', '.join(stuck)} {'is' if len(stuck) == 1 else 'are'} locked; unlock to move")


def _without_excluded(document: Document, wanted: Floats, moved: set[str]) -> Floats:
    """The partners of sliders that were moved on, off."""
    rig, wanted = document.rig, wanted.copy()
    for pair in rig.exclusive:
        for one, other in (pair, pair[::-1]):
            partner = rig.slider_index(other)
            if one in moved and other not in moved and other not in document.locked:
                off = np.clip(0.0, *rig.bounds[partner])
                wanted[partner] = off if abs(wanted[rig.slider_index(one)]) > _ON else wanted[partner]
    return wanted


class SetWeights(DocumentEdit, frozen=True, kw_only=True):
    """Move sliders, all over or in a region; others keep their value, unless held points or a partner forbid it."""

    weights: dict[str, Number]
    region: Region = WHOLE

    @property
    def label(self) -> str:
        return f"Move {some(list(self.weights))}{within(self.region)}"

    def apply(self, document: Document, context: Context) -> Document:
        changed = set_weights(document, self.weights, context.solvers, self.region)
        if document.held.on and len(document.held):
            context.along = _moved_along(document, changed, tuple(self.weights), self.region)
        return changed


class ResetWeights(DocumentEdit, frozen=True, kw_only=True):
    """Sliders back to 0 (or the nearest bound), in a region to what they are around it; all that are not locked, where
    none are named.
    """

    sliders: list[str] | None = None
    region: Region = WHOLE

    @property
    def label(self) -> str:
        return f"Reset {'all sliders' if self.sliders is None else some(self.sliders)}{within(self.region)}"

    def apply(self, document: Document, context: Context) -> Document:
        return reset_weights(document, self.sliders, context.solvers, self.region)


class MirrorPose(DocumentEdit, frozen=True, kw_only=True):
    """Exchange left and right."""

    def apply(self, document: Document, context: Context) -> Document:
        return mirror_pose(document, context.solvers)


class LockSliders(DocumentEdit, frozen=True, kw_only=True):
    """Keep solvers and resets from moving sliders, or let them again."""

    sliders: list[str]
    locked: bool

    @property
    def label(self) -> str:
        return f"{'Lock' if self.locked else 'Unlock'} {some(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        return lock_sliders(document, self.sliders, self.locked)


class SetDragSliders(DocumentEdit, frozen=True, kw_only=True):
    """Choose the sliders that drags use: a set's name, names, or "" for what the pins sit on."""

    sliders: str | list[str]

    @property
    def label(self) -> str:
        return f"Drag with {slider_set(self.sliders)}"

    def apply(self, document: Document, context: Context) -> Document:
        chosen = self.sliders if isinstance(self.sliders, str) else tuple(self.sliders)
        return replace(document, drag_sliders=chosen)


class SetDragMethod(DocumentEdit, frozen=True, kw_only=True):
    """Let drags move only what is touched (bounded), find a face that people are likely to make (natural), or choose by
    how many sliders the pins take (automatic).
    """

    method: Literal["automatic", "bounded", "natural"]

    @property
    def label(self) -> str:
        return _DRAGS[self.method]

    def apply(self, document: Document, context: Context) -> Document:
        return document if document.drag_method == self.method else replace(document, drag_method=self.method)


def within(region: str) -> str:
    """The end of a label of an edit that is kept to a region."""
    return f" in {region}" if region else ""
