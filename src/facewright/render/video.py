"""Videos, written by the ffmpeg that comes with imageio-ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np

from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.formats.files import replacing
from facewright.jobs.interrupts import signals_later
from facewright.render.frame_writer import FrameWriter
from facewright.render.tone import Bytes

_FINE = 14  # constant rate factor of x264: 0 is lossless, 23 is its default
_PRESET = "veryfast"  # at this rate factor as small and as near as x264's default, in 0.4 of its time
_HEARD = ["-c:a", "aac", "-b:a", "192k", "-shortest"]
# The colour space that screens and players assume, also written into the file.
_COLORS = ["-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int"]
_COLORS += ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-color_range", "tv"]


@contextmanager
def writing_video(path: Path, rate: float, sound: bytes = b"") -> Iterator[FrameWriter]:
    """Writes an H.264 video in an MP4 file, which every player and browser shows, with a WAV file as its AAC sound."""
    program = ffmpeg()
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        encoder = Encoder(program, Path(folder) / "film.mp4", rate, sound=_sound_file(Path(folder), sound))
        try:
            yield FrameWriter(encoder.add)
        except BaseException:
            encoder.kill()
            raise
        encoder.finish()
        with replacing(path) as file, encoder.path.open("rb") as made:
            shutil.copyfileobj(made, file)


def ffmpeg(what: str = "Writing a video") -> str:
    """The path of the ffmpeg program: the one of imageio-ffmpeg, else one that is installed."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        found = shutil.which("ffmpeg")
        if found is None:
            raise MissingExtra(what, "imageio-ffmpeg", "render") from None
        return found


class Encoder:
    """An ffmpeg process that encodes raw frames."""

    def __init__(
        self, program: str, path: Path, rate: float, *, sound: Path | None = None, ordered: bool = False
    ) -> None:
        """ordered: every frame is stored in its turn, so that videos can be joined."""
        self.path, self._program, self._rate = path, program, Fraction(rate).limit_denominator(10_000)
        self._running: subprocess.Popen[bytes] | None = None
        self._shape: tuple[int, ...] = ()
        self._said = path.with_suffix(".txt")
        self._sound, self._ordered = sound, ordered

    def add(self, frame: Bytes) -> None:
        """Encode the next frame."""
        if self._running is None:
            with signals_later():
                self._running, self._shape = self._start(frame), frame.shape
        if frame.shape != self._shape:
            raise BadValue(f"the frames of a film are of one size; {frame.shape} is not {self._shape}")
        assert self._running.stdin is not None
        try:
            self._running.stdin.write(_even(frame).tobytes())
        except BrokenPipeError:
            self._fail()

    def finish(self) -> None:
        """Complete the file."""
        if self._running is None:
            raise BadValue("a video needs at least one frame")
        self._running.communicate()
        if self._running.returncode != 0:
            self._fail()

    def kill(self) -> None:
        """Stop the process and discard the file."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()

    def _start(self, frame: Bytes) -> subprocess.Popen[bytes]:
        height, width, _ = _even(frame).shape
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(self._rate), "-i", "-"]
        kept = ["-c:v", "libx264", "-preset", _PRESET, "-crf", str(_FINE), "-pix_fmt", "yuv420p"]
        kept += ["-bf", "0"] if self._ordered else ["-movflags", "+faststart"]
        # A film that is stopped early is shorter than its sound.
        heard = [] if self._sound is None else ["-i", str(self._sound)]
        if self._sound is not None:
            kept += _HEARD
        words = [self._program, "-v", "error", "-nostdin", "-y", *raw, *heard, *_COLORS, *kept, str(self.path)]
        # A session of its own, because Ctrl-C is meant for us; we then close its input.
        with self._said.open("wb") as said:
            return subprocess.Popen(  # noqa: S603
                words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True
            )

    def _fail(self) -> None:
        self.kill()
        said = self._said.read_text("utf8", "replace").strip().splitlines()
        raise BadFile(f"ffmpeg could not make the video: {said[-1] if said else 'it gave no reason'}")


def join_videos(program: str, parts: Sequence[Path], folder: Path, sound: bytes = b"") -> Path:
    """Videos, whose frames are stored in their turn, one after the other as one in the folder, with a sound."""
    listed, made, heard = folder / "parts.txt", folder / "film.mp4", _sound_file(folder, sound)
    listed.write_text("".join(f"file '{part.name}'\n" for part in parts), encoding="utf8")
    words = [program, "-v", "error", "-nostdin", "-y", "-f", "concat", "-safe", "0", "-i", str(listed)]
    words += [] if heard is None else ["-i", str(heard)]
    words += ["-c:v", "copy", *([] if heard is None else _HEARD), "-movflags", "+faststart", str(made)]
    done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL)  # noqa: S603
    if done.returncode != 0:
        said = done.stderr.decode("utf8", "replace").strip().splitlines()
        raise BadFile(f"ffmpeg could not join the parts of the video: {said[-1] if said else 'it gave no reason'}")
    return made


def _sound_file(folder: Path, sound: bytes) -> Path | None:
    """A WAV file in a folder; None where there is no sound."""
    if not sound:
        return None
    path = folder / "sound.wav"
    path.write_bytes(sound)
    return path


def _even(frame: Bytes) -> Bytes:
    """The frame with its last row or column doubled if their number is odd: colour is stored for pairs of pixels."""
    height, width, _ = frame.shape
    return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
