"""Opacities of a glTF file's materials, from the file to the picture: MASK is all or nothing, BLEND is a mean."""

from typing import Any

import numpy as np
import pytest

import facewright as fw
from facewright.image.srgb import to_linear
from facewright.render.camera import frame
from facewright.render.face_renderer import face_picture
from tests.avatars import MadeAvatar

OPACITY = 0.4


@pytest.fixture(scope="module")
def made() -> MadeAvatar:
    return MadeAvatar()


def drawn(made: MadeAvatar, material: dict[str, Any], *, character: bool = True) -> np.ndarray:
    """The middle of a picture of a face behind a red pane with a material, linear."""
    tiny = made.tiny()
    low, high = made.positions.min(axis=0), made.positions.max(axis=0)
    corners = np.array([[x, y, high[2] + 0.05] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])
    corners[:, :2] = low[:2] + corners[:, :2] * (high - low)[:2]
    made.add_lying_on(tiny, "visor", (corners, np.array([[0, 1, 2], [0, 2, 3]])))
    pane = {"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, OPACITY]}}
    tiny.json["materials"] = [{"name": "skin"}, {"name": "visor", **pane, **material}]
    for mesh, primitive in enumerate(one["primitives"][0] for one in tiny.json["meshes"]):
        primitive["material"] = mesh
    document = fw.load_document(tiny.glb(), format="vrm")
    camera = frame(document.rig.neutral, "front", aspect=1.0)
    picture = face_picture(document, size=(64, 64), camera=camera, character=character)
    return np.asarray(to_linear(picture[24:40, 24:40, :3]), np.float64)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).mean())


def test_a_visor_is_drawn_as_its_file_says(made: MadeAvatar) -> None:
    bare, opaque = drawn(made, {}, character=False), drawn(made, {"alphaMode": "OPAQUE"})
    blended = drawn(made, {"alphaMode": "BLEND"})
    assert apart(blended, OPACITY * opaque + (1 - OPACITY) * bare) < 0.005
    cut = {cutoff: drawn(made, {"alphaMode": "MASK", "alphaCutoff": cutoff}) for cutoff in (0.3, 0.5)}
    assert apart(cut[0.3], opaque) < 0.005
    assert apart(cut[0.5], bare) < 0.005
    assert apart(opaque, bare) > 20 * 0.005
