"""The points of C3D files: as two other packages read them, on three processors, whatever other groups hold."""

import io
import struct
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.formats.c3d_files import C3DFile

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue
from facewright.formats.takes import load_take, save_take
from facewright.formats.takes.c3d_parameters import BLOCK, DEC, INTEL, MIPS
from facewright.motion.take import Take

NAMES = ("Chin", "NoseTip", "Brow_R")


def coordinates(frames: int = 9) -> Floats:
    """Whole multiples of 1/64, so that integers and floats hold them exactly; some are gaps."""
    positions = np.random.default_rng(3).integers(-9000, 9000, (frames, len(NAMES), 3)) / 64
    positions[2:4, 1] = np.nan
    return positions


def of_package(data: bytes) -> tuple[tuple[str, ...], Floats]:
    """Labels and positions (frames, k, 3), by the package c3d."""
    c3d = pytest.importorskip("c3d")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = c3d.Reader(io.BytesIO(data))
        points = np.array([found[:, :4] for _, found, _ in reader.read_frames()], float)
    points[points[:, :, 3] < 0] = np.nan
    return tuple(label.strip() for label in reader.point_labels), points[:, :, :3]


def assert_read(data: bytes, positions: Floats) -> None:
    take = load_take(data)
    assert (take.names, take.rate, take.unit) == (NAMES, 120.0, "mm")
    np.testing.assert_array_equal(take.positions, positions)


@pytest.mark.parametrize("scale", [-1.0, 1 / 64])
@pytest.mark.parametrize("processor", [INTEL, DEC, MIPS])
def test_integers_and_floats_of_three_processors_are_read_as_the_package_reads_them(
    processor: int, scale: float
) -> None:
    file = C3DFile(NAMES, coordinates(), processor=processor, scale=scale)
    file.analog, file.samples = 6, 2
    data = file.data()
    labels, positions = of_package(data)
    assert labels == NAMES
    np.testing.assert_array_equal(positions, coordinates())
    assert_read(data, positions)


def test_a_file_that_the_package_wrote_is_read_as_the_package_reads_it() -> None:
    c3d = pytest.importorskip("c3d")
    writer = c3d.Writer(point_rate=120.0, point_units="mm  ")
    writer.set_point_labels(list(NAMES))
    writer.set_analog_labels([""])
    points = np.zeros((9, len(NAMES), 5), np.float32)
    points[:, :, :3] = np.nan_to_num(coordinates())
    points[np.isnan(coordinates()[:, :, 0]), 3:] = -1
    writer.add_frames([(frame, np.zeros((0, 0))) for frame in points])
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writer.write(stream)
    assert_read(stream.getvalue(), coordinates())


def test_what_we_write_the_package_reads() -> None:
    stream = io.BytesIO()
    save_take(Take(NAMES, coordinates(), 120.0, "mm"), stream, format="c3d")
    labels, positions = of_package(stream.getvalue())
    assert labels == NAMES
    np.testing.assert_array_equal(positions, coordinates())


def _doubled(file: C3DFile) -> None:
    file.more = file.real(2, "RATE", 7.0) + file.texts(1, "LABELS", ["other"]) + file.group(2, "ANALOG")


def _scalar_scale(file: C3DFile) -> None:
    file.analog, file.samples = 4, 1
    file.more = file.real(2, "SCALE", 1.0) + file.number(2, "OFFSET", 0)


def _odd_analog(file: C3DFile) -> None:
    file.analog, file.samples, file.header_analog = 4, 2, 3


def _unknown_type(file: C3DFile) -> None:
    file.more = file.group(9, "EXTRA") + file.entry(9, "DOUBLE", 8, (), struct.pack("<d", 1.0))


def _torn_chain(file: C3DFile) -> None:
    file.more = file.group(9, "EXTRA") + bytes((4, 9)) + b"TORN" + file.integers(60000)


@pytest.mark.parametrize("breakage", [_doubled, _scalar_scale, _odd_analog, _unknown_type, _torn_chain])
def test_points_are_read_where_other_groups_are_broken(breakage: Callable[[C3DFile], None]) -> None:
    file = C3DFile(NAMES, coordinates())
    breakage(file)
    assert_read(file.data(), coordinates())


def test_a_file_without_points_says_so() -> None:
    file = C3DFile((), np.zeros((9, 0, 3)))
    with pytest.raises(BadFile, match="has no points; a take"):
        load_take(file.data())
    file.analog, file.samples = 6, 2
    with pytest.raises(BadFile, match="has no points, only analog channels"):
        load_take(file.data())


def test_a_rate_that_is_given_replaces_one_that_is_missing() -> None:
    data = bytearray(C3DFile(NAMES, coordinates()).data())
    data[20:24] = bytes(4)
    at = data.index(b"RATE") + 8  # the value after name, distance, type and dimensions
    data[at : at + 4] = bytes(4)
    with pytest.raises(BadFile, match="frames a second"):
        load_take(bytes(data))
    assert load_take(bytes(data), rate=60.0).rate == 60.0


def test_labels_that_are_missing_or_repeated_become_numbers_that_nobody_has() -> None:
    file = C3DFile(("same", "same", "*1", ""), np.ones((3, 4, 3)))
    assert load_take(file.data()).names == ("same", "*1'", "*1", "*3")


def test_more_markers_than_a_parameter_and_more_frames_than_16_bits_come_back(tmp_path: Path) -> None:
    many = Take(tuple(f"m{i}" for i in range(600)), np.ones((2, 600, 3)), 60.0, "mm")
    save_take(many, tmp_path / "many.c3d")
    assert load_take(tmp_path / "many.c3d").names == many.names
    long = replace(many, names=("a",), positions=np.arange(210_000.0).reshape(-1, 1, 3) + 1)
    save_take(long, tmp_path / "long.c3d")
    np.testing.assert_array_equal(load_take(tmp_path / "long.c3d").positions, long.positions)


def test_more_names_than_the_parameters_have_room_for_are_refused(tmp_path: Path) -> None:
    names = tuple(f"{i:0120d}" for i in range(1200))
    with pytest.raises(BadValue, match="no room for the names of 1200 markers; TRC"):
        save_take(Take(names, np.ones((1, 1200, 3)), 60.0, "mm"), tmp_path / "t.c3d")


@pytest.mark.parametrize("cut", [BLOCK, BLOCK + 3, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 40])
def test_a_file_cut_before_its_first_frame_is_refused(cut: int) -> None:
    with pytest.raises(BadFile, match=r"ends before its first frame|no points"):
        load_take(C3DFile(NAMES, coordinates()).data()[:cut], format="c3d")
