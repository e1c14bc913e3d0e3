"""How the sliders of a face move together, learned from recorded poses or told by the sliders' names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats, frozen
from facewright.errors import BadValue
from facewright.motion.clip import Clip
from facewright.options import suggests_options
from facewright.rig.name_tables import DIRECTIONS
from facewright.rig.names import meanings
from facewright.rig.retarget import first_names, parts_by_name, retarget
from facewright.rig.rig import Rig
from facewright.rig.ties import tied_sliders

_TOGETHER = 0.9  # correlation of a slider with that of the other side; chosen on real poses, docs/posing.md
_TIED = 0.5  # correlation of a slider with the one that it goes no further than
_USUAL = 0.25  # root mean square of a slider in shares of its full value, where nothing else is known
_MOST = 20_000  # poses of one recording; a longer one is sampled more sparsely
_ROUNDING = 1e-9
_OTHER_SIDE = {"Left": "Right", "Right": "Left"}
_OTHER_EYE = {"eyeLookIn": "eyeLookOut", "eyeLookOut": "eyeLookIn"}  # eyes look in one direction


class HasClip(Protocol):
    """Something that was animated, such as a solved take."""

    @property
    def clip(self) -> Clip:
        """The animation."""


Recorded = Clip | HasClip | ArrayLike


@dataclass(frozen=True, eq=False)
class Prior:
    """Which poses a face is likely to make: mean and covariance of the sliders' values.

    Solvers count it from the face at rest, and mix it with what the names of a rig's sliders tell as far as pins or
    markers ask for that, so that the habits of another actor do little harm. `strength` is the most that it may count,
    from 0 (not at all) to 1.
    """

    sliders: tuple[str, ...]
    mean: Floats  # (n,)
    covariance: Floats  # (n, n)
    frames: int = 0  # poses that it was learned from; 0: it comes from names alone
    sources: tuple[str, ...] = ()  # names of what it was learned from
    strength: float = 1.0

    def __post_init__(self) -> None:
        sliders = tuple(self.sliders)
        n = len(sliders)
        if len(set(sliders)) != n:
            raise BadValue("a prior names each slider once")
        if not (np.isfinite(self.strength) and 0 <= self.strength <= 1):
            raise BadValue(f"the strength of a prior goes from 0 to 1, not {self.strength}")
        if self.frames < 0:
            raise BadValue(f"a prior is learned from a number of poses, not {self.frames}")
        mean, covariance = floats("mean", self.mean, (n,)), floats("covariance", self.covariance, (n, n))
        largest = float(np.abs(covariance).max(initial=0.0))
        if np.abs(covariance - covariance.T).max(initial=0.0) > _ROUNDING * largest:
            raise BadValue("the covariance of a prior is symmetric")
        if not _is_semidefinite(covariance, _ROUNDING * largest * n):
            raise BadValue("the covariance of a prior has no negative eigenvalues; this is no covariance of poses")
        for name, value in (
            ("sliders", sliders), ("mean", mean), ("covariance", frozen((covariance + covariance.T) / 2)),
            ("sources", tuple(self.sources)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    @classmethod
    @suggests_options
    def learn(cls, rig: Rig, data: Recorded | Sequence[Recorded], *, strength: float = 1.0) -> Prior:
        """From clips, solved takes, or arrays (frames, sliders of the rig), one or several; clips by their names."""
        recorded = [_poses(rig, each) for each in _several(data)]
        poses = np.concatenate([np.zeros((0, len(rig.sliders))), *(each for each, _ in recorded)])
        if not poses.any():
            raise BadValue("nothing moves in these poses, so that nothing can be learned from them")
        mean = poses.mean(axis=0)
        off = poses - mean
        names = tuple(dict.fromkeys(name for _, name in recorded if name))
        return cls(rig.sliders, mean, off.T @ off / len(poses), len(poses), names, strength)

    @classmethod
    @suggests_options
    def from_names(cls, rig: Rig, *, strength: float = 1.0) -> Prior:
        """Left and right go together, and what is tied; exclusive sliders and all others do not."""
        every = np.arange(len(rig.sliders))
        return cls(rig.sliders, np.zeros(len(every)), NamePairs(rig, strength).moment(every))

    @property
    def moment(self) -> Floats:
        """Mean products (n, n) of the sliders' values: how far they are from rest, and which go together."""
        return self.covariance + np.outer(self.mean, self.mean)

    @property
    def learned(self) -> bool:
        """Whether it was learned from poses and counts."""
        return self.frames > 0 and self.strength > 0

    def knows(self, rig: Rig) -> bool:
        """Whether a slider of the rig has the name of one that it was learned on, in any spelling."""
        return rig.sliders == self.sliders or bool(parts_by_name(self.sliders, rig.sliders))

    def on(self, rig: Rig) -> Prior:
        """The prior for the sliders of another rig, by their names; the sliders it says nothing of move as usual."""
        if rig.sliders == self.sliders:
            return self
        parts = parts_by_name(self.sliders, rig.sliders)
        if not parts:
            raise BadValue(
                "no slider of the rig has the name of one in the prior in any spelling: it was learned for "
                f"{first_names(self.sliders)}, the rig has {first_names(rig.sliders)}"
            )
        column = {name: i for i, name in enumerate(self.sliders)}
        carried = np.zeros((len(rig.sliders), len(self.sliders)))
        for row, slider in enumerate(rig.sliders):
            for name, factor in parts.get(slider, ()):
                carried[row, column[name]] += factor
        known = np.array([slider in parts for slider in rig.sliders], bool)
        mean, covariance = carried @ self.mean, carried @ self.covariance @ carried.T
        squares = (np.diag(covariance) + mean**2) / rig.full_values**2
        usual = float(squares[known].mean()) / _USUAL**2
        unknown = ~known[:, None] & ~known
        covariance = np.where(unknown, usual * Prior.from_names(rig).covariance, covariance)
        return replace(self, sliders=rig.sliders, mean=mean, covariance=covariance)

    def carried(self, sliders: Sequence[str], matrix: Floats) -> Prior:
        """The prior for sliders (m,) whose values are a matrix (m, n) times those of its own."""
        covariance = matrix @ self.covariance @ matrix.T
        return replace(self, sliders=tuple(sliders), mean=matrix @ self.mean, covariance=covariance)

    def __str__(self) -> str:
        if not self.frames:
            return "from names alone"
        poses = f"{self.frames:,} {'pose' if self.frames == 1 else 'poses'}"
        about = [poses] if self.sources else []
        if self.strength != 1:
            about.append(f"strength {self.strength:g}")
        of = f"{len(self.sources)} clips" if len(self.sources) > 1 else next(iter(self.sources), poses)
        return f"learned from {of} ({', '.join(about)})" if about else f"learned from {of}"

    def __repr__(self) -> str:
        return f"Prior({len(self.sliders)} sliders, {self})"


