"""Opacities: MASK is all or nothing, BLEND is the mean of what is before and behind, layer by layer."""

from dataclasses import replace

import numpy as np
import pytest

from facewright.image.srgb import to_linear
from facewright.render.camera import look_at
from facewright.render.material import ShadingMaterial
from facewright.render.mipmap import Mipmap
from facewright.render.picture import scene_picture
from facewright.render.scene import Scene
from facewright.render.tone import Bytes

SIZE = (48, 48)
QUAD = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
CAMERA = look_at((0, 0, 10), (0, 0, 0), half_height=1.6, perspective=False)
WALL, PANE = ShadingMaterial((0.2, 0.7, 0.3), shine=0.0), ShadingMaterial((0.8, 0.2, 0.1), shine=0.0)


def drawn(*layers: tuple[float, ShadingMaterial], background: tuple[float, float, float] | None = (0, 0, 0)) -> Bytes:
    """Quads at heights z, smaller the nearer they are, in the picture's middle."""
    positions = np.concatenate([QUAD * (1 - 0.2 * z) + [0, 0, z] for z, _ in layers])
    triangles = np.concatenate([np.array([[0, 1, 2], [0, 2, 3]]) + 4 * i for i in range(len(layers))])
    scene = Scene.of(
        positions,
        triangles,
        materials=[material for _, material in layers],
        of_triangle=np.repeat(np.arange(len(layers)), 2),
        uvs=np.tile([[0, 0], [1, 0], [1, 1], [0, 1]], (len(layers), 1)),
    )
    return scene_picture(scene, CAMERA, size=SIZE, background=background, samples=4)


def middle(picture: Bytes) -> np.ndarray:
    return np.asarray(to_linear(picture[22:26, 22:26, :3]).mean(axis=(0, 1)), np.float64)


def test_a_blended_pane_shows_the_mean_of_itself_and_what_is_behind() -> None:
    wall, pane = middle(drawn((0, WALL))), middle(drawn((1, PANE)))
    for opacity in (0.25, 0.6):
        thin = replace(PANE, translucent=True, opacity=opacity)
        seen = middle(drawn((0, WALL), (1, thin)))
        np.testing.assert_allclose(seen, opacity * pane + (1 - opacity) * wall, atol=0.01)


def test_layers_are_put_over_one_another_from_far_to_near_in_whatever_order_they_come() -> None:
    blue = ShadingMaterial((0.1, 0.2, 0.9), shine=0.0)
    red, other = replace(PANE, translucent=True, opacity=0.5), replace(blue, translucent=True, opacity=0.3)
    wall, near, far = middle(drawn((0, WALL))), middle(drawn((2, PANE))), middle(drawn((1, blue)))
    expected = 0.5 * near + 0.5 * (0.3 * far + 0.7 * wall)
    for layers in ([(0, WALL), (1, other), (2, red)], [(2, red), (0, WALL), (1, other)]):
        np.testing.assert_allclose(middle(drawn(*layers)), expected, atol=0.01)


def test_what_is_behind_something_opaque_is_hidden_and_pictures_without_background_keep_the_opacity() -> None:
    thin = replace(PANE, translucent=True, opacity=0.4)
    np.testing.assert_array_equal(drawn((0, thin), (1, WALL))[20:28, 20:28], drawn((1, WALL))[20:28, 20:28])
    alone = drawn((1, thin), background=None)
    assert alone[24, 24, 3] == pytest.approx(0.4 * 255, abs=1)
    assert alone[0, 0, 3] == 0


def test_a_mask_is_opaque_from_its_cutoff_on_and_clear_below() -> None:
    half = np.zeros((8, 8, 3), np.float32)
    half[:, 4:] = 0.7  # opacities: the right half
    shown = replace(PANE, translucent=True, opacities=Mipmap.of(half), cutoff=0.5)
    picture, wall = drawn((0, WALL), (1, shown)), drawn((0, WALL))
    pane = drawn((0, WALL), (1, PANE))
    np.testing.assert_array_equal(picture[24, 16:20], wall[24, 16:20])  # no shadow of a mask is drawn on it
    np.testing.assert_allclose(picture[24, 28:31].astype(int), pane[24, 28:31].astype(int), atol=2)
    none = replace(shown, cutoff=0.8)
    np.testing.assert_array_equal(drawn((0, WALL), (1, none)), wall)


def test_the_back_of_a_double_sided_surface_is_lit_as_its_front() -> None:
    turned = QUAD[::-1]
    pictures = []
    for material in (PANE, replace(PANE, double_sided=True)):
        scene = Scene.of(turned, [[0, 1, 2], [0, 2, 3]], materials=[material], of_triangle=[0, 0])
        pictures.append(middle(scene_picture(scene, CAMERA, size=SIZE, background=(0, 0, 0))))
    assert (pictures[1] > 3 * pictures[0]).all()
