"""Sound and picture over the wire: brought, found again, fetched, refused in words."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import FacewrightError
from facewright.reference.media_file import MediaFile
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import wav_samples
from facewright.samples import mask
from facewright.session.context import Context
from facewright.session.edits.bookmarks import RemoveBookmark
from facewright.session.edits.build import fresh_plan
from facewright.session.edits.reference import PlacePlane, PlaceSound, RemovePlane, RemoveSound, SetSound
from facewright.session.frames import unpack
from tests.reference.sounds import small_video, tone_file
from tests.some import some
from tests.studio.served import Page, Served

WAV = tone_file()
PNG = fw.render.png_bytes(np.full((6, 8, 3), 90, np.uint8))


def bring(served: Served, role: str, data: bytes, name: str) -> tuple[int, str]:
    status, _, answer = served.ask("POST", f"/api/upload/{role}?name={quote(name)}", data)
    return status, msgspec.json.decode(answer).get("problem", "")


def told(page: Page) -> dict[str, Any]:
    page.do("Ping")
    return {name: page.state[name] for name in ("sound", "plane", "bookmarks")}


def test_edits_of_what_is_not_there_are_refused_in_words() -> None:
    context = Context(Document(mask(vertices=120, shapes=2)), fresh_plan(), lambda run, newest=None: run())
    for edit, words in (
        (PlaceSound(volume=1.0), "there is no sound; choose a file"),
        (PlacePlane(x=1.0), "there is no reference picture; choose a file"),
        (RemoveBookmark(name="mouth"), "no view named 'mouth'"),
    ):
        with pytest.raises(FacewrightError, match=words):
            context.apply(edit)
    assert not context.apply(RemoveSound())
    assert not context.apply(RemovePlane())


def test_a_file_that_was_missing_is_found_again_and_another_is_said_to_be_another() -> None:
    whole = ReferenceSound.of_wav("line 7.wav", WAV)
    gone = replace(whole, file=MediaFile("line 7.wav", "audio/wav", b"", whole.file.digest), offset=0.5)
    document = Document(mask(vertices=120, shapes=2), sound=gone)
    for found, words in ((whole, []), (ReferenceSound.of_wav("x.wav", tone_file(0.5)), ["x.wav is another file"])):
        context = Context(document, fresh_plan(), lambda run, newest=None: run())
        context.apply(SetSound(sound=found))
        assert some(context.document.value.sound).offset == 0.5
        assert [said.split(" than")[0] for said in context.notices()] == words


def test_sound_and_picture_come_by_upload_and_are_fetched_as_browsers_want_them(
    served: Served, page: Page, tmp_path: Path
) -> None:
    assert bring(served, "sound", WAV, "line 7.wav") == (200, "")
    assert bring(served, "plane", PNG, "actor.png") == (200, "")
    done = told(page)
    assert (done["sound"]["name"], done["sound"]["seconds"], done["sound"]["missing"]) == ("line 7.wav", 1.0, False)
    id = done["sound"]["id"]
    heard = wav_samples(served.ask("GET", f"/api/reference/sound/{id}")[2])[0]
    np.testing.assert_array_equal(heard, wav_samples(WAV)[0])
    header, arrays = unpack(served.ask("GET", f"/api/reference/peaks/{id}")[2])
    assert arrays["peaks"].max() == pytest.approx(0.8, abs=0.01)
    assert len(arrays["peaks"]) == header.rate
    assert served.ask("GET", f"/api/reference/plane/{done['plane']['id']}")[2] == PNG
    assert served.ask("GET", "/api/reference/sound/another")[0] == 404
    status, problem = bring(served, "sound", WAV[:60], "cut.wav")
    assert (status, "cut.wav: the WAV file is cut off" in problem) == (400, True), problem
    assert told(page) == done

    video = small_video(tmp_path / "take.mp4", seconds=0.5)
    assert bring(served, "plane", video.read_bytes(), "take.mp4") == (200, "")
    plane = told(page)["plane"]
    assert plane["media"] == "video/mp4"
    for _ in range(2):  # made once, then kept
        status, _, made = served.ask("GET", f"/api/reference/playable/{plane['id']}")
        assert (status, made[:4]) == (200, b"\x1a\x45\xdf\xa3")
    assert bring(served, "sound", video.read_bytes(), "take.mp4") == (200, "")
    assert told(page)["sound"]["seconds"] == pytest.approx(0.5, abs=0.1)
