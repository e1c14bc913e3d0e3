"""Another program of the same person sends faces to a running studio and fetches them, and nobody else does."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.samples import mask
from facewright.studio.remote import RemoteStudio, find_studio
from tests.studio.served import Served


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    state = tmp_path_factory.mktemp("state")
    served = Served(state).start()
    yield served, state
    served.stop()


def face() -> fw.Document:
    rig = mask(vertices=400, shapes=6, seed=2)
    return fw.Document(rig, pose={rig.sliders[0]: 0.5})


def packed(document: fw.Document) -> bytes:
    data = BytesIO()
    fw.save(document, data, format="fwface")
    return data.getvalue()


def test_a_face_that_is_sent_is_the_one_that_is_fetched(studio: tuple[Served, Path]) -> None:
    _, state = studio
    found = find_studio(state)
    assert found.send("my face.fwface", packed(face())) == "face"
    back = fw.load_document(found.fetch(), format="fwface")
    np.testing.assert_allclose(back.rig.neutral, face().rig.neutral, atol=1e-6)
    assert back.pose[0] == 0.5


def test_a_fetched_face_does_not_count_as_saved(studio: tuple[Served, Path]) -> None:
    served, state = studio
    page, found = served.page(), find_studio(state)
    found.send("face.fwface", packed(face()))
    page.do("SetWeights", weights={face().rig.sliders[1]: 0.25})
    assert page.state["file"]["unsaved"]
    found.fetch()
    page.do("SetWeights", weights={face().rig.sliders[2]: 0.25})
    page.do("Undo")  # to where it was fetched
    assert page.state["file"]["unsaved"]


def test_a_wrong_file_is_refused_in_words(studio: tuple[Served, Path]) -> None:
    served, _ = studio
    found = RemoteStudio.enter(served.address)
    with pytest.raises(fw.BadValue, match=r"the studio refused it: .*face\.fwface"):
        found.send("face.fwface", b"nothing")
    with pytest.raises(fw.BadValue, match="the studio refused it"):
        found.send("face.exe", b"nothing")


def test_only_who_has_the_secret_comes_in(studio: tuple[Served, Path]) -> None:
    served, _ = studio
    with pytest.raises(fw.BadValue, match="no studio with this token"):
        RemoteStudio.enter(f"{served.origin}/?token={'x' * 43}")
    found = RemoteStudio.enter(served.address)
    for other in (replace(found, key="0" * 64), replace(found, cookie="facewright=no")):
        with pytest.raises(fw.BadValue, match=r"the studio refused it: the (key|cookie)"):
            other.fetch()


@pytest.mark.parametrize(
    "address",
    ["", "http://example.org:80/?token=x", "https://127.0.0.1:1/?token=x", "http://127.0.0.1:1/", "file:///etc/passwd"],
)
def test_an_address_elsewhere_is_refused_before_anything_is_sent(address: str) -> None:
    with pytest.raises(fw.BadValue, match="it is on this machine"):
        RemoteStudio.enter(address)


def test_no_studio_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(fw.BadValue, match="no studio is running; start one"):
        find_studio(tmp_path)
    gone = tmp_path / "studio-0"
    gone.mkdir()
    (gone / "port").write_text("1")
    (gone / "token").write_text("x" * 43)
    with pytest.raises(fw.BadValue, match="no studio is running"):
        find_studio(tmp_path)
