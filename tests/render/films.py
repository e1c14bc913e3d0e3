"""Pictures and films read back by other programs than ours."""

import re
import subprocess

import imageio_ffmpeg
import numpy as np
from PIL import Image


def frames_of_png(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def frames_of_gif(path):
    """Frames and their times in milliseconds."""
    frames, delays = [], []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            frames.append(np.asarray(image.convert("RGB")))
            delays.append(image.info["duration"])
    return frames, delays


def frames_of_video(path):
    """Frames, frames a second, and size."""
    program = imageio_ffmpeg.get_ffmpeg_exe()  # its own reader leaves pipes open, which is an error here
    raw = subprocess.run(
        [program, "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    )
    said = re.search(r"Video: .*, (\d+)x(\d+).* ([\d.]+) fps", raw.stderr.decode())
    width, height, rate = int(said[1]), int(said[2]), float(said[3])
    return np.frombuffer(raw.stdout, np.uint8).reshape(-1, height, width, 3), rate, (width, height)
