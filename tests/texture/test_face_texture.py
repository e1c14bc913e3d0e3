from dataclasses import replace

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import BadValue, UnknownName
from facewright.image.codec import encoded
from facewright.image.srgb import to_bytes
from facewright.motion.clip import Clip
from facewright.rig.textures import ShapeTexture, Textures
from facewright.samples import mask
from facewright.texture.bands import Bands
from facewright.texture.detail import DetailChoice
from facewright.texture.face_texture import FaceTexture
from tests.some import some
from tests.texture.maps import misregistered, skin

SIZE = (64, 96)


@pytest.fixture(scope="module")
def face() -> Document:
    rig = mask(vertices=400, shapes=5)
    neutral = skin(SIZE)
    pictures = [encoded(to_bytes(misregistered(neutral, seed))) for seed in range(3)]
    names = rig.shape_names
    maps = (ShapeTexture(names[:2], pictures[0]), ShapeTexture(names[2:3], pictures[1]))
    times = np.arange(10) / 30
    clip = Clip.from_table("talk", rig.sliders, times, np.random.default_rng(1).uniform(size=(10, 5)))
    return Document(rig, (clip,), textures=Textures(encoded(to_bytes(neutral)), maps))


def test_a_pose_shows_the_maps_of_its_shapes(face: Document) -> None:
    from facewright.image.codec import pixels

    texture, names = FaceTexture(face), face.rig.shape_names
    np.testing.assert_array_equal(texture(), pixels(some(face.textures).neutral))
    both = {names[0]: 1, names[1]: 1}
    np.testing.assert_array_equal(texture(both), pixels(some(face.textures).maps[0].picture))
    np.testing.assert_array_equal(FaceTexture(replace(face, pose=face.rig.weights(both)))(), texture(both))
    np.testing.assert_allclose(texture.weights(face.rig.weights({names[0]: 0.6, names[2]: 0.3})), [0.3, 0.3])


def test_a_clip_is_baked_frame_by_frame(face: Document) -> None:
    texture = FaceTexture(face)
    frames = list(texture.frames("talk", DetailChoice("neutral")))
    assert len(frames) == 10
    assert frames[0].shape == (*SIZE, 3)
    half = list(texture.frames(face.clips[0], rate=15, plain=True))
    assert len(half) == 5
    np.testing.assert_array_equal(half[2], texture(face.clips[0].sample(face.rig.sliders)[4], plain=True))
    with pytest.raises(UnknownName):
        texture.frames("sing")
    with pytest.raises(BadValue, match="rate"):
        texture.frames("talk", rate=0)


def test_a_smaller_picture_shows_the_same_face(face: Document) -> None:
    names = face.rig.shape_names
    large, small = FaceTexture(face)({names[2]: 0.5}), FaceTexture(face, size=(48, 32))({names[2]: 0.5})
    assert small.shape == (32, 48, 3)
    shrunk = large.reshape(32, 2, 48, 2, 3).mean(axis=(1, 3))
    assert np.abs(shrunk - small).mean() < 4


def test_the_islands_are_the_rigs_own(face: Document) -> None:
    texture = FaceTexture(face)
    assert isinstance(texture.blend.bands, Bands)
    assert 0.5 < (texture.blend.bands.labels >= 0).mean() < 0.9  # a mask's layout is a disc
