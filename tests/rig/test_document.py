"""What is given to a document, and what it keeps."""

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue, UnknownName
from facewright.samples import mask

RIG = mask(vertices=120, shapes=4, seed=3)


def test_a_pose_is_given_by_names_by_numbers_or_not_at_all() -> None:
    second = RIG.sliders[1]
    by_names = fw.Document(RIG, pose={second: 0.5}).pose
    by_numbers = fw.Document(RIG, pose=[0.0, 0.5, 0.0, 0.0]).pose
    np.testing.assert_array_equal(by_names, by_numbers)
    assert by_names.tolist() == [0.0, 0.5, 0.0, 0.0]
    assert not fw.Document(RIG).pose.any()


def test_a_pose_of_a_slider_that_the_rig_has_not_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match=RIG.sliders[1]):
        fw.Document(RIG, pose={RIG.sliders[1][:-1]: 0.5})
    with pytest.raises(BadValue, match="pose"):
        fw.Document(RIG, pose=[0.5])
