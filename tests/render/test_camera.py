import numpy as np
import pytest

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName
from facewright.render import VIEWS, frame, look_at
from facewright.render.camera import Camera
from facewright.render.clipping import project


def on_picture(camera: Camera, points: Floats, size: tuple[int, int]) -> Floats:
    clip = project(camera, points, size)
    return np.asarray(clip[:, :2] / clip[:, 3:])


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("view", [*VIEWS, -35.0, 180])
@pytest.mark.parametrize("size", [(300, 300), (640, 200), (200, 640)])
def test_a_framed_camera_shows_every_point_inside_the_margin_and_fills_it(
    perspective: bool, view: float | str, size: tuple[int, int]
) -> None:
    points = np.random.default_rng(1).normal(size=(80, 3)) * (3, 5, 2) + (40, -7, 12)
    camera = frame(points, view, aspect=size[0] / size[1], margin=0.1, perspective=perspective)
    xy = on_picture(camera, points, size) / size
    assert xy.min() >= 0.1 - 1e-9
    assert xy.max() <= 0.9 + 1e-9
    # The box's middle is the picture's; at least one of the four sides is met or, in perspective, nearly.
    assert np.abs(xy - 0.5).max() > (0.399999 if not perspective else 0.36)


def test_a_face_looks_at_the_front_camera_with_its_left_to_the_right_and_up_upwards() -> None:
    face = np.array([(0, 0, 1), (1, 0, 0), (0, 1, 0), (-1, -1, -1), (1, 1, 1)], float)  # nose, left ear, crown
    nose, left, crown = on_picture(frame(face), face, (100, 100))[:3]
    assert left[0] > nose[0] + 10
    assert crown[1] < nose[1] - 10


def test_from_the_side_the_nose_points_left_and_from_threequarters_it_turns_that_way() -> None:
    face = np.array([(0, 0, 1), (0, 0, -1), (1, 1, 0), (-1, -1, 0)], float)
    for view in ("side", "threequarter"):
        nose, back = on_picture(frame(face, view), face, (100, 100))[:2]
        assert nose[0] < back[0] - 10


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_framing_does_not_know_the_unit(scale: float, perspective: bool) -> None:
    points = np.random.default_rng(3).normal(size=(30, 3))
    one = on_picture(frame(points, 20, perspective=perspective), points, (90, 90))
    other = on_picture(frame(points * scale, 20, perspective=perspective), points * scale, (90, 90))
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_perspective_shows_near_things_larger_and_parallel_rays_do_not() -> None:
    bars = np.array([(-1, 0, 2), (1, 0, 2), (-1, 0, -2), (1, 0, -2)], float)
    for perspective in (False, True):
        x = on_picture(look_at((0, 0, 10), (0, 0, 0), half_height=3, perspective=perspective), bars, (90, 90))[:, 0]
        ratio = (x[1] - x[0]) / (x[3] - x[2])
        np.testing.assert_allclose(ratio, 12 / 8 if perspective else 1)


def test_the_axes_of_a_camera_are_orthonormal_and_right_handed_on_the_picture() -> None:
    axes = look_at((3, 1, -2), (0.5, 4, 1), half_height=1).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), -axes[2], atol=1e-12)


def test_one_point_or_a_flat_cloud_can_be_framed() -> None:
    for points in ([(1, 2, 3)], [(0, 0, 0), (0, 0, 5)], [(0, 0, 0), (0, 4, 0)]):
        camera = frame(points)
        xy = on_picture(camera, np.array(points, float), (50, 50))
        assert np.isfinite(xy).all()
        assert (np.abs(xy - 25) < 25).all()


def test_cameras_that_cannot_be_are_refused() -> None:
    with pytest.raises(UnknownName, match="threequarter"):
        frame([(0, 0, 0), (1, 1, 1)], "threequarters")
    with pytest.raises(BadValue, match="no points"):
        frame(np.zeros((0, 3)))
    with pytest.raises(BadValue, match="up"):
        look_at((0, 5, 0), (0, 0, 0), half_height=1)
    with pytest.raises(BadValue, match="half_height"):
        look_at((0, 0, 5), (0, 0, 0), half_height=0)
