"""Weight tables: times as the clock had them, values as they are, and what is wrong named by row and column."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.format_rigs import NAMES, assert_same_clip

from facewright.arrays import Floats
from facewright.errors import BadFile, BadValue, FacewrightError, UnknownFormat, UnknownName
from facewright.formats.clips import load_clip, save_clip
from facewright.formats.clips.csv import read_clip, write_clip
from facewright.formats.clips.livelink import ANGLES
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.rig.name_tables import LIVE_LINK
from facewright.rig.names import ARKIT

HEADER = "Timecode,BlendShapeCount,JawOpen,HeadYaw\n"
FREE = NAMES.filter(lambda name: name.strip().lower() not in {"time", "frame", "timecode", "blendshapecount"})


def test_a_real_recording_has_the_time_its_clock_says_its_rate_and_its_gaps(shared_data: Path) -> None:
    clip = load_clip(shared_data / "mocap_livelink" / "alex_rom_3.csv")
    assert (clip.name, clip.rate, clip.start) == ("alex_rom_3", 30.0, 0.0)
    assert tuple(clip.curves) == LIVE_LINK + ANGLES
    times = clip.curves["JawOpen"].times
    # 13:13:04 and 31.652 frames to 13:15:18 and 54.561 frames, of which 60 are a second
    assert times[-1] == pytest.approx(134 + (54.561 - 31.652) / 60, abs=1e-9)
    steps = np.diff(times)
    assert np.flatnonzero(steps > 0.05).tolist() == [595, 2124, 3618]
    np.testing.assert_allclose(steps[steps > 0.05], 2 / 30, atol=1e-4)
    np.testing.assert_allclose(steps[steps < 0.05], 1 / 30, atol=1e-4)
    assert max(curve.values.max() for curve in clip.curves.values()) > 1


def test_a_real_recording_written_again_is_the_same_file(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "mocap_livelink" / "alex_rom_3.csv"
    write_clip(load_clip(path), tmp_path / "again.csv", style="livelink", start="13:13:04:31.652")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


def test_a_real_recording_survives_a_plain_table(shared_data: Path, tmp_path: Path) -> None:
    clip = load_clip(shared_data / "mocap_livelink" / "alex_rom_3.csv")
    save_clip(clip, tmp_path / "alex_rom_3.csv")
    assert_same_clip(clip, load_clip(tmp_path / "alex_rom_3.csv"))


@settings(max_examples=50, deadline=None)
@given(
    names=st.lists(FREE, min_size=1, max_size=5, unique=True),
    steps=st.lists(st.integers(1, 10**6), min_size=0, max_size=20),
    seed=st.integers(0, 10**6),
)
def test_a_clip_with_a_key_in_every_row_survives_a_plain_table(
    names: list[str], steps: list[int], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("csv") / "take.csv"
    one = random_clip(names, np.cumsum([-7, *steps]) / 60_000, seed)
    save_clip(one, path)
    again = load_clip(path)
    assert again.rate == pytest.approx(one.rate, rel=1e-6)
    assert_same_clip(Clip("take", one.curves, again.rate), again)


@settings(max_examples=50, deadline=None)
@given(
    ticks=st.sampled_from([1000, 2000, 2002, 2400, 2500]),  # 60, 30, 29.97, 25 and 24 rows a second
    gaps=st.lists(st.sampled_from([1, 1, 1, 1, 2, 3]), min_size=0, max_size=90),
    seed=st.integers(0, 10**6),
)
def test_a_recording_with_drops_survives_a_live_link_table(
    ticks: int, gaps: list[int], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("csv") / "take.csv"
    one = random_clip([*LIVE_LINK, *ANGLES], np.cumsum([0, *gaps]) * ticks / 60_000, seed)
    write_clip(one, path, style="livelink", start="23:59:59:30.250")
    again = load_clip(path)
    assert again.rate == pytest.approx(one.rate, rel=1e-6)
    assert_same_clip(Clip("take", one.curves, again.rate), again)


@pytest.mark.parametrize(("clock", "step"), [(60, 2), (60, 1), (30, 1), (24, 1), (25, 1), (50, 1), (1000, 33)])
def test_the_clock_of_a_timecode_is_found_from_where_seconds_begin(clock: int, step: int, tmp_path: Path) -> None:
    frames = np.arange(0, 5 * clock, step)
    rows = "".join(f"00:00:{n // clock:02d}:{n % clock:02d},61,0.1,0\n" for n in frames if n % 7 != 3)
    assert load_clip(written(tmp_path, HEADER + rows)).rate == pytest.approx(clock / step)


def test_midnight_is_no_jump(tmp_path: Path) -> None:
    rows = "23:59:59:58.000,61,0,0\n00:00:00:00.000,61,1,0\n00:00:00:02.000,61,2,0\n"
    times = load_clip(written(tmp_path, HEADER + rows)).curves["JawOpen"].times
    np.testing.assert_allclose(times, [0, 2 / 60, 4 / 60], atol=1e-12)


@pytest.mark.parametrize("lost", ["00:00:01:02.000,0,,\n", "00:00:01:02.000,0\n", "00:00:01:02.000,61,,\n"])
def test_a_row_in_which_the_phone_lost_the_face_is_a_gap(lost: str, tmp_path: Path) -> None:
    rows = f"00:00:01:00.000,61,0.5,0\n{lost}00:00:01:04.000,61,0.7,0\n"
    curve = load_clip(written(tmp_path, HEADER + rows)).curves["JawOpen"]
    assert curve.values.tolist() == [0.5, 0.7]
    np.testing.assert_allclose(curve.times, [0, 4 / 60])


@pytest.mark.parametrize(
    "text",
    [
        "time,JawOpen,smile\n0,0.25,-1\n0.5,1.5,2\n",
        "\ufeffTime,JawOpen,smile\r\n0.0,0.25,-1\r\n\r\n0.5,1.5,2\r\n",
        "frame;time;JawOpen;smile\n0;0;0.25;-1\n1;0.5;1.5;2\n",
        "JawOpen\tsmile\ttime\n0.25\t-1\t0\n1.5\t2\t0.5\n",
        "time,JawOpen,smile,\n0,0.25,-1,\n0.5,1.5,2,\n",
    ],
)
def test_plain_tables_of_several_programs_mean_the_same(text: str, tmp_path: Path) -> None:
    clip = load_clip(written(tmp_path, text))
    assert clip.rate == 2.0
    assert clip.curves["JawOpen"].values.tolist() == [0.25, 1.5]
    assert clip.curves["smile"].values.tolist() == [-1, 2]
    assert clip.curves["smile"].times.tolist() == [0, 0.5]


def test_a_table_that_counts_frames_is_played_at_the_rate_given(tmp_path: Path) -> None:
    path = written(tmp_path, "frame,JawOpen\n10,0\n12,1\n")
    assert load_clip(path, rate=24).curves["JawOpen"].times.tolist() == [10 / 24, 12 / 24]
    assert load_clip(path).rate == 30.0


def test_curves_in_other_spellings_go_to_the_columns_of_a_phone_and_new_ones_after_them(tmp_path: Path) -> None:
    names = [ARKIT[0], "mouthSmile_L", "snarl", "HeadYaw"]
    clip = Clip.from_table("take", names, [0, 0.5], [[0.1, 0.2, 0.3, 0.4]] * 2)
    save_clip(clip, tmp_path / "take.csv", style="livelink")
    again = load_clip(tmp_path / "take.csv")
    assert tuple(again.curves) == (*LIVE_LINK, *ANGLES, "snarl")
    found = {name: curve.values[0] for name, curve in again.curves.items() if curve.values[0]}
    assert found == {"EyeBlinkLeft": 0.1, "MouthSmileLeft": 0.2, "HeadYaw": -0.4, "snarl": 0.3}


def test_straight_curves_with_keys_of_their_own_are_the_same_after_a_table(tmp_path: Path) -> None:
    curves = {"a": Curve([0, 1, 4], [0, 1, 0]), "b": Curve([0.5, 2], [1, -1])}
    save_clip(Clip("take", curves), tmp_path / "take.csv")
    again = load_clip(tmp_path / "take.csv")
    at = np.linspace(-1, 5, 50)
    for name, curve in curves.items():
        np.testing.assert_allclose(again.curves[name](at), curve(at), atol=1e-12)


def test_bent_curves_are_written_frame_by_frame(tmp_path: Path) -> None:
    clip = Clip("take", {"a": Curve([0, 1], [0, 1], "cubic")}, 24.0)
    save_clip(clip, tmp_path / "take.csv")
    again = load_clip(tmp_path / "take.csv")
    np.testing.assert_allclose(again.curves["a"].values, clip.curves["a"](np.arange(25) / 24), atol=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("time,a\n", "no row with values"),
        (HEADER, "no row with values"),
        ("time\n0\n", "no column of values"),
        ("a,b\n0,1\n", "no column time, frame or Timecode; the columns are a, b"),
        ("time,a,a\n0,1,2\n", "columns 2 and 3 are both named 'a'"),
        ("time,,b\n0,1,2\n", "column 2 has no name"),
        ("time,a\n0,1\n1\n", "row 3 has 1 cells, but the header has 2 columns"),
        ("time,a\n0,1\n1,2,3\n", "row 3 has 3 cells"),
        ("time,a\n0,1\n1,abc\n", "row 3, column 'a': 'abc' is no finite number"),
        ("time,a\n0,\n", "row 2, column 'a': '' is no finite number"),
        ("time,a\n0,nan\n", "row 2, column 'a': 'nan' is no finite number"),
        ("time,a\nx,1\n", "row 2, column 'time': 'x' is no finite number"),
        ("time,a\n0,1\n2,1\n1,1\n", "row 4, column 'time': 1.0 does not come after 2.0"),
        ("time,a\n0,1\n1e300,1\n", "row 3, column 'time': 1e.300 is later than any clip"),
        (
            HEADER + "13:00:00:00.0,61,0,0\n13:00:00:00.0,61,0,0\n",
            "row 3, column 'Timecode': 13:00:00:00.0 does not come",
        ),
        (HEADER + "13:00:02:00.0,61,0,0\n13:00:01:00.0,61,0,0\n", "does not come after"),
        (HEADER + "hello,61,0,0\n", "row 2, column 'Timecode': 'hello' is no timecode"),
        (HEADER + "13:61:00:00.0,61,0,0\n", "no timecode"),
        (HEADER + "13:00:00:00.0,61,0\n", "row 2 has 3 cells, but the header has 4"),
        (HEADER + "13:00:00:00.0,61\n", "row 2 has 2 cells"),
        (HEADER + "13:00:00:00.0,61,,0\n", "row 2, column 'JawOpen': ''"),
        ("time,a\n0,\xff\n", "row 2, column 'a'"),
        ('time,"' + "x" * 200_000 + '"\n', "field larger than field limit"),
    ],
)
def test_a_wrong_table_is_refused_by_row_and_column(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=words) as caught:
        load_clip(written(tmp_path, text))
    assert "take.csv" in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "take.csv").write_bytes(b"time,a\n0,\xff\xfe\n")
    with pytest.raises(BadFile, match="not UTF-8"):
        load_clip(tmp_path / "take.csv")


def test_what_is_no_clip_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match=r"\.csv"):
        load_clip(tmp_path / "take.glb")
    with pytest.raises(BadFile, match="no such file"):
        load_clip(tmp_path / "take.csv")


@pytest.mark.parametrize(
    ("clip", "style", "kind", "words"),
    [
        (Clip("x"), "plain", BadValue, "has no curves"),
        (Clip("x", {"Time": Curve([0], [1])}), "plain", BadValue, "named 'Time' cannot be a column"),
        (Clip("x", {"a": Curve([0, 1e6], [1, 1])}), "livelink", BadValue, "at most a day"),
        (Clip("x", {"a": Curve([0], [1])}), "excel", UnknownName, "no style of a CSV file named 'excel'"),
    ],
)
def test_a_clip_that_no_table_holds_is_refused(
    clip: Clip, style: str, kind: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=words):
        save_clip(clip, tmp_path / "x.csv", style=style)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_start_that_is_no_timecode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FacewrightError, match="the start: 'noon' is no timecode"):
        write_clip(Clip("x", {"a": Curve([0], [1])}), tmp_path / "x.csv", style="livelink", start="noon")


def test_reading_without_the_door_gives_the_same_clip(tmp_path: Path) -> None:
    path = written(tmp_path, "time,a\n0,1\n")
    assert_same_clip(load_clip(path), read_clip(path))


def random_clip(names: list[str], times: Floats, seed: int) -> Clip:
    values = np.random.default_rng(seed).normal(size=(len(times), len(names)))
    return Clip.from_table("take", names, times, values)


def written(folder: Path, text: str) -> Path:
    path = folder / "take.csv"
    path.write_bytes(text.encode())
    return path
