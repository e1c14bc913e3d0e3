"""Landmarks beside the frames of a sequence: every form in which detectors write them, and what does not fit."""

import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.formats.scans import load_scan
from facewright.formats.scans.packed import pack_sequence
from facewright.motion.depth import DepthImage, PointCloud
from facewright.rig.landmark_numbering import IBUG_68, LANDMARKS, MEDIAPIPE, named_landmarks, sides_exchanged
from facewright.rig.mirrored_scan import mirrored

WIDTH, HEIGHT = 40, 30
LENS = {"fx": 60.0, "fy": 60.0, "cx": 19.5, "cy": 14.5, "width": WIDTH, "height": HEIGHT}
# A face in the picture: its own right eye is on the left.
PLACES = {
    name: (20.0 + 8 * (("left" in name) - ("right" in name)) + ("outer" in name), 8 + 14 * ("eye" not in name) + i / 8)
    for i, name in enumerate(LANDMARKS)
}  # fmt: skip


def points(count: int, table: Mapping[str, tuple[int, ...]]) -> np.ndarray:
    """All points of a numbering, those without a name far away."""
    found = np.full((count, 2), 35.0)
    for name, which in table.items():
        for k, one in enumerate(which):
            found[one] = np.add(PLACES[name], (0.25 * (2 * k - len(which) + 1), 0))  # about their mean
    return found


def folder(tmp_path: Path, landmarks: object = None) -> Path:
    made = tmp_path / "depth"
    made.mkdir()
    for i in range(3):
        Image.fromarray(np.full((HEIGHT, WIDTH), 400, np.uint16)).save(made / f"frame{i + 8}.png")
    (made / "intrinsics.json").write_text(json.dumps(LENS))
    if landmarks is not None:
        (made / "landmarks.json").write_text(json.dumps(landmarks))
    return made


def of(sequence: fw.ScanSequence) -> list[dict[str, list[float]]]:
    return [{} if f is None else {n: np.asarray(at).tolist() for n, at in f.landmarks.items()} for f in sequence.frames]


IBUG = points(68, IBUG_68).tolist()
MESH = points(478, MEDIAPIPE)
SHARES = [{"x": (x + 0.5) / WIDTH, "y": (y + 0.5) / HEIGHT, "z": -0.02} for x, y in MESH.tolist()]


@pytest.mark.parametrize(
    "given",
    [
        IBUG,
        [[*row, 1.0] for row in IBUG],
        MESH.tolist(),
        MESH[:468].tolist(),
        SHARES,
        {"face_landmarks": [SHARES, SHARES[::-1]]},
        {"multi_face_landmarks": [{"landmark": SHARES}]},
        PLACES,
        {name: {"x": x, "y": y} for name, (x, y) in PLACES.items()},
    ],
    ids=["ibug", "ibug and scores", "mediapipe", "468", "objects", "tasks", "solutions", "names", "named objects"],
)
def test_landmarks_are_found_by_name_in_every_form(tmp_path: Path, given: object) -> None:
    found = of(load_scan(folder(tmp_path, {"frames": [None, given, []]})))
    assert found[0] == found[2] == {}
    assert set(found[1]) == set(LANDMARKS)
    np.testing.assert_allclose([found[1][name] for name in LANDMARKS], [PLACES[name] for name in LANDMARKS], atol=1e-9)


def test_one_file_for_each_frame_may_be_in_another_folder(tmp_path: Path) -> None:
    where, marks = folder(tmp_path), tmp_path / "marks"
    marks.mkdir()
    (marks / "frame9.json").write_text(json.dumps(IBUG))
    (marks / "frame10.json").write_text("")
    assert [len(each) for each in of(load_scan(where, landmarks=marks))] == [0, len(LANDMARKS), 0]


def test_landmarks_of_larger_pictures_are_scaled(tmp_path: Path) -> None:
    large = (4 * (np.array(IBUG) + 0.5) - 0.5).tolist()
    where = folder(tmp_path, {"frames": [large] * 3, "width": 4 * WIDTH, "height": 4 * HEIGHT})
    np.testing.assert_allclose(of(load_scan(where))[2]["nose tip"], PLACES["nose tip"], atol=1e-9)


def test_points_that_are_missing_are_left_out(tmp_path: Path) -> None:
    some: list[object] = [None if i in IBUG_68["chin"] else row for i, row in enumerate(IBUG)]
    found = of(
        load_scan(folder(tmp_path, {"frames": [some, {"chin": [3, None], "nose tip": [3, 1e300]}, {"chin": [3, 4]}]}))
    )
    assert set(found[0]) == set(LANDMARKS) - {"chin"}
    assert [set(each) for each in found[1:]] == [set(), {"chin"}]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"frames": [IBUG]}, "landmarks of 1 frames for 3 frames"),
        ({"frames": [IBUG[:66]] * 3}, "frame 0: there are 66 landmarks; iBUG's numbering has 68"),
        ({"frames": [IBUG] * 3, "numbering": "mediapipe"}, "there are 68 landmarks"),
        ({"frames": [IBUG] * 3, "numbering": "dlib"}, "no numbering of landmarks named 'dlib'"),
        ({"frames": [{"noze tip": [3, 4]}] * 3}, "no landmark named 'noze tip'; did you mean nose tip"),
        ({"frames": [[[1]] * 68] * 3}, "two or three numbers"),
        ({"frames": [[["a", "b"]] * 68] * 3}, "frame 0: a landmark has two or three numbers"),
        ({"frames": [5] * 3}, "a frame is null, a list"),
        ({"frames": [{"chin": [[1], [2]]}] * 3}, "two or three numbers"),
        ({"frames": [None] * 3}, "no landmarks in any frame"),
        ({"frames": [(np.array(IBUG) + 500).tolist()] * 3}, "outside of the depth image of 40 x 30"),
        ({"frames": [IBUG] * 3, "width": 90, "height": 30}, "another shape"),
        ({"frames": [IBUG] * 3, "width": -40, "height": 30}, "such a file is"),
        ({"frames": [{"chin": [10**400, 3]}] * 3}, "landmarks of frame 0"),
        ({"frames": [{"chin": {"y": 3, "z": 4}}] * 3}, "two or three numbers"),
        ({"frames": [IBUG] * 3, "units": "inches"}, "pixels or normalised"),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, given: object, words: str) -> None:
    with pytest.raises(fw.BadFile, match=words):
        of(load_scan(folder(tmp_path, given)))


