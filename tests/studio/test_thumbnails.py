"""Small pictures of embedded people and of the files that were opened or saved last."""

import io
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image

from facewright.document import Document
from facewright.formats.registry import save
from facewright.samples import mask
from facewright.studio.thumbnails import Thumbnails
from tests.studio.served import Page, Served


def picture(served: Served, address: str) -> np.ndarray:
    status, _, data = served.ask("GET", f"/api/thumbnail/{address}")
    assert status == 200, data
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_a_picture_is_kept_until_its_file_is_another(tmp_path: Path) -> None:
    thumbnails, file, document = Thumbnails(tmp_path / "kept"), tmp_path / "face.fwface", Document(mask(vertices=100))
    file.write_bytes(b"one")
    assert thumbnails.known(file) == b""
    made = thumbnails.draw(file, document)
    assert Thumbnails(tmp_path / "kept").known(file) == made
    file.write_bytes(b"another")
    assert thumbnails.known(file) == b""


@pytest.fixture(scope="module")
def face(served: Served) -> str:
    save(mask(vertices=400, shapes=3), served.folder / "face.glb")
    return f"{served.folder.name}/face.glb"


def test_people_look_like_themselves_and_unlike_each_other(served: Served) -> None:
    first, second = (picture(served, f"person/{person}") for person in ("default", "amara"))
    assert first.shape == second.shape == (112, 112, 3)
    assert np.abs(first - second).mean() > 1
    status, _, problem = served.ask("GET", "/api/thumbnail/person/nobody")
    assert (status, b"no person named" in problem) == (400, True)


def test_files_that_were_opened_or_saved_last_are_listed_with_pictures(served: Served, page: Page, face: str) -> None:
    assert face not in [file["path"] for file in served.json("/api/files")["recent"]]
    assert served.ask("GET", f"/api/thumbnail/file?path={quote(face)}")[0] == 404, "only of files that were opened"
    page.do("OpenPath", path=face)
    saved = face.replace("face.glb", "kept.fwface")
    page.do("Save", path=saved)
    recent = served.json("/api/files")["recent"]
    assert [file["path"] for file in recent[:2]] == [saved, face]
    made = picture(served, f"file?path={quote(face)}")
    assert made.std() > 5
    np.testing.assert_array_equal(picture(served, f"file?path={quote(face)}"), made)
    (served.folder / "face.glb").unlink()
    assert [file["path"] for file in served.json("/api/files")["recent"]][:1] == [saved]