def _is_semidefinite(matrix: Floats, rounding: float) -> bool:
    """Whether a symmetric matrix (n, n) has no eigenvalue below minus the rounding."""
    try:
        np.linalg.cholesky(matrix + (rounding or 1.0) * np.eye(len(matrix)))
    except np.linalg.LinAlgError:
        return False
    return True


def _several(data: Recorded | Sequence[Recorded]) -> Sequence[Recorded]:
    """The recordings that were given, one or several."""
    several = isinstance(data, list | tuple) and all(_clip_of(each) or np.ndim(each) == 2 for each in data)
    return data if several else [data]  # type: ignore[return-value, list-item]


def _clip_of(data: object) -> Clip | None:
    """The clip that something is or has; the method `clip` of an array is none."""
    found = data if isinstance(data, Clip) else getattr(data, "clip", None)
    return found if isinstance(found, Clip) else None


def _poses(rig: Rig, data: Recorded) -> tuple[Floats, str]:
    """Poses (frames, n) on the rig's sliders, and the name of the recording."""
    clip = _clip_of(data)
    if clip is None:
        poses = np.atleast_2d(rig.weights(data))  # type: ignore[arg-type]
        return poses[:: _step(len(poses))], ""
    found = retarget(clip, rig)
    if not found.mapped:
        raise BadValue(
            f"{clip.name}: no curve has the name of a slider; the clip has {first_names(tuple(clip.curves))}"
        )
    times = found.clip.times()
    return found.clip.sample(rig.sliders, times[:: _step(len(times))]), clip.name


def _step(frames: int) -> int:
    return max(1, -(-frames // _MOST))


class NamePairs:
    """What the names of a rig's sliders tell: pairs that go together."""

    def __init__(self, rig: Rig, strength: float = 1.0) -> None:
        self.usual = _USUAL * rig.full_values  # (n,)
        self._pairs = {pair: strength * together for pair, together in _pairs(rig).items()}

    def with_partners(self, sliders: Ints) -> Ints:
        """Some sliders and those that go together with them."""
        chosen = set(sliders.tolist())
        partners = {slider for pair in self._pairs if chosen & set(pair) for slider in pair}
        return np.array(sorted(chosen | partners), np.int64)

    def moment(self, sliders: Ints) -> Floats:
        """Mean products (k, k) of some sliders."""
        at = {int(slider): i for i, slider in enumerate(sliders)}
        together = np.eye(len(sliders))
        for (one, other), correlation in self._pairs.items():
            if one in at and other in at:
                together[at[one], at[other]] = together[at[other], at[one]] = correlation
        return np.asarray(self.usual[sliders, None] * together * self.usual[sliders])


def _pairs(rig: Rig) -> dict[tuple[int, int], float]:
    """Sliders that go together, and their correlation; no slider is in two pairs."""
    meant = [meaning.canonical for meaning in meanings(rig.sliders).values()]
    holder = {meaning: i for i, meaning in reversed(list(enumerate(meant)))}
    found: dict[tuple[int, int], float] = {}
    for i, meaning in enumerate(meant):
        j = holder.get(_partner(meaning), -1)
        if holder[meaning] == i < j:
            found[i, j] = _TOGETHER
    taken = {slider for pair in found for slider in pair}
    for one, other in tied_sliders(rig).tolist():
        if one not in taken and other not in taken:
            found[one, other] = _TIED
            taken |= {one, other}
    apart = {frozenset(map(rig.slider_index, pair)) for pair in rig.exclusive}
    return {pair: together for pair, together in found.items() if frozenset(pair) not in apart}


def _partner(meaning: str) -> str:
    """The meaning of the slider that goes together with one of this meaning; empty: none does."""
    side = next((side for side in _OTHER_SIDE if meaning.endswith(side)), "")
    base = meaning.removesuffix(side)
    if not side or base in DIRECTIONS:
        return ""
    return _OTHER_EYE.get(base, base) + _OTHER_SIDE[side]
