"""Small KTX2 files made by hand, and Basis Universal's own transcoder, run by Node, to compare with."""

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.formats.gltf_files import missing

HERE = Path(__file__).parent / "basis"
THREE = Path(__file__).parents[2] / "web" / "node_modules" / "three"
RGB, RGBA, GREY, GREY_AND_OPACITY = 0, 3, 4, 5  # UASTC's channels
UASTC = 166


def ktx2(
    size: tuple[int, int],
    level: bytes,
    *,
    format: int = 0,
    model: int = UASTC,
    channels: int = RGBA,
    scheme: int = 0,
    unpacked: int | None = None,
    orientation: bytes = b"",
    **header: int,
) -> bytes:
    """A file of one level."""
    width, height = size
    descriptor = (
        struct.pack("<2I2H8B8x", 44, 0, 2, 40, model, 1, 2, 0, 3, 3, 0, 0) + bytes([0, 0, 127, channels]) + bytes(12)
    )
    pair = b"KTXorientation\0" + orientation + b"\0"
    pairs = struct.pack("<I", len(pair)) + pair if orientation else b""
    at = 104 + len(descriptor) + len(pairs)
    numbers = {"depth": 0, "layers": 0, "faces": 1, "levels": 1} | header
    head = struct.pack("<9I", format, 1, width, height, *numbers.values(), scheme)
    places = struct.pack("<4I2Q", 104, len(descriptor), 104 + len(descriptor) if pairs else 0, len(pairs), 0, 0)
    index = struct.pack("<3Q", at, len(level), len(level) if unpacked is None else unpacked)
    return b"\xabKTX 20\xbb\r\n\x1a\n" + head + places + index + descriptor + pairs + level


def transcoded(folder: Path, *files: bytes) -> list[np.ndarray | None]:
    """RGBA (h, w, 4) of each file, or None where the transcoder refuses it."""
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if node is None or not THREE.is_dir():
        missing("Node or the page's packages are not installed: make")
    paths = []
    for number, data in enumerate(files):
        (folder / f"{number}.ktx2").write_bytes(data)
        paths += [folder / f"{number}.ktx2", folder / f"{number}.rgba"]
    done = subprocess.run([node, HERE / "transcode.mjs", THREE, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    return [_pixels(line, path) for line, path in zip(done.stdout.splitlines(), paths[1::2], strict=True)]


def _pixels(line: str, path: Path) -> np.ndarray | None:
    width, height, *_ = line.split() if " " in line else ("0", "0")
    return np.fromfile(path, np.uint8).reshape(int(height), int(width), 4) if int(width) else None
