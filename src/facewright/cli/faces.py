"""Faces as a command line names them: files, and `sample` for the embedded head."""

from __future__ import annotations

from pathlib import Path

from facewright.formats.registry import load
from facewright.rig.rig import Rig
from facewright.samples.head import sample

SAMPLE = "sample"


def template_named(name: str) -> Rig:
    """The rig in a file; `sample` is the embedded head with its 52 shapes, unless there is a file of that name."""
    return sample() if name == SAMPLE and not Path(name).exists() else load(name)
