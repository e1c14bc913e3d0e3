"""Teeth and tongue that no shape moves go with the jaw, as one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.capture.followers import followers, following_rig
from facewright.capture.playback import Playback
from facewright.capture.solver import solve_take
from facewright.rig.rig import Part, Rig
from facewright.rig.shape import Shape
from tests.capture.acting import acted


def with_teeth(names: tuple[str, ...]) -> Rig:
    """The embedded head with more teeth, which no shape moves, by these names."""
    rig = fw.sample()
    extra = np.array([[0.0, -7, 1], [0.5, -7, 1], [0, -7.5, 1], [0.5, -7.5, 1.2]])
    neutral = np.concatenate([rig.neutral, *[extra] * len(names)])
    quads = rig.polygons.uniform()
    assert quads is not None
    more = [[v + rig.vertex_count + 4 * i for v in (0, 1, 3, 2)] for i in range(len(names))]
    start = rig.vertex_count
    parts = (*rig.parts, *(Part(name, start + 4 * i, start + 4 * i + 4) for i, name in enumerate(names)))
    return Rig(neutral, np.concatenate([quads, more]), rig.shapes, parts=parts)


def test_teeth_that_no_shape_moves_follow_the_jaw_rigidly_and_upper_ones_stay() -> None:
    rig = with_teeth(("false lower teeth", "false upper teeth"))
    made = acted(rig, frames=6, head=False)
    weights = np.zeros((6, 52))
    weights[:, rig.sliders.index("jawOpen")] = np.linspace(0, 1, 6)
    solved = replace(solve_take(rig, made.take, made.binding), weights=weights)
    played = Playback(solved, residual=False)(np.arange(6))
    lower, upper = played[:, -8:-4], played[:, -4:]
    np.testing.assert_array_equal(upper, np.repeat(rig.neutral[None, -4:], 6, axis=0))
    assert np.linalg.norm(lower[5] - lower[0], axis=1).min() > 1.0
    apart = np.linalg.norm(lower[:, :, None] - lower[:, None], axis=3)
    np.testing.assert_allclose(apart, np.repeat(apart[:1], 6, axis=0), atol=1e-9)


def toothless(*parts: str, whole: bool = False) -> Rig:
    """The embedded head, whose shapes no longer move these parts; whole: all teeth and gums are one part."""
    rig = fw.sample()
    gone = [np.arange(part.start, part.stop) for part in rig.parts if part.name in parts]
    shapes = []
    for shape in rig.shapes:
        kept = ~np.isin(shape.vertices, np.concatenate(gone))
        shapes.append(Shape(shape.name, shape.vertices[kept], shape.offsets[kept], shape.sliders, shape.at))
    first, last = (next(part for part in rig.parts if part.name == name) for name in ("upper teeth", "lower gums"))
    others = tuple(part for part in rig.parts if not first.start <= part.start <= last.start)
    names = tuple(sorted((*others, Part("Teeth", first.start, last.stop)), key=lambda part: part.start))
    return replace(rig, shapes=tuple(shapes), parts=names if whole else rig.parts, rules=())


JAW = ("lower teeth", "lower gums")


def vertices_of(*parts: str) -> np.ndarray:
    return np.concatenate([np.arange(part.start, part.stop) for part in fw.sample().parts if part.name in parts])


def test_of_teeth_in_one_part_the_lower_ones_hang_on_the_jaw() -> None:
    found = followers(toothless(*JAW, whole=True))
    np.testing.assert_array_equal(found.vertices, vertices_of(*JAW))


def test_parts_that_shapes_move_follow_nobody() -> None:
    assert not len(followers(fw.sample()))
    rig = fw.sample()
    assert following_rig(rig) is rig


@pytest.mark.parametrize("name", ["jawOpen", "jawLeft", "jawForward"])
def test_shapes_that_take_followers_along_do_nearly_what_the_real_ones_did(name: str) -> None:
    rig, lower = fw.sample(), vertices_of(*JAW)
    again = following_rig(toothless(*JAW))
    shape, true = (one.shapes[one.shape_names.index(name)].dense(one.vertex_count) for one in (again, rig))
    missed = np.linalg.norm(shape[lower] - true[lower], axis=1).mean() / np.linalg.norm(true[lower], axis=1).mean()
    assert missed < 0.35
    others = np.setdiff1d(np.arange(rig.vertex_count), lower)
    np.testing.assert_array_equal(shape[others], true[others])


def test_a_shape_that_leaves_the_chin_alone_leaves_teeth_alone() -> None:
    again = following_rig(toothless(*JAW))
    blink = again.shapes[again.shape_names.index("eyeBlinkLeft")]
    assert not np.isin(blink.vertices, vertices_of(*JAW)).any()


def test_saved_as_glb_the_teeth_still_follow(tmp_path: Path) -> None:
    fw.save(toothless(*JAW), tmp_path / "bare.glb")
    document = fw.load_document(tmp_path / "bare.glb")
    fw.save(replace(document, rig=following_rig(document.rig)), tmp_path / "out.glb")
    rig = fw.load(tmp_path / "out.glb")
    opened = fw.evaluate(rig, rig.weights({"jawOpen": 1.0})) - rig.neutral
    lower = next(part for part in rig.parts if "lower teeth" in part.name)
    assert np.linalg.norm(opened[lower.start : lower.stop], axis=1).min() > 1.0
