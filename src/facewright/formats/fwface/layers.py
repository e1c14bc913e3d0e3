"""The layers of clips as JSON, by clip, beside the clips, so that programs that know none still read these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from facewright.errors import BadFile, BadValue
from facewright.formats import limits
from facewright.formats.arrays_zip import ArrayZip
from facewright.formats.schema.json import decode, encode, entry_from, plain
from facewright.formats.schema.layer import LayerEntry
from facewright.motion.clip import Clip

MEMBER = "layers.json"


class _Layers(msgspec.Struct):
    clips: dict[str, list[LayerEntry]] = {}


def with_read_layers(file: ArrayZip, clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips of a file with their layers, the lowest first."""
    if MEMBER not in file.names:
        return tuple(clips)
    entry = entry_from(decode(file.bytes(MEMBER, limit=limits.JSON)), _Layers, "layers of clips")
    if unknown := sorted(set(entry.clips) - {clip.name for clip in clips}):
        raise BadFile(f"{MEMBER} has layers of a clip {unknown[0]!r}, which is not there")
    try:
        return tuple(
            replace(clip, layers=tuple(layer.value() for layer in entry.clips.get(clip.name, ()))) for clip in clips
        )
    except BadValue as problem:
        raise BadFile(f"{MEMBER}: {problem}") from problem


def layer_members(clips: Sequence[Clip]) -> dict[str, bytes]:
    """The member that layers take in a file; none where there are no layers."""
    found = {clip.name: [LayerEntry.of(layer) for layer in clip.layers] for clip in clips if clip.layers}
    return {MEMBER: encode(plain(_Layers(found)))} if found else {}
