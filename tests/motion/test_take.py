from typing import Any

import numpy as np
import pytest

from facewright.errors import BadValue, UnknownName
from facewright.motion.take import Take, is_face_sized, is_unlabelled


def a_take(scale: float = 1.0, unit: str = "") -> Take:
    rng = np.random.default_rng(0)
    spread = rng.uniform(-1, 1, size=(12, 3)) * (8, 10, 5) * scale
    return Take(tuple(f"m{i}" for i in range(12)), spread + rng.normal(size=(20, 12, 3)) * 0.1 * scale, 60.0, unit)


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "cm"), (10.0, "mm"), (0.01, "m"), (0.1, "dm")])
def test_the_unit_is_the_one_in_which_the_markers_span_a_face(scale: float, unit: str) -> None:
    assert a_take(scale).unit == unit


def test_a_wrong_unit_shows_by_the_size_of_the_face() -> None:
    assert is_face_sized(a_take(1.0, "cm"))
    assert not is_face_sized(a_take(1.0, "m"))
    assert not is_face_sized(a_take(0.01, "cm"))


def test_another_unit_tells_the_same_lengths_and_the_right_unit_the_same_numbers() -> None:
    take = a_take(1.0, "cm")
    np.testing.assert_allclose(take.in_unit("mm").positions, 10 * take.positions)
    np.testing.assert_array_equal(take.really_in("m").positions, take.positions)


def test_a_marker_with_one_coordinate_missing_was_not_seen() -> None:
    positions = np.ones((2, 2, 3))
    positions[1, 0, 2] = np.nan
    take = Take(("a", "b"), positions, 30.0)
    assert take.seen.tolist() == [[True, True], [False, True]]
    assert np.isnan(take.positions[1, 0]).all()


def test_a_subset_keeps_the_order_that_is_asked_for_and_names_what_there_is() -> None:
    take = a_take()
    np.testing.assert_array_equal(take.only(("m3", "m1")).positions[:, 0], take.positions[:, 3])
    with pytest.raises(UnknownName, match="no marker named 'nose'"):
        take.only(("nose",))


def test_mirrored_twice_is_as_before() -> None:
    take = a_take()
    np.testing.assert_array_equal(take.mirrored().mirrored().positions, take.positions)
    assert not np.array_equal(take.mirrored().positions, take.positions)


@pytest.mark.parametrize("name", ["*12", "U_3", "", "unlabeled 4", "C_17", "Alex:*5"])
def test_names_that_recording_software_gives_are_known(name: str) -> None:
    assert is_unlabelled(name)


@pytest.mark.parametrize("name", ["Chin", "m1", "Alex:Chin", "Unterlippe"])
def test_names_that_people_give_are_left_alone(name: str) -> None:
    assert not is_unlabelled(name)


@pytest.mark.parametrize("wrong", [{"names": ("a", "a")}, {"rate": 0.0}, {"positions": np.zeros((2, 3, 3))}])
def test_a_take_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadValue):
        Take(**{"names": ("a", "b"), "positions": np.zeros((2, 2, 3)), "rate": 30.0, **wrong})


def test_a_take_is_shown_in_one_line() -> None:
    take = Take(("chin", "nose"), np.zeros((1000, 2, 3)), 59.94, "mm", "laugh")
    assert repr(take) == "Take('laugh', 2 markers in mm, 1000 frames, 59.94 a second)"
