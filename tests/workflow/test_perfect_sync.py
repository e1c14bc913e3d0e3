"""The 52 expressions of ARKit on avatars: by transfer, near to what an artist would make, and as other programs see."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

import facewright as fw
from facewright.arrays import Floats, Ints
from facewright.errors import BadValue
from facewright.formats.character import character_of
from facewright.rig.name_tables import ARKIT
from tests.avatars import BONES, MadeAvatar
from tests.cli.command import run
from tests.formats.gltf_files import Tiny, assert_same_document, errors
from tests.formats.test_vrm import AVATAR, TURNED, assert_moves_alike
from tests.workflow.transferred import error, lying_error, rows_of, without_eyes

GAZE = [name for name in ARKIT if name.startswith("eyeLook")]


@pytest.fixture(scope="module")
def made() -> MadeAvatar:
    return MadeAvatar()


def opened(tiny: Tiny, folder: Path) -> fw.Document:
    return fw.load_document(tiny.save(folder / "made.vrm"))


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


def glasses(made: MadeAvatar) -> tuple[Floats, Ints]:
    """A plane before the face that touches the tip of the nose."""
    nose = made.positions[made.positions[:, 2].argmax()]
    return nose + 0.08 * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]])


@pytest.mark.long  # `tests/build/test_attached_pieces.py` and `tests/session/test_perfect_sync.py` hold its parts
def test_lashes_and_brows_without_targets_follow_and_glasses_do_not(made: MadeAvatar, tmp_path: Path) -> None:
    tiny, lashes, brows = made.tiny(("jawOpen", "eyeBlinkLeft")), made.lashes(), made.brows()
    made.add_lying_on(tiny, "lashes", lashes[:2])
    made.add_lying_on(tiny, "glasses", glasses(made))
    made.add_lying_on(tiny, "brows", brows[:2])
    tiny.json["scenes"][0]["nodes"].reverse()  # the scene has them before the face
    document = opened(without_eyes(made, tiny), tmp_path)
    assert [part.name for part in document.rig.parts] == ["face"]
    found = fw.perfect_sync(document)
    rig = found.document.rig
    assert [part.name for part in rig.parts] == ["face", "brows", "lashes"]
    assert "brows, lashes" in str(found)
    assert [mesh.name for mesh in character_of(found.document).meshes] == ["glasses"]
    assert lying_error(made, found, "lashes", lashes) < 0.5
    assert lying_error(made, found, "brows", brows) < 0.25
    # the artist's own blink stays on the skin, and takes the lashes along
    before, now = document.rig.shape("shape_1"), rig.shape("shape_1")
    own = now.vertices < document.rig.vertex_count
    np.testing.assert_array_equal(now.offsets[own], before.offsets)
    lid = made.offsets_of("eyeBlinkLeft")[lashes[2]]
    moved = now.dense(rig.vertex_count)[rows_of(found, "lashes", lashes)]
    assert np.linalg.norm(moved - lid) < 0.35 * np.linalg.norm(lid)
    path = tmp_path / "sync.vrm"
    fw.save(found.document, path)
    assert errors(path) == []
    assert_moves_alike(found.document, {"EyeBlinkLeft": 1.0, "BrowInnerUp": 0.5}, path, np.ones(3))
    back = fw.load_document(path)
    assert_same_document(found.document, back, 1e-6)
    assert back.expressions == found.document.expressions
    again = fw.perfect_sync(back)
    assert (again.added.joined, again.made) == ((), ())


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
