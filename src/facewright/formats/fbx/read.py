"""An FBX file as a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.formats import limits
from facewright.formats.block import with_work
from facewright.formats.channels.block import stated_clips
from facewright.formats.channels.rig import ChannelRig, channel_rig
from facewright.formats.fbx.block import block_in
from facewright.formats.fbx.container.budget import ReadBudget
from facewright.formats.fbx.container.file import parse_file
from facewright.formats.fbx.scene.animation import FbxMotion, frame_rate, motions
from facewright.formats.fbx.scene.head import head_motion
from facewright.formats.fbx.scene.materials import read_materials, texture_files
from facewright.formats.fbx.scene.objects import FbxScene, Id
from facewright.formats.fbx.scene.parts import FbxPart, source_parts
from facewright.formats.files import Source, read_up_to
from facewright.formats.unique_names import unique
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.motion.take import METRES
from facewright.rig.rig import Rig

UNIT = "fbx_unit"  # key of `Document.extra`: centimetres in one unit of the file, where that has no name


def read(source: Source) -> Document:
    """The document in an FBX file, in the unit of the file, with y up and the face along z."""
    data = read_up_to(source, limits.GLB)
    budget = ReadBudget(len(data))
    with np.errstate(all="ignore"):  # numbers that are too large are refused by the rig
        return _document(
            FbxScene(*parse_file(data, budget), budget), source.parent if isinstance(source, Path) else None
        )


def files_of(path: Path) -> tuple[Path, ...]:
    """An FBX file and the images that it refers to; the file alone where it cannot be read."""
    try:
        data = read_up_to(path, limits.GLB)
        budget = ReadBudget(len(data))
        return path, *texture_files(FbxScene(*parse_file(data, budget), budget), path.parent)
    except (FacewrightError, OSError):
        return (path,)


def _document(scene: FbxScene, folder: Path | None) -> Document:
    parts = source_parts(scene)
    block = block_in(scene)
    found = channel_rig(parts, block)
    unit = scene.settings.number("UnitScaleFactor", 1.0)
    named = next((name for name, metres in METRES.items() if abs(100 * metres - unit) < 1e-6 * unit), "")
    extra = {} if named else {UNIT: unit}
    document = Document(found.rig, _clips(scene, parts, found, block), found.pose)
    document = with_work(document, block)
    materials = read_materials(scene, parts, folder)
    return replace(document, materials=materials, extra={**document.extra, **extra}, unit=named)


def _clips(scene: FbxScene, parts: Sequence[FbxPart], source: ChannelRig, block: dict[str, Any]) -> tuple[Clip, ...]:
    owners = {
        (channel.id, "" if scene.version >= 7000 else channel.name): one.name
        for one in reversed(source.sliders)
        for _, channel in reversed(one.channels)
    }
    rate = frame_rate(scene)
    stated = stated_clips(block)
    found = []
    listed = motions(scene)
    names = unique(motion.name or f"clip {number}" for number, motion in enumerate(listed))
    for name, motion in zip(names, listed, strict=True):
        clip = _clip(name, motion, owners, source.rig, rate)
        head = head_motion(scene, motion, parts, rate, source.rig.size)
        clip = replace(clip, curves={**clip.curves, **head})
        if name in stated:
            clip = stated[name].completed(clip)
        if clip.curves or name in stated:
            found.append(clip)
    return tuple(found)


def _clip(name: str, motion: FbxMotion, owners: Mapping[tuple[Id, str], str], rig: Rig, rate: float) -> Clip:
    """The curves of sliders; of parts with different curves the first wins, and shapes of several sliders follow."""
    own: dict[str, Curve] = {}
    for key, keys in motion.channels.items():
        slider = owners.get(key, "")
        if slider in rig.sliders and slider not in own:
            curve = keys.curve(0.01)
            if curve is not None:
                own[slider] = curve
    return Clip(name, {slider: own[slider] for slider in rig.sliders if slider in own}, rate)
