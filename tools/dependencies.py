"""`python -m tools.dependencies`: make docs/dependencies.md, every package that the locks pin.

Its version and licence, when that version and the newest one were released, and who needs it. Dates are asked of the
registries that pip and npm use, so this needs the internet.
"""

import json
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from urllib.request import urlopen

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pip._internal.models.index import PyPI
from tools.experiments.result import markdown

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "dependencies.md"
_SHORT = 40  # letters of a licence's name
_AT_ONCE, _SECONDS, _TRIES = 2, 60, 4  # questions to a registry, how long it may take, and how often it is asked


class Released(NamedTuple):
    """A version, and the day it was released."""

    version: str
    day: str


def locked() -> dict[str, str]:
    """The versions of the lock, by name."""
    pins = re.findall(r"(?m)^([\w.\-]+)==(\S+)", (ROOT / "requirements.lock").read_text("utf8"))
    return {canonicalize_name(name): version for name, version in pins}


def locked_by_page() -> dict[str, Mapping[str, Any]]:
    """What the page has inside it and what builds it: entries of its lock by name, without those that these need."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf8"))["packages"]
    named = lock[""]["dependencies"] | lock[""]["devDependencies"]
    entries = {path.removeprefix("node_modules/"): entry for path, entry in lock.items() if path}
    return {name: entry for name, entry in entries.items() if name in named or not entry.get("dev")}


def licence(told: Mapping[str, Any]) -> str:
    """What a registry or a package's metadata says."""
    classes = [line.rpartition(" :: ")[2] for line in told["classifiers"] or () if line.startswith("License ::")]
    text = str(told["license"] or "").partition("\n")[0]
    whole = told["license_expression"] or ", ".join(classes) or text or "not said"
    return whole if len(whole) <= _SHORT else whole[: _SHORT - 3] + "..."


def needed_by(extra: str) -> set[str]:
    """All packages that an installation with an extra, or with none, needs on this system."""
    found: set[str] = set()
    waiting = deque([("facewright", frozenset({extra}))])
    while waiting:
        name, extras = waiting.popleft()
        try:
            lines = distribution(name).requires or ()
        except PackageNotFoundError:
            continue
        for line in map(Requirement, lines):
            wanted = line.marker is None or any(line.marker.evaluate({"extra": each}) for each in extras or {""})
            key = canonicalize_name(line.name)
            if wanted and (key not in found or (line.extras and key == "facewright")):
                found.add(key)
                waiting.append((line.name, frozenset(line.extras) | {""}))
    return found - {"facewright"}


def _asked(name: str, tries: int = _TRIES) -> dict[str, Any]:
    """What the registry of Python packages says of one."""
    try:
        with urlopen(f"{PyPI.pypi_url}/{name}/json", timeout=_SECONDS) as answer:
            return dict(json.load(answer))
    except OSError:
        if tries == 1:
            raise
    sleep(1)
    return _asked(name, tries - 1)


def _released(told: Mapping[str, Any], version: str) -> Released:
    days = [str(file["upload_time"])[:10] for file in told["releases"].get(version, ())]
    return Released(version, min(days, default="not said"))


def python_rows() -> Iterator[list[str]]:
    """A row for each package of the lock."""
    extras = [each for each in distribution("facewright").metadata.get_all("Provides-Extra") or () if each != "dev"]
    plain = needed_by("")
    whose = {extra: needed_by(extra) - plain for extra in extras}
    pins = locked()
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        answers = dict(zip(pins, threads.map(_asked, pins), strict=True))
    for name, version in sorted(pins.items()):
        users = ["all"] if name in plain else [extra for extra in extras if name in whose[extra]] or ["development"]
        told = answers[name]
        own, newest = _released(told, version), _released(told, told["info"]["version"])
        yield [name, *own, licence(told["info"]), f"{newest.version}, {newest.day}", ", ".join(users)]


def page_rows() -> Iterator[list[str]]:
    """A row for each package that the page has inside it or is built with."""
    beside = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # Node.js of pip
    for name, entry in sorted(locked_by_page().items()):
        asked = ["npm", "view", "--json", name, "time", "dist-tags"]
        answer = subprocess.run(asked, capture_output=True, check=True, text=True, timeout=_SECONDS, env=beside)
        told = json.loads(answer.stdout)
        days, newest, own = told["time"], told["dist-tags"]["latest"], str(entry["version"])
        use = "building it" if entry.get("dev") else "in the page"
        yield [name, own, days[own][:10], str(entry["license"]), f"{newest}, {days[newest][:10]}", use]


def main() -> None:
    head = ["package", "version", "of", "licence", "last release", "needed by"]
    text = f"""# Dependencies

Made on {datetime.now(UTC):%d %B %Y} by `python -m tools.dependencies`. What is pinned is in `requirements.lock`
and `web/package-lock.json`, with hashes; packages of the system (Chromium, ffmpeg) are not listed. A plain installation
needs what *all* need, each extra what is marked with its name.

## Python

{markdown(head, list(python_rows()))}

## The page

What these need to build the page is in `web/package-lock.json`.

{markdown(head, list(page_rows()))}
"""
    PAGE.write_text(text, encoding="utf8")
    print(f"{PAGE.relative_to(ROOT)} is made")


if __name__ == "__main__":
    main()
