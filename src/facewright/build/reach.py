"""Whether the template can express a pose, found out with free weights before any shape changes.

The sliders that the guess names are fitted first. A slider that it does not name is accepted where it makes the motion
more likely (`slider_evidence`), and the motion that is left without it goes as the slider does. What is left then is
compared with what the shapes that are on could make up for by being personal: a shape of another person may differ as
much as it moves, but not elsewhere. The rest is lacking: no weights make it, and it is set aside as a proposed shape,
so that no shape of the template becomes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, frozen
from facewright.build.reach_fit import ReachFit
from facewright.build.slider_evidence import SliderEvidence
from facewright.rig.rig import Rig

ReachVerdict = Literal["expressible", "with more sliders", "not expressible"]

# Chosen on kenji, edith and two ICT identities; the table of docs/building.md has others.
_ROUNDS = 3  # in which sliders are chosen on a rig with correctives
_MORE = 0.2  # of a slider's full value: where less is on, the shapes that are named may as well be personal
_SEEN = 0.05  # of a slider's full value: smaller ones are not proposed
_PERSONAL = 1.5  # of its motion: how far a shape of another person may be from the template's
_BLUR = 0.5  # the same, as a standard deviation
_SMALL = 1e-3  # of the rig's size: differences that nobody sees
_QUIET, _NOISY = 0.2, 4.5  # the noise of a scan is below this factor times this quantile, of what nothing moves
_AGAIN, _FIRMER = 3, 0.3  # fits without what is lacking, and how firmly these keep to the guess
_LACKING = 0.045  # of a typical shape of the template, times how much of the motion there is beyond `_MISSED`
_MIXED = 0.1  # of what is left at a vertex: where more is of a missing shape, the pose tells nothing about others
_IMITATED = 0.3  # of what the sliders that are on leave: imitations that leave more are none
_LISTED = 6  # names of sliders in a sentence
_MISSED = 0.5  # of the motion at the same places: where less is left, shapes that are on only differ


@dataclass(frozen=True, eq=False)
class Reach:
    """What the template's shapes, with free weights, leave of a pose. Lengths are in the coordinates it was made in."""

    name: str
    verdict: ReachVerdict
    weights: Floats  # (n,) within the bounds
    guess: Floats  # (n,) as given, completed by sliders that are on as well
    more: dict[str, float]  # sliders that the guess does not name and that are on
    named: float  # share of the pose's motion that the named sliders leave
    left: float  # share that is left with all that are on
    beyond: float  # share that the shapes could not make up for by being personal
    lacking: Floats  # (v, 3) what a missing shape would add; zero where the pose can be expressed
    known: Floats  # (v,) from 0 to 1: where the pose tells about the template's shapes, and not about a missing one
    own: float  # share of what is lacking that no weights within the bounds make
    imitating: dict[str, float]  # unnamed sliders that together come nearest to it, where it cannot be expressed
    imitated: float  # share that is left with these

    def __post_init__(self) -> None:
        frozen(self.weights)
        frozen(self.lacking)

    @property
    def expressible(self) -> bool:
        """Whether weights within the bounds make the pose, up to what is personal about the shapes."""
        return self.verdict != "not expressible"

    @property
    def where(self) -> int:
        """The vertex at which most is lacking."""
        return int(np.argmax((self.lacking**2).sum(axis=1))) if len(self.lacking) else 0

    def __str__(self) -> str:
        return f"{self.name}: {self.words}"

    @property
    def words(self) -> str:
        """The verdict for a person, without the pose's name."""
        if self.verdict == "expressible":
            return f"within reach, {self.left:.0%} of its motion left before shapes change"
        if self.verdict == "with more sliders":
            also = ", ".join(f"{slider} {value:.2g}" for slider, value in self.more.items())
            without = f"The named sliders leave {self.named:.0%} of its motion"
            return f"also {also}? {without}, with more {self.left:.0%} is left"
        text = (
            f"the template cannot express it; {self.beyond:.0%} of its motion is no shape's, most at"
            f" vertex {self.where}, and is set aside"
        )
        if self.imitating and self.imitated < _IMITATED * self.left:
            most = sorted(self.imitating.items(), key=lambda one: -abs(one[1]))
            listed = ", ".join(f"{slider} {value:.2g}" for slider, value in most[:_LISTED])
            others = f" and {len(most) - _LISTED} more" if len(most) > _LISTED else ""
            text += f". Unnamed sliders would imitate it, {self.imitated:.0%} left: {listed}{others}"
            text += "; name them if they are meant"
        return text

    def __repr__(self) -> str:
        return f"Reach({self})"


