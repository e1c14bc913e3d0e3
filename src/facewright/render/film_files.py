"""Pictures in a row, written as they come: a folder of PNG files, a video, or a GIF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from facewright.errors import BadValue, UnknownFormat
from facewright.formats.files import write_atomically
from facewright.render.gif import writing_gif
from facewright.render.png import png_bytes
from facewright.render.tone import Bytes
from facewright.render.video import writing_video

Add = Callable[[Bytes], None]
FILMS = ("a folder such as frames/", ".mp4", ".gif")


def is_folder(path: Path) -> bool:
    """Whether a path means a folder of frames: one that is there, or a name without an ending."""
    return path.is_dir() or not path.suffix


def film_writer(path: Path, rate: float, *, preview: Sequence[Bytes] = ()) -> AbstractContextManager[Add]:
    """What takes frames (h, w, 3), all of one size, and writes them to `path`, shown at `rate` a second.

    Stopping early leaves a whole, shorter film; an error leaves what was there before.
    preview: some of the frames, small if need be, from which a GIF takes its 256 colours; without it, the first frame.
    """
    if not 0 < rate <= 1000:
        raise BadValue(f"a film has 1 to 1000 frames a second, not {rate:g}")
    if is_folder(path):
        return writing_folder(path)
    if path.suffix.lower() == ".mp4":
        return writing_video(path, rate)
    if path.suffix.lower() == ".gif":
        return writing_gif(path, rate, preview)
    raise UnknownFormat(f"{path}: moving pictures are written as {', '.join(FILMS)}")


@contextmanager
def writing_folder(folder: Path) -> Iterator[Add]:
    """Frames as frame_0001.png and so on, each of them whole."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0

    def add(frame: Bytes) -> None:
        nonlocal count
        count += 1
        write_atomically(folder / frame_name(count), png_bytes(frame))

    yield add


def frame_name(number: int) -> str:
    return f"frame_{number:04d}.png"


def frames_beyond(folder: Path, count: int) -> list[Path]:
    """Frames in a folder that a film of so many has not written: they are of another one."""
    known = {frame_name(number) for number in range(1, count + 1)}
    return sorted(path for path in folder.glob("frame_*.png") if path.name not in known)