@pytest.mark.parametrize("given", [IBUG, {"template": [[0, 0, 1]]}, "nothing", 5])
def test_landmarks_of_something_else_beside_the_frames_are_left_out_and_told(tmp_path: Path, given: object) -> None:
    where = folder(tmp_path, given)
    sequence = load_scan(where)
    assert sequence.notes == ("landmarks.json beside the frames is not of them: it is not used",)
    assert of(sequence) == [{}, {}, {}]
    with pytest.raises(fw.BadFile, match="such a file is"):  # what is named is meant
        load_scan(where, landmarks=where / "landmarks.json")


def test_a_folder_without_landmarks_of_any_frame_is_told(tmp_path: Path) -> None:
    with pytest.raises(fw.BadFile, match=r"no file of landmarks named like a frame, such as frame8\.json"):
        load_scan(folder(tmp_path), landmarks=tmp_path)


def test_landmarks_in_a_zip_and_in_packed_frames_stay(tmp_path: Path) -> None:
    where = folder(tmp_path, {"frames": [IBUG] * 3})
    with ZipFile(tmp_path / "all.zip", "w") as file:
        for each in where.iterdir():
            file.write(each, each.name)
    assert of(load_scan(tmp_path / "all.zip")) == of(pack_sequence(load_scan(where))) == of(load_scan(where))


def test_landmarks_in_space_have_the_unit_of_the_points(tmp_path: Path) -> None:
    made = tmp_path / "scans"
    made.mkdir()
    (made / "a.obj").write_text("v 0 0 0\nv 200 0 0\nv 0 200 5\nf 1 2 3\n")
    (made / "a.json").write_text(json.dumps({"nose tip": [10, 20, 30]}))
    frame = load_scan(made, landmarks=made).frames[0]
    assert isinstance(frame, PointCloud)
    np.testing.assert_allclose(frame.landmarks["nose tip"], [0.01, 0.02, 0.03])
    (made / "b.obj").write_text((made / "a.obj").read_text())
    (made / "b.json").write_text(json.dumps({"nose tip": [10, 20]}))  # told before the first frame is followed
    with pytest.raises(fw.BadFile, match="three numbers"):
        load_scan(made, landmarks=made)


def test_a_mirrored_sequence_has_left_and_right_exchanged() -> None:
    depth = np.arange(1.0, 1 + HEIGHT * WIDTH, dtype=np.float32).reshape(HEIGHT, WIDTH)
    lens = fw.Pinhole(60.0, 60.0, 12.0, 14.5, WIDTH, HEIGHT)
    frame = DepthImage(depth, lens, named_landmarks(np.array(IBUG)))
    back = mirrored(fw.ScanSequence([frame, None], np.arange(2.0)))
    found = back.frames[0]
    assert isinstance(found, DepthImage)
    assert back.frames[1] is None
    one, other = (
        each.lens.points(np.array([3]), np.array([c]), np.array([0.4]))[0] for each, c in ((frame, 7), (found, 32))
    )
    np.testing.assert_allclose(other, one * [-1, 1, 1], atol=1e-12)
    assert found.depth[3, 32] == depth[3, 7]
    # whoever named them saw the mirrored pictures: what was called left is right
    assert not sides_exchanged(frame.landmarks)
    assert not sides_exchanged(found.landmarks)
    np.testing.assert_allclose(
        found.landmarks["right eye outer"], [WIDTH - 1 - PLACES["left eye outer"][0], PLACES["left eye outer"][1]]
    )
    # whoever named them saw the others
    named = {name: np.array([WIDTH - 1 - x, y]) for name, (x, y) in PLACES.items()}
    assert sides_exchanged(named)
    true = mirrored(fw.ScanSequence([DepthImage(depth, lens, named)], np.zeros(1))).frames[0]
    assert true is not None
    np.testing.assert_allclose(true.landmarks["left eye outer"], PLACES["left eye outer"])


def test_sides_are_told_in_any_direction_and_in_space() -> None:
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    face = {name: np.array([x, -y, 0.0]) for name, (x, y) in PLACES.items()}
    face["nose tip"] = np.array([20.0, -20.0, 9.0])  # towards the one who looks
    for at in (face, {name: turn @ each for name, each in face.items()}):
        assert sides_exchanged(at) is False
        assert sides_exchanged({name: each * [-1, 1, 1] for name, each in at.items()}) is True
    assert sides_exchanged({"nose tip": np.zeros(2)}) is None


def test_a_landmark_of_a_frame_has_as_many_numbers_as_it_needs() -> None:
    with pytest.raises(fw.BadValue, match="'chin' has a column and a row"):
        DepthImage(np.ones((12, 16), np.float32), fw.Pinhole(30.0, 30.0, 7.5, 5.5, 16, 12), {"chin": np.zeros(3)})
    with pytest.raises(fw.BadValue, match="'chin' has x, y and z"):
        PointCloud(np.zeros((1, 3)), np.zeros((1, 3)), {"chin": np.zeros(2)})
