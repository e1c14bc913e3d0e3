"""python tools/lock.py: write the newest versions that pyproject.toml allows into requirements.lock, with hashes.

Every file of a release has its hash there, so that the lock serves on systems and for versions of Python that the
machine it is made on does not have. What is needed on such systems alone is locked with the marker that says so.
"""

import json
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag
from urllib.request import urlopen

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
SYSTEMS = {"linux": ("posix", "Linux"), "darwin": ("posix", "Darwin"), "win32": ("nt", "Windows")}
PYTHONS = ("3.11", "3.12", "3.13")


def main() -> None:
    """Let pip resolve the package with everything for development, installing nothing."""
    found = resolved("--editable", ".[dev]")
    del found["facewright"]
    markers = elsewhere(found)
    more = resolved(*markers, *(f"{name}=={item['version']}" for name, item in found.items())) if markers else {}
    versions = {name: item["version"] for name, item in (more | found).items()}
    ordered = sorted(versions, key=str.lower)
    lines = [entry(name, versions[name], markers.get(canonicalize_name(name), "")) for name in ordered]
    (ROOT / "requirements.lock").write_text("".join(lines), encoding="utf-8")


def resolved(*wanted: str) -> dict[str, dict[str, Any]]:
    """The metadata of all packages that some requirements need, by name."""
    options = ["--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    done = subprocess.run([*PIP, "install", *options, *wanted], cwd=ROOT, capture_output=True, text=True, check=True)
    return {item["metadata"]["name"]: item["metadata"] for item in json.loads(done.stdout)["install"]}


def elsewhere(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    """What the packages need on other systems or Pythons only, and the marker that says where."""
    known = {canonicalize_name(name) for name in found}
    named = [Requirement(line) for item in found.values() for line in item.get("requires_dist", ())]
    others = [one for one in named if one.marker is not None and canonicalize_name(one.name) not in known]
    return {
        canonicalize_name(one.name): str(one.marker)
        for one in others
        if one.marker is not None and "extra" not in str(one.marker) and any(map(one.marker.evaluate, environments()))
    }


def environments() -> list[dict[str, str]]:
    """What markers can ask about, on every system with every Python that is supported."""
    own = {name: str(value) for name, value in default_environment().items()}
    return [
        own | {"sys_platform": system, "os_name": SYSTEMS[system][0], "platform_system": SYSTEMS[system][1]}
        | {"python_version": python, "python_full_version": f"{python}.0"}
        for system, python in product(SYSTEMS, PYTHONS)
    ]  # fmt: skip


def entry(name: str, version: str, marker: str) -> str:
    """A package in the lock."""
    digests = sorted(hashes(name, version))
    if not digests:
        raise SystemExit(f"no index has hashes of {name} {version}")
    where = f" ; {marker}" if marker else ""
    return " \\\n    ".join([f"{name}=={version}{where}", *(f"--hash=sha256:{digest}" for digest in digests)]) + "\n"


def hashes(name: str, version: str) -> set[str]:
    """The SHA-256 of every file of a release, from all indexes that pip is set to use."""
    found = set()
    for address, fragment in (urldefrag(link) for index in indexes() for link in links(index, name)):
        if fragment.startswith("sha256=") and is_of(unquote(address.rsplit("/", 1)[-1]), Version(version)):
            found.add(fragment.removeprefix("sha256="))
    return found


def links(index: str, name: str) -> list[str]:
    """The files that an index has of a package; none where it does not know the package."""
    page = f"{index}/{canonicalize_name(name)}/" + "index.html" * index.startswith("file:")
    reader = Links()
    try:
        with urlopen(page) as answer:
            reader.feed(answer.read().decode())
    except OSError:
        return []
    return reader.found


def indexes() -> list[str]:
    """The package indexes of pip's settings."""
    shown = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    settings = dict(line.split("=", 1) for line in shown.splitlines())
    values = {key.rsplit(".", 1)[-1]: value.strip("'\"") for key, value in settings.items()}
    usual = import_module("pip._internal.models.index").PyPI.simple_url  # where no other is set
    listed = [values.get("index-url", usual), *values.get("extra-index-url", "").split()]
    return [index.rstrip("/") for index in listed]


class Links(HTMLParser):
    """The addresses that a page links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if tag == "a" and key == "href" and value]


def is_of(file: str, version: Version) -> bool:
    """Whether a file is of a release."""
    try:
        return (parse_wheel_filename if file.endswith(".whl") else parse_sdist_filename)(file)[1] == version
    except (InvalidWheelFilename, InvalidSdistFilename):
        return False


if __name__ == "__main__":
    main()
