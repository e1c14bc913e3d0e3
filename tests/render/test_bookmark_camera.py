"""A view that a document keeps is seen by the renderer as by the studio's viewport."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.formats.registry import save
from facewright.reference.bookmark import CameraBookmark
from facewright.render.bookmark_camera import bookmark_camera, kept_camera
from facewright.rig.edit.bake import scale
from facewright.samples import mask
from tests.cli.command import run

RIG = mask(vertices=200, shapes=2)
VIEW = CameraBookmark("mouth", 0.5, -0.2, 2.0, (0.1, -0.2, 0.0), 30.0)


def middle_and_size() -> tuple[np.ndarray, float]:
    low, high = RIG.neutral.min(axis=0), RIG.neutral.max(axis=0)
    return (low + high) / 2, float(np.linalg.norm(high - low))


def test_the_target_is_in_the_middle_and_as_tall_as_the_lens_says() -> None:
    camera, (middle, size) = bookmark_camera(VIEW, RIG), middle_and_size()
    target = middle + size * np.array(VIEW.target)
    np.testing.assert_allclose(camera.seen(target[None])[0], [0, 0, 2 * size], atol=1e-9 * size)
    assert camera.half_height == pytest.approx(2 * size * math.tan(math.radians(15)))
    # Turned by the yaw towards the character's own left (+x), and below the target.
    away = (camera.eye - target) / (2 * size)
    assert away == pytest.approx([math.sin(0.5) * math.cos(0.2), -math.sin(0.2), math.cos(0.5) * math.cos(0.2)])
    assert not bookmark_camera(replace(VIEW, orthographic=True), RIG).perspective


def test_a_view_holds_in_any_unit() -> None:
    one, other = bookmark_camera(VIEW, RIG), bookmark_camera(VIEW, scale(RIG, 0.01))
    np.testing.assert_allclose(0.01 * one.eye, other.eye, rtol=1e-9, atol=1e-12)
    assert 0.01 * one.half_height == pytest.approx(other.half_height)


def test_pictures_are_drawn_from_a_view_by_its_name(tmp_path: Path) -> None:
    document = Document(RIG, bookmarks=(VIEW,))
    with pytest.raises(UnknownName, match="mouth"):
        kept_camera(document, "mout")
    save(document, tmp_path / "face.fwface")
    for view in ("mouth", "front"):
        run("render", tmp_path / "face.fwface", "--view", view, "--size", 32, "-o", tmp_path / f"{view}.png")
    assert (tmp_path / "mouth.png").read_bytes() != (tmp_path / "front.png").read_bytes()
    assert "mouth" in run("render", tmp_path / "face.fwface", "--view", "nose", "-o", tmp_path / "x.png").stderr
