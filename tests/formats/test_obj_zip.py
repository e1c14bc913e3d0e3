"""A zip of OBJ files is the folder that it holds; new folders may have dots in their names."""

import zipfile
from pathlib import Path

import pytest
from tests.formats.format_rigs import assert_same_rig, document

import facewright as fw
from facewright.errors import BadFile, FacewrightError, UnknownFormat
from facewright.formats import limits
from facewright.formats.obj import FORMAT

SIX = ["jawOpen", "smile", "blink", "jawOpen_half", "jaw+blink", "idle"]
SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
PUSHED = SQUARE.replace("1 1 0", "1 1 0.5")


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_rig_with_everything_survives_a_zip_whose_bytes_are_the_same_again(tmp_path: Path) -> None:
    one = document(SIX, 3)
    for name in ("one.zip", "two.ZIP"):
        FORMAT.write(one, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.ZIP").read_bytes()
    other = FORMAT.read(tmp_path / "two.ZIP")
    assert_same_rig(one.rig, other.rig, 1e-12)
    assert fw.load((tmp_path / "one.zip").read_bytes()).shape_names == one.rig.shape_names


@pytest.mark.parametrize("folder", ["", "head.v2/", "a/b/"])
def test_files_may_be_in_a_folder_of_the_zip_with_what_systems_add(tmp_path: Path, folder: str) -> None:
    extra = {"__MACOSX/._neutral.obj": "x", f"{folder}.hidden.obj": "x", f"{folder}readme.txt": "x"}
    files = {f"{folder}neutral.obj": SQUARE, f"{folder}push.obj": PUSHED}
    assert fw.load(zipped(tmp_path / "face.zip", files | extra)).shape_names == ("push",)
    files = {f"{folder}head.obj": SQUARE, f"{folder}shapes/push.obj": PUSHED}
    assert fw.load(zipped(tmp_path / "face.zip", files | extra)).shape_names == ("push",)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"face.glb": "x"}, "no .obj file in the zip"),
        ({"a/neutral.obj": SQUARE, "b/push.obj": PUSHED}, "several folders of the zip: a, b"),
        ({"../neutral.obj": SQUARE}, "no safe name"),
        ({"/neutral.obj": SQUARE}, "no safe name"),
        ({"c:\\neutral.obj": SQUARE}, "no safe name"),
        ({"neutral.obj": SQUARE, "push.obj": "v 0 0 0\n"}, r"face\.zip/push\.obj: the file has 1 vertices"),
        ({"x.obj": SQUARE, "y.obj": SQUARE}, "not clear which file is the neutral face: x.obj, y.obj"),
    ],
)
def test_what_is_no_rig_is_refused_in_words_that_name_the_zip(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    with pytest.raises(FacewrightError, match=words) as told:
        fw.load(zipped(tmp_path / "face.zip", files))
    assert "face.zip" in str(told.value)
    assert not (tmp_path.parent / "neutral.obj").exists()


def test_a_zip_that_unpacks_to_too_much_is_refused_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREELY_UNPACKED", 1000)
    with pytest.raises(BadFile, match="would unpack"):
        fw.load(zipped(tmp_path / "face.zip", {"neutral.obj": SQUARE + "# " + "x" * 10_000_000}))
    (tmp_path / "cut.zip").write_bytes((tmp_path / "face.zip").read_bytes()[:200])
    with pytest.raises(BadFile, match="damaged"):
        fw.load(tmp_path / "cut.zip")


def test_a_new_folder_may_have_a_dot_in_its_name(tmp_path: Path) -> None:
    one = document(SIX, 1)
    for name in ("head.2", "kenji v1.2 final", "2026.11.18"):
        fw.save(one, tmp_path / name)
        assert fw.load(tmp_path / name).shape_names == one.rig.shape_names
    with pytest.raises(UnknownFormat, match="make the folder first"):
        fw.save(one, tmp_path / "head.rig")
    (tmp_path / "head.rig").mkdir()
    fw.save(one, tmp_path / "head.rig")
    assert fw.load(tmp_path / "head.rig").shape_names == one.rig.shape_names
