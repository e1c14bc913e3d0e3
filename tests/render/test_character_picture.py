"""Meshes that a file carries are drawn with the face, follow its head, and can be left out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from facewright.document import Document
from facewright.formats.character import character_of
from facewright.formats.registry import load_document
from facewright.render.camera import frame
from facewright.render.face_renderer import FaceRenderer, face_picture
from facewright.render.poser import Poser
from facewright.rig.head_motion import posed_head
from facewright.workflow.head_rig import with_head_rig


@pytest.fixture(scope="module")
def robot(shared_data: Path) -> Document:
    return with_head_rig(load_document(shared_data / "gltf_samples" / "RobotExpressive.glb"))


def test_the_hands_of_a_robot_are_drawn_where_they_are_and_can_be_left_out(robot: Document) -> None:
    size = (120, 120)
    camera = frame(robot.rig.neutral, "front", aspect=1.0)
    whole, alone = (face_picture(robot, size=size, camera=camera, character=each) for each in (True, False))
    differs = np.abs(whole.astype(int) - alone).max(axis=2) > 40
    hands = np.concatenate([mesh.positions for mesh in character_of(robot).meshes])
    across, up, _ = camera.seen(hands).T
    scale = size[1] / 2 / camera.half_height
    columns, rows = size[0] / 2 + scale * across, size[1] / 2 - scale * up
    shown = np.zeros(size[::-1], bool)
    shown[rows.astype(int).clip(0, 119), columns.astype(int).clip(0, 119)] = True
    assert differs[shown].mean() > 0.6  # else the hand is before an arm of its own colour
    near = binary_dilation(shown, iterations=6)
    assert differs[near].sum() > 0.9 * differs.sum()  # elsewhere only light and shadow differ
    bare = face_picture(replace(robot, attachments={}), size=size, camera=camera)
    np.testing.assert_array_equal(alone, bare)


def test_heat_shows_the_face_alone(robot: Document) -> None:
    heat = np.linspace(0, 1, robot.rig.vertex_count)
    one, other = (FaceRenderer(robot, size=(48, 48), heat=heat, character=each)(None) for each in (True, False))
    np.testing.assert_array_equal(one, other)


def test_a_turned_head_leaves_the_feet_where_they_are(robot: Document) -> None:
    turned = replace(robot, controls={"HeadYaw": 0.6, "NeckPitch": 0.2})
    rest, moved = Poser(robot).rest(), Poser(turned).rest()
    parts = {part.name: slice(part.start, part.stop) for part in robot.rig.parts}
    np.testing.assert_array_equal(moved[parts["Foot.L"]], rest[parts["Foot.L"]])
    rigid = posed_head(turned.controls, turned.head)
    assert rigid is not None
    np.testing.assert_allclose(moved[parts["Head"]], rest[parts["Head"]] @ rigid[0].T + rigid[1], atol=1e-9)
