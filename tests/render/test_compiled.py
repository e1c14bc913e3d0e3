"""Compiled loops draw what the software renderer draws in numpy; without numba these tests say so and skip."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import facewright as fw
from facewright.errors import MissingExtra
from facewright.render import ClipRenderer, Heat, face_picture, frame, look_at, mesh_picture, renderers
from facewright.render.clipping import project
from facewright.render.raster import visible
from facewright.render.renderers import for_many, has_compiler, renderer_named
from tests.render.meshes import ball

needs_numba = pytest.mark.skipif(not has_compiler(), reason="numba is not installed")


def check_same(draw: Callable[..., NDArray[np.uint8]]) -> None:
    """At most one level of 255 apart, but for a few pixels in a hundred thousand at which single precision decides."""
    ours, theirs = (draw(renderer=name).astype(int) for name in ("compiled", "cpu"))
    assert ours.shape == theirs.shape
    apart = np.abs(ours - theirs).max(axis=2)
    assert apart.mean() < 0.01
    assert (apart > 1).mean() < 1e-4
    assert theirs.std() > 5


@needs_numba
@pytest.mark.parametrize("samples", [1, 4, pytest.param(16, marks=pytest.mark.long)])
@pytest.mark.parametrize("perspective", [True, False])
def test_the_nearest_triangles_and_depths_are_the_same_to_the_last_bit(samples: int, *, perspective: bool) -> None:
    from facewright.render.compiled.fill import filled

    rig = fw.sample()
    positions, size = fw.evaluate(rig, {"jawOpen": 0.7, "mouthSmileLeft": 1}), (151, 130)
    camera = frame(positions, 20.0, aspect=size[0] / size[1], perspective=perspective)
    ours = filled(camera, positions, rig.triangles, size, samples=samples)
    theirs = visible(camera, positions, rig.triangles, size, samples=samples)
    assert ours is not None
    assert (theirs.triangle >= 0).mean() > 0.2
    np.testing.assert_array_equal(ours.triangle, theirs.triangle.ravel())
    np.testing.assert_array_equal(ours.depth, theirs.depth.ravel())


@needs_numba
def test_a_textured_head_in_a_pose_is_the_same_picture() -> None:
    document, pose = fw.textured_sample(256), {"jawOpen": 0.5, "mouthSmileLeft": 1, "browDownLeft": 0.6}
    for view, background in (("threequarter", (0.9, 0.5, 0.2)), ("front", None)):
        options: dict[str, Any] = {"size": (260, 300), "view": view, "background": background}
        check_same(lambda options=options, **o: face_picture(document, pose, **options, **o))


@needs_numba
@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_heat_wires_parallel_rays_and_other_units_are_the_same_picture(scale: float) -> None:
    points, triangles = ball(16)
    points = scale * points * (1 + 0.2 * np.sin(4 * points[:, :1]))
    camera = frame(points, 30.0, perspective=False)
    check_same(lambda **o: mesh_picture(points, triangles, camera=camera, size=(160, 160), **o))
    check_same(lambda **o: mesh_picture(points, triangles, heat=Heat(points[:, 0]), size=(160, 160), **o))
    check_same(lambda **o: mesh_picture(points, triangles, wire=True, size=(160, 160), **o))


@needs_numba
def test_what_reaches_behind_the_eye_is_the_same_picture() -> None:
    points, triangles = ball(16)
    camera = look_at((0, 0, 0.5), (0, 0.2, -1), half_height=0.8)
    assert (project(camera, points, (80, 80))[:, 3] < 0).any()
    check_same(lambda **o: mesh_picture(points, triangles, camera=camera, size=(80, 80), **o))


def test_frames_drawn_ahead_are_those_drawn_alone_and_in_any_order() -> None:
    document = fw.textured_sample(128)
    names = ("mouthSmileLeft", "mouthSmileRight", "browDownLeft", "browDownRight")
    values = np.array([[0, 0, 1, 1], [0.2, 0.2, 0.9, 0.9], [1, 1, 0, 0], [1, 1, 0.3, 0.3], [0, 0, 0, 0]], float)
    clip = fw.Clip.from_table("talk", names, np.arange(5) / 24, values)
    options: dict[str, Any] = {"size": (90, 100)}
    together = list(ClipRenderer(document, clip, **options).pictures())
    alone = ClipRenderer(document, clip, **options)
    for index in (4, 1, 3, 0, 2):
        np.testing.assert_array_equal(alone(index), together[index])
    np.testing.assert_array_equal(list(alone.pictures(3)), together[3:])
    assert np.abs(together[2].astype(int) - together[0]).max() > 20


def test_films_are_drawn_by_compiled_loops_where_there_is_no_graphics_card(monkeypatch: pytest.MonkeyPatch) -> None:
    for known, card, wanted in ((True, False, "compiled"), (True, True, "gl"), (False, False, "auto")):
        monkeypatch.setattr(renderers, "has_compiler", lambda known=known: known)
        monkeypatch.setattr(renderers, "has_gl", lambda: True)
        monkeypatch.setattr(renderers, "_is_in_software", lambda card=card: not card)
        assert for_many("auto") == wanted
        assert for_many("cpu") == "cpu"


def test_without_numba_the_words_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("facewright.render.compiled")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match=r"facewright\[films\]"):
        renderer_named("compiled")
