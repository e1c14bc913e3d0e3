"""Rigs without in-betweens and combinations are solved as linear ones: nothing of the code for bends runs."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import facewright as fw
from tests.laws.things import combining_rig, random_rig

BENDS = {"bent_answer", "bent_cost", "bent_follow", "descent", "drag_path", "pieces", "bent_shapes"}


def modules_run(run: Callable[[], object]) -> set[str]:
    """The names of the files whose functions are called."""
    found: set[str] = set()

    def called(frame: FrameType, event: str, argument: object) -> None:
        found.add(Path(frame.f_code.co_filename).stem)

    sys.setprofile(called)
    try:
        run()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("method", ["bounded", "natural", "automatic", "convex"])
@pytest.mark.parametrize("pins", [1, 4])
def test_updates_of_a_drag(method: str, pins: int) -> None:
    def update(rig: fw.Rig) -> set[str]:
        places = fw.evaluate(rig, np.full(len(rig.sliders), 0.3))
        drag = fw.PoseSolver(rig).drag([fw.Pin(vertex=v, target=places[v]) for v in range(pins)], method=method)
        return modules_run(lambda: drag.to(places[:pins]))

    assert not update(random_rig(3)) & BENDS
    assert update(combining_rig(3)) & BENDS


def test_updates_of_attenuation() -> None:
    def update(rig: fw.Rig) -> set[str]:
        attenuation = fw.PoseSolver(rig).attenuate([0, 1])
        return modules_run(lambda: attenuation.solve(np.full(len(rig.sliders), 0.5)))

    assert not update(random_rig(3)) & BENDS
    assert "bent_follow" in update(combining_rig(3))
