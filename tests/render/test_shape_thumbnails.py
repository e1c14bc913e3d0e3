"""Small pictures of shapes show where a shape moves the face."""

import numpy as np

import facewright as fw
from facewright.render.shape_thumbnails import ShapeThumbnails


def redness(picture: np.ndarray) -> np.ndarray:
    """How much redder than clay each pixel (h, w) is."""
    wide = picture.astype(float)
    return np.asarray((wide[..., 0] - wide[..., 2]) * (picture[..., 3] > 0))


def test_colour_is_where_the_shape_moves_and_the_background_is_clear() -> None:
    drawn = ShapeThumbnails(fw.sample(), size=(48, 40))
    left, right = drawn("mouthSmileLeft"), drawn("mouthSmileRight")
    assert left.shape == (40, 48, 4)
    assert left[0, 0, 3] == 0
    assert left[20, 24, 3] == 255
    column = np.arange(48) + 0.5
    centres = [redness(one).clip(40).sum(axis=0) - 40 * 40 for one in (left, right)]
    at = [float((column * each).sum() / each.sum()) for each in centres]
    assert at[0] > 26 > 22 > at[1]  # the face's own left is on the right


def test_the_unit_of_the_rig_changes_nothing() -> None:
    rig = fw.sample()
    one, other = ShapeThumbnails(rig)("jawOpen"), ShapeThumbnails(fw.edit.scale(rig, 0.01))("jawOpen")
    assert (np.abs(one.astype(int) - other).max(axis=2) > 2).mean() < 0.01