class TemplateReach:
    """The template's shapes on the target, as offsets (s, v, 3), prepared for all poses."""

    def __init__(self, template: Rig, deltas: Floats) -> None:
        self._fit = ReachFit(template, deltas)
        # (n, v, 3) motion of each slider alone at its full value
        self._alone = np.array([self._fit.offsets(row) for row in np.diag(template.full_values)])
        self._evidence = SliderEvidence(template, self._alone)
        self.deltas, self._size = deltas, template.size or 1.0
        self._template = template
        self._full = np.abs(template.full_values)
        self._squares = (deltas**2).sum(axis=2)  # (s, v)
        lengths = np.sqrt(self._squares.sum(axis=1))
        self._typical = float(np.median(lengths[lengths > 0])) if lengths.any() else 1.0

    def __call__(self, name: str, motion: Floats, guess: Floats) -> Reach:
        """The reach of a pose with offsets (v, 3) and guessed weights (n,)."""
        whole = float(np.linalg.norm(motion))
        product = self._fit.product(motion)
        first = self._fit(product, np.abs(guess) > 0, guess)
        on = self._on(motion, product, first, guess)
        weights = self._fit(product, on, guess)
        more = on & (np.abs(guess) == 0) & (np.abs(weights) > _SEEN * self._full)
        rest = self._rest(motion, weights)
        lacking, beyond = self._lacking(motion, rest, weights)
        for _ in range(_AGAIN if lacking.any() else 0):  # the weights gave way to what is lacking
            weights = self._fit(self._fit.product(motion - lacking), on, guess, firm=_FIRMER)
            rest = self._rest(motion, weights)
            lacking, beyond = self._lacking(motion, rest, weights, missing=True)
        free = self._fit(product, np.ones(len(on), bool), guess, firm=0.0) if lacking.any() else weights
        copied = (np.abs(free) > _SEEN * self._full) & (guess == 0)
        verdict: ReachVerdict = "with more sliders" if more.any() else "expressible"
        return Reach(
            name=name,
            verdict="not expressible" if lacking.any() else verdict,
            weights=weights,
            guess=np.where(more, weights, guess),
            more={self._template.sliders[i]: round(float(weights[i]), 2) for i in np.flatnonzero(more)},
            named=_share(self._rest(motion, first), whole),
            left=_share(rest, whole),
            beyond=beyond / whole if whole > 0 else 0.0,
            lacking=lacking,
            known=_known(rest, lacking),
            own=self._own(lacking),
            imitating={self._template.sliders[i]: round(float(free[i]), 2) for i in np.flatnonzero(copied)},
            imitated=_share(self._rest(motion, free), whole),
        )

    def _rest(self, motion: Floats, weights: Floats) -> Floats:
        return motion - self._fit.offsets(weights)

    def _own(self, lacking: Floats) -> float:
        whole = float(np.linalg.norm(lacking))
        every = np.ones(len(self._full), bool)
        best = self._fit(self._fit.product(lacking), every, np.zeros(len(every))) if whole > 0 else None
        return 0.0 if best is None else _share(self._rest(lacking, best), whole)

    def _on(self, motion: Floats, product: Floats, weights: Floats, guess: Floats) -> NDArray[np.bool_]:
        """Sliders (n,) that are on: those of the guess, and others that make the motion more likely."""
        asked, linear = motion, self._template.is_linear
        for left in reversed(range(1 if linear else _ROUNDS)):
            if not linear:  # what sliders do to each other is taken from where they are now
                alone = np.tensordot(weights / self._full, self._alone, axes=1)
                asked = motion - self._fit.offsets(weights) + alone
            likely = self._evidence(asked, guess / self._full, strict=not left)
            weights = self._fit(product, likely.values != 0, guess)
        return (np.abs(guess) > 0) | (np.abs(weights) > _MORE * self._full)

    def _moved(self, weights: Floats) -> Floats:
        """Squares (v,) of how far the shapes that are on move each vertex, one by one."""
        return np.asarray(self._fit.values(weights) ** 2 @ self._squares)

    def _lacking(self, motion: Floats, rest: Floats, weights: Floats, *, missing: bool = False) -> tuple[Floats, float]:
        """What (v, 3) a missing shape would add, zero where none is missing, and how much no shape makes."""
        squares, moved = (rest**2).sum(axis=1), self._moved(weights)
        still = moved <= (0.1 * _SMALL * self._size) ** 2
        quiet = float(np.sqrt(np.quantile(squares[still], _QUIET))) if still.any() else 0.0
        floor = max(_SMALL * self._size, _NOISY * quiet) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            outside = np.where(squares > 0, np.maximum(0.0, 1 - (_PERSONAL**2 * moved + floor) / squares), 0.0)
            blurred = np.where(squares > 0, squares / (squares + _BLUR**2 * moved + floor), 0.0)
        beyond = float(np.linalg.norm(outside[:, None] * rest))
        there = float(np.linalg.norm(motion[outside > 0]))
        alone = beyond / there if there > 0 else 0.0
        missing = missing or beyond * (alone - _MISSED) > _LACKING * self._typical
        return (blurred[:, None] * rest if missing else np.zeros_like(rest)), beyond


def _known(rest: Floats, lacking: Floats) -> Floats:
    """Where (v,) what is left is not of a missing shape."""
    left, missing = np.linalg.norm(rest, axis=1), np.linalg.norm(lacking, axis=1)
    shares = np.divide(missing, left, out=np.zeros_like(left), where=left > 0)
    return np.asarray(np.clip(1 - shares / _MIXED, 0.0, 1.0))


def _share(rest: Floats, whole: float) -> float:
    left = float(np.linalg.norm(rest))
    return left / whole if whole > 0 else float(left > 0)
