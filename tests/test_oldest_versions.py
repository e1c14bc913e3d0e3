"""The core runs on the oldest versions that pyproject.toml allows, such as the numpy inside Blender."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = ("daqp", "msgspec", "numpy", "scipy")
# One file for each part of the core; `make test-oldest` runs all of its tests.
TESTS = (
    "solve/test_qp_optimality.py",
    "rig/test_evaluate.py",
    "rig/test_rig.py",
    "regions/test_regions.py",
    "pose/test_pins.py",
    "capture/test_smoothing.py",
    "build/test_bad_input.py",
    "formats/test_npz.py",
)


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the oldest versions of what the core needs."""
    if sys.version_info >= (3, 13):
        pytest.skip("numpy 1.26 has no wheels for this Python")
    folder = tmp_path_factory.mktemp("oldest")
    pins = (ROOT / "requirements-oldest.lock").read_text(encoding="utf-8").split()
    wanted = [pin for pin in pins if pin.split("==")[0] in CORE]
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), *wanted]
    installed = subprocess.run(command, capture_output=True, text=True, check=False)
    if installed.returncode and not os.environ.get("CI"):
        pytest.skip(f"no package index to install the oldest versions from: {installed.stderr[-200:]}")
    assert installed.returncode == 0, installed.stderr
    return folder


@pytest.mark.long
def test_the_core_runs_on_the_oldest_versions_allowed(oldest: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (oldest, ROOT / "src", ROOT)))}
    versions = "import numpy, scipy; print(numpy.__version__, scipy.__version__)"
    shown = subprocess.run(
        [sys.executable, "-c", versions], env=environment, capture_output=True, text=True, check=True
    )
    pins = dict(line.split("==") for line in (ROOT / "requirements-oldest.lock").read_text(encoding="utf-8").split())
    assert shown.stdout.split() == [pins["numpy"], pins["scipy"]]
    tests = [str(ROOT / "tests" / name) for name in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    tried = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stdout[-3000:] + tried.stderr[-500:]
