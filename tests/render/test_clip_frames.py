"""Clips played on faces: poses, the head's motion, parts that follow, eyes on a point, regions."""

import numpy as np
import pytest

import facewright as fw
from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.mesh.align import align
from facewright.mesh.polygons import Polygons
from facewright.render.camera import frame
from facewright.render.clip_frames import ClipFrames
from facewright.render.clipping import project
from facewright.render.poser import Poser
from facewright.rig.edit.parts import merge
from facewright.rig.gaze import balls
from facewright.rig.head_motion import head_curves
from facewright.rig.rig import Part
from facewright.samples import mask


def turns(angles: Floats) -> Floats:
    """Rotations about y."""
    a, b = np.cos(angles), np.sin(angles)
    zero, one = np.zeros_like(a), np.ones_like(a)
    return np.stack([a, zero, b, zero, one, zero, -b, zero, a], axis=-1).reshape(-1, 3, 3)


def nodding(rig: fw.Rig, frames: int = 5, rate: float = 10.0) -> tuple[fw.Clip, Floats, Floats]:
    times = np.arange(frames) / rate
    clip = fw.Clip.from_table("nod", rig.sliders[:2], times, np.linspace(0, 1, 2 * frames).reshape(frames, 2))
    offsets = np.outer(np.linspace(0, 1, frames), [4.0, -1.0, 2.0])
    head = head_curves(times, turns(np.linspace(0, 0.8, frames)), offsets)
    return fw.Clip("nod", dict(clip.curves) | head, rate), turns(np.linspace(0, 0.8, frames)), offsets


def test_a_frame_is_the_pose_of_that_moment_moved_as_the_head_is() -> None:
    rig = mask(300, 5, seed=3)
    clip, rotations, offsets = nodding(rig)
    document = fw.Document(rig, pose=rig.weights({rig.sliders[3]: 0.6}))
    played, held = (ClipFrames(Poser(document), clip, head=head) for head in (True, False))
    assert len(played) == 5
    for frame_number in range(5):
        weights = clip.sample(rig.sliders, [frame_number / 10])[0]
        weights[3] = 0.6  # a slider without a curve is as it is in the document
        wanted = fw.evaluate(rig, weights)
        np.testing.assert_allclose(held(frame_number), wanted, atol=1e-9)
        moved = wanted @ rotations[frame_number].T + offsets[frame_number]
        np.testing.assert_allclose(played(frame_number), moved, atol=1e-9)


def test_every_frame_stays_inside_a_camera_that_shows_its_reach() -> None:
    rig = mask(300, 5, seed=3)
    clip, *_ = nodding(rig, frames=9)
    played = ClipFrames(Poser(fw.Document(rig)), clip)
    camera = frame(played.reach(), "threequarter", margin=0.05)
    for number in range(len(played)):
        clip_space = project(camera, played(number), (100, 100))
        places = clip_space[:, :2] / clip_space[:, 3:]
        assert places.min() > 0
        assert places.max() < 100


def test_another_rate_gives_other_moments_and_the_same_length() -> None:
    rig = mask(300, 5, seed=3)
    clip, *_ = nodding(rig)
    played = ClipFrames(Poser(fw.Document(rig)), clip, rate=25)
    np.testing.assert_allclose(played.times, np.arange(11) / 25)
    with pytest.raises(BadValue, match="frames a second"):
        ClipFrames(Poser(fw.Document(rig)), clip, rate=0)
    with pytest.raises(BadValue, match="at most"):
        ClipFrames(Poser(fw.Document(rig)), clip, rate=1e9)
    with pytest.raises(BadValue, match="no keys"):
        ClipFrames(Poser(fw.Document(rig)), fw.Clip("empty"))


def test_curves_that_move_nothing_are_told() -> None:
    rig = mask(300, 5, seed=3)
    clip = fw.Clip.from_table("x", ["wings", rig.sliders[0]], [0, 1], [[0, 0], [1, 1]])
    assert ClipFrames(Poser(fw.Document(rig)), clip).left_out == ("wings",)


def with_loose_teeth() -> fw.Rig:
    """The embedded head with a row of lower teeth that no shape moves."""
    rig = fw.sample()
    plain = fw.Rig(neutral=rig.neutral[:4410], polygons=Polygons.of(rig.triangles[(rig.triangles < 4410).all(axis=1)]))
    shapes = tuple(
        fw.Shape(shape.name, shape.vertices[shape.vertices < 4410], shape.offsets[shape.vertices < 4410])
        for shape in rig.shapes
    )
    head = fw.Rig(neutral=plain.neutral, polygons=plain.polygons, shapes=shapes, parts=(Part("head", 0, 4410),))
    part = rig.part("lower teeth")
    inside = ((rig.triangles >= part.start) & (rig.triangles < part.stop)).all(axis=1)
    teeth = fw.Rig(
        neutral=rig.neutral[part.start : part.stop],
        polygons=Polygons.of(rig.triangles[inside] - part.start),
        parts=(Part("lower teeth", 0, part.stop - part.start),),
    )
    return merge(head, teeth)


def test_parts_without_shapes_follow_the_jaw_as_one() -> None:
    rig = with_loose_teeth()
    moved = Poser(fw.Document(rig))(rig.weights({"jawOpen": 0.8}))
    teeth = slice(4410, None)
    rest = rig.neutral[teeth]
    assert np.linalg.norm(moved[teeth] - rest, axis=1).min() > 0.3
    spread = [np.linalg.norm(one - one[0], axis=1) for one in (rest, moved[teeth])]
    np.testing.assert_allclose(spread[0], spread[1], atol=1e-9)
    np.testing.assert_allclose(moved[:4410], fw.evaluate(rig, {"jawOpen": 0.8})[:4410])


def test_eyes_stay_on_a_point_in_space_while_the_head_moves() -> None:
    rig = fw.sample()
    clip, *_ = nodding(rig)
    target = np.array([20.0, 1.0, 90.0])
    played = ClipFrames(Poser(fw.Document(rig)), clip, look=target)
    eye = rig.part("left eye")
    rest = rig.neutral[eye.start : eye.stop]
    middle = balls(rest)[0].middle
    for number in range(len(played)):
        fit = align(rest, played(number)[eye.start : eye.stop])
        ahead, wanted = fit.rotation @ [0, 0, 1], target - fit(middle)
        assert np.linalg.norm(ahead - wanted / np.linalg.norm(wanted)) < 1e-3
