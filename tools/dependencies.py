"""`python -m tools.dependencies`: every package that the lock pins, its version and licence, and who needs it."""

import re
from collections import deque
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
_SHORT = 40  # letters of a licence's name


def locked() -> dict[str, str]:
    """The versions of the lock, by name."""
    pins = re.findall(r"(?m)^([\w.\-]+)==(\S+)", (ROOT / "requirements.lock").read_text("utf8"))
    return {canonicalize_name(name): version for name, version in pins}


def licence(name: str) -> str:
    """What a package's metadata says; "" where it is not installed here."""
    try:
        told = distribution(name).metadata
    except PackageNotFoundError:
        return ""
    said, text = (str(told[key]) if key in told else "" for key in ("License-Expression", "License"))
    classes = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License ::")]
    whole = said or ", ".join(classes) or text.partition("\n")[0] or "not said"
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


def main() -> None:
    extras = [each for each in distribution("facewright").metadata.get_all("Provides-Extra") or () if each != "dev"]
    plain = needed_by("")
    whose = {extra: needed_by(extra) - plain for extra in extras}
    print(f"{'package':28} {'version':14} {'licence':{_SHORT}} needed by")
    for name, version in sorted(locked().items()):
        users = ["all"] if name in plain else [extra for extra in extras if name in whose[extra]] or ["development"]
        print(f"{name:28} {version:14} {licence(name):{_SHORT}} {', '.join(users)}")


if __name__ == "__main__":
    main()
