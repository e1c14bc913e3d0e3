"""A whole document in another unit, or larger: every length that it holds is multiplied, or none is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.document import Document
from facewright.errors import BadValue
from facewright.formats.gltf.scaled_source import with_scaled_source
from facewright.mesh.align import Similarity
from facewright.rig import edit
from facewright.rig.binding import Binding
from facewright.rig.captured import Captured
from facewright.rig.controls import LENGTHS
from facewright.rig.head_motion import scaled_head_motion


def scale_document(document: Document, factor: float) -> Document:
    """The document with every length multiplied: rig, head motion, where a take is bound, and the file it came from."""
    if not (np.isfinite(factor) and factor > 0):
        raise BadValue(f"a face is scaled by a positive number, not {factor}")
    if factor == 1.0:
        return document
    scaled = replace(
        document,
        rig=edit.scale(document.rig, factor),
        clips=tuple(scaled_head_motion(clip, factor) for clip in document.clips),
        captured=None if document.captured is None else _captured(document.captured, factor),
        scanned=None if document.scanned is None else document.scanned.scaled(factor),
        controls={name: v * factor if name in LENGTHS else v for name, v in document.controls.items()},
        head=None if document.head is None else document.head.scaled(factor),
    )
    return with_scaled_source(scaled, document, factor)


def _captured(captured: Captured, factor: float) -> Captured:
    base, binding = (None if one is None else _bound(one, factor) for one in (captured.base, captured.binding))
    return replace(captured, base=base, binding=binding)


def _bound(binding: Binding, factor: float) -> Binding:
    """The binding to the scaled rig; the markers are in the unit of their take, and stay."""
    to = binding.to_rig
    return replace(binding, to_rig=Similarity(to.rotation, to.offset * factor, to.scale * factor))
