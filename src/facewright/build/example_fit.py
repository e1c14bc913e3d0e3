"""How well a built rig reproduces its examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints, frozen
from facewright.build.examples import Example
from facewright.build.target import TargetFace
from facewright.mesh.triangle_frames import edge_pairs


@dataclass(frozen=True, eq=False)
class ExampleFit:
    """An example compared with the pose that the rig makes."""

    name: str
    distances: Floats  # (v,) from the example to the rig's pose, in scene units of the neutral
    relative: float  # root mean square of the distances over that of the pose's motion
    energy: float  # E_fit of Li 2010 over the triangles' edges, relative to that of the pose; 0 is exact
    motion: float  # root mean square of the pose's motion, scene units
    reached: bool  # whether the template can express the pose, as `Reach` found before any shape changed

    def __post_init__(self) -> None:
        frozen(self.distances)

    def __str__(self) -> str:
        worst = self.distances.max(initial=0.0)
        text = f"{self.name}: {self.relative:.1%} of its motion left, {worst:.3g} at the worst vertex"
        return text if self.reached else f"{text}; the template has no shape for what it lacks"

    def __repr__(self) -> str:
        return f"ExampleFit({self})"


def fit_of(example: Example, offsets: Floats, target: TargetFace, triangles: Ints, *, reached: bool) -> ExampleFit:
    """The fit of an example, for the offsets (v, 3) that the rig makes, in the template's coordinates."""
    left = example.motion - offsets
    wanted, missed = (float((edge_pairs(field, triangles) ** 2).sum()) for field in (example.motion, left))
    scale = target.to_template.scale
    return ExampleFit(
        example.name,
        np.linalg.norm(left, axis=1) / scale,
        _ratio(float(np.linalg.norm(left)), float(np.linalg.norm(example.motion))),
        _ratio(missed, wanted),
        float(np.sqrt((example.motion**2).sum() / max(len(left), 1))) / scale,
        reached,
    )


def _ratio(left: float, whole: float) -> float:
    return left / whole if whole > 0 else float(left > 0)
