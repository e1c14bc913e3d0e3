"""Clips of weights on another rig, by the names of their curves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from facewright.capture.calibrate import Calibration
from facewright.motion.clip import Clip
from facewright.rig.retarget import retarget
from facewright.rig.rig import Rig
from facewright.workflow.take.options import TakeOptions


@dataclass(frozen=True, eq=False)
class RetargetedClips:
    """Clips of the rig, and what a person should know about them."""

    clips: tuple[Clip, ...]
    notes: tuple[str, ...]


def retarget_clips(
    rig: Rig, clips: Iterable[Clip], options: TakeOptions, calibration: Calibration | None = None
) -> RetargetedClips:
    """Clips of weights for a rig, calibrated and finished as the options say."""
    made, notes = [], []
    for clip in clips:
        found = retarget(clip, rig)
        if found.left:
            notes.append(f"{clip.name}: nothing on the rig is meant by {', '.join(found.left)}")
        if found.idle:
            notes.append(f"{clip.name}: nothing moves {', '.join(found.idle)}")
        made.append(options.finish((calibration or Calibration())(found.clip, rig)))
    return RetargetedClips(tuple(made), tuple(notes))
