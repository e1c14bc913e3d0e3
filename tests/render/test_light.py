from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.render import frame
from facewright.render.camera import Camera
from facewright.render.occlusion import openness
from facewright.render.raster import visible
from facewright.render.scene import Scene
from facewright.render.shade import STUDIO, ShadedSurface, shade
from facewright.render.shading_points import ShadingPoints, shading_points
from facewright.render.shadow import ShadowMap, smooth_light
from tests.render.meshes import ball

Singles = NDArray[np.float32]
Seen = tuple[Scene, Camera, ShadingPoints, Floats, Singles]
SIZE = (160, 160)


def seen(positions: Floats, triangles: Ints, **options: Any) -> Seen:
    scene = Scene.of(positions, triangles)
    camera = frame(scene.positions, **options)
    shown = shading_points(visible(camera, scene.positions, scene.triangles, SIZE, samples=4))
    place = shown.samples.mix(scene.positions[scene.triangles])
    return scene, camera, shown, place, scene.normals(shown.samples)


def lit(toward: Singles, scene: Scene, shown: ShadingPoints, place: Floats, normal: Singles) -> Singles:
    found = ShadowMap(toward, scene, max(SIZE)).lit(place.astype(np.float32), normal, shown.turns(slice(None)))
    return smooth_light(found[:, None], shown, scene.radius)[:, 0]


@pytest.mark.parametrize("toward", [(0, 0, 1), (-0.6, 0.6, 0.52), (0, 1, 0), (0.9, 0.1, 0.4)])
def test_a_ball_throws_no_shadow_on_the_side_that_faces_the_light(toward: tuple[float, float, float]) -> None:
    light = np.asarray(toward, np.float32) / np.float32(np.linalg.norm(toward))
    scene, _, shown, place, normal = seen(*ball(32))
    share = lit(light, scene, shown, place, normal)
    slope = normal @ light
    assert share[slope > 0.3].min() > 0.97
    assert share[slope < -0.5].max(initial=0) < 0.05


