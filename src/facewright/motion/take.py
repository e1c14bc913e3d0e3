"""A take: markers on a face, recorded frame by frame."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, frozen, lengths, numbers
from facewright.errors import BadValue, UnknownName

METRES = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}
SLOWEST, FASTEST = 1e-3, 1e6  # frames a second: one in a quarter of an hour, and any camera
_FACE = 0.22  # metres: diagonal of the box round a face's markers
_PLAUSIBLE = (0.4, 2.5)  # factors on that for plausible markers
_UNLABELLED = re.compile(r"(\*|u_?\d|unlabel|unnamed|uname|c_\d+$|\d+$)", re.IGNORECASE)
_AXES = {"x": 0, "y": 1, "z": 2}


def repeated(names: Iterable[str]) -> str | None:
    """The first name that is there twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


@dataclass(frozen=True, eq=False)
class Take:
    """Positions of named markers over time. A marker that was not seen is NaN in all three coordinates."""

    names: tuple[str, ...]  # m of them, unique
    positions: Floats  # (frames, m, 3) in `unit`s
    rate: float  # frames a second
    unit: str = ""  # mm, cm, dm, m, in or ft; empty: the unit in which the markers have the size of a face
    name: str = "take"
    notes: tuple[str, ...] = ()  # repairs and guesses, in words

    def __post_init__(self) -> None:
        names = tuple(self.names)
        positions = numbers("marker positions", self.positions)
        if positions.ndim != 3 or positions.shape[1:] != (len(names), 3):
            raise BadValue(f"marker positions must have shape (frames, {len(names)}, 3), not {positions.shape}")
        if len(set(names)) != len(names):
            raise BadValue(f"there are two markers named {repeated(names)!r}; each needs its own name")
        if not SLOWEST <= self.rate <= FASTEST:
            raise BadValue(f"a take has {SLOWEST:g} to {FASTEST:,.0f} frames a second, not {self.rate}")
        if self.unit and self.unit not in METRES:
            raise UnknownName("unit", self.unit, METRES)
        positions[~np.isfinite(positions).all(axis=2)] = np.nan
        lengths("marker positions", np.nan_to_num(positions), positions.shape)
        for field, value in (("names", names), ("positions", frozen(positions)), ("notes", tuple(self.notes))):
            object.__setattr__(self, field, value)
        object.__setattr__(self, "unit", self.unit or fitting_unit(positions))

    def __repr__(self) -> str:
        return (
            f"Take({self.name!r}, {len(self.names)} markers in {self.unit}, {len(self)} frames, {self.rate:g} a second)"
        )

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Whether each marker was seen (frames, m)."""
        return ~np.isnan(self.positions[:, :, 0])

    @property
    def times(self) -> Floats:
        """Seconds (frames,) from the first frame."""
        return np.arange(len(self)) / self.rate

    @property
    def millimetres(self) -> float:
        """Millimetres per unit."""
        return 1000 * METRES[self.unit]

    @property
    def labelled(self) -> tuple[str, ...]:
        """The markers that have been named; recording software calls the others *7, U_7 or unlabeled.

        If none has been named, all count, because a table may just number them.
        """
        return tuple(name for name in self.names if not is_unlabelled(name)) or self.names

    def index(self, name: str) -> int:
        """The column of a marker; an unknown name raises `UnknownName`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownName("marker", name, self.names) from None

    def only(self, names: Sequence[str]) -> Take:
        """The take with these markers, in this order."""
        return replace(self, names=tuple(names), positions=self.positions[:, [self.index(name) for name in names]])

    def matching(self, only: Sequence[str] = (), without: Sequence[str] = ()) -> Take:
        """The take with the markers that match one of the patterns `only`, such as Mouth*, and none of `without`."""
        for pattern in (*only, *without):
            if not fnmatch.filter(self.names, pattern):
                raise UnknownName("marker", pattern, self.names)
        chosen = [name for name in self.names if not only or _fits(name, only)]
        return self.only([name for name in chosen if not _fits(name, without)])

    def renamed(self, names: Mapping[str, str]) -> Take:
        """The take with renamed markers, old name to new; the others keep theirs."""
        for name in names:
            self.index(name)
        return replace(self, names=tuple(names.get(name, name) for name in self.names))

    def between(self, start: float, stop: float) -> Take:
        """The frames from `start` to before `stop`, in seconds."""
        chosen = (self.times >= start - 1e-9) & (self.times < stop - 1e-9)
        return replace(self, positions=self.positions[chosen])

    def mirrored(self, axis: str = "x") -> Take:
        """The mirror image of the take: one axis reversed."""
        if axis not in _AXES:
            raise UnknownName("axis", axis, _AXES)
        sign = np.ones(3)
        sign[_AXES[axis]] = -1
        return replace(self, positions=self.positions * sign)

    def in_unit(self, unit: str) -> Take:
        """The take converted to another unit."""
        if unit not in METRES:
            raise UnknownName("unit", unit, METRES)
        return replace(self, positions=self.positions * (METRES[self.unit] / METRES[unit]), unit=unit)

    def really_in(self, unit: str) -> Take:
        """The same numbers with another unit, where the given one was wrong."""
        return replace(self, unit=unit)


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def is_unlabelled(name: str) -> bool:
    """Whether a name is one that recording software gives to markers without a name."""
    return not name.strip() or _UNLABELLED.match(re.sub(r"^.*[:|]", "", name.strip())) is not None


def span(positions: Floats) -> float:
    """The diagonal of the bounding box of the markers (frames, m, 3) of a usual frame; 0 if no frame shows two."""
    seen = ~np.isnan(positions[:, :, 0])
    chosen = positions[seen.sum(axis=1) >= max(2, 0.8 * seen.sum(axis=1).max(initial=0))][:2000]
    if not len(chosen):
        return 0.0
    return float(np.median(np.linalg.norm(np.nanmax(chosen, axis=1) - np.nanmin(chosen, axis=1), axis=1)))


def fitting_unit(positions: Floats) -> str:
    """The metric unit in which the markers (frames, m, 3) are most nearly the size of a face."""
    size = span(positions)
    if size <= 0:
        return "cm"
    return min(("mm", "cm", "dm", "m"), key=lambda unit: abs(np.log(size * METRES[unit] / _FACE)))


def is_face_sized(take: Take) -> bool:
    """Whether the markers have about the size of a face in the take's unit."""
    size = span(take.positions) * METRES[take.unit] / _FACE
    return size == 0 or _PLAUSIBLE[0] < size < _PLAUSIBLE[1]
