"""Normal and roughness maps are mixed as colours are: smooth parts by their weights, the detail of one map a region."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.image.codec import encoded
from facewright.image.srgb import Bytes
from facewright.regions.segment import segment
from facewright.rig.textures import ShapeTexture, SurfaceTextures, Textures
from facewright.samples.skin import textured_sample
from facewright.texture.blend import TextureBlend
from facewright.texture.face_texture import FaceTexture
from facewright.texture.map_kind import normals, slopes
from tests.some import some
from tests.texture.maps import SIZE, skin
from tests.texture.test_detail_regions import moved_most

FROWN, SMILE = ("browDownLeft", "browDownRight"), ("mouthSmileLeft", "mouthSmileRight")


def bumps(seed: int, size: tuple[int, int] = SIZE, steep: float = 0.4) -> Bytes:
    """Normals of a rough surface, as a file has them."""
    slope = (skin(size, seed) - 0.5) * 4 * steep
    slope[..., 2] = 0
    return normals(slope)


def test_normals_become_slopes_and_the_same_normals_again() -> None:
    picture = bumps(1)
    assert np.abs(normals(slopes(picture)).astype(int) - picture).max() <= 1
    leaning = slopes(np.array([[[127 + 90, 127, 127 + 90]]], np.uint8))[0, 0]
    np.testing.assert_allclose(leaning, [1.0, 0.0, 0.0], atol=0.02)  # 45 degrees to the right


def test_one_map_alone_is_shown_and_all_are_unit_vectors() -> None:
    neutral, maps = bumps(0), [bumps(1), bumps(2)]
    blend = TextureBlend(neutral, maps, kind="normal")
    for weights, wanted in (([0, 0], neutral), ([1, 0], maps[0]), ([0, 1], maps[1])):
        assert np.abs(blend(weights).astype(int) - wanted).max() <= 1
    mixed = blend([0.4, 0.7]).astype(float) / 127.5 - 1
    np.testing.assert_allclose(np.linalg.norm(mixed, axis=2), 1, atol=0.012)
    assert mixed[..., 2].min() > 0


def test_a_flat_map_halves_the_slopes_and_not_the_vectors() -> None:
    tilted = normals(np.tile(np.array([1, 0, 0], np.float32), (32, 32, 1)))
    flat = normals(np.zeros((32, 32, 3), np.float32))
    found = TextureBlend(flat, [tilted], kind="normal").light([0.5])
    np.testing.assert_allclose(found[..., 0], 0.5, atol=0.01)


def test_roughness_is_linear_and_green() -> None:
    grey = np.full((32, 32, 3), 100, np.uint8)
    of_gltf = np.zeros((32, 32, 3), np.uint8)
    of_gltf[..., 1] = 200
    blend = TextureBlend(grey, [of_gltf], kind="roughness")
    np.testing.assert_array_equal(blend([0.5]), 150)
    with pytest.raises(UnknownName, match="color, normal, roughness"):
        TextureBlend(grey, [], kind="height")


def wrinkled(size: int = 256) -> Document:
    document = textured_sample(size)
    maps = tuple(ShapeTexture(shapes, encoded(bumps(seed, (size, size)))) for seed, shapes in ((1, FROWN), (2, SMILE)))
    rest = encoded(normals(np.zeros((size, size, 3), np.float32)))
    rough = SurfaceTextures(encoded(np.full((size, size, 3), 120, np.uint8)), (replace(maps[0]),))
    textures = replace(some(document.textures), normal=SurfaceTextures(rest, maps), roughness=rough)
    return replace(document, textures=textures, regions=segment(document.rig))


def kept(document: Document, shapes: tuple[str, ...]) -> float:
    """The share of a map's own wrinkles that is there with a frown and a smile, where its shapes move the face most."""
    texture = FaceTexture(document, kind="normal")
    poses = (dict.fromkeys(shapes, 1.0), dict.fromkeys(FROWN, 0.9) | dict.fromkeys(SMILE, 1.0))
    mixed = [texture.blend.light(texture.weights(document.rig.weights(values))) for values in poses]
    at = moved_most(texture, shapes)
    own, found = (texture.blend.bands.split(one)[1].reshape(-1, 3)[at].ravel() for one in mixed)
    return float(own @ found / (own @ own))


def test_wrinkles_of_a_frown_stay_between_the_brows_beside_those_of_a_smile() -> None:
    document = wrinkled()
    assert kept(document, FROWN) > 0.8
    assert kept(document, SMILE) > 0.95
    assert kept(replace(document, regions=None), FROWN) < 0.3


def test_a_document_without_such_maps_says_so() -> None:
    with pytest.raises(BadValue, match="no normal maps"):
        FaceTexture(textured_sample(64), kind="normal")
    picture = encoded(np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(BadValue, match="two textures belong to the same shapes"):
        SurfaceTextures(picture, (ShapeTexture(("a",), picture), ShapeTexture(("a",), picture)))


def test_names_of_shapes_change_in_all_kinds() -> None:
    renamed = some(wrinkled(64).textures).renamed({"browDownLeft": "frownL"})
    assert some(renamed.normal).maps[0].shapes == ("frownL", "browDownRight")
    assert some(renamed.roughness).maps[0].shapes == ("frownL", "browDownRight")
    assert isinstance(renamed, Textures)
