"""Frames onto a rig: names to sliders, an actor's rest and range, gains, and smoothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue
from facewright.live.frame import LiveFrame
from facewright.live.smoothing import OneEuro
from facewright.options import suggests_options
from facewright.rig.controls import CONTROLS, within_range
from facewright.rig.retarget import MappedName, check_map, parts_by_name
from facewright.rig.rig import Rig

_MOVES = 0.1  # of a slider's range: one that covers less while the range is shown has the gain 1
_MOST = 4.0  # a gain that is found is at most this
_FULL = 0.995  # quantile of the values that counts as the end of the range


@dataclass(frozen=True, eq=False)
class LiveCalibration:
    """An actor's rest and range: value -> (value - offset) * gain. Angles of the head lose their rest only."""

    offsets: Mapping[str, float] = field(default_factory=dict)  # slider or control to its value at rest
    gains: Mapping[str, float] = field(default_factory=dict)  # slider to gain


@dataclass(frozen=True, eq=False)
class LivePose:
    """The rig's face at a moment."""

    weights: Floats  # (n,) within the sliders' bounds
    controls: Mapping[str, float]  # head and eyes, radians


class LiveDriver:
    """Frames of one sender to poses of a rig.

    names: a map; names that it does not mention go by their meaning. gains: slider to factor. smooth: how much, from 0
    (as it comes) to 1. calibration: of the actor.
    """

    @suggests_options
    def __init__(
        self,
        rig: Rig,
        *,
        names: Iterable[MappedName] = (),
        gains: Mapping[str, float] | None = None,
        calibration: LiveCalibration | None = None,
        smooth: float = 0.0,
    ) -> None:
        self.rig, self.calibration = rig, calibration or LiveCalibration()
        self._names = tuple(names)
        check_map(self._names, rig)
        self._gains = np.ones(len(rig.sliders))
        for name, gain in (gains or {}).items():
            if not (np.isfinite(gain) and abs(gain) <= 100):
                raise BadValue(f"the gain of {name} is a number up to 100, not {gain}")
            self._gains[rig.slider_index(name)] = gain
        self._gains *= [self.calibration.gains.get(name, 1.0) for name in rig.sliders]
        self._offsets = np.array([self.calibration.offsets.get(name, 0.0) for name in rig.sliders])
        if not 0 <= smooth <= 1:
            raise BadValue(f"smooth is a number from 0 to 1, not {smooth}")
        self._filter = OneEuro(cutoff=12.0 * (1.5 / 12.0) ** smooth, eagerness=6.0) if smooth else None
        self._known: tuple[str, ...] = ()
        self._matrix = np.zeros((len(rig.sliders), 0))
        self.sources: Mapping[str, tuple[str, ...]] = {}  # slider to the names that drive it
        self.left: tuple[str, ...] = ()  # names that drive nothing

    def __call__(self, frame: LiveFrame) -> LivePose:
        """The pose of a frame."""
        weights, controls = self.raw(frame.values)
        rest = self.calibration.offsets
        turns = [value - rest.get(name, 0.0) for name, value in controls.items()]
        row = np.concatenate([(weights - self._offsets) * self._gains, turns])
        if self._filter is not None:
            row = self._filter(row, frame.time)
        shown = np.clip(row[: len(weights)], *self.rig.bounds.T)
        angles = {name: within_range(name, value) for name, value in zip(controls, row[len(weights) :], strict=True)}
        return LivePose(shown, angles)

    def raw(self, values: Mapping[str, float]) -> tuple[Floats, dict[str, float]]:
        """Sliders (n,) and controls as they come, mapped and nothing else."""
        names = tuple(name for name in values if name not in CONTROLS or name in self.rig.sliders)
        if names != self._known:
            self._learn(names)
        row = np.array([values[name] for name in names])
        controls = {name: values[name] for name in values if name in CONTROLS and name not in self.rig.sliders}
        return self._matrix @ row if len(names) else np.zeros(len(self.rig.sliders)), controls

    def _learn(self, names: tuple[str, ...]) -> None:
        """Which slider each name drives."""
        given = {row.source for row in self._names}
        parts: dict[str, tuple[tuple[str, float], ...]] = {}
        for row in self._names:
            if row.target and row.source in names:
                parts[row.target] = (*parts.get(row.target, ()), (row.source, row.factor))
        wanting = [slider for slider in self.rig.sliders if slider not in parts]
        parts |= parts_by_name([name for name in names if name not in given], wanting)
        column = {name: i for i, name in enumerate(names)}
        self._matrix = np.zeros((len(self.rig.sliders), len(names)))
        for slider, some in parts.items():
            for name, factor in some:
                self._matrix[self.rig.slider_index(slider), column[name]] += factor
        self._known = names
        self.sources = {slider: tuple(name for name, _ in some) for slider, some in parts.items()}
        used = {name for some in self.sources.values() for name in some}
        self.left = tuple(name for name in names if name not in used)


def live_rest(driver: LiveDriver, frames: Sequence[LiveFrame]) -> LiveCalibration:
    """The calibration whose rest is the median of some frames; gains stay."""
    weights, controls = _tables(driver, frames)
    offsets = dict(zip(driver.rig.sliders, np.median(weights, axis=0).tolist(), strict=True))
    turns = {name: float(np.median(values)) for name, values in controls.items()}
    return LiveCalibration({**offsets, **turns}, driver.calibration.gains)


def live_range(driver: LiveDriver, frames: Sequence[LiveFrame]) -> LiveCalibration:
    """The calibration whose gains bring the furthest of some frames to the sliders' upper bounds; the rest stays."""
    weights, _ = _tables(driver, frames)
    rest = np.array([driver.calibration.offsets.get(name, 0.0) for name in driver.rig.sliders])
    reach, high = np.quantile(weights, _FULL, axis=0) - rest, driver.rig.bounds[:, 1]
    gains = np.where(reach > _MOVES * high, np.clip(high / np.where(reach > 0, reach, 1.0), 1 / _MOST, _MOST), 1.0)
    return LiveCalibration(driver.calibration.offsets, dict(zip(driver.rig.sliders, gains.tolist(), strict=True)))


def _tables(driver: LiveDriver, frames: Sequence[LiveFrame]) -> tuple[Floats, dict[str, list[float]]]:
    if not frames:
        raise BadValue("no frame has come yet; calibrate while the sender sends")
    rows, turns = [], dict[str, list[float]]()
    for frame in frames:
        weights, controls = driver.raw(frame.values)
        rows.append(weights)
        for name, value in controls.items():
            turns.setdefault(name, []).append(value)
    return np.array(rows), turns
