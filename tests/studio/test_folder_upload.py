"""Several OBJ files in one upload are one rig, and no name in an upload leads out of its folder."""

import json
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

from facewright.errors import FacewrightError
from facewright.formats.registry import load, save
from facewright.rig.rig import Rig
from facewright.samples import mask
from facewright.studio.files import Folders
from facewright.studio.folder_upload import unpack_folder
from facewright.studio.state_directory import StateDirectory
from facewright.studio.workspace import Workspace
from tests.studio.served import Page, Served


def few() -> Rig:
    """A rig of three shapes, small enough for the studio of these tests."""
    whole = mask()
    return Rig(whole.neutral, whole.polygons, whole.shapes[:3])


def body_of(files: dict[str, bytes], sizes: dict[str, int] | None = None) -> bytes:
    listed = [{"name": name, "size": (sizes or {}).get(name, len(data))} for name, data in files.items()]
    return json.dumps(listed).encode() + b"\n" + b"".join(files.values())


def sent(served: Served, name: str, files: dict[str, bytes]) -> tuple[int, str]:
    status, _, answer = served.ask("POST", f"/api/upload-folder?name={quote(name)}", body_of(files))
    return status, answer.decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("obj") / "anna"
    save(few(), path)
    return path


def test_the_files_of_a_folder_are_one_rig_called_as_the_folder(served: Served, page: Page, folder: Path) -> None:
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert sent(served, "anna.v2", files)[0] == 200
    page.until(lambda: page.state["file"]["name"] == "anna.v2", "the rig is open")
    assert [slider["name"] for slider in page.state["rig"]["sliders"]] == list(few().sliders)


def test_a_zip_of_a_folder_is_one_rig(served: Served, page: Page, tmp_path: Path) -> None:
    save(few(), tmp_path / "berta.zip")
    assert served.ask("POST", "/api/upload?name=berta.zip", (tmp_path / "berta.zip").read_bytes())[0] == 200
    page.until(lambda: page.state["file"]["name"].startswith("berta"), "the rig is open")
    assert [slider["name"] for slider in page.state["rig"]["sliders"]] == list(few().sliders)


def test_files_that_are_no_rig_are_refused_in_words_and_the_face_stays(
    served: Served, page: Page, folder: Path
) -> None:
    before = page.state["file"]["name"]
    neutral = (folder / "neutral.obj").read_bytes()
    status, said = sent(served, "odd", {"neutral.obj": neutral, "smile.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"})
    assert status == 400
    assert "smile.obj: the file has 3 vertices, but the neutral neutral.obj has" in said
    status, said = sent(served, "odd", {"a.obj": neutral, "b.obj": neutral})
    assert status == 400
    assert "odd: it is not clear which file is the neutral face: a.obj, b.obj; name it neutral.obj" in said
    assert page.state["file"]["name"] == before


@pytest.mark.parametrize(
    "name",
    [
        "../x.obj", "/x.obj", "a/../../x.obj", "other/x.obj", "shapes/shapes/x.obj", ".x.obj", "x.py", "x\0.obj", "",
        "shapes", "c:x.obj", "shapes\\x.obj",
    ],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(body_of({name: b"v 0 0 0\n"}))
    with pytest.raises(FacewrightError):
        unpack_folder(tmp_path / "upload", tmp_path / "folder")
    assert [path.name for path in tmp_path.rglob("*")] == ["upload"]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\n", b"[]\n", b"{}\n", b"no list\n",
        body_of({"a.obj": b"xx"}, {"a.obj": 3}), body_of({"a.obj": b"x"}) + b"x",
        body_of({"a.obj": b"x"}, {"a.obj": -1}), body_of({"a.obj": b""}, {"a.obj": 1 << 40}),
        b'[{"name": "a.obj", "size": 1}, {"name": "A.OBJ", "size": 1}]\nxx',
    ],
)  # fmt: skip
def test_an_upload_whose_list_is_not_of_its_bytes_is_refused(body: bytes, tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(body)
    with pytest.raises(FacewrightError):
        unpack_folder(tmp_path / "upload", tmp_path / "folder")
    assert not (tmp_path / "folder").exists()


def test_shapes_in_a_folder_inside_are_read(folder: Path, tmp_path: Path) -> None:
    shapes = {f"shapes/{file.name}": file.read_bytes() for file in folder.glob("*.obj") if file.name != "neutral.obj"}
    (tmp_path / "upload").write_bytes(body_of({"rest.obj": (folder / "neutral.obj").read_bytes(), **shapes}))
    unpack_folder(tmp_path / "upload", tmp_path / "folder")
    rig = load(tmp_path / "folder")
    assert set(rig.shape_names) == set(few().shape_names)
    np.testing.assert_array_equal(rig.neutral, few().neutral)


@pytest.mark.parametrize("name", ["anna.v2", "anna.fwface", "anna.glb"])
def test_a_folder_whose_name_has_a_dot_is_still_a_folder(name: str, folder: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "own" / name
    renamed.parent.mkdir()
    folder.rename(renamed)
    state = StateDirectory(tmp_path / "state")
    try:
        workspace = Workspace(state, Folders({}), lambda run, newest=None: run(), skin=False)
        workspace.begin(renamed)
        assert workspace.context.name == name
        assert workspace.context.document.value.rig.sliders == few().sliders
        workspace.close()
    finally:
        renamed.rename(folder)
        state.close()
