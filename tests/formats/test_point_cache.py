"""Point caches, read back field by field as their formats are described."""

import struct
from pathlib import Path

import numpy as np
import pytest

from facewright.errors import UnknownFormat
from facewright.formats.point_cache import save_point_cache

FRAMES = np.random.default_rng(1).normal(size=(5, 7, 3))
TIMES = 0.5 + np.arange(5) / 24


def written(path: Path) -> bytes:
    save_point_cache(path, TIMES, iter([FRAMES[:2], FRAMES[2:]]), vertices=7)
    return path.read_bytes()


def test_pc2_is_little_endian_with_a_header_of_32_bytes(tmp_path: Path) -> None:
    data = written(tmp_path / "face.pc2")
    assert data[:12] == b"POINTCACHE2\0"
    assert struct.unpack("<ii", data[12:20]) == (1, 7)
    assert struct.unpack("<ff", data[20:28]) == (0, 1)
    assert struct.unpack("<i", data[28:32]) == (5,)
    assert struct.unpack("<105f", data[32:]) == pytest.approx(FRAMES.ravel().tolist(), rel=1e-6)


def test_mdd_is_big_endian_with_the_time_of_each_frame(tmp_path: Path) -> None:
    data = written(tmp_path / "face.mdd")
    assert struct.unpack(">ii", data[:8]) == (5, 7)
    assert struct.unpack(">5f", data[8:28]) == pytest.approx(TIMES.tolist())
    assert struct.unpack(">105f", data[28:]) == pytest.approx(FRAMES.ravel().tolist(), rel=1e-6)


def test_npz_has_times_and_positions(tmp_path: Path) -> None:
    written(tmp_path / "face.npz")
    with np.load(tmp_path / "face.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["times"], TIMES)
        np.testing.assert_array_equal(found["positions"], FRAMES.astype(np.float32))


def test_another_suffix_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match=r"\.pc2, \.mdd or \.npz"):
        written(tmp_path / "face.abc")
    assert not list(tmp_path.iterdir())
