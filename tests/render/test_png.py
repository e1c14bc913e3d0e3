import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from facewright.errors import BadValue
from facewright.render import png_bytes, write_png


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (7, 5, 3), (1, 9, 4), (33, 1, 3), (40, 64, 4)])
@pytest.mark.parametrize("kind", ["noise", "ramp", "flat"])
def test_another_decoder_reads_back_every_byte(shape: tuple[int, ...], kind: str) -> None:
    rng = np.random.default_rng(6)
    noise = rng.integers(0, 256, shape, dtype=np.uint8)
    ramp = np.broadcast_to((np.arange(shape[1]) * 3).astype(np.uint8).reshape(1, -1, *[1] * (len(shape) - 2)), shape)
    picture = {"noise": noise, "ramp": ramp, "flat": np.full(shape, 9, np.uint8)}[kind]
    read = Image.open(io.BytesIO(png_bytes(picture)))
    read.verify()
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(png_bytes(picture)))), picture)


def test_every_filter_of_the_standard_is_used_and_undone() -> None:
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 256, (40, 3)), np.cumsum(rng.integers(0, 2, (40, 3)), axis=0)]
    rows += [rows[-1] + 100, (rows[0] + rows[1]) // 2, rows[0] * 0]
    picture = np.concatenate([np.stack(rows), np.add.outer(np.arange(9), np.arange(40))[:, :, None] * [5, 3, 2]]) % 256
    picture = picture.astype(np.uint8)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(png_bytes(picture)))), picture)


def test_a_smooth_picture_is_written_smaller_than_its_bytes(tmp_path: Path) -> None:
    ramp = np.add.outer(np.arange(100), np.arange(100))[:, :, None] + [0, 20, 40]
    write_png(tmp_path / "ramp.png", ramp.astype(np.uint8))
    assert (tmp_path / "ramp.png").stat().st_size < 30_000 / 20


@pytest.mark.parametrize("bad", [np.zeros((4, 4, 2), np.uint8), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_what_is_not_a_picture_is_refused(bad: Any) -> None:
    with pytest.raises(BadValue, match="bytes"):
        png_bytes(bad)
