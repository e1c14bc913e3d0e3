"""A picture of the extension in a real window, for docs/blender.md: `python -m tools.blender_window`.

Wants a Blender with a window (Debian's package `blender`, of the Python that .venv has) and Xvfb, which gives it a
screen of its own. That Blender drags the face with simulated events of its mouse, and fails if no key moves.
"""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "pictures" / "blender-window.png"
_SCREEN = "1280x800x24"
_PATIENCE = 600  # seconds


def main() -> None:
    for program in ("blender", "Xvfb"):
        if shutil.which(program) is None:
            sys.exit(f"{program} is not here; on Debian: apt-get install blender xvfb")
    with tempfile.TemporaryDirectory() as folder, screen() as display:
        paths = [str(ROOT), str(ROOT / "src"), *(path for path in sys.path if path.endswith("site-packages"))]
        environment = {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONPATH": os.pathsep.join(paths)}
        options = ["--factory-startup", "--python-use-system-env", "--enable-event-simulate"]
        window = ["--window-geometry", "0", "0", *_SCREEN.split("x")[:2]]
        script = ["--python", str(ROOT / "tools" / "blender_in_window.py"), "--", folder]
        command = ["blender", *options, *window, *script]
        subprocess.run(command, env=os.environ | environment, check=True, timeout=_PATIENCE)
        said = Path(folder) / "window.json"
        if not said.is_file():
            sys.exit("Blender ended without a result; its words are above")
        print(json.loads(said.read_text()))
        Image.open(Path(folder) / "window.png").convert("RGB").save(OUT, optimize=True)


@contextmanager
def screen() -> Iterator[str]:
    """The name of a screen that no one sees."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", _SCREEN, "-nolisten", "tcp"], pass_fds=[writing]
    )
    os.close(writing)
    try:
        if not select.select([reading], [], [], _PATIENCE)[0]:
            sys.exit("Xvfb does not start")
        yield f":{os.read(reading, 16).decode().strip()}"
    finally:
        os.close(reading)
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
