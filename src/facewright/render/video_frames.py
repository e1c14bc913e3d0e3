"""The frames of a video at given moments, read by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import IO

import numpy as np

from facewright.errors import BadFile
from facewright.reference.container import container_of
from facewright.reference.media_file import MediaFile
from facewright.render.tone import Bytes
from facewright.render.video import ffmpeg

_HEAD = 64  # bytes
_MOST_PIXELS = 1 << 26
_SAME = 1e-6  # seconds


class VideoFrames:
    """A video of which frames are asked for, one after the other at some rate, or at any moment.

    rate: frames a second at which most are asked for. tallest: pixels; a larger video is made as tall as this.
    """

    def __init__(self, file: MediaFile, rate: float, tallest: int) -> None:
        found = container_of(file.data[:_HEAD])
        if found is None or found.kind != "video":
            raise BadFile(f"{file.name} is no video")
        self._name, self._demuxer, self._rate, self._tallest = file.name, found.demuxer, rate, max(tallest, 2)
        folder = tempfile.mkdtemp(prefix="facewright-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._path = Path(folder) / "video"
        self._path.write_bytes(file.data)
        self._running: subprocess.Popen[bytes] | None = None
        self._next = np.inf  # second of the frame that comes next
        self._last: Bytes | None = None

    def __call__(self, second: float) -> Bytes:
        """The frame (h, w, 3) that is shown at a second of the video; before the first and after the last: these."""
        if self._running is None or abs(second - self._next) > _SAME:
            self._start(second)
        assert self._running is not None
        assert self._running.stdout is not None
        frame = _read_ppm(self._running.stdout)
        self._next = second + 1 / self._rate
        self._last = self._last if frame is None else frame
        if self._last is None:
            raise BadFile(f"{self._name}: ffmpeg reads no frame of it")
        return self._last

    def _start(self, second: float) -> None:
        self._stop()
        # A frame is shown from its time on, until the next one.
        frames = f"fps=fps={self._rate:.9g}:start_time={second:.9g}:round=up"
        words = [ffmpeg("Drawing a video"), "-v", "error", "-nostdin", "-protocol_whitelist", "file,pipe"]
        words += [
            "-f",
            self._demuxer,
            "-i",
            str(self._path),
            "-an",
            "-vf",
            f"{frames},scale=-2:'min({self._tallest},ih)'",
        ]
        words += ["-f", "image2pipe", "-c:v", "ppm", "-"]
        self._running = subprocess.Popen(  # noqa: S603
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        weakref.finalize(self, _end, self._running)

    def _stop(self) -> None:
        if self._running is not None:
            _end(self._running)
        self._running = None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def _read_ppm(stream: IO[bytes]) -> Bytes | None:
    """The next picture (h, w, 3) of a stream of PPM files; None at its end."""
    if stream.readline() != b"P6\n":
        return None
    width, height = (int(word) for word in stream.readline().split())
    stream.readline()  # the largest level, 255
    if width * height > _MOST_PIXELS:
        raise BadFile(f"a video of {width} x {height} pixels is too large to draw")
    data = stream.read(3 * width * height)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3) if len(data) == 3 * width * height else None
