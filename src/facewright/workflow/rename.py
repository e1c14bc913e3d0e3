"""Renaming the sliders of a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from facewright.document import Document
from facewright.motion.clip import Clip
from facewright.regions.local_pose import local_curves, local_name
from facewright.rig import edit
from facewright.rig.prior import Prior


def rename_sliders(document: Document, new: Mapping[str, str]) -> Document:
    """The document with sliders and shapes renamed, old name to new, also in its clips, locks, textures and prior."""
    clips = tuple(_renamed_curves(document, clip, new) for clip in document.clips)
    locked = tuple(new.get(name, name) for name in document.locked)
    textures = document.textures and document.textures.renamed(new)
    return replace(
        document,
        rig=edit.rename(document.rig, new),
        clips=clips,
        locked=locked,
        drag_sliders=_renamed_set(document.drag_sliders, new),
        take_sliders=_renamed_set(document.take_sliders, new),
        textures=textures,
        prior=document.prior and _renamed_prior(document.prior, new),
    )


def _renamed_set(chosen: str | tuple[str, ...], new: Mapping[str, str]) -> str | tuple[str, ...]:
    return chosen if isinstance(chosen, str) else tuple(new.get(name, name) for name in chosen)


def _renamed_prior(prior: Prior, new: Mapping[str, str]) -> Prior:
    """The prior with the new names; as it is where it was learned on another rig, which has a new name already."""
    names = tuple(new.get(name, name) for name in prior.sliders)
    return prior if len(set(names)) < len(names) else replace(prior, sliders=names)


def _renamed_curves(document: Document, clip: Clip, new: Mapping[str, str]) -> Clip:
    names = dict(new)
    for name, node, slider in local_curves(clip, document.rig, document.regions):
        assert document.regions is not None
        own = document.rig.sliders[slider]
        names[name] = local_name(new.get(own, own), document.regions.names[node])
    return Clip(clip.name, {names.get(name, name): curve for name, curve in clip.curves.items()}, clip.rate)
