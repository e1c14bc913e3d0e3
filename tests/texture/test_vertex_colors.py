"""Colours at the vertices, from a texture."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.errors import BadValue
from facewright.image.codec import encoded
from facewright.rig.textures import Textures
from facewright.samples import mask


def ramp(side: int = 256) -> np.ndarray:
    """Red grows to the right, green upwards."""
    right = np.linspace(0, 255, side)
    picture = np.zeros((side, side, 3), np.uint8)
    picture[..., 0], picture[..., 1] = right[None], right[::-1, None]
    return picture


def test_a_vertex_has_the_colour_of_the_texture_where_it_lies() -> None:
    rig = mask(900, 4)
    assert rig.uvs is not None
    places = np.zeros((rig.vertex_count, 2))
    places[rig.polygons.corners] = rig.uvs.coordinates[rig.uvs.corners]
    found = fw.vertex_colors(rig, ramp())
    inner = np.abs(places - 0.5).max(axis=1) < 0.35
    np.testing.assert_allclose(found[inner, :2], places[inner], atol=0.01)
    np.testing.assert_allclose(found[:, 2], 0, atol=1e-9)


def test_a_document_gives_those_of_its_face_at_rest() -> None:
    rig = mask(900, 4)
    document = fw.Document(rig, textures=Textures(encoded(ramp())))
    np.testing.assert_allclose(fw.skin_colors(document), fw.vertex_colors(rig, ramp()), atol=1e-9)


def test_parts_that_do_not_show_the_texture_have_its_mean_colour() -> None:
    rig = fw.sample()
    found = fw.vertex_colors(rig, ramp(512), parts=("head",))
    eye = rig.part("left eye")
    assert np.ptp(found[eye.start : eye.stop], axis=0).max() == 0
    assert np.ptp(found[: rig.parts[0].stop], axis=0).max() > 0.5


def test_without_a_texture_or_a_layout_it_says_so() -> None:
    rig = mask(900, 4)
    with pytest.raises(BadValue, match="no texture"):
        fw.skin_colors(fw.Document(rig))
    with pytest.raises(BadValue, match="texture coordinates"):
        fw.vertex_colors(replace(rig, uvs=None), ramp())
