"""A pose in a JSON file: names of sliders to values, or such under `weights`, as `facewright pose` writes."""

from __future__ import annotations

from pathlib import Path

import msgspec

from facewright.arrays import Floats
from facewright.formats.files import read_text
from facewright.formats.sources import naming
from facewright.rig.rig import Rig

_LARGEST = 16 << 20  # bytes


class PoseFile(msgspec.Struct, frozen=True):
    """Slider values by name."""

    weights: dict[str, float]

    def on(self, rig: Rig) -> Floats:
        """Slider values (n,) of a rig; the others rest."""
        return rig.pose(self.weights)


def load_pose_file(path: Path) -> PoseFile:
    """The pose in a JSON file."""
    with naming(path, like='. A pose looks like {"jawOpen": 0.5, "mouthSmileLeft": 1}'):
        found = msgspec.json.decode(read_text(path, _LARGEST))
        weights = found.get("weights", found) if isinstance(found, dict) else found
        return PoseFile(msgspec.convert(weights, dict[str, float]))


def load_pose(path: Path, rig: Rig) -> Floats:
    """Slider values (n,) of a rig from a JSON file."""
    with naming(path):
        return load_pose_file(path).on(rig)
