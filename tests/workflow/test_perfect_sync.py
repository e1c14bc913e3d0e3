"""The 52 expressions of ARKit on avatars: by transfer, near to what an artist would make, and as other programs see."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

import facewright as fw
from facewright.errors import BadValue
from facewright.rig.name_tables import ARKIT
from tests.avatars import BONES, MadeAvatar
from tests.cli.command import run
from tests.formats.gltf_files import Tiny, errors
from tests.formats.test_vrm import AVATAR, TURNED, assert_moves_alike

GAZE = [name for name in ARKIT if name.startswith("eyeLook")]


@pytest.fixture(scope="module")
def made() -> MadeAvatar:
    return MadeAvatar()


def opened(tiny: Tiny, folder: Path) -> fw.Document:
    return fw.load_document(tiny.save(folder / "made.vrm"))


def error(made: MadeAvatar, found: fw.PerfectSync, shapes: list[str]) -> float:
    """The median over shapes of the error, as a share of the motion of the person's own shape."""
    rig = found.document.rig
    at = cKDTree(rig.neutral).query(made.positions)[1]
    apart = [
        np.linalg.norm(rig.shape(name).dense(rig.vertex_count)[at] - made.offsets(name))
        / np.linalg.norm(made.offsets(name))
        for name in shapes
    ]
    return float(np.median(apart))


def without_eyes(made: MadeAvatar, tiny: Tiny) -> Tiny:
    """The same without joints of the eyes, and without eyes."""
    for bone in ("leftEye", "rightEye"):
        del tiny.json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"][bone]
        tiny.json["nodes"][BONES.index(bone)]["name"] = "other"
    eyes = np.isin(made.joints, [BONES.index("leftEye"), BONES.index("rightEye")])
    kept = made.triangles[~eyes[made.triangles].any(axis=1)]
    tiny.json["meshes"][0]["primitives"][0]["indices"] = tiny.accessor(kept.ravel(), "u2")
    return tiny


@pytest.mark.long  # a real avatar is tried in the quick run, too
def test_shapes_come_near_to_the_persons_own_and_what_the_artist_made_stays(made: MadeAvatar, tmp_path: Path) -> None:
    document = opened(made.tiny(("jawOpen", "eyeBlinkLeft", "eyeBlinkRight")), tmp_path)
    found = fw.perfect_sync(document)
    assert found.own == ("eyeBlinkLeft", "eyeBlinkRight")
    assert {*found.own, *found.made} == set(ARKIT)
    blink = next(one for one in found.document.expressions if one.name == "EyeBlinkLeft")
    assert blink.binds == (fw.ExpressionBind("shape_1", 1.0),)
    assert error(made, found, [name for name in found.made if name not in GAZE]) < 0.2
    again = fw.perfect_sync(found.document)
    assert (again.made, again.document.expressions) == ((), found.document.expressions)
    # what has joints of its own is left to them
    eyes = np.isin(made.joints, [BONES.index("leftEye"), BONES.index("rightEye")])
    at = cKDTree(document.rig.neutral).query(made.positions[eyes])[1]
    for name in GAZE:
        assert not found.document.rig.shape(name).dense(document.rig.vertex_count)[at].any()
    path = tmp_path / "sync.vrm"
    fw.save(found.document, path)
    assert errors(path) == []
    names = assert_moves_alike(found.document, {"JawOpen": 0.7, "BrowInnerUp": 1.0}, path, np.ones(3))
    assert {name[0].upper() + name[1:] for name in ARKIT} <= set(names)
    assert fw.load_document(path).expressions == found.document.expressions


@pytest.mark.long
@pytest.mark.parametrize("person", ["amara", "kenji", "edith"])
def test_a_head_without_eyes_and_joints_of_them_is_found_by_its_form(person: str, tmp_path: Path) -> None:
    made = MadeAvatar(person)
    found = fw.perfect_sync(opened(without_eyes(made, made.tiny()), tmp_path))
    assert error(made, found, [name for name in ARKIT if name not in GAZE]) < 0.25


def test_a_real_avatar_gets_them_all(shared_data: Path, tmp_path: Path) -> None:
    before = len(errors(shared_data / AVATAR))
    done = run("vrm", "sync", shared_data / AVATAR, "-o", tmp_path / "sync.vrm")
    assert done.returncode == 0, done.stderr
    assert "52 shapes of ARKit were made" in done.stderr
    assert "rough" in done.stderr  # its face is painted on a pyramid
    document = fw.load_document(tmp_path / "sync.vrm")
    assert len(document.expressions) == 8 + 52
    assert len(errors(tmp_path / "sync.vrm")) <= before
    names = assert_moves_alike(document, {"JawOpen": 1.0, "CheekPuff": 0.5}, tmp_path / "sync.vrm", TURNED)
    assert "TongueOut" in names
    body = document.rig.neutral[:, 1] < 1.35
    assert not any(shape.dense(document.rig.vertex_count)[body].any() for shape in document.rig.shapes[16:])


def test_pairs_that_are_not_on_the_head_are_refused(shared_data: Path) -> None:
    document = fw.load_document(shared_data / AVATAR)
    foot = int(document.rig.neutral[:, 1].argmin())
    with pytest.raises(BadValue, match="does not follow its head"):
        fw.perfect_sync(document, landmarks=[(0, foot)])
