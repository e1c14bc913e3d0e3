"""Films whose drawn part is kept on disk until they are whole, so that a killed render goes on from there."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from facewright.errors import BadFile, BadValue
from facewright.formats.files import make_folder, read_up_to, replacing, write_atomically
from facewright.render.frame_writer import FrameWriter
from facewright.render.tone import Bytes
from facewright.render.video import Encoder, ffmpeg, join_videos

PART = 48  # frames of a part; a kill loses at most so many
_RECORD = "film.json"
_PART = re.compile(r"part_(\d{6})_(\d{4})\.mp4")
_UNFINISHED = "unfinished.mp4"
_MOST = 10_000  # bytes of a record


@dataclass(frozen=True)
class Resumable:
    """A film that may have been begun: what tells it from all others, and its number of frames."""

    digest: str
    frames: int


def check_record(folder: Path, film: Resumable) -> bool:
    """Whether a folder has frames of this film; raises if they are of another one. Writes the record of a new one."""
    path = folder / _RECORD
    wanted = {"digest": film.digest, "frames": film.frames}
    if not path.exists():
        write_atomically(path, json.dumps(wanted).encode())
        return False
    try:
        found = json.loads(read_up_to(path, _MOST))
    except ValueError as problem:
        raise BadFile(f"{path}: not a record of a film ({problem}); remove {folder} to begin anew") from problem
    if found != wanted:
        raise BadValue(f"{folder} has frames of another film, or of other options; remove it to begin anew")
    return True


@contextmanager
def writing_parts(path: Path, rate: float, sound: bytes, film: Resumable) -> Iterator[FrameWriter]:
    """Writes a video in parts, kept in a folder beside it until it is whole; then they are joined and removed."""
    program, folder = ffmpeg(), path.with_name(path.name + ".parts")
    make_folder(folder)
    check_record(folder, film)
    parts = _Parts(program, folder, rate)
    try:
        yield FrameWriter(parts.add, first=parts.count)
    except BaseException:
        parts.discard()
        raise
    parts.finish()
    if parts.count < film.frames:
        return
    with replacing(path) as file:
        joined = join_videos(program, parts.files, folder, sound)
        with joined.open("rb") as made:
            shutil.copyfileobj(made, file)
    shutil.rmtree(folder)


class _Parts:
    """The parts in a folder, one of which is being written."""

    def __init__(self, program: str, folder: Path, rate: float) -> None:
        self._program, self._folder, self._rate = program, folder, rate
        self.files, self.count = _whole_parts(folder)
        self._encoder: Encoder | None = None
        self._in_part = 0

    def add(self, frame: Bytes) -> None:
        """Encode the next frame."""
        if self._encoder is None:
            self._encoder = Encoder(self._program, self._folder / _UNFINISHED, self._rate, ordered=True)
        self._encoder.add(frame)
        self._in_part += 1
        if self._in_part == PART:
            self.finish()

    def finish(self) -> None:
        """End the part that is being written."""
        if self._encoder is None:
            return
        self._encoder.finish()
        path = self._folder / f"part_{self.count:06d}_{self._in_part:04d}.mp4"
        (self._folder / _UNFINISHED).replace(path)
        self.files.append(path)
        self.count += self._in_part
        self._encoder, self._in_part = None, 0

    def discard(self) -> None:
        """Remove the part that is being written."""
        if self._encoder is not None:
            self._encoder.kill()
        (self._folder / _UNFINISHED).unlink(missing_ok=True)


def _whole_parts(folder: Path) -> tuple[list[Path], int]:
    """The parts that follow each other from the first frame on, and the number of their frames."""
    named = ((_PART.fullmatch(path.name), path) for path in folder.iterdir())
    starts = {int(match[1]): (path, int(match[2])) for match, path in named if match is not None}
    found, count = [], 0
    while count in starts:
        path, frames = starts[count]
        if frames < 1:
            break
        found.append(path)
        count += frames
    return found, count
