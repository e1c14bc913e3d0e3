"""python -m tools.blender_zip: the Blender extension as one file to install, with the wheels that it needs.

    python -m tools.blender_zip -o dist --platform linux-x64

The wheels of other packages are those of requirements.lock, checked by their hashes, for each Python that Blender has.
Nothing is fetched where the extension is installed. numpy is Blender's own.
"""

import argparse
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import facewright

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "blender"
NEEDED = ("daqp", "msgspec", "scipy")
PYTHONS = ("3.11", "3.13")  # of Blender 4.5 and 5.0, and of later ones
PLATFORMS = {  # Blender's names, and what the names of wheels for it end in
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "windows-arm64": ("win_arm64",),
    "macos-arm64": ("macosx_14_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
    "macos-x64": ("macosx_14_0_x86_64", "macosx_12_0_x86_64", "macosx_10_14_x86_64", "macosx_10_13_x86_64"),
}
DATE = (2020, 1, 1, 0, 0, 0)  # of every entry, so that the same sources give the same bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="the folder to write to")
    parser.add_argument("--platform", choices=PLATFORMS, default=this_platform())
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only for these versions of Python")
    given = parser.parse_args()
    made = build(given.output, given.platform, tuple(given.python or PYTHONS))
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


def build(folder: Path, system: str, pythons: tuple[str, ...]) -> Path:
    """Write the extension for a system; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        wheels = Path(scratch)
        own_wheel(wheels)
        for python in pythons:
            fetch_wheels(wheels, system, python)
        names = sorted(path.name for path in wheels.glob("*.whl"))
        target = folder / f"facewright-{version()}-{system.replace('-', '_')}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            put(archive, "blender_manifest.toml", manifest(system, names).encode())
            put(archive, "LICENSE", (ROOT / "LICENSE").read_bytes())
            for path in sorted(SOURCE.rglob("*.py")):
                put(archive, path.relative_to(SOURCE).as_posix(), path.read_bytes())
            for name in names:
                put(archive, f"wheels/{name}", (wheels / name).read_bytes())
    return target


def manifest(system: str, wheels: list[str]) -> str:
    """The manifest with the library's version, the system and the wheels."""
    text = (SOURCE / "blender_manifest.toml").read_text("utf8")
    text = re.sub(r'^version = ".*"$', f'version = "{version()}"', text, count=1, flags=re.MULTILINE)
    listed = "".join(f'  "./wheels/{name}",\n' for name in wheels)
    text = text.replace("\n[permissions]", f'platforms = ["{system}"]\nwheels = [\n{listed}]\n\n[permissions]', 1)
    tomllib.loads(text)
    return text


def version() -> str:
    """The library's version as Blender wants it: three numbers, and what precedes a release after a hyphen."""
    found = re.fullmatch(r"(\d+\.\d+\.\d+)(?:\.?(dev|a|b|rc)(\d+))?", facewright.__version__)
    if found is None:
        raise SystemExit(f"the version {facewright.__version__} has no counterpart in Blender")
    return f"{found[1]}-{found[2]}.{found[3]}" if found[2] else found[1]


def own_wheel(folder: Path) -> None:
    run("build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))


def fetch_wheels(folder: Path, system: str, python: str) -> None:
    """The wheels of the packages that the library needs, as requirements.lock pins them."""
    lock = folder / "needed.lock"
    text = (ROOT / "requirements.lock").read_text("utf8")
    lock.write_text("".join(match[0] for match in re.finditer(rf"(?m)^({'|'.join(NEEDED)})==(?:.*\\\n)*.*\n", text)))
    tags = [word for tag in PLATFORMS[system] for word in ("--platform", tag)]
    wanted = ["--python-version", python, "--only-binary", ":all:", "--no-deps", "--require-hashes"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    run("pip", "download", *quiet, *wanted, *tags, "--dest", str(folder), "-r", str(lock))
    lock.unlink()


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments[:2])} failed:\n{done.stdout}{done.stderr}")


def put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def this_platform() -> str:
    system = {"linux": "linux", "darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
    return f"{system}-{machine}"


if __name__ == "__main__":
    main()
