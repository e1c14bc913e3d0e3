"""Editing keys leaves all other keys, with their slopes, as they were."""

import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.motion.curve import Curve
from facewright.motion.keys import copied_keys, moved_keys, with_keys, with_tangents, without_keys


def cubic() -> Curve:
    return Curve([0.0, 1.0, 2.0], [0.0, 3.0, 1.0], "cubic", [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])


def test_a_new_key_of_a_cubic_curve_is_automatic_and_the_others_keep_their_slopes() -> None:
    found = with_keys(cubic(), [0.5], [9.0])
    assert found.times.tolist() == [0.0, 0.5, 1.0, 2.0]
    assert found.values.tolist() == [0.0, 9.0, 3.0, 1.0]
    np.testing.assert_array_equal(found.slopes, [[0.1, 0.2], [0, 0], [0.3, 0.4], [0.5, 0.6]])


def test_keys_given_in_any_order_are_sorted() -> None:
    assert with_keys(None, [2.0, 1.0], [20.0, 10.0]).values.tolist() == [10.0, 20.0]


def test_a_moved_key_takes_its_slopes_along_and_may_pass_others() -> None:
    found = moved_keys(cubic(), [0.0], 1.5, 2.0)
    assert found.times.tolist() == [1.0, 1.5, 2.0]
    assert found.values.tolist() == [3.0, 2.0, 1.0]
    np.testing.assert_array_equal(found.slopes, [[0.3, 0.4], [0.1, 0.2], [0.5, 0.6]])


def test_keys_moved_onto_each_other_s_old_places_all_stay() -> None:
    found = moved_keys(cubic(), [0.0, 1.0, 2.0], 1.0)
    assert found.times.tolist() == [1.0, 2.0, 3.0]
    assert found.values.tolist() == [0.0, 3.0, 1.0]


def test_moving_there_and_back_is_nothing_where_no_key_is_in_the_way() -> None:
    back = moved_keys(moved_keys(cubic(), [1.0], 0.25, 0.5), [1.25], -0.25, -0.5)
    np.testing.assert_allclose(back.times, cubic().times)
    np.testing.assert_allclose(back.values, cubic().values)


def test_a_copy_onto_a_key_replaces_it() -> None:
    found = copied_keys(cubic(), [0.0], 2.0)
    assert found.values.tolist() == [0.0, 3.0, 0.0]


def test_deleting_keys_deletes_those_and_the_last_one_deletes_the_curve() -> None:
    found = without_keys(cubic(), [1.0])
    assert found is not None
    np.testing.assert_array_equal(found.slopes, [[0.1, 0.2], [0.5, 0.6]])
    assert without_keys(cubic(), [0.0, 1.0, 2.0]) is None


def test_another_way_between_keys_keeps_the_keys() -> None:
    line = with_tangents(cubic(), None, "linear")
    assert (line.interpolation, line.slopes) == ("linear", None)
    assert line.values.tolist() == cubic().values.tolist()
    np.testing.assert_array_equal(with_tangents(line, None, "flat").slopes, np.zeros((3, 2)))


def test_a_key_that_is_not_there_is_named() -> None:
    with pytest.raises(BadValue, match=r"no key at 0.7 s"):
        moved_keys(cubic(), [0.7], 1.0)
    with pytest.raises(BadValue, match="at least one time"):
        with_keys(None, [], [])
