"""Sound, picture and video beside the face, as an animator uses them."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import facewright as fw
from facewright.document import Document
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.media_file import MediaFile, checksum
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.render.bookmark_camera import bookmark_camera
from facewright.render.camera import FIELD_OF_VIEW
from facewright.render.reference_picture import PlaneRectangle
from facewright.samples import mask
from tests.browser.studio import Studio
from tests.browser.test_timeline import go_to
from tests.reference.sounds import small_video, tone_file


def told(studio: Studio) -> Any:
    return studio.look("reference()")


def test_a_sound_is_seen_moved_played_and_heard_while_going_through_time(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    wav = tmp_path / "line 7.wav"
    wav.write_bytes(tone_file(3.0))
    page.get_by_role("tab", name="Reference").click()
    studio.shot("80 no reference yet")
    page.locator("#choose-sound").set_input_files(wav)
    studio.until(lambda: told(studio)["drawn"] and told(studio)["loaded"], "the waveform is there")
    studio.committed(1)
    studio.shot("81 a sound in the timeline")

    go_to(studio, 15)
    grains = told(studio)["grains"]
    assert grains > 0
    lane = studio.box(page.locator(".sound-lane canvas"))
    before = studio.look("span")
    studio.drag((lane.x + 0.6 * lane.width, lane.y + 12), (80, 0), steps=4)
    studio.committed(2)
    offset = studio.look("sound")["offset"]
    assert offset > 0.1
    assert offset * 30 == pytest.approx(round(offset * 30), abs=1e-6), "whole frames"
    assert studio.look("span")["to"] > before["to"], "all of it is seen"
    page.keyboard.press("Control+z")
    studio.committed(1)
    assert studio.look("sound")["offset"] == 0

    go_to(studio, 0)
    page.locator(".viewport canvas").first.focus()
    page.keyboard.press("Space")
    studio.until(lambda: told(studio)["heard"] is not None and studio.look("time") > 0.3, "it is heard")
    heard, at = page.evaluate("[window.__facewright.reference().heard, window.__facewright.time]")
    assert heard == pytest.approx(at, abs=0.25), "in step"
    page.keyboard.press("Space")
    studio.until(lambda: told(studio)["heard"] is None, "it is silent again")

    page.get_by_role("button", name="Mute the sound").click()
    studio.until(lambda: studio.look("sound")["muted"], "it is muted")
    studio.shot("82 a muted sound")
    volume = page.get_by_role("slider", name="Volume of the sound")
    volume.focus()
    volume.press("ArrowLeft")
    studio.until(lambda: studio.look("sound")["volume"] == pytest.approx(0.99), "it is less loud")
    page.get_by_role("button", name="Remove the sound").click()
    studio.until(lambda: studio.look("sound") is None, "there is none")
    assert not studio.complaints


def test_a_picture_is_behind_the_face_and_a_video_shows_the_moment(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    photo = tmp_path / "actor.png"
    photo.write_bytes(fw.render.png_bytes(np.full((48, 64, 3), (30, 160, 60), np.uint8)))
    page.get_by_role("tab", name="Reference").click()
    empty = studio.face()
    page.locator("#choose-plane").set_input_files(photo)
    studio.until(lambda: told(studio)["shown"], "the picture is there")
    behind = studio.face()
    assert behind != empty
    studio.shot("83 a picture behind the face")
    with Image.open(io.BytesIO(behind)) as seen:
        rows, columns = np.nonzero(np.abs(np.asarray(seen.convert("RGB")).astype(int) - (30, 160, 60)).max(axis=2) < 3)
        pixels_across = seen.width
    view, canvas = studio.look("camera"), studio.box(page.locator(".viewport canvas").first)
    kept = CameraBookmark(
        "now", view["yaw"], view["pitch"], view["distance"], tuple(view["target"]), view["fov"] or FIELD_OF_VIEW
    )
    rig, size = fw.sample(), (round(canvas.width), round(canvas.height))
    place = PlaneRectangle.of(
        ReferencePlane(MediaFile("actor.png", "image/png", photo.read_bytes())), rig, bookmark_camera(kept, rig), size
    )
    wide = place.height * 64 / 48
    edges = np.array([rows.min(), rows.max() + 1, columns.min(), columns.max() + 1])
    drawn = 4 + edges * (size[0] - 8) / pixels_across  # `face` leaves out 4 at the edge, and may be smaller
    wanted = [place.y - place.height / 2, place.y + place.height / 2, place.x - wide / 2, place.x + wide / 2]
    inside = np.clip(wanted, 4, [size[1] - 4, size[1] - 4, size[0] - 4, size[0] - 4])
    np.testing.assert_allclose(drawn, inside, atol=4)  # films have it there, too
    page.get_by_role("button", name="Over", exact=True).click()
    studio.until(lambda: studio.look("plane")["placement"] == "beside", "it is over the face")
    for name, value in (("How tall it is", "0.4"), ("How far it is shifted to the right", "0.45")):
        field = page.get_by_label(name)
        field.fill(value)
        field.press("Enter")
    studio.until(lambda: studio.look("plane")["x"] == 0.45, "it is shifted")
    assert studio.look("plane")["scale"] == 0.4
    studio.shot("84 a picture over the face")

    page.locator("#choose-plane").set_input_files(small_video(tmp_path / "take.webm"))
    studio.until(lambda: told(studio)["video"] >= 0 and told(studio)["shown"], "the video is there")
    assert studio.look("plane")["x"] == 0.45, "where the picture was"
    for frame in (15, 45):
        go_to(studio, frame)
        studio.until(lambda at=frame / 30: abs(told(studio)["video"] - at) < 0.01, "it shows the moment")
    bright = studio.face()
    go_to(studio, 0)
    studio.until(lambda: 0 <= told(studio)["video"] < 0.01, "it is at the beginning")
    assert studio.face() != bright, "another frame is drawn"
    field = page.get_by_label("Frame at which the video begins")
    field.fill("-30")
    field.press("Enter")
    studio.until(lambda: abs(told(studio)["video"] - 1.0) < 0.01, "it began a second before")
    studio.shot("85 a video over the face")
    page.reload()
    studio.ready()
    studio.until(lambda: told(studio)["shown"] and abs(told(studio)["video"] - 1.0) < 0.01, "it is there again")
    page.get_by_role("tab", name="Reference").click()
    page.get_by_role("button", name="Remove the picture").click()
    studio.until(lambda: not told(studio)["shown"], "it is gone")
    assert not studio.complaints


def test_a_sound_that_is_missing_is_said_and_found_again(studio: Studio, tmp_path: Path) -> None:
    page, wav, file = studio.page, tmp_path / "line 7.wav", tmp_path / "face.fwface"
    wav.write_bytes(tone_file(1.0))
    gone = MediaFile("line 7.wav", "audio/wav", b"", checksum(wav.read_bytes()))
    fw.save(Document(mask(vertices=200, shapes=4), sound=ReferenceSound(gone, 8000, 1, 8000, offset=0.5)), file)
    page.keyboard.press("Control+o")
    page.locator("#upload").set_input_files(file)
    studio.until(lambda: studio.look("sound") is not None, "the file is open")
    studio.ready()
    page.get_by_role("tab", name="Reference").click()
    assert "line 7.wav is not in this document any more" in page.get_by_role("alert").inner_text()
    studio.shot("86 a sound that is missing")
    page.locator("#choose-sound").set_input_files(wav)
    studio.until(lambda: told(studio)["drawn"], "it is there again")
    assert (studio.look("sound")["missing"], studio.look("sound")["offset"]) == (False, 0.5)
    assert not page.get_by_role("alert").count()
