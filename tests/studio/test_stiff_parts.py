"""What the page needs to move teeth, tongue and eyes as the library does."""

from dataclasses import replace

import numpy as np

import facewright as fw
from facewright.document import Document
from facewright.rig.gaze import Gaze
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape
from facewright.session.frames import unpack
from facewright.session.views.geometry import geometry


def without(rig: Rig, words: tuple[str, ...]) -> Rig:
    """A rig whose shapes leave some parts alone."""
    still = np.zeros(rig.vertex_count, bool)
    for part in rig.parts:
        still[part.start : part.stop] = any(word in part.name for word in words)
    kept = [~still[shape.vertices] for shape in rig.shapes]
    shapes = [
        Shape(shape.name, shape.vertices[some], shape.offsets[some], shape.sliders, shape.at)
        for shape, some in zip(rig.shapes, kept, strict=True)
    ]
    return replace(rig, shapes=tuple(shapes))


def test_parts_that_no_shape_moves_ride_on_the_chin() -> None:
    rig = without(fw.sample(), ("teeth", "gums", "tongue"))
    _, arrays = unpack(geometry(Document(rig), "x").pack())
    riding = {part.name for part in rig.parts if np.isin(np.arange(part.start, part.stop), arrays["riders"]).all()}
    assert riding == {"lower teeth", "lower gums", "tongue"}
    assert len(arrays["carriers"]) >= 8
    assert (rig.neutral[arrays["carriers"], 1] < rig.neutral[rig.part("upper teeth").start, 1]).all()


def test_a_rig_whose_shapes_move_everything_has_no_riders() -> None:
    _, arrays = unpack(geometry(Document(fw.sample()), "x").pack())
    assert len(arrays["riders"]) == 0


def test_eyes_come_with_the_shapes_that_look_the_way_the_library_looks() -> None:
    rig = fw.sample()
    header, arrays = unpack(geometry(Document(rig), "x").pack())
    target = np.array([6.0, 4.0, 30.0])
    wanted = Gaze(rig).weights(rig.weights(None), target)
    for eye in header.eyes:
        x, y, z = target - eye.middle
        angles = np.arctan2(x, z), np.arctan2(y, np.hypot(x, z))
        for look in eye.looks:
            value = np.clip(look.sense * angles[look.axis] / look.reach, 0, 1)
            assert abs(value - wanted[rig.slider_index(rig.shapes[look.shape].name)]) < 1e-6
    assert sorted(arrays["eyeballs"]) == list(range(rig.part("left eye").start, rig.part("right eye").stop))
