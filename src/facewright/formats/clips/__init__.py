"""Clips in files of their own: load_clip and save_clip."""

from __future__ import annotations

from facewright.errors import UnknownFormat
from facewright.formats.clips import csv
from facewright.formats.clips.csv import Style
from facewright.formats.files import Source, Target
from facewright.formats.sources import Readable, Writable, check_exists, naming, source_of, target_of
from facewright.motion.bake_layers import baked_clip
from facewright.motion.clip import Clip
from facewright.options import suggests_options

SUFFIXES = (".csv", ".json", ".jsonl")  # read and written
READ = (*SUFFIXES, ".vrma")


@suggests_options
def load_clip(source: Readable, *, rate: float = 30.0, format: str = "") -> Clip:
    """The clip in a file: its path, its bytes, or a binary file object.

    `rate` is that of a table which counts frames, and of frames without times.
    """
    found, suffix = source_of(source, format, READ, _suffix)
    if suffix not in READ:
        _check(suffix, found)
    check_exists(found)
    with naming(found):
        if suffix == ".csv":
            return csv.read_clip(found, rate=rate)
        if suffix == ".vrma":
            from facewright.formats.gltf.vrm.animation import read_animation  # most clips are no glTF files

            return read_animation(found)
        from facewright.formats.clips import weights_json  # what reads JSON is loaded where there is some

        return weights_json.read_clip(found, rate=rate)


@suggests_options
def save_clip(clip: Clip, target: Writable, *, style: Style = "plain", format: str = "") -> None:
    """Write a clip to a path, in the format of its suffix, or to a binary file object. `style` is that of a table.

    Layers are baked.
    """
    clip = baked_clip(clip)
    with target_of(target, format, SUFFIXES) as found:
        _check(found.suffix.lower(), found)
        if found.suffix.lower() == ".csv":
            csv.write_clip(clip, found, style=style)
        else:
            from facewright.formats.clips import weights_json

            weights_json.write_clip(clip, found)


def _suffix(data: bytes) -> str:
    """The suffix of bytes without a name."""
    if data.startswith(b"glTF"):
        return ".vrma"
    return ".json" if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else ".csv"


def _check(suffix: str, file: Source | Target) -> None:
    if suffix not in SUFFIXES:
        raise UnknownFormat(
            f"{file}: a clip of its own is kept in a .csv, .json or .jsonl file; a rig keeps clips in its document"
        )