def test_what_stands_between_a_wall_and_the_light_shades_the_wall() -> None:
    wall = np.array([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], float)
    disc = wall * 0.3 + (0, 0, 1)
    scene, _, shown, place, normal = seen(
        np.concatenate([wall, disc]), np.array([(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    )
    toward = np.array([0.6, 0, 0.8], np.float32)
    share = lit(toward, scene, shown, place, normal)
    on_wall = place[:, 2] < 0.5
    # Straight along the light the disc of half-width 0.6 at height 1 falls on x in [-1.35, -0.15], y in [-0.6, 0.6].
    middle = on_wall & (np.abs(place[:, 0] + 0.75) < 0.4) & (np.abs(place[:, 1]) < 0.4)
    clear = on_wall & ((place[:, 0] < -1.6) | (place[:, 0] > 0.1) | (np.abs(place[:, 1]) > 0.85))
    assert middle.sum() > 100
    assert share[middle].max() < 0.1
    assert share[clear].min() > 0.95
    assert ((share > 0.2) & (share < 0.8)).sum() > 50  # and its border is soft


def open_share(scene: Scene, camera: Camera, shown: ShadingPoints, place: Floats, normal: Singles) -> Singles:
    scale = SIZE[1] / (2 * camera.half_height)
    return openness(shown.pixel, SIZE, camera.seen(place) * scale, normal @ camera.axes.T, 12.0, 1)


def test_the_room_reaches_a_plane_and_a_ball_everywhere() -> None:
    wall = np.array([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], float)
    assert open_share(*seen(wall, np.array([(0, 1, 2), (0, 2, 3)]), perspective=False)).min() > 0.99
    assert open_share(*seen(*ball(32))).min() > 0.97


def test_less_of_the_room_reaches_the_bottom_of_a_pit() -> None:
    steps = np.linspace(-1, 1, 61)
    x, y = np.meshgrid(steps, steps)
    z = -0.15 * np.exp(-((x**2 + y**2) / 0.02))
    i = np.arange(60 * 61).reshape(60, 61)[:, :-1].ravel()
    triangles = np.concatenate([np.stack([i, i + 1, i + 62], 1), np.stack([i, i + 62, i + 61], 1)])
    found = seen(np.stack([x, y, z], axis=2).reshape(-1, 3), triangles, perspective=False)
    place, share = found[3], open_share(*found)
    away = np.hypot(place[:, 0], place[:, 1])
    assert share[away < 0.05].max() < 0.9
    assert share[away > 0.6].min() > 0.97


def surface(normal: Floats, **other: Singles) -> ShadedSurface:
    n = len(normal)
    values = {
        "normal": normal.astype(np.float32),
        "to_eye": np.array([[0, 0, 1]], np.float32),
        "color": np.full((n, 3), 0.5, np.float32),
        "shine": np.zeros(n, np.float32),
        "roughness": np.full(n, 0.5, np.float32),
        "wrap": np.zeros((n, 3), np.float32),
        "open": np.ones(n, np.float32),
        "lit": np.ones((n, 3), np.float32),
    }
    return ShadedSurface(**(values | other))


AXES = np.array([(1, 0, 0), (0, 1, 0), (0, 0, -1)], float)


def test_without_shine_light_is_proportional_to_colour() -> None:
    rng = np.random.default_rng(4)
    normal = rng.normal(size=(50, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    color = rng.uniform(0, 1, (50, 3)).astype(np.float32)
    one, half = (shade(surface(normal, color=c), AXES) for c in (color, color / np.float32(2)))
    np.testing.assert_allclose(one, 2 * half, rtol=1e-5)


def test_less_light_arriving_never_makes_a_point_brighter() -> None:
    normal = np.tile([(0, 0, 1.0), (0.6, 0, 0.8), (-0.6, 0.64, 0.48)], (1, 1))
    wrap = np.full((3, 3), 0.3, np.float32)
    shares = np.linspace(0, 1, 11, dtype=np.float32)
    for name, shape in (("lit", (3, 3)), ("open", (3,))):
        light = [shade(surface(normal, wrap=wrap, **{name: np.full(shape, s)}), AXES) for s in shares]
        assert (np.diff(light, axis=0) >= 0).all()


def test_a_shiny_surface_mirrors_the_key_light_halfway_between_light_and_eye() -> None:
    toward = np.array(STUDIO.key.toward) / np.linalg.norm(STUDIO.key.toward)
    half = toward + np.array([0, 0, 1])
    half /= np.linalg.norm(half)
    normal = np.stack([half, (0, 0, 1)])
    shiny = shade(surface(normal, shine=np.ones(2, np.float32), roughness=np.full(2, 0.2, np.float32)), AXES)
    dull = shade(surface(normal), AXES)
    assert (shiny - dull)[0].min() > 5 * (shiny - dull)[1].max()


def test_where_light_fades_red_reaches_furthest_in_skin() -> None:
    angle = np.radians([95, 100])
    toward = np.array(STUDIO.key.toward) / np.linalg.norm(STUDIO.key.toward)
    side = np.cross(toward, (0, 1, 0))
    side /= np.linalg.norm(side)
    normal = np.cos(angle)[:, None] * toward + np.sin(angle)[:, None] * side
    wrap = np.tile(np.array([0.4, 0.1, 0.05], np.float32), (2, 1))
    only_key = np.tile(np.array([1, 0, 0], np.float32), (2, 1))
    gain = shade(surface(normal, wrap=wrap, lit=only_key), AXES) - shade(surface(normal, lit=only_key), AXES)
    assert (gain[:, 0] > gain[:, 1]).all()
    assert (gain[:, 0] > 0.01).all()


def test_in_a_hollow_that_no_lamp_sees_into_nothing_of_the_room_is_mirrored_that_does_not_light_it() -> None:
    normal = np.array([(0.8, 0.0, 0.6)])  # grazing: the mirror is strong
    dark = np.zeros((1, 3), np.float32)
    wet = {"shine": np.ones(1, np.float32), "roughness": np.full(1, 0.4, np.float32)}  # too rough for a spark
    gain = [
        shade(surface(normal, lit=lit, **wet), AXES) - shade(surface(normal, lit=lit), AXES)
        for lit in (dark, np.array([[0, 1, 0]], np.float32))
    ]
    assert 0 < gain[0].max() < 0.35 * gain[1].min()
