"""Normal and roughness maps of expressions in renders: bent as the maps say, and alike by every renderer."""

from dataclasses import replace

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.image.codec import encoded
from facewright.render.bumps import bent_normals
from facewright.render.face_renderer import FaceRenderer
from facewright.render.material import SKIN
from facewright.render.material_set import DocumentMaterials
from facewright.render.scene import Scene
from facewright.rig.textures import ShapeTexture, SurfaceTextures
from facewright.texture.face_texture import FaceTexture, textured_parts
from facewright.texture.layout import island_labels
from facewright.texture.map_kind import normals
from tests.render.test_gl import needs_gl
from tests.some import some

FROWN = ("browDownLeft", "browDownRight")


def wrinkles(size: int = 256, deep: float = 0.5) -> np.ndarray:
    """Normals (size, size, 3) of waves across the picture."""
    slope = np.zeros((size, size, 3), np.float32)
    slope[..., 1] = deep * np.sin(np.arange(size) * 2 * np.pi / 16)[:, None]
    slope[..., 0] = 0.3 * deep * np.cos(np.arange(size) * 2 * np.pi / 23)[None]
    return normals(slope)


def grey(value: int, size: int = 128) -> np.ndarray:
    return np.full((size, size, 3), value, np.uint8)


@pytest.fixture(scope="module")
def face() -> Document:
    plain = fw.textured_sample(256)
    flat = encoded(normals(np.zeros((256, 256, 3), np.float32)))
    normal = SurfaceTextures(flat, (ShapeTexture(FROWN, encoded(wrinkles())),))
    rough = SurfaceTextures(encoded(grey(round(255 * SKIN.roughness))), (ShapeTexture(FROWN, encoded(grey(60))),))
    return replace(plain, textures=replace(some(plain.textures), normal=normal, roughness=rough))


def drawn(document: Document, renderer: str, weights: dict[str, float]) -> np.ndarray:
    pose = document.rig.pose(weights)
    made = FaceRenderer(document, size=(112, 128), renderer=renderer)
    return made.of(made.pose(pose), materials=made.material_set.at(pose)).astype(int)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("front", [True, False])
def test_a_normal_leans_as_the_slope_of_the_surface_does(mirrored: bool, front: bool) -> None:
    rng = np.random.default_rng(3)
    frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    frame[2] = np.cross(frame[0], frame[1])
    flat = np.array([[0.0, 0.0], [2.0, 0.3], [0.4, 1.7]])
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    uv = 0.1 * flat @ turn * ([-1, 1] if mirrored else [1, 1]) + [0.3, 0.2]
    positions = flat @ frame[:2] + [5.0, -2.0, 1.0]
    scene = Scene.of(positions, [[0, 1, 2]], uvs=uv[None])
    slopes = np.array([[0.4, -0.25]], np.float32)
    normal = (frame[2] if front else -frame[2])[None].astype(np.float32)
    found = bent_normals(scene, np.array([0]), normal, np.array([front]), slopes)[0]
    # Where u and v grow, by the linear map from texture to space; it is 10 times larger, the same in all directions.
    grows = np.linalg.solve((uv[1:] - uv[0]), positions[1:] - positions[0])
    wanted = frame[2] + slopes[0] @ (grows / np.linalg.norm(grows, axis=1, keepdims=True))
    wanted = (1 if front else -1) * wanted / np.linalg.norm(wanted)
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_maps_at_rest_that_say_nothing_change_nothing(face: Document) -> None:
    plain = replace(face, textures=replace(some(face.textures), normal=None, roughness=None))
    for renderer in ("cpu", "compiled"):
        apart = np.abs(drawn(face, renderer, {}) - drawn(plain, renderer, {}))
        assert apart.max() <= 2  # 47 hundredths are not a level of 255


def test_the_maps_of_a_pose_are_those_of_the_library(face: Document) -> None:
    weights = face.rig.pose({"browDownLeft": 0.7, "browDownRight": 0.5})
    made = next(one for one in DocumentMaterials(face, 400).at(weights) if one.slopes is not None)
    for kind, found in (("normal", some(made.slopes)), ("roughness", some(made.roughnesses))):
        texture = FaceTexture(face, kind=kind)
        levels = found.levels[0]
        bytes_ = normals(levels) if kind == "normal" else np.rint(255 * levels).astype(np.uint8)
        shown = island_labels(face.rig, levels.shape[:2], textured_parts(face.rig, some(face.textures))) >= 0
        apart = np.abs(bytes_.astype(int) - texture(weights).astype(int))[shown]
        assert shown.mean() > 0.2
        assert apart.max() <= 1


def test_wrinkles_are_seen_and_grow_with_the_pose(face: Document) -> None:
    plain = replace(face, textures=replace(some(face.textures), normal=None, roughness=None))
    apart = [
        np.abs(drawn(face, "cpu", pose) - drawn(plain, "cpu", pose)).mean()
        for pose in ({}, dict.fromkeys(FROWN, 0.5), dict.fromkeys(FROWN, 1.0))
    ]
    assert apart[0] < 0.2
    assert 1 < apart[1] < apart[2]


def test_compiled_loops_shade_the_maps_alike(face: Document) -> None:
    pytest.importorskip("numba")
    pose = dict.fromkeys(FROWN, 1.0)
    apart = np.abs(drawn(face, "cpu", pose) - drawn(face, "compiled", pose))
    assert apart.mean() < 0.05
    assert (apart.max(axis=2) <= 2).mean() > 0.999


@pytest.mark.long
@needs_gl
def test_gl_shades_the_maps_alike(face: Document) -> None:
    pose = dict.fromkeys(FROWN, 1.0)
    apart = np.abs(drawn(face, "cpu", pose) - drawn(face, "gl", pose))
    assert apart.mean() < 1.2  # without maps 0.4: samples lie elsewhere in a pixel
    assert (apart.max(axis=2) <= 12).mean() > 0.98
