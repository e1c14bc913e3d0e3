"""A film has the sound of the document's timeline, in step with its frames."""

import subprocess
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.jobs.task import Task
from facewright.motion.clip import Clip
from facewright.motion.curve import Curve
from facewright.reference.bookmark import CameraBookmark
from facewright.reference.sound import ReferenceSound
from facewright.reference.wav import wav_bytes, wav_samples
from facewright.render import film
from facewright.samples import mask
from facewright.workflow.export.options import ExportOptions
from facewright.workflow.film import draw_film, film_job
from tests.some import some

RATE = 8000


def talking() -> Document:
    """A clip from 0 to 2 seconds, with a click at 1.5 seconds: half a second into a sound that begins at 1."""
    rig = mask(vertices=120, shapes=2)
    samples = np.zeros((RATE, 1), np.float32)
    samples[RATE // 2 : RATE // 2 + 400] = 0.9 * np.sin(np.arange(400))[:, None]
    sound = replace(ReferenceSound.of_wav("click.wav", wav_bytes(samples, RATE)), offset=1.0)
    return Document(
        rig, (Clip("talk", {rig.sliders[0]: Curve([0.0, 2.0], [0.0, 1.0])}, 5.0),), clip="talk", sound=sound
    )


def click(data: bytes) -> float:
    """Seconds of the middle of the loud part."""
    samples, rate = wav_samples(data)
    loud = np.flatnonzero(np.abs(samples[:, 0]) > 0.3)
    return float(loud.mean()) / rate


def sound_of(video: Path) -> bytes:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="imageio-ffmpeg is not installed").get_ffmpeg_exe()
    made = subprocess.run([ffmpeg, "-v", "error", "-i", video, "-f", "wav", "-"], capture_output=True, check=False)
    return made.stdout


def test_a_film_has_the_sound_where_the_timeline_has_it(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    film(talking(), "talk", path, size=(32, 32), samples=1)
    assert click(sound_of(path)) == pytest.approx(1.525, abs=0.06)  # AAC has frames of 1024 samples
    document = talking()
    film(replace(document, sound=replace(some(document.sound), muted=True)), "talk", path, size=(32, 32), samples=1)
    assert not sound_of(path)


def test_a_part_of_a_clip_has_its_part_of_the_sound_and_frames_have_it_beside_them(tmp_path: Path) -> None:
    options = ExportOptions(start=1.0, end=2.0, width=32, height=32)
    job = film_job(talking(), "zip", options, tmp_path)
    assert draw_film(Task(lambda _: None, threading.Event()), job) == 6
    with zipfile.ZipFile(job.path) as file:
        data = file.read("sound.wav")
    assert click(data) == pytest.approx(0.525, abs=0.01)
    assert len(wav_samples(data)[0]) == round(6 / 5 * RATE)


def test_a_film_is_seen_from_a_view_that_the_document_keeps(tmp_path: Path) -> None:
    document = replace(talking(), sound=None, bookmarks=(CameraBookmark("above", 0.0, 1.2, 2.0),))
    with pytest.raises(UnknownName, match="above"):
        film_job(document, "zip", ExportOptions(kept_view="abov"), tmp_path)
    frames = []
    for kept in ("", "above"):
        folder = tmp_path / f"film {kept}"
        folder.mkdir()
        job = film_job(document, "zip", ExportOptions(end=0.1, width=32, height=32, kept_view=kept), folder)
        draw_film(Task(lambda _: None, threading.Event()), job)
        with zipfile.ZipFile(job.path) as file:
            frames.append(file.read("frame_0001.png"))
    assert frames[0] != frames[1]
