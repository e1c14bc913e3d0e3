"""Clips in files of their own: load_clip and save_clip."""

from __future__ import annotations

from facewright.errors import UnknownFormat
from facewright.formats.clips.csv import Style, read_clip, write_clip
from facewright.formats.files import Source, Target
from facewright.formats.sources import Readable, Writable, check_exists, naming, source_of, target_of
from facewright.motion.clip import Clip
from facewright.options import suggests_options

SUFFIXES = (".csv",)


@suggests_options
def load_clip(source: Readable, *, rate: float = 30.0, format: str = "") -> Clip:
    """The clip in a file: its path, its bytes, or a binary file object.

    `rate` is that of a table which counts frames.
    """
    found, suffix = source_of(source, format, SUFFIXES, lambda data: SUFFIXES[0])
    _check(suffix, found)
    check_exists(found)
    with naming(found):
        return read_clip(found, rate=rate)


@suggests_options
def save_clip(clip: Clip, target: Writable, *, style: Style = "plain", format: str = "") -> None:
    """Write a clip to a path, in the format of its suffix, or to a binary file object."""
    with target_of(target, format, SUFFIXES) as found:
        _check(found.suffix.lower(), found)
        write_clip(clip, found, style=style)


def _check(suffix: str, file: Source | Target) -> None:
    if suffix not in SUFFIXES:
        raise UnknownFormat(
            f"{file}: a clip of its own is kept in a .csv file; a rig's file keeps clips in its document"
        )
