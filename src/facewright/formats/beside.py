"""Files that a file names, such as images: those in its folder or below it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def file_beside(folder: Path, names: Iterable[str]) -> Path | None:
    """The first file of some names that is in a folder or below it; by its last name where the whole is not."""
    for name in names:
        steps = [step for step in name.replace("\\", "/").split("/") if step not in ("", ".")]
        for chosen in (steps, steps[-1:]):
            if not chosen or any(step == ".." or ":" in step or "\0" in step for step in chosen):
                continue
            path = folder.joinpath(*chosen)
            inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
            try:
                if inside and path.is_file():
                    return path
            except OSError:  # a name that is too long
                continue
    return None
