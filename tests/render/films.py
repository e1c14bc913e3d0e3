"""Pictures and films read back by other programs than ours."""

import re
import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from facewright.arrays import Ints
from tests.some import some


def frames_of_png(path: Path) -> Ints:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def frames_of_gif(path: Path) -> tuple[list[NDArray[np.uint8]], list[int]]:
    """Frames and their times in milliseconds."""
    frames, delays = [], []
    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(np.asarray(image.convert("RGB")))
            delays.append(image.info["duration"])
    return frames, delays


def frames_of_video(path: Path) -> tuple[NDArray[np.uint8], float, tuple[int, int]]:
    """Frames, frames a second, and size."""
    program = imageio_ffmpeg.get_ffmpeg_exe()  # its own reader leaves pipes open, which is an error here
    raw = subprocess.run(
        [program, "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    )
    said = some(re.search(r"Video: .*, (\d+)x(\d+).* ([\d.]+) fps", raw.stderr.decode()))
    width, height, rate = int(said[1]), int(said[2]), float(said[3])
    return np.frombuffer(raw.stdout, np.uint8).reshape(-1, height, width, 3), rate, (width, height)
