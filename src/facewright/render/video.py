"""Videos, written by the ffmpeg that comes with imageio-ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np

from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.formats.files import replacing
from facewright.render.tone import Bytes

_FINE = 14  # constant rate factor of x264: 0 is lossless, 23 is its default
# The colour space that screens and players assume, also written into the file.
_COLORS = ["-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int"]
_COLORS += ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-color_range", "tv"]


@contextmanager
def writing_video(path: Path, rate: float, sound: bytes = b"") -> Iterator[Callable[[Bytes], None]]:
    """Writes an H.264 video in an MP4 file, which every player and browser shows, with a WAV file as its AAC sound."""
    program = ffmpeg()
    with tempfile.TemporaryDirectory(prefix="facewright-") as folder:
        if sound:
            (Path(folder) / "sound.wav").write_bytes(sound)
        encoder = _Encoder(program, Path(folder) / "film.mp4", rate, has_sound=bool(sound))
        try:
            yield encoder.add
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


class _Encoder:
    """An ffmpeg process that encodes raw frames."""

    def __init__(self, program: str, path: Path, rate: float, *, has_sound: bool) -> None:
        self.path, self._program, self._rate = path, program, Fraction(rate).limit_denominator(10_000)
        self._running: subprocess.Popen[bytes] | None = None
        self._shape: tuple[int, ...] = ()
        self._said = path.with_suffix(".txt")
        self._sound = path.with_name("sound.wav") if has_sound else None

    def add(self, frame: Bytes) -> None:
        """Encode the next frame."""
        if self._running is None:
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
        kept = ["-c:v", "libx264", "-crf", str(_FINE), "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        # A film that is stopped early is shorter than its sound.
        heard = [] if self._sound is None else ["-i", str(self._sound)]
        if self._sound is not None:
            kept += ["-c:a", "aac", "-b:a", "192k", "-shortest"]
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


def _even(frame: Bytes) -> Bytes:
    """The frame with its last row or column doubled if their number is odd: colour is stored for pairs of pixels."""
    height, width, _ = frame.shape
    return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
