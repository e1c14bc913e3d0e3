"""Writers of films: a folder of PNG files, a video, or a GIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import make_folder, write_atomically
from facewright.options import suggests_options
from facewright.render.film_parts import Resumable, check_record, writing_parts
from facewright.render.frame_writer import FrameWriter
from facewright.render.gif import writing_gif
from facewright.render.png import png_bytes
from facewright.render.tone import Bytes
from facewright.render.video import writing_video

FILMS = ("a folder such as frames/", ".mp4", ".gif")
_FRAMES = "frame_*.png"


def is_folder(path: Path) -> bool:
    """Whether a path means a folder of frames: an existing folder, or a name without a suffix."""
    return path.is_dir() or not path.suffix


@suggests_options
def film_writer(
    path: Path,
    rate: float,
    *,
    preview: Sequence[Bytes] = (),
    sound: bytes = b"",
    resume: Resumable | None = None,
) -> AbstractContextManager[FrameWriter]:
    """A context manager that gives a function, which takes frames (h, w, 3) of one size and writes them to `path`.

    rate: frames a second. Stopping early leaves a complete, shorter film; an error leaves the old file.
    preview: some of the frames, which may be small, from which a GIF takes its 256 colours; by default the first frame.
    sound: a WAV file that a video has as its sound; others have none.
    resume: keep what is drawn until the film is whole, and begin after what is kept of this very film.
    """
    if not 0 < rate <= 1000:
        raise BadValue(f"a film has 1 to 1000 frames a second, not {rate:g}")
    if is_folder(path):
        return writing_folder(path, resume)
    if path.suffix.lower() == ".mp4":
        return writing_video(path, rate, sound) if resume is None else writing_parts(path, rate, sound, resume)
    if path.suffix.lower() == ".gif":
        if resume is not None:
            raise BadValue("a GIF cannot be resumed; draw a folder such as frames/, or a .mp4 film")
        return writing_gif(path, rate, preview)
    raise UnknownFormat(f"{path}: moving pictures are written as {', '.join(FILMS)}")


@contextmanager
def writing_folder(folder: Path, resume: Resumable | None = None) -> Iterator[FrameWriter]:
    """Writes frames as frame_0001.png and so on, each one atomically."""
    make_folder(folder)
    known = resume is not None and check_record(folder, resume)
    first = _frames_there(folder) if known else 0
    count = first

    def add(encoded: bytes) -> None:
        """Write the next frame."""
        nonlocal count
        count += 1
        write_atomically(folder / frame_name(count), encoded)

    yield FrameWriter(add, partial(png_bytes, quick=True), first)


def _frames_there(folder: Path) -> int:
    """The number of frames in a folder that follow each other from the first on."""
    count = 0
    while (folder / frame_name(count + 1)).is_file():
        count += 1
    return count


def frame_name(number: int) -> str:
    """The file name of a frame, counted from 1."""
    return f"frame_{number:04d}.png"


def files_at(path: Path) -> list[Path]:
    """The files that a film or a picture may replace: the path itself, or the frames in a folder."""
    return sorted(path.glob(_FRAMES)) if path.is_dir() else [path]


def frames_beyond(folder: Path, count: int) -> list[Path]:
    """Frames in a folder that are left from another, longer film."""
    known = {frame_name(number) for number in range(1, count + 1)}
    return sorted(path for path in folder.glob(_FRAMES) if path.name not in known)
