"""Sounds and pictures for reference, some of which are read by ffmpeg, a program of its own."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

from facewright.workflow.reference_files import for_players, load_plane, load_sound
from tests.reference.sounds import ffmpeg_made, small_video, tone_file

HAS_FFMPEG = find_spec("imageio_ffmpeg") is not None
PICTURES = ("actor.bmp", "actor.gif", "actor.tga", "actor.tiff")


def save_media(folder: Path) -> None:
    """Write them all into a folder."""
    (folder / "line.wav").write_bytes(tone_file(0.1))
    picture = Image.fromarray(np.random.default_rng(1).integers(0, 256, (8, 12, 3), np.uint8))
    for name in PICTURES:
        picture.save(folder / name)
    if HAS_FFMPEG:
        ffmpeg_made(folder / "line.mp3", "-i", str(folder / "line.wav"))
        small_video(folder / "actor.mp4", seconds=0.4)


def use_video(path: Path) -> object:
    """The video as far as its first frame, and made for browsers."""
    plane = load_plane(path)
    return for_players(plane.file) if plane.file.media.startswith("video/") else plane


USES = {
    **dict.fromkeys(("line.wav", "line.mp3"), load_sound),
    **dict.fromkeys(PICTURES, load_plane),
    "actor.mp4": use_video,
}
