"""Takes of markers: what is written comes back, what is broken is told in words, and what is left of it is used."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facewright.errors import BadFile, FacewrightError, UnknownFormat
from facewright.formats.takes import load_take, save_take
from facewright.motion.take import Take


def a_take(frames: int = 12) -> Take:
    rng = np.random.default_rng(4)
    positions = rng.uniform(-12, 12, size=(frames, 5, 3))
    positions[2:5, 1] = np.nan
    positions[7] = np.nan
    return Take(("Chin", "Nose tip", "Mouth_Lend", "*4", "brow.R"), positions, 120.0, "cm", "take")


@pytest.mark.parametrize(("suffix", "error"), [(".csv", 0), (".trc", 0), (".c3d", 1e-6)])
def test_a_take_comes_back_as_it_was_written(tmp_path: Path, suffix: str, error: float) -> None:
    take = a_take()
    save_take(take, tmp_path / f"take{suffix}")
    back = load_take(tmp_path / f"take{suffix}")
    assert back.names == take.names
    assert (back.rate, back.unit) == (120.0, "cm")
    np.testing.assert_array_equal(back.seen, take.seen)
    np.testing.assert_allclose(back.positions, take.positions, rtol=error, atol=0)


def test_c3d_is_read_by_an_independent_library_as_we_wrote_it(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    take = a_take()
    save_take(take, tmp_path / "take.c3d")
    other = ezc3d.c3d(str(tmp_path / "take.c3d"))
    assert tuple(other["parameters"]["POINT"]["LABELS"]["value"]) == take.names
    assert other["parameters"]["POINT"]["UNITS"]["value"] == ["cm"]
    assert other["parameters"]["POINT"]["RATE"]["value"][0] == 120.0
    np.testing.assert_allclose(other["data"]["points"][:3].transpose(2, 1, 0), take.positions, rtol=1e-6)


def test_we_read_a_c3d_file_of_an_independent_library(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    take, file = a_take(), ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [120.0]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["LABELS"]["value"] = [f"Alex:{name}" for name in take.names]
    points = np.ones((4, 5, 12))
    points[:3] = take.positions.transpose(2, 1, 0)
    file["data"]["points"] = points
    file.write(str(tmp_path / "take.c3d"))
    back = load_take(tmp_path / "take.c3d")
    assert (back.rate, back.unit, back.names[0]) == (120.0, "mm", "Alex:Chin")
    np.testing.assert_array_equal(back.seen, take.seen)
    np.testing.assert_allclose(back.positions, take.positions, rtol=1e-6)


def test_a_c3d_file_that_ends_early_gives_its_whole_frames_and_says_so(tmp_path: Path) -> None:
    take = a_take(frames=200)
    save_take(take, tmp_path / "whole.c3d")
    data = (tmp_path / "whole.c3d").read_bytes()
    (tmp_path / "cut.c3d").write_bytes(data[: len(data) - 60 * 5 * 16])
    cut = load_take(tmp_path / "cut.c3d")
    assert 100 < len(cut) < 200
    assert f"{len(cut)} of 200 frames are there" in cut.notes[0]
    np.testing.assert_allclose(cut.positions, take.positions[: len(cut)], rtol=1e-6)


def read_or_told(path: Path) -> bool:
    """Whether a file gives a take with frames, or a message that names the file."""
    try:
        return len(load_take(path)) > 0
    except FacewrightError as problem:
        return path.name in str(problem)


def test_no_cut_of_a_c3d_file_ends_in_anything_but_words(tmp_path: Path) -> None:
    save_take(a_take(), tmp_path / "whole.c3d")
    data = (tmp_path / "whole.c3d").read_bytes()
    for length in range(0, len(data), 173):
        (tmp_path / "cut.c3d").write_bytes(data[:length])
        assert read_or_told(tmp_path / "cut.c3d")


def test_bytes_that_were_changed_end_in_words_or_in_a_take(tmp_path: Path) -> None:
    save_take(a_take(), tmp_path / "whole.c3d")
    data = (tmp_path / "whole.c3d").read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(150):
        broken = bytearray(data)
        for at in rng.integers(0, 2048, size=4):
            broken[at] = rng.integers(256)
        (tmp_path / "broken.c3d").write_bytes(broken)
        assert read_or_told(tmp_path / "broken.c3d")


def test_a_frame_column_in_parts_of_film_frames_is_sixty_a_second(tmp_path: Path) -> None:
    rows = "".join(f"{0.4 * i:.1f},{i},1,2\n" for i in range(10))
    (tmp_path / "t.csv").write_text("frame,Chin_x,Chin_y,Chin_z\n" + rows)
    take = load_take(tmp_path / "t.csv")
    assert take.rate == 60.0
    assert "60 frames a second" in take.notes[0]
    assert load_take(tmp_path / "t.csv", rate=30).rate == 75.0


def test_rows_that_are_missing_are_frames_without_markers(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("time,a x,a y,a z\n0,1,1,1\n0.1,2,2,2\n0.2,2,2,2\n0.5,3,3,\n0.6,4,4,4\n")
    take = load_take(tmp_path / "t.csv")
    assert take.rate == pytest.approx(10)
    assert take.seen[:, 0].tolist() == [True, True, True, False, False, False, True]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("frame,a,b\n0,1,2\n", "load_clip"),
        ("a_x,a_y,a_z\n1,2,3\n", "no column time or frame"),
        ("time,a_x,a_y,a_z\n0,1,two,3\n", "row 2, column 'a_y'"),
        ("time,a_x,a_y,a_z\n0,1,2,3\n0,1,2,3\n", "does not come after"),
        ("time,a_x,a_y,a_z\n", "no row"),
        ("time,a_x,a_y,a_z\n0,1,2,3\n0.01,1,2,3\n0.02,1,2,3\n1e9,1,2,3\n", "leap"),
    ],
)
def test_a_table_that_is_no_take_is_refused_in_words(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(BadFile, match=word):
        load_take(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda t: t.replace("PathFileType", "Something"), "PathFileType"),
        (lambda t: t.replace("\tcm\t", "\tcubits\t"), "cubits"),
        (lambda t: t.replace("120\t120", "fast\t120"), "DataRate"),
        (lambda t: t.replace("Nose tip", "Chin"), "two markers"),
        (lambda t: "\n".join(t.splitlines()[:6]), "no whole row"),
    ],
)
def test_a_trc_file_that_is_wrong_is_refused_in_words(tmp_path: Path, change: Callable[..., Any], word: str) -> None:
    save_take(a_take(), tmp_path / "t.trc")
    (tmp_path / "t.trc").write_text(change((tmp_path / "t.trc").read_text()))
    with pytest.raises(BadFile, match=word):
        load_take(tmp_path / "t.trc")


def test_a_trc_file_that_ends_early_gives_its_whole_rows_and_says_so(tmp_path: Path) -> None:
    save_take(a_take(), tmp_path / "t.trc")
    text = (tmp_path / "t.trc").read_text().rstrip("\n")
    (tmp_path / "t.trc").write_text(text[: text.rindex("\n") + 20])
    take = load_take(tmp_path / "t.trc")
    assert len(take) == 11
    assert any("12 frames, but there are 11" in note for note in take.notes)


def test_other_suffixes_are_refused_with_those_that_are_known(tmp_path: Path) -> None:
    (tmp_path / "t.bvh").write_text("x")
    with pytest.raises(UnknownFormat, match=r"\.c3d, \.trc, \.csv"):
        load_take(tmp_path / "t.bvh")


def test_what_the_file_says_wrongly_can_be_said_better(tmp_path: Path) -> None:
    save_take(replace(a_take(), unit="m"), tmp_path / "t.trc")
    take = load_take(tmp_path / "t.trc", unit="cm", rate=60.0)
    assert (take.unit, take.rate) == ("cm", 60.0)


def test_the_real_takes_are_41_markers_at_60_a_second_in_centimetres(shared_data: Path) -> None:
    for name, frames in (("JawMoCap", 1590), ("EyebrowsMoCap", 902)):
        take = load_take(shared_data / "mocap_markers" / f"{name}.csv")
        assert (len(take), len(take.names), take.rate, take.unit) == (frames, 41, 60.0, "cm")
        assert take.seen.all()
