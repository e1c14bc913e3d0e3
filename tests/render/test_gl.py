"""GL and our own rasteriser show the same picture; where there is no GL, these tests say so and skip."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.errors import BadValue, UnknownName
from facewright.render import Heat, face_picture, frame, look_at, mesh_picture
from facewright.render.gl import context as gl_context
from facewright.render.material import SKIN, textured
from facewright.render.mipmap import Mipmap
from facewright.render.renderers import has_gl, renderer_named
from tests.render.meshes import ball

needs_gl = pytest.mark.skipif(not has_gl(), reason="there is no GL on this machine to draw with")


def differences(draw: Callable[..., NDArray[np.uint8]]) -> Ints:
    """Levels (h, w) by which the two differ, at most over the channels."""
    ours, theirs = (draw(renderer=name).astype(int) for name in ("cpu", "gl"))
    assert ours.shape == theirs.shape
    return np.asarray(np.abs(ours - theirs).max(axis=2))


def check_same(draw: Callable[..., NDArray[np.uint8]], *, mean: float = 0.35, edges: float = 0.004) -> Ints:
    apart = differences(draw)
    assert apart.mean() < mean
    assert (apart > 3).mean() < 8 * edges
    assert (apart > 12).mean() < edges  # single pixels on edges, where the two take other samples
    return apart


def lumps() -> tuple[Floats, Ints]:
    points, triangles = ball(24)
    bumps = 1 + 0.15 * np.sin(4 * points[:, :1]) * np.sin(5 * points[:, 1:2])
    return points * bumps * [0.8, 1, 0.9], triangles


@needs_gl
@pytest.mark.parametrize(
    "view", ["threequarter", *(pytest.param(v, marks=pytest.mark.long) for v in ("front", "side"))]
)
def test_a_head_looks_the_same_from_all_sides(view: str) -> None:
    rig = fw.sample()
    check_same(lambda **o: face_picture(rig, {"jawOpen": 0.6, "mouthSmileLeft": 1}, size=(320, 360), view=view, **o))


@needs_gl
@pytest.mark.parametrize("samples", [1, 2, 4, 8, 16])
def test_any_number_of_samples_looks_the_same(samples: int) -> None:
    points, triangles = lumps()
    check_same(lambda **o: mesh_picture(points, triangles, size=(150, 130), samples=samples, **o), edges=0.02)


@needs_gl
@pytest.mark.parametrize(
    "wanted",
    [("colors",), ("heat", "wire"), *(pytest.param((alone,), marks=pytest.mark.long) for alone in ("wire", "heat"))],
)
def test_wire_heat_and_colours_look_the_same(wanted: tuple[str, ...]) -> None:
    rig = fw.sample()
    far = Heat(np.linalg.norm(rig.neutral - rig.neutral[0], axis=1), label="cm")
    waves = 0.5 + 0.5 * np.sin(rig.neutral @ np.random.default_rng(2).normal(size=(3, 4)))
    glow = np.clip(waves, 0, 1)  # colour and cover
    options = {"wire": True, "heat": far, "colors": glow}
    chosen: dict[str, Any] = {name: options[name] for name in wanted}
    check_same(lambda **o: face_picture(rig, size=(300, 300), **chosen, **o), mean=0.6)


@needs_gl
def test_parallel_rays_other_backgrounds_and_other_units_look_the_same() -> None:
    points, triangles = lumps()
    for scale in (0.01, 1.0, 100.0):
        placed = points * scale + 40 * scale
        camera = frame(placed, 20.0, aspect=1.2, perspective=False)
        check_same(lambda p=placed, c=camera, **o: mesh_picture(p, triangles, size=(180, 150), camera=c, **o))
    check_same(lambda **o: mesh_picture(points, triangles, size=(120, 120), background=(0.9, 0.9, 0.2), **o))
    clear = differences(lambda **o: mesh_picture(points, triangles, size=(120, 120), background=None, **o))
    assert (clear > 6).mean() < 0.01


@needs_gl
def test_what_is_behind_the_eye_or_beside_the_picture_is_not_drawn() -> None:
    points, triangles = lumps()
    inside = look_at((0.2, 0.0, 1.05), (0, 0, 0), half_height=0.4)
    check_same(lambda **o: mesh_picture(points, triangles, size=(120, 120), camera=inside, **o), edges=0.02)
    away = frame(points + np.array([1000, 0, 0]))
    assert not differences(lambda **o: mesh_picture(points, triangles, size=(60, 60), camera=away, **o)).any()
    none = np.zeros((0, 3), int)
    assert not differences(lambda **o: mesh_picture(points, none, size=(60, 60), **o)).any()


@needs_gl
@pytest.mark.parametrize("texels", [12, 700, *(pytest.param(many, marks=pytest.mark.long) for many in (200, 1500))])
def test_textures_look_the_same_enlarged_and_made_small(texels: int) -> None:
    rng = np.random.default_rng(5)
    points, triangles = lumps()
    corners = np.stack([np.arctan2(points[:, 0], points[:, 2]) / 7 + 0.5, points[:, 1] / 2.4 + 0.5], axis=1)
    # As fine as the pixels, not finer: there single samples on edges would show.
    noise = gaussian_filter(rng.normal(size=(texels, texels + 7, 3)), (max(texels / 60, 1),) * 2 + (0,), mode="wrap")
    image = np.clip(128 + 60 * noise / noise.std(), 0, 255).astype(np.uint8)
    skin = (textured(SKIN, Mipmap.of(image)),)
    check_same(
        lambda **o: mesh_picture(points, triangles, size=(200, 200), materials=skin, uvs=corners, **o),
        mean=0.8,
        edges=0.01,
    )


def test_without_gl_the_rasteriser_draws_and_asking_for_gl_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    none = SimpleNamespace(context=None, problem=BadValue("no GL here"))
    monkeypatch.setattr(gl_context, "_found", none)
    points, triangles = ball(8)
    np.testing.assert_array_equal(
        mesh_picture(points, triangles, size=(40, 40), renderer="auto"), mesh_picture(points, triangles, size=(40, 40))
    )
    with pytest.raises(BadValue, match="no GL here"):
        mesh_picture(points, triangles, size=(40, 40), renderer="gl")
    assert not has_gl()
    with pytest.raises(UnknownName, match="auto, gl, compiled, cpu"):
        renderer_named("vulkan")
