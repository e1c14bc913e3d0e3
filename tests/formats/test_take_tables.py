"""Tables of markers as other programs write them: marks for gaps, doubled tabs, commas."""

import numpy as np
import pytest

from facewright.formats.takes import load_take

HEAD = """PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate
100\t100\t3\t2\tmm\t100
Frame#\tTime\tChin\t\t\tNose\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

"""
ROWS = "1\t0.00\t1.5\t2\t3\t\t\t\n2\t0.01\t4\t5\t6\t7\t8\t9\n3\t0.02\t-1\t-2\t-3\t-4\t-5\t-6.25\n"
POSITIONS = np.array([[1.5, 2, 3], [np.nan] * 3, [4, 5, 6], [7, 8, 9], [-1, -2, -3], [-4, -5, -6.25]]).reshape(3, 2, 3)


@pytest.mark.parametrize("gap", ["", "NA", "NaN", "nan", "-", "--", " - ", "null", "N/A"])
def test_a_gap_in_a_table_of_markers_may_be_marked_in_many_ways(gap: str) -> None:
    text = f"time,Chin_x,Chin_y,Chin_z,Nose_x,Nose_y,Nose_z\n0,{gap},{gap},{gap},1,2,3\n0.1,-4,-5,-6,7,8,9\n"
    take = load_take(text.encode(), unit="mm")
    assert take.seen.tolist() == [[False, True], [True, True]]
    np.testing.assert_array_equal(take.positions[1], [[-4, -5, -6], [7, 8, 9]])


def assert_read(text: str) -> None:
    take = load_take(text.encode(), format="trc")
    assert (take.names, take.rate, take.unit, take.notes) == (("Chin", "Nose"), 100.0, "mm", ())
    np.testing.assert_array_equal(take.positions, POSITIONS)


def test_a_trc_file_is_read_as_it_should_be() -> None:
    assert_read(HEAD + ROWS)


def test_a_trc_file_with_doubled_tabs_is_the_same_take() -> None:
    assert_read((HEAD + ROWS).replace("\t", "\t\t"))


def test_a_trc_file_with_doubled_tabs_in_its_rows_alone_is_the_same_take() -> None:
    assert_read(HEAD + ROWS.replace("\t", "\t\t"))


def test_a_trc_file_with_a_doubled_tab_after_the_frame_number_is_the_same_take() -> None:
    assert_read(HEAD.replace("#\t", "#\t\t") + ROWS.replace("\t0.0", "\t\t0.0"))


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_trc_file_with_commas_or_semicolons_is_the_same_take(separator: str) -> None:
    assert_read((HEAD + ROWS).replace("\t", separator))


def test_a_trc_file_with_decimal_commas_is_the_same_take() -> None:
    assert_read(HEAD.replace("100\t100", "100,00\t100,00") + ROWS.replace(".", ","))


def test_a_trc_file_with_marks_for_gaps_is_the_same_take() -> None:
    assert_read(HEAD + ROWS.replace("3\t\t\t\n", "3\tNA\tNA\t--\n"))


def test_the_rate_of_a_trc_file_may_be_given_where_the_file_has_none() -> None:
    assert load_take((HEAD.replace("100\t100", "fast\t100") + ROWS).encode(), format="trc", rate=50).rate == 50
