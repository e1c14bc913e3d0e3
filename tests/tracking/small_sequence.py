"""A short depth sequence of the embedded head, small enough for tests that are in a hurry."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

import facewright as fw
from facewright.arrays import Floats
from tests.tracking.depth_of import before_camera, depth_of

FRAMES = 12
RATE = 12.0
LENS = fw.Pinhole(75.0, 75.0, 39.5, 29.5, 80, 60)
JAW: Floats = 0.6 * np.sin(np.pi * np.arange(FRAMES) / (FRAMES - 1))  # how far the jaw is open


def small_sequence() -> fw.ScanSequence:
    """The jaw opens and closes, the head turns a little, and the seventh frame was dropped."""
    rig = fw.sample()
    frames = [
        depth_of(
            rig, rig.pose({"jawOpen": JAW[i]}), before_camera(rig, yaw=8 * np.sin(i / 3)), noise=3e-4, seed=i, lens=LENS
        )
        for i in range(FRAMES)
    ]
    return fw.ScanSequence([*frames[:6], None, *frames[7:]], np.arange(FRAMES) / RATE, "talk")


def write_depth(folder: Path, sequence: fw.ScanSequence, *, scale: float = 1e-4) -> Path:
    """The sequence as 16-bit PNG files with their intrinsics."""
    folder.mkdir()
    for i, frame in enumerate(sequence.frames):
        path = folder / f"{i:03}.png"
        if isinstance(frame, fw.DepthImage):
            Image.fromarray(np.rint(frame.depth / 1e-4).astype(np.uint16)).save(path)
        else:
            path.write_bytes(b"")
    lens = {"fx": LENS.fx, "fy": LENS.fy, "cx": LENS.cx, "cy": LENS.cy, "depth_scale": scale, "rate": RATE}
    (folder / "intrinsics.json").write_text(json.dumps(lens))
    return folder
