"""Clips in files of their own: load_clip and save_clip."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from facewright.errors import BadFile, FacewrightError, UnknownFormat
from facewright.formats.clips.csv import Style, read_clip, write_clip
from facewright.motion.clip import Clip


def load_clip(path: str | PathLike[str], *, rate: float = 30.0) -> Clip:
    """The clip in a file; `rate` is that of a table which counts frames."""
    where = _csv(path)
    if not where.is_file():
        raise BadFile(f"{where}: there is no such file")
    try:
        return read_clip(where, rate=rate)
    except FacewrightError as problem:
        text = str(problem)
        raise (problem if str(where) in text else BadFile(f"{where}: {text}")) from problem
    except (OSError, MemoryError) as problem:
        raise BadFile(f"{where}: {problem or type(problem).__name__}") from problem


def save_clip(clip: Clip, path: str | PathLike[str], *, style: Style = "plain") -> None:
    """Write a clip in the format of the path's suffix."""
    write_clip(clip, _csv(path), style=style)


def _csv(path: str | PathLike[str]) -> Path:
    where = Path(path)
    if where.suffix.lower() != ".csv":
        raise UnknownFormat(
            f"{where}: a clip of its own is kept in a .csv file; a rig's file keeps clips in its document"
        )
    return where
