"""Clips of weights on another rig, by the names of their curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facewright.capture.calibrate import Calibration
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.regions.local_pose import AT
from facewright.rig.names import convention_of
from facewright.rig.retarget import MappedName, Retargeted, retarget
from facewright.rig.rig import Rig
from facewright.workflow.take.options import TakeOptions

_LISTED = 12  # names in a note


@dataclass(frozen=True, eq=False)
class RetargetedClips:
    """Clips of the rig, and what a person should know about them."""

    clips: tuple[Clip, ...]
    line: str  # how many curves were mapped, and how many not
    notes: tuple[str, ...]
    found: tuple[Retargeted, ...]  # before calibration and finishing


def retarget_clips(
    rig: Rig,
    clips: Iterable[Clip],
    options: TakeOptions,
    calibration: Calibration | None = None,
    *,
    names: Sequence[MappedName] = (),
) -> RetargetedClips:
    """Clips of weights for a rig, calibrated and finished as the options say; if no curve is mapped, it raises."""
    all = tuple(clips)
    found = tuple(retarget(clip, rig, names=names) for clip in all)
    check_mapped(all, found, rig)
    made = tuple(options.finish((calibration or Calibration())(one.clip, rig)) for one in found)
    return RetargetedClips(made, _counts(found), tuple(note for one in found for note in _notes(one, names)), found)


def check_mapped(clips: Sequence[Clip], found: Sequence[Retargeted], rig: Rig) -> None:
    """Raise where no curve of any clip has a slider; the head's motion and curves of regions are no mistake."""
    left = any(AT not in name for one in found for name in one.left)
    if left and not any(one.sources for one in found):
        raise BadValue(_nothing_mapped(clips, rig))


def _counts(found: Sequence[Retargeted]) -> str:
    mapped, left = sum(one.mapped for one in found), sum(len(one.left) for one in found)
    clips = f" of {len(found)} clips" if len(found) > 1 else ""
    return f"{mapped} curves{clips} mapped by names, {left} not"


def _notes(found: Retargeted, names: Sequence[MappedName]) -> list[str]:
    notes, name = [], found.clip.name
    if found.left:
        notes.append(f"{name}: nothing on the rig is meant by {_some(found.left)}")
    if found.idle:
        notes.append(f"{name}: nothing moves {_some(found.idle)}")
    used = {source for sources in found.sources.values() for source in sources}
    absent = [row.source for row in names if row.target and row.source not in used]
    if absent:
        notes.append(f"{name}: {len(absent)} curves of the map are not in the clip: {_some(absent)}")
    return notes


def _nothing_mapped(clips: Sequence[Clip], rig: Rig) -> str:
    curves = [name for clip in clips for name in clip.curves]
    return (
        f"none of the {len(curves)} curves has a slider of its name: the curves are called {_described(curves)}; "
        f"the rig's sliders are called {_described(rig.sliders)}. A map of names, `facewright solve "
        "--map names.csv` with rows curve,slider or curve,slider,factor, says which drives which"
    )


def _described(names: Sequence[str]) -> str:
    if not names:
        return "nothing"
    return f"{', '.join(names[:4])}{' ...' if len(names) > 4 else ''} ({convention_of(names)})"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
