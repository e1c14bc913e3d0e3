"""OBJ: what other programs write is understood, what does not fit is named, and a rig survives a folder."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.format_rigs import NAMES, SEEDS, assert_same_polygons, assert_same_rig, document
from tests.some import some

from facewright.document import Document
from facewright.errors import BadFile, BadValue, FacewrightError
from facewright.formats.obj import FORMAT
from facewright.formats.obj.files import read_obj_rig
from facewright.formats.obj.names import file_names, shape_name
from facewright.mesh.polygons import Polygons
from facewright.rig.edit import scale
from facewright.rig.evaluate import evaluate
from facewright.rig.rig import Part, Rig
from facewright.samples.mask import mask

SIX = ["jawOpen", "smile", "blink", "jawOpen_half", "jaw+blink", "idle"]
SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
ANY_NAME = st.text(st.characters(codec="utf8"), min_size=1, max_size=40) | st.sampled_from(
    ["con", "CON.x", "neutral", "Neutral", "..", ".", "a/b", "a\\b", "A", "a", "lpt1 ", "é", "%41", "x" * 300, " "]
)


@settings(max_examples=40, deadline=None)
@given(names=st.lists(NAMES, min_size=6, max_size=6, unique=True), seed=SEEDS)
def test_a_rig_with_everything_survives_a_folder(
    names: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("obj") / "face"
    one = document(names, seed)
    FORMAT.write(one, folder)
    other = FORMAT.read(folder)
    assert_same_rig(one.rig, other.rig, 1e-12)
    np.testing.assert_array_equal(other.rig.neutral, one.rig.neutral)
    np.testing.assert_array_equal(other.pose, one.pose)


@settings(max_examples=300, deadline=None)
@given(st.lists(ANY_NAME, min_size=1, max_size=20, unique=True))
def test_file_names_are_safe_different_without_regard_to_capitals_and_reversible(names: list[str]) -> None:
    files = file_names(names)
    assert len({file.lower() for file in files}) == len(names)
    for name, file in zip(names, files, strict=True):
        assert len(file) <= 255
        assert file.isascii()
        assert not set(file) & set('/\\:*?"<>|\0')
        assert file[0] not in ". "
        assert file.lower() not in ("neutral.obj", "con.obj", "aux.obj")
        if "~" not in file:
            assert shape_name(file.removesuffix(".obj")) == name


def test_names_that_differ_by_capitals_only_get_different_files_that_tell_them_apart() -> None:
    assert file_names(["Smile", "smile", "sMile"]) == ["%53mile.obj", "smile.obj", "s%4Dile.obj"]
    assert file_names(["Smile", "jawOpen"]) == ["Smile.obj", "jawOpen.obj"]


def test_a_folder_without_rig_json_is_a_plain_rig(tmp_path: Path) -> None:
    (tmp_path / "neutral.obj").write_text(SQUARE + "f 1 2 3 4\n")
    (tmp_path / "b.obj").write_text(SQUARE.replace("v 1 1 0", "v 1 2 0") + "f 1 2 3 4\n")
    (tmp_path / "a%2Fb.OBJ").write_text(SQUARE.replace("v 0 0 0", "v 0 0 -1") + "f 1 2 3 4\n")
    (tmp_path / "notes.txt").write_text("not a shape")
    (tmp_path / "._b.obj").write_bytes(b"\0\1\2")
    rig = FORMAT.read(tmp_path).rig
    assert rig.sliders == ("a/b", "b")
    np.testing.assert_array_equal(rig.shape("b").vertices, [2])
    np.testing.assert_array_equal(rig.shape("b").offsets, [[0, 1, 0]])
    np.testing.assert_array_equal(rig.polygons.uniform(), [[0, 1, 2, 3]])


@pytest.mark.parametrize("name", ["Face_Neutral.obj", "basemesh.obj", "NEUTRAL.OBJ", "rest.obj", "anna_rest.obj"])
def test_the_only_file_called_neutral_rest_or_base_is_the_neutral(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SQUARE + "f 1 2 3 4\n")
    (tmp_path / "smile.obj").write_text(SQUARE.replace("1", "2") + "f 1 2 3 4\n")
    assert FORMAT.read(tmp_path).rig.sliders == ("smile",)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["a_neutral.obj", "b_neutral.obj"], r"a_neutral\.obj, b_neutral\.obj; name it neutral\.obj"),
        (["smile.obj", "blink.obj"], r"blink\.obj, smile\.obj; name it neutral\.obj"),
        ([], r"no \.obj file"),
    ],
)
def test_without_a_clear_neutral_the_candidates_are_listed(files: list[Any], words: str, tmp_path: Path) -> None:
    for file in files:
        (tmp_path / file).write_text(SQUARE)
    with pytest.raises(BadFile, match=words):
        FORMAT.read(tmp_path)


def test_a_neutral_of_another_name_is_the_file_that_rig_json_does_not_name(tmp_path: Path) -> None:
    for file in ("anna.obj", "smile.obj", "rest_of_face.obj"):
        (tmp_path / file).write_text(SQUARE + "f 1 2 3 4\n")
    entries = [{"name": "smile", "file": "smile.obj"}, {"name": "other", "file": "rest_of_face.obj"}]
    (tmp_path / "rig.json").write_text(json.dumps({"shapes": entries}))
    assert FORMAT.read(tmp_path).rig.shape_names == ("smile", "other")


def test_a_neutral_file_brings_the_shapes_folder_beside_it(tmp_path: Path) -> None:
    (tmp_path / "head.obj").write_text(SQUARE + "f 1 2 3 4\n")
    (tmp_path / "other.obj").write_text("v 0 0 0\n")
    assert FORMAT.read(tmp_path / "head.obj").rig.shapes == ()
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes" / "smile.obj").write_text(SQUARE.replace("v 1 1 0", "v 1 2 0") + "f 1 2 3 4\n")
    assert FORMAT.read(tmp_path / "head.obj").rig.shape_names == ("smile",)


def test_a_list_of_files_is_a_rig_in_that_order(tmp_path: Path) -> None:
    for i, name in enumerate(["neutral", "z", "a"]):
        (tmp_path / f"{name}.obj").write_text(SQUARE.replace("v 1 1 0", f"v 1 {1 + i} 0") + "f 1 2 3 4\n")
    rig = read_obj_rig(tmp_path / "neutral.obj", [tmp_path / "z.obj", str(tmp_path / "a.obj")])
    assert rig.shape_names == ("z", "a")
    assert rig.shape("a").offsets.tolist() == [[0, 2, 0]]


@pytest.mark.parametrize(
    "text",
    [
        SQUARE + "f 1 2 3 4\nf 1 2 3",
        SQUARE.replace("\n", "\r\n") + "f 1 2 3 4\r\nf 1 2 3\r\n",
        SQUARE.replace("\n", "\r") + "f 1 2 3 4\rf 1 2 3\r",
        "# made by hand\n\n  mtllib x.mtl\n" + SQUARE + "s off\nusemtl skin\nf 1 2 3 4 # the quad\n\tf  1\t2 3  \n",
        SQUARE.replace("0\n", "0 0.5 0.25 1\n") + "vn 0 0 1\nf 1//1 2//1 3//1 4//1\nf 1//1 2//1 3//1\n",
        SQUARE.replace("v 1 1 0", "v 1 1.0e0 0.0 1.0") + "f -4 -3 -2 -1\nf 1 -3 3\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv \\\n0 1 0\nf 1 2 \\\n3 4\nf -4 -3 -2\nl 1 2\np 1\n",
        "\ufeffv +0 -0 .0\nv 1. 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 3\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -4 -3 -2 -1\n",
    ],
)
def test_the_ways_programs_write_obj_mean_the_same_mesh(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.obj").write_bytes(text.encode())
    rig = FORMAT.read(tmp_path / "x.obj").rig
    np.testing.assert_array_equal(rig.neutral, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    assert sorted(row.tolist() for row in rig.polygons.rows()) == [[0, 1, 2], [0, 1, 2, 3]]


def test_texture_coordinates_are_kept_per_corner(tmp_path: Path) -> None:
    faces = "f 1/1 2/2 3/3\nf 1 3 4\nf 1/-4 3/-2/1 4/-1\nvt 9 9\nf 1/5/2 2//3 3/\n"
    text = SQUARE + "vt 0 0\nvt 1 0 0\nvt 1 1\nvt 0.5\n" + faces
    (tmp_path / "x.obj").write_text(text)
    uvs = some(FORMAT.read(tmp_path / "x.obj").rig.uvs)
    assert uvs.corners.tolist() == [0, 1, 2, -1, -1, -1, 0, 2, 3, 4, -1, -1]
    assert uvs.coordinates.tolist() == [[0, 0], [1, 0], [1, 1], [0.5, 0], [9, 9]]


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        ("o head\nf 1 2 3\no eye left\nf 5 6 7\n", [("head", 0, 4), ("eye left", 4, 8)]),
        ("g head\nf 1 2 3\ng eye\nf 5 6 7\ng head\nf 2 3 4\n", [("head", 0, 4), ("eye", 4, 8)]),
        ("o all\ng eye\nf 5 6 7\ng head\nf 1 2 3 4\n", [("head", 0, 4), ("eye", 4, 8)]),
        ("f 1 2 3\no eye\nf 4 5 6\n", [("face", 0, 3), ("eye", 3, 8)]),
        ("g a\nf 1 2 3\ng b\nf 3 4 5\n", [("face", 0, 8)]),
        ("f 1 2 3\nf 6 7 8\n", [("face", 0, 8)]),
        ("o skin\nf 1 2 3\n", [("skin", 0, 8)]),
        ("g\nf 1 2 3\n", [("default", 0, 8)]),
    ],
)
def test_groups_are_parts_where_they_are_ranges_of_the_vertices(
    lines: str, parts: list[tuple[str, int, int]], tmp_path: Path
) -> None:
    (tmp_path / "x.obj").write_text(SQUARE + SQUARE + lines)
    assert FORMAT.read(tmp_path / "x.obj").rig.parts == tuple(Part(*part) for part in parts)


def test_parts_with_faces_survive_without_rig_json(tmp_path: Path) -> None:
    one = document(SIX, 8).rig
    FORMAT.write(Document(one), tmp_path / "face")
    (tmp_path / "face" / "rig.json").unlink()
    other = FORMAT.read(tmp_path / "face").rig
    assert [part.name for part in other.parts] == ["head", "left_eye"]
    assert_same_polygons(one, other)
    assert set(other.shape_names) == set(one.shape_names)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (SQUARE + "v 5 5 5\nf 1 2 3 4\n", r"smile\.obj: the file has 5 vertices, but the neutral neutral\.obj has 4"),
        (SQUARE + "f 1 2 3 4\nf 1 2 3\n", r"smile\.obj: the file has 2 faces, but the neutral neutral\.obj has 1"),
        (SQUARE, r"the file has 0 faces"),
        (SQUARE + "f 2 1 3 4\n", r"face 1 joins vertices \[2, 1, 3, 4\], but in the neutral \[1, 2, 3, 4\]"),
        (SQUARE + "f 1 2 3\n", r"face 1 joins vertices \[1, 2, 3\]"),
        ("", "0 vertices"),
    ],
)
def test_a_shape_that_does_not_fit_its_neutral_is_named_with_both_counts(
    shape: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "neutral.obj").write_text(SQUARE + "f 1 2 3 4\n")
    (tmp_path / "smile.obj").write_text(shape)
    with pytest.raises(BadFile, match=words):
        FORMAT.read(tmp_path)


def test_the_same_faces_in_other_words_fit(tmp_path: Path) -> None:
    (tmp_path / "neutral.obj").write_text(SQUARE + "vt 0 0\nf 1/1 2/1 3/1 4/1\n")
    (tmp_path / "smile.obj").write_text(SQUARE + "f -4 -3 -2 -1\n")
    assert FORMAT.read(tmp_path).rig.shape_names == ("smile",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no vertices"),
        (SQUARE + "f 1 2 9\n", "line 5: a face names vertex 9, but the file has 4"),
        (SQUARE + "f 1 2 0\n", "line 5: a face names vertex 0"),
        (SQUARE + "f 1 2 -5\n", "line 5: a face names vertex -5"),
        (SQUARE + "vt 0 0\nf 1/1 2/1 3/2\n", "line 6: a face names texture coordinate 2, but the file has 1"),
        (SQUARE + "f 1 2\n", "line 5: a face of 2 corners"),
        (SQUARE + "f 1 2 x\n", "no index"),
        (SQUARE + f"f 1 2 {'9' * 30}\n", "no index"),
        ("v 0 0\n", "line 1: v needs 3 numbers, not 2"),
        (SQUARE + "v 0 1,5 0\n", "line 5: '1,5' is no finite number"),
        (SQUARE + "v 0 nan 0\n", "line 5: 'nan' is no finite number"),
        (SQUARE + "v 0 1e999 0\n", "line 5: '1e999' is no finite number"),
        (SQUARE + "vt x 0\nf 1/1 2/1 3/1", "line 5: 'x' is no finite number"),
    ],
)
def test_a_wrong_line_is_named(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "x.obj").write_text(text)
    with pytest.raises(BadFile, match=words):
        FORMAT.read(tmp_path / "x.obj")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shapes": [{"name": "a", "file": "../x.obj"}]}, "not in the folder"),
        ({"shapes": [{"name": "a", "file": "gone.obj"}]}, "'gone.obj', which is not in the folder"),
        ({"sliders": 3}, r"rig\.json: .*Expected `array`"),
        ({"exclusive": [["a", "b"]]}, "no slider named 'a'"),
    ],
)
def test_a_wrong_rig_json_is_refused_in_words(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    FORMAT.write(document(SIX, 1), tmp_path / "face")
    about = tmp_path / "face" / "rig.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | change))
    with pytest.raises(FacewrightError, match=words):
        FORMAT.read(tmp_path / "face")


def test_a_new_file_beside_rig_json_is_a_new_shape(tmp_path: Path) -> None:
    one = document(SIX, 1)
    FORMAT.write(one, tmp_path)
    (tmp_path / "sculpted.obj").write_bytes((tmp_path / "smile.obj").read_bytes())
    rig = FORMAT.read(tmp_path).rig
    assert rig.shape_names == (*one.rig.shape_names, "sculpted")
    assert rig.sliders == (*one.rig.sliders, "sculpted")


def test_writing_over_a_folder_leaves_no_shape_of_the_old_rig(tmp_path: Path) -> None:
    one = document(SIX, 1)
    FORMAT.write(one, tmp_path)
    fewer = Rig(one.rig.neutral, one.rig.polygons, one.rig.shapes[:1])
    FORMAT.write(Document(fewer), tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["jawOpen.obj", "neutral.obj", "rig.json"]
    assert FORMAT.read(tmp_path).rig.shape_names == ("jawOpen",)


def test_a_folder_with_files_of_somebody_else_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "precious.obj").write_text(SQUARE)
    with pytest.raises(BadValue, match=r"precious\.obj would be read as shapes"):
        FORMAT.write(document(SIX, 1), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["precious.obj"]


def test_a_file_where_the_folder_would_be_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "face").write_text("precious")
    with pytest.raises(BadValue, match="there is a file of this name"):
        FORMAT.write(document(SIX, 1), tmp_path / "face")
    assert (tmp_path / "face").read_text() == "precious"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.obj")
    with pytest.raises(BadFile, match="no file that can be read"):
        FORMAT.read(tmp_path / "x.obj")


def test_a_single_file_holds_the_face_in_its_pose(tmp_path: Path) -> None:
    one = document(SIX, 1)
    FORMAT.write(one, tmp_path / "posed.obj")
    rig = FORMAT.read(tmp_path / "posed.obj").rig
    np.testing.assert_array_equal(rig.neutral, evaluate(one.rig, one.pose))
    assert_same_polygons(one.rig, rig)


def test_a_disk_that_fills_up_leaves_the_old_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = document(SIX, 1)
    FORMAT.write(one, tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    monkeypatch.setattr(os, "fsync", full_disk_after(3))
    with pytest.raises(OSError, match="disk full"):
        FORMAT.write(document(SIX, 2), tmp_path)
    monkeypatch.undo()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_quads_and_large_and_small_numbers_come_back_exactly(tmp_path: Path) -> None:
    neutral = np.array([[1e-300, 1 / 3, -1e22], [5e-324, 0.1 + 0.2, 123456789.123456789], [1, 2, 3], [4, 5, 6e59]])
    one = Rig(neutral, Polygons.of([[0, 1, 2, 3]]))
    FORMAT.write(Document(one), tmp_path / "x.obj")
    np.testing.assert_array_equal(FORMAT.read(tmp_path / "x.obj").rig.neutral, neutral)


def test_the_scanned_neutral_is_the_one_in_the_arrays(shared_data: Path) -> None:
    rig = FORMAT.read(shared_data / "ict_face" / "neutral.obj").rig
    with np.load(shared_data / "ict_face" / "ict_face.npz") as file:
        np.testing.assert_array_equal(rig.polygons.uniform(), file["quads"])
        np.testing.assert_allclose(rig.neutral, file["neutral"], atol=1e-6 * np.ptp(file["neutral"]))


def full_disk_after(files: int) -> Callable[[int], None]:
    real, left = os.fsync, iter(range(files))

    def flush(handle: int) -> None:
        if next(left, None) is None:
            raise OSError("disk full")
        real(handle)

    return flush


def test_a_link_in_a_folder_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    rig = mask(vertices=100, shapes=2)
    FORMAT.write(Document(rig), tmp_path / "faces")
    neutral = tmp_path / "faces" / "neutral.obj"
    neutral.rename(tmp_path / "kept.obj")
    neutral.symlink_to(tmp_path / "kept.obj")
    FORMAT.write(Document(scale(rig, 2.0)), tmp_path / "faces")
    assert neutral.is_symlink()
    np.testing.assert_allclose(FORMAT.read(tmp_path / "faces").rig.neutral, 2 * rig.neutral)
