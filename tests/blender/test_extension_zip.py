"""The extension's file is what Blender accepts, and works in a Blender that has nothing else of ours."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from tools.blender_zip import NEEDED, ROOT, build, this_platform

import facewright as fw

# What PyPI's bpy needs itself. It has no facewright, scipy, daqp or msgspec.
BARE = (
    "bpy",
    "numpy",
    "numpy.libs",
    "Cython",
    "requests",
    "urllib3",
    "idna",
    "certifi",
    "charset_normalizer",
    "zstandard",
)
INSTALL = Path(__file__).with_name("install.py")


@pytest.fixture(scope="module")
def zipped(blender: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("extension"), this_platform(), ("3.11",))


def site_packages(python: Path) -> Path:
    return next((python.parents[1] / "lib").glob("python3*")) / "site-packages"


def test_the_file_holds_a_manifest_the_sources_and_the_wheels(zipped: Path) -> None:
    with zipfile.ZipFile(zipped) as archive:
        names = archive.namelist()
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
        sources = {path.relative_to(ROOT / "blender").as_posix(): path for path in (ROOT / "blender").rglob("*.py")}
        for name, path in sources.items():
            assert archive.read(name) == path.read_bytes()
    assert {f"wheels/{Path(wheel).name}" for wheel in manifest["wheels"]} == {n for n in names if n.endswith(".whl")}
    assert {Path(wheel).name.split("-")[0] for wheel in manifest["wheels"]} == {"facewright", *NEEDED}
    assert manifest["platforms"] == [this_platform()]
    assert manifest["version"].split("-")[0] == fw.__version__.split(".dev")[0]
    assert set(names) == {*sources, "LICENSE", "blender_manifest.toml", *(n for n in names if n.endswith(".whl"))}


def test_blenders_own_check_accepts_it(blender: Path, zipped: Path) -> None:
    (check,) = site_packages(blender).glob("bpy/*/scripts/addons_core/bl_pkg/cli/blender_ext.py")
    done = subprocess.run([blender, check, "validate", zipped], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_installed_switched_on_and_used_from_scratch(blender: Path, zipped: Path, tmp_path: Path) -> None:
    """A Python that has Blender alone, and an empty folder for all that belongs to its user."""
    venv.create(tmp_path / "venv", symlinks=True, with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    for name in BARE:
        if (site_packages(blender) / name).exists():
            (site_packages(python) / name).symlink_to(site_packages(blender) / name)
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"BLENDER_USER_RESOURCES": str(tmp_path / "user"), "http_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(
        [python, INSTALL, zipped],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["before"] == []
    assert found["facewright"].startswith(str(tmp_path / "user"))
    assert found["keys"] == 52
    assert max(found["values"].values()) > 0.1
    assert found["after"] == []
    assert sys.prefix not in json.dumps(found)
