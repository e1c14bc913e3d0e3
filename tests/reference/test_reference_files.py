"""Files of sound, picture and video: read by ourselves, by ffmpeg, or refused in words."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import facewright as fw
from facewright.document import Document
from facewright.errors import BadFile, BadValue, MissingExtra
from facewright.formats.registry import load_document, save
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.container import container_of
from facewright.reference.media_file import MediaFile
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import wav_samples
from facewright.samples import mask
from facewright.workflow.file_kind import FileKind, kind_of
from facewright.workflow.reference_files import for_players, load_plane, load_sound
from tests.reference.sounds import ffmpeg_made, small_video, tone_file

WAV = tone_file()
DAMAGED = Path(__file__).parents[1] / "formats" / "damaged"
VIEWS = (CameraBookmark("mouth", 0.3, -0.1, 1.2, (0.0, -0.2, 0.3), 30.0, True), CameraBookmark("whole", 0.0, 0.0, 3.0))


def document() -> Document:
    rig = mask(vertices=120, shapes=3)
    sound = replace(ReferenceSound.of_wav("line 7.wav", WAV), offset=-0.25, volume=0.5, muted=True)
    png = MediaFile("actor.png", "image/png", fw.render.png_bytes(np.zeros((4, 6, 3), np.uint8)))
    return Document(rig, sound=sound, plane=ReferencePlane(png, "beside", 0.2, 0.1, 0.5, 0.75, 1.5), bookmarks=VIEWS)


def test_a_document_keeps_sound_picture_and_views(tmp_path: Path) -> None:
    one = document()
    save(one, tmp_path / "face.fwface")
    found = load_document(tmp_path / "face.fwface")
    assert (found.sound, found.plane, found.bookmarks) == (one.sound, one.plane, one.bookmarks)
    assert found.sound is not None
    assert found.plane is not None
    assert one.plane is not None
    assert (found.sound.file.data, found.plane.file.data) == (WAV, one.plane.file.data)
    assert not found.attachments
    save(one, tmp_path / "face.glb")
    assert load_document(tmp_path / "face.glb").bookmarks == VIEWS


def test_a_file_without_the_sound_opens_and_says_what_is_missing(tmp_path: Path) -> None:
    import zipfile

    save(document(), tmp_path / "whole.fwface")
    with zipfile.ZipFile(tmp_path / "whole.fwface") as whole, zipfile.ZipFile(tmp_path / "less.fwface", "w") as less:
        for info in whole.infolist():
            if not info.filename.endswith(".wav"):
                less.writestr(info, whole.read(info))
    found = load_document(tmp_path / "less.fwface").sound
    assert found is not None
    assert found.file.is_missing
    assert (found.file.name, found.offset, found.seconds) == ("line 7.wav", -0.25, 1.0)
    again = ReferenceSound.of_wav("moved/line 7.wav", WAV).instead_of(found)
    assert (again.offset, again.volume, again.muted, again.file.is_missing) == (-0.25, 0.5, True, False)
    save(load_document(tmp_path / "less.fwface"), tmp_path / "again.fwface")
    assert load_document(tmp_path / "again.fwface").sound == found


def test_values_that_make_no_sense_are_refused() -> None:
    one = document()
    assert one.sound is not None
    assert one.plane is not None
    for values in ({"volume": 1.5}, {"offset": float("nan")}):
        with pytest.raises(BadValue):
            replace(one.sound, **values)  # type: ignore[arg-type]
    for wrong in ({"scale": 0.0}, {"x": 1e9}, {"opacity": -0.1}, {"placement": "over"}, {"file": one.sound.file}):
        with pytest.raises(BadValue):
            replace(one.plane, **wrong)
    with pytest.raises(BadValue, match="same name"):
        replace(one, bookmarks=(VIEWS[0], VIEWS[0]))
    for view in ({"name": ""}, {"distance": 0.0}, {"field_of_view": 200.0}, {"yaw": float("inf")}):
        with pytest.raises(BadValue):
            replace(VIEWS[0], **view)
    with pytest.raises(BadFile, match="damaged"):
        MediaFile("a.wav", "audio/wav", WAV[:-2], MediaFile("a.wav", "audio/wav", WAV).digest)


def test_what_is_heard_begins_at_the_offset_and_is_silent_elsewhere() -> None:
    sound = replace(ReferenceSound.of_wav("a.wav", WAV), offset=0.5, volume=0.5)
    heard, samples = sound.heard(0.25, 2.0)[:, 0], wav_samples(WAV)[0][:, 0]
    assert len(heard) == 16000
    assert not heard[:2000].any()
    assert not heard[10000:].any()
    np.testing.assert_allclose(heard[2000:10000], 0.5 * samples)
    np.testing.assert_allclose(sound.heard(1.0, 0.25)[:, 0], 0.5 * samples[4000:6000])
    assert not replace(sound, muted=True).heard(0.0, 2.0).any()


def test_sounds_of_other_formats_and_of_videos_are_read_by_ffmpeg(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(WAV)
    flac = ffmpeg_made(tmp_path / "a.flac", "-i", str(tmp_path / "a.wav"))
    found = load_sound(flac)
    np.testing.assert_allclose(wav_samples(found.file.data)[0], wav_samples(WAV)[0], atol=1e-4)  # it is lossless
    assert (found.file.name, found.rate, found.channels) == ("a.flac", 8000, 1)
    video = small_video(tmp_path / "take.mp4")
    assert load_sound(video).seconds == pytest.approx(2.0, abs=0.1)
    assert (kind_of(flac), kind_of(video)) == (FileKind.SOUND, FileKind.VIDEO)
    assert kind_of(tmp_path / "a.wav") is FileKind.SOUND


def test_videos_are_checked_and_made_playable(tmp_path: Path) -> None:
    plane = load_plane(small_video(tmp_path / "take.mp4"), "take.mp4")
    assert (plane.is_video, plane.file.media) == (True, "video/mp4")
    made = container_of(for_players(plane.file))
    assert made is not None
    assert made.media == "video/webm"
    damaged = tmp_path / "damaged.mp4"
    damaged.write_bytes(plane.file.data[:300])
    with pytest.raises(BadFile, match=r"damaged\.mp4: ffmpeg cannot read it"):
        load_plane(damaged)
    (tmp_path / "a.wav").write_bytes(WAV)
    with pytest.raises(BadFile, match="no picture"):
        load_plane(tmp_path / "a.wav")


def test_pictures_of_other_kinds_become_png_and_other_files_are_refused(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed: pip install -e '.[texture]'")
    image.new("RGB", (5, 3), (10, 20, 30)).save(tmp_path / "a.tiff")
    assert load_plane(tmp_path / "a.tiff").file.media == "image/png"
    (tmp_path / "cut.tiff").write_bytes((tmp_path / "a.tiff").read_bytes()[:-20])  # Pillow warns of it
    with pytest.raises(BadFile, match=r"cut\.tiff"):
        load_plane(tmp_path / "cut.tiff")
    with pytest.raises(
        BadFile, match=r"offset\.tiff: the picture cannot be unpacked"
    ):  # a fraction where its bytes are
        load_plane(DAMAGED / "offset.tiff")
    (tmp_path / "a.txt").write_text("no picture")
    with pytest.raises(BadFile, match=r"a\.txt: this is no PNG"):
        load_plane(tmp_path / "a.txt")
    # A playlist names other files: it is not handed to ffmpeg, whatever its name.
    (tmp_path / "list.mp4").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n")
    for read in (load_sound, load_plane):
        with pytest.raises(BadFile):
            read(tmp_path / "list.mp4")


def test_without_ffmpeg_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video = small_video(tmp_path / "take.webm", seconds=0.3)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert load_plane(video).is_video, "browsers play it as it is"
    with pytest.raises(MissingExtra, match=r"Reading this sound needs the package imageio-ffmpeg: pip install"):
        load_sound(video)
    (tmp_path / "a.wav").write_bytes(WAV)
    assert load_sound(tmp_path / "a.wav").seconds == 1.0
