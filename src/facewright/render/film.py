"""Films of clips."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Literal, Unpack

from numpy.typing import ArrayLike

from facewright.document import Document
from facewright.formats.registry import save
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.render.clip_renderer import ClipRenderer
from facewright.render.face_renderer import FaceOptions
from facewright.render.film_files import film_writer
from facewright.render.film_parts import Resumable
from facewright.render.film_sound import film_sound
from facewright.rig.rig import Rig


@suggests_options
def film(
    face: Rig | Document,
    clip: Clip | str,
    path: str | PathLike[str],
    *,
    rate: float | None = None,
    head: bool = True,
    look: ArrayLike | Literal["camera"] | None = None,
    progress: Callable[[int, int], bool | None] | None = None,
    **options: Unpack[FaceOptions],
) -> int:
    """Draw a clip into a .mp4 or .gif file, or into a folder of PNG files; returns the number of frames written.

    A .mp4 file has the document's sound, where it has one that is not muted.

    rate, head, look and options: as for `ClipRenderer`.
    progress: called with the number of frames written and their total; False stops, and leaves a shorter film.
    """
    drawn = ClipRenderer(face, clip, rate=rate, head=head, look=look, **options)
    return write_film(drawn, Path(path), sound=film_sound(drawn.document, drawn.frames), progress=progress)


def write_film(
    drawn: ClipRenderer,
    path: Path,
    *,
    sound: bytes = b"",
    resume: Resumable | None = None,
    progress: Callable[[int, int], bool | None] | None = None,
) -> int:
    """Draw and write all frames; returns the number of those that are there, with `resume` also from before.

    progress: as for `film`; it is called before the first frame, too. Where it stops a film that can be resumed, what
    is drawn is kept instead of a shorter film.
    """
    total = len(drawn)
    preview = drawn.preview() if path.suffix.lower() == ".gif" else []
    with film_writer(path, drawn.frames.rate, preview=preview, sound=sound, resume=resume) as write:
        done = write.first
        with closing(drawn.packed(write.pack, done)) as frames:
            while progress is None or progress(done, total) is not False:
                frame = next(frames, None)
                if frame is None:
                    break
                write.add(frame)
                done += 1
    return done


def resumable(drawn: ClipRenderer, *inputs: object) -> Resumable:
    """What tells a film from all others: its document, its moments, and all else that its pictures depend on."""
    found = hashlib.sha256()
    written = BytesIO()
    save(drawn.document, written, format="fwface")
    for part in (written.getvalue(), drawn.frames.times.tobytes(), repr(drawn.frames.rate).encode()):
        found.update(hashlib.sha256(part).digest())
    for one in inputs:
        found.update(hashlib.sha256(one if isinstance(one, bytes) else repr(one).encode()).digest())
    return Resumable(found.hexdigest(), len(drawn))
