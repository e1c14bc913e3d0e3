"""Sounds and videos that tests are made with."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from facewright.reference.wav import wav_bytes


def tone(seconds: float = 1.0, rate: int = 8000, pitch: float = 440.0, channels: int = 1) -> np.ndarray:
    """Samples (n, channels) of a tone that becomes louder, from silence to 0.8."""
    at = np.arange(round(seconds * rate)) / rate
    one = 0.8 * at / seconds * np.sin(2 * np.pi * pitch * at)
    return np.repeat(one[:, None], channels, axis=1).astype(np.float32)


def tone_file(seconds: float = 1.0, rate: int = 8000) -> bytes:
    """A WAV file of the tone."""
    return wav_bytes(tone(seconds, rate), rate)


def ffmpeg_made(path: Path, *words: str) -> Path:
    """A file that ffmpeg makes from its own sources."""
    video = pytest.importorskip("facewright.render.video")
    pytest.importorskip("imageio_ffmpeg", reason="imageio-ffmpeg is not installed: pip install -e '.[render]'")
    subprocess.run([video.ffmpeg(), "-v", "error", "-y", *words, str(path)], check=True)
    return path


def small_video(path: Path, seconds: float = 2.0, rate: int = 10) -> Path:
    """A video of 64 x 48 pixels with a tone; the brightness of its frames grows with the time."""
    gray = f"color=black:s=64x48:r={rate}:d={seconds},geq=lum='255*T/{seconds}':cb=128:cr=128"
    coder = ["-c:v", "libvpx", "-g", "1", "-c:a", "libvorbis"] if path.suffix == ".webm" else []
    heard = ["-f", "lavfi", "-i", f"sine=330:duration={seconds}"]
    return ffmpeg_made(path, "-f", "lavfi", "-i", gray, *heard, "-pix_fmt", "yuv420p", *coder)
