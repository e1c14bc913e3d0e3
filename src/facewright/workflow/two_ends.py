"""Sliders with a negative end in a document: pose, clips and values of regions follow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, bake_layers
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.two_ends import above_0, below_0, difference
from facewright.regions.local_pose import local_name
from facewright.rig import edit
from facewright.rig.edit.two_ends import joined_name, parted_names
from facewright.rig.prior import Prior
from facewright.workflow.edited_rig import prior_on_new, with_edited_rig

Curves = Mapping[str, Curve]


def join_in_document(document: Document, negative: str, positive: str, *, name: str | None = None) -> Document:
    """The document with two sliders as the ends of one (`edit.join_sliders`).

    Its value and its curves are those of the positive slider minus those of the negative one: the same face wherever
    only one of them was on. Layers of clips are baked.
    """
    document = bake_layers(document)
    new = joined_name(negative, positive) if name is None else name
    rig = edit.join_sliders(document.rig, negative, positive, name=new)
    low, high = (document.rig.slider_index(each) for each in (negative, positive))
    at = rig.slider_index(new)

    def curves(before: Curves, named: Callable[[str], str]) -> Iterable[tuple[str, Curve | None]]:
        yield named(new), difference(before.get(named(positive)), before.get(named(negative)))

    made = with_edited_rig(document, rig, became={negative: (new,), positive: (new,)})
    pose = made.pose.copy()
    pose[at] = np.clip(document.pose[high] - document.pose[low], *rig.bounds[at])
    local = None if made.local is None else made.local.copy()
    if local is not None and document.local is not None:
        local[:, at] = document.local[:, high] - document.local[:, low]
    prior = _prior(document, {new: {positive: 1.0, negative: -1.0}}, {negative, positive})
    return replace(made, pose=pose, local=local, prior=prior, clips=_clips(document, made, curves))


def part_in_document(document: Document, slider: str, *, names: tuple[str, str] | None = None) -> Document:
    """The document with a slider that goes both ways as two (`edit.part_slider`): one has its values below 0, the
    other those above. The curves of a region are parted by their own sign. Layers of clips are baked.
    """
    document = bake_layers(document)
    new = parted_names(document.rig, slider) if names is None else names
    rig = edit.part_slider(document.rig, slider, names=new)
    old = document.rig.slider_index(slider)
    low, high = (rig.slider_index(each) for each in new)

    def curves(before: Curves, named: Callable[[str], str]) -> Iterable[tuple[str, Curve | None]]:
        curve = before.get(named(slider))
        yield named(new[0]), curve and below_0(curve)
        yield named(new[1]), curve and above_0(curve)

    made = with_edited_rig(document, rig, became={slider: new})
    pose = made.pose.copy()
    pose[[low, high]] = np.maximum([-document.pose[old], document.pose[old]], 0.0)
    local = None if made.local is None else made.local.copy()
    if local is not None:
        local[:, low], local[:, high] = _parted_local(document, old)
    half = np.sqrt(0.5)  # each end has half of the mean square, and never together with the other
    prior = _prior(document, {new[0]: {slider: -half}, new[1]: {slider: half}}, {slider})
    return replace(made, pose=pose, local=local, prior=prior, clips=_clips(document, made, curves))


def _prior(document: Document, shares: Mapping[str, Mapping[str, float]], old: Collection[str]) -> Prior | None:
    return document.prior and prior_on_new(document.prior, old, shares)


def _parted_local(document: Document, slider: int) -> Floats:
    """What regions add (2, m) to the two sides of a slider, such that the sum of both is what it was in each region."""
    assert document.regions is not None
    assert document.local is not None
    whole = document.pose[slider]
    sums = whole + document.regions.inherited(document.local[:, slider])
    above = np.append(sums, whole)[document.regions.parents]  # of the whole face, which is part of nothing, the pose
    return np.stack([np.maximum(sign * sums, 0.0) - np.maximum(sign * above, 0.0) for sign in (-1, 1)])


def _clips(
    before: Document,
    made: Document,
    curves: Callable[[Curves, Callable[[str], str]], Iterable[tuple[str, Curve | None]]],
) -> tuple[Clip, ...]:
    """The clips with new curves for the whole face and for every region."""
    regions = () if before.regions is None else before.regions.names
    found = []
    for old, clip in zip(before.clips, made.clips, strict=True):
        new = dict(curves(old.curves, lambda name: name))
        for region in regions:
            new |= dict(curves(old.curves, lambda name, region=region: local_name(name, region)))  # type: ignore[misc]
        given = {name: curve for name, curve in new.items() if curve is not None and name in clip.curves}
        found.append(replace(clip, curves={**clip.curves, **given}) if given else clip)
    return tuple(found)
