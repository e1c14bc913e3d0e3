"""Sliders go no further from update to update than pins allow."""

from itertools import pairwise

import numpy as np

from facewright.pose.drag_path import DragPath
from facewright.terms.limits import Limits


def path_after(wanted: np.ndarray, change: np.ndarray) -> DragPath:
    path = DragPath(np.ones(len(wanted)), np.array([1.0, 2.0, 1.0]))
    list(path.boxes(wanted, change, Limits(-np.ones(3), np.ones(3))))
    path.went(wanted, change)
    return path


def test_an_answer_near_the_last_one_is_free_and_one_far_away_is_bound_to_it() -> None:
    limits, last = Limits(np.array([-1.0, -1.0, 0.0]), np.ones(3)), np.array([0.5, 0.4, 0.3])
    path = path_after(np.array([3.0, 4.0]), last)
    wanted, room = np.array([3.0, 4.05]), 3 * 0.05 / np.hypot(3, 4.05) * np.array([1.0, 2.0, 1.0])
    assert not list(path.boxes(wanted, last + 0.99 * room, limits))
    boxes = list(path.boxes(wanted, last + 2 * room, limits))
    np.testing.assert_allclose(boxes[0].low, last - room)
    np.testing.assert_allclose(boxes[0].high, last + room)
    for one, wider in pairwise(boxes):
        assert (wider.low <= one.low).all()
        assert (wider.high >= one.high).all()


def test_the_same_wish_twice_has_the_same_room() -> None:
    limits, wanted, found = Limits(-np.ones(3), np.ones(3)), np.array([3.0, 4.2]), np.array([0.9, 0.4, 0.3])
    path = path_after(np.array([3.0, 4.0]), np.array([0.5, 0.4, 0.3]))
    first = [(box.low, box.high) for box in path.boxes(wanted, found, limits)]
    path.went(wanted, np.array([0.6, 0.4, 0.3]))
    again = [(box.low, box.high) for box in path.boxes(wanted, found, limits)]
    np.testing.assert_array_equal(first, again)


def test_pins_near_the_start_keep_the_answer_near_what_it_is_without_a_path() -> None:
    limits, found, full = Limits(-np.ones(3), np.ones(3)), np.array([0.01, 0.0, 0.0]), np.array([1.0, 2.0, 1.0])
    for share in (0.1, 0.01, 0.0):
        path = path_after(np.array([3.0, 4.0]), np.array([0.8, 0.8, 0.0]))
        near = (share + 0.001) * np.array([3.0, 4.0])
        list(path.boxes(near, found, limits))
        path.went(near, np.array([0.7, 0.8, 0.0]))
        boxes = list(path.boxes(share * np.array([3.0, 4.0]), found, limits))
        assert boxes
        for box in boxes:
            assert (box.low >= found - 3 * share * full - 1e-12).all()
            assert (box.high <= found + 3 * share * full + 1e-12).all()


def test_boxes_are_within_limits_that_exclude_the_last_answer() -> None:
    locked = Limits(np.array([0.0, -1.0, 0.0]), np.array([0.0, 1.0, 1.0]))
    path = path_after(np.array([3.0, 4.0]), np.array([0.5, 0.4, 0.3]))
    for box in path.boxes(np.array([3.0, 4.05]), np.array([0.0, 0.4, 0.9]), locked):
        assert (box.low <= box.high).all()
        assert box.low[0] == box.high[0] == 0.0
