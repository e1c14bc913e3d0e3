"""GIF films: one palette for all frames, and a fixed dither pattern, so that nothing flickers."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.spatial import cKDTree

from facewright.arrays import Floats
from facewright.errors import BadValue, MissingExtra
from facewright.formats.files import replacing
from facewright.render.frame_writer import FrameWriter
from facewright.render.oklab import lab_of_linear
from facewright.render.tone import Bytes, dither, to_linear

_CELLS = 64  # along each side of the table from colours to the palette
_SPREAD = 10  # levels over which neighbouring pixels alternate between two colours of the palette
_LOOK = 120_000  # pixels from which the palette is made


@contextmanager
def writing_gif(path: Path, rate: float, preview: Sequence[Bytes] = ()) -> Iterator[FrameWriter]:
    """Writes a GIF that repeats for ever."""
    _pillow()
    with replacing(path) as file:
        writer = _Writer(file, rate, preview)
        yield FrameWriter(writer.add)
        writer.finish()


class _Writer:
    def __init__(self, file: BinaryIO, rate: float, preview: Sequence[Bytes]) -> None:
        self._file, self._rate, self._preview = file, rate, preview
        self._palette: _Palette | None = None
        self._before: Bytes | None = None
        self._shown = 0  # frames written so far

    def add(self, frame: Bytes) -> None:
        """Write the next frame."""
        if self._palette is None:
            self._palette = _Palette(self._preview or [frame])
            self._begin(frame.shape)
        chosen = self._palette.chosen(frame)
        if self._before is not None and chosen.shape != self._before.shape:
            raise BadValue(f"the frames of a film are of one size; {chosen.shape} is not {self._before.shape}")
        self._write(chosen)
        self._before = chosen

    def finish(self) -> None:
        """Write the end of the file."""
        if self._before is None:
            raise BadValue("a GIF needs at least one frame")
        self._file.write(b";")

    def _begin(self, shape: tuple[int, ...]) -> None:
        assert self._palette is not None
        height, width = shape[:2]
        if max(height, width) > 65535:
            raise BadValue(f"a GIF has at most 65535 pixels across, not {max(height, width)}")
        # 0xF7: a palette of 2^8 colours for all frames, 8 bits a channel.
        self._file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0))
        self._file.write(self._palette.colors.tobytes())
        self._file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def _write(self, chosen: Bytes) -> None:
        """Write one frame: the box in which it differs from the one before."""
        top, bottom, left, right = _changed(chosen, self._before)
        box = _pillow().frombytes("P", (right - left, bottom - top), chosen[top:bottom, left:right].tobytes())
        for piece in _encoded(box, (left, top), self._delay()):
            self._file.write(piece)
        self._shown += 1

    def _delay(self) -> int:
        """Hundredths of a second for the next frame, such that no frame is late by more than half of one."""
        start, stop = (round(100 * count / self._rate) for count in (self._shown, self._shown + 1))
        return max(stop - start, 1)


class _Palette:
    """256 colours, and the nearest of them for every colour."""

    def __init__(self, frames: Sequence[Bytes]) -> None:
        pixels = np.concatenate([frame.reshape(-1, 3) for frame in frames])
        pixels = pixels[:: max(len(pixels) // _LOOK, 1)]
        strip = _pillow().frombytes("RGB", (len(pixels), 1), pixels.tobytes())
        found = strip.quantize(256, kmeans=3).getpalette() or []
        colors = np.array(found, np.uint8).reshape(-1, 3)
        self.colors = np.concatenate([colors, np.zeros((256 - len(colors), 3), np.uint8)])
        middles = (np.arange(_CELLS) + 0.5) * (256 / _CELLS)
        cells = np.stack(np.meshgrid(middles, middles, middles, indexing="ij"), axis=-1).reshape(-1, 3)
        self._table = np.asarray(cKDTree(_seen(colors)).query(_seen(cells))[1], np.uint8)

    def chosen(self, frame: Bytes) -> Bytes:
        """Indices (h, w) into the palette."""
        height, width, _ = frame.shape
        grain = np.tile(dither(3) - 0.5, (height // 8 + 1, width // 8 + 1))[:height, :width, None]
        cells = np.clip(frame + _SPREAD * grain, 0, 255.9).astype(np.int32) // (256 // _CELLS)
        at = (cells[..., 0] * _CELLS + cells[..., 1]) * _CELLS + cells[..., 2]
        return np.asarray(self._table.take(at))


def _seen(colors: Floats | Bytes) -> Floats:
    """Colours (n, 3), 0 to 255, in a space in which distances are visible differences."""
    return lab_of_linear(to_linear(np.asarray(colors, np.float64) / 255))


def _changed(now: Bytes, before: Bytes | None) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of what differs; one pixel if nothing does."""
    if before is None:
        return 0, now.shape[0], 0, now.shape[1]
    rows, columns = np.nonzero(now != before)
    if not len(rows):
        return 0, 1, 0, 1
    return int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1


def _encoded(image: Any, corner: tuple[int, int], delay: int) -> list[bytes]:
    from PIL.GifImagePlugin import getdata

    return list(getdata(image, offset=corner, duration=10 * delay, disposal=1))  # 1: the picture before stays


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("writing a GIF", "pillow", "render") from None
    return Image
