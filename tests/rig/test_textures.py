import numpy as np
import pytest

from facewright.errors import BadValue
from facewright.image.codec import encoded
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask

ONE, OTHER = (encoded(np.full((2, 2, 3), value, np.uint8)) for value in (10, 200))
RIG = mask(vertices=150, shapes=4)
A, B, C, D = RIG.shape_names


def test_a_map_of_several_shapes_has_the_mean_of_their_values() -> None:
    textures = Textures(ONE, (ShapeTexture((A, B), OTHER), ShapeTexture((D,), ONE)))
    np.testing.assert_array_equal(textures.shares(RIG), [[0.5, 0.5, 0, 0], [0, 0, 0, 1]])


def test_shapes_that_the_rig_does_not_have_count_for_nothing() -> None:
    textures = Textures(ONE, (ShapeTexture((A, "gone"), OTHER), ShapeTexture(("lost",), OTHER)))
    np.testing.assert_array_equal(textures.shares(RIG), [[1, 0, 0, 0], [0, 0, 0, 0]])


def test_maps_are_put_in_replaced_renamed_and_taken_out() -> None:
    textures = Textures(ONE).with_map((A,), ONE).with_map((B, C), ONE).with_map((A,), OTHER)
    assert [(one.shapes, one.picture) for one in textures.maps] == [((A,), OTHER), ((B, C), ONE)]
    assert textures.renamed({B: "smile"}).maps[1].shapes == ("smile", C)
    assert textures.without_map((A,)).maps == textures.maps[1:]
    with pytest.raises(BadValue, match="those with one are"):
        textures.without_map((D,))


def test_what_makes_no_sense_is_told_in_words() -> None:
    with pytest.raises(BadValue, match="same shapes"):
        Textures(ONE, (ShapeTexture((A,), ONE), ShapeTexture((A,), OTHER)))
    for shapes in ((), ("",), (A, A)):
        with pytest.raises(BadValue, match="each named once"):
            ShapeTexture(shapes, ONE)
