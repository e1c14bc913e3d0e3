"""Preferences that come with the library: of a drag, and of a take."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from facewright.arrays import Floats
from facewright.terms.term import Preference, SliderCost, TermContext

RIDGE = 1e-3  # of the noise's variance, on every weight of a take: a prior with a standard deviation of about 30
_NOISE_WITHIN = 1.05  # the variance of noise is known within this factor: a misfit below it is noise


@dataclass(frozen=True)
class StayNear:
    """Keep sliders near the start, the more a slider moves the face."""

    stiffness: float = 1e-5

    def cost(self, context: TermContext) -> SliderCost:
        """A ridge on each slider's change, which grows with the square of its motion."""
        return SliderCost(ridge=self.stiffness * context.amount**2)


@dataclass(frozen=True)
class Few:
    """Move few sliders: one that explains no more than this share of what a typical pin asks stays."""

    share: float = 0.1

    def cost(self, context: TermContext) -> SliderCost:
        """A price on each slider's change, a share of how far it moves the pins."""
        return SliderCost(price=self.share * context.reach)


@dataclass(frozen=True)
class Quiet:
    """Of sliders that move the pins alike, move the one that moves the rest of the face least."""

    price_of_motion: float = 0.02

    def cost(self, context: TermContext) -> SliderCost:
        """A price on each slider's change, which grows with how much of the face it moves."""
        return SliderCost(price=self.price_of_motion * context.amount)


OF_DRAGS: tuple[Preference, ...] = (StayNear(), Few(), Quiet())


@dataclass(frozen=True)
class Hand:
    """A hand that drags one or two points: it shows about where to, and does not know the path of any slider.

    What is missing across a drag counts less than what is missing along it. A slider that moves much of the face for
    little at the pins pays, the more if it moves another point further than the pin, in comparison with the slider that
    takes the pins there with the least motion elsewhere: so a drag is never refused for want of a better slider. A drag
    far beyond reach asks for little more than one to the end of the reach, and a slider whose motion hardly extends to
    the point is not used. Where more points are dragged, they agree on a pose, and the preferences of all drags count.

    A slider pays for each pin that it moves, so that two pins on sliders of their own are dragged as if each were
    alone, and a slider that serves both is no cheaper than it is for one.
    """

    points: int = 2  # at most so many
    beyond: float = 1.5  # times the reach of the slider that goes furthest along a drag: more is not asked for
    faint: float = 0.02  # of how far a slider moves any point: one that moves all pins less stays
    across: float = 0.3  # of what counts along a drag
    share: float = 0.1  # of how far a slider moves the pins: its price
    least: float = 0.2  # of how far the fastest slider moves a pin: one that moves it less pays as if it did so
    price_of_motion: float = 0.06
    preferences: tuple[Preference, ...] = (StayNear(),)

    def prices(self, reach: Floats, central: Floats, amount: Floats, full: Floats) -> HandPrices:
        """Of sliders that move each pin so far (k, n) and the whole face so far (n,), up to their full values (n,).

        `central` (k, n) is the share of a slider's largest motion of any point that each pin makes.
        """
        furthest = reach.max(axis=0, initial=0.0)  # (n,)
        pins = max(int(reach.any(axis=1).sum()), 1)
        served = np.where(furthest > 0, reach / np.where(furthest > 0, furthest, 1.0), 1 / pins)
        floor = self.least * (reach * full).max(axis=1, initial=0.0)[:, None] / full
        few = self.share * np.maximum(reach, served * floor).sum(axis=0)
        elsewhere = amount / np.clip(central, self.faint, 1.0)
        return HandPrices(furthest, few, self.price_of_motion * served * elsewhere, elsewhere)


@dataclass(frozen=True, eq=False)
class HandPrices:
    """What the sliders of a hand's drag pay, prepared for k pins and n sliders."""

    furthest: Floats  # (n,) how far each slider moves the pin that it moves most
    few: Floats  # (n,) for being used at all
    motion: Floats  # (k, n) for motion elsewhere
    elsewhere: Floats  # (k, n) how far each slider moves the face, more where it is not made for the pin

    def along(self, useful: Floats) -> Floats:
        """The price of each slider's change (n,), for motion (k, n) of the pins along their ways that each brings."""
        best = (useful / self.elsewhere).max(axis=1, initial=0.0)  # (k,)
        return np.asarray(self.few + best @ self.motion)


@dataclass(frozen=True)
class Relief:
    """Sliders in use pay less in the second pass of a drag (Candes, Wakin and Boyd 2008).

    Prices choose which sliders move; without relief they would also keep pins short of their targets.
    """

    knee: float = 0.05  # a slider that brings this share of what is asked pays half

    def factors(self, brought: Floats) -> Floats:
        """What is left of each price (n,), by the share of what is asked that each slider's change brings."""
        return self.knee / (brought + self.knee)


@dataclass(frozen=True)
class ExactPins:
    """Pins that agree on a pose of few sliders are exact: they pay low prices, and are met.

    Prices keep sliders from following the slips of a hand, and pins short of their targets. If lower prices bring the
    pins much nearer with hardly more sliders, there is no slip to follow. What counts as much and as hardly is told by
    the extended Bayesian information criterion (Chen and Chen 2008): m log(r^2) + k (log m + 2 log n) for k of n
    sliders that leave the share r of what m rows of pins ask for; lower is better.
    """

    lowest: float = 0.1  # of the prices, where pins are exact
    faint: float = 0.02  # of what is asked: a slider that brings this share counts half
    met: float = 0.003  # of what is asked: less is not missing
    sure: float = 20.0  # difference of the criterion from which on pins are exact

    def criterion(self, missing: float, brought: Floats, rows: int) -> float:
        """For the share of what is asked that is missing, and those that sliders (n,) bring."""
        count = float(np.add.reduce(brought / (brought + self.faint)))
        return rows * log(missing**2 + self.met**2) + count * (log(rows) + 2 * log(len(brought)))

    def factor(self, gain: float) -> float:
        """What is left of the prices if the lowest ones lower the criterion by so much; it changes smoothly."""
        share = min(max(gain / self.sure, 0.0), 1.0)
        return float(self.lowest ** (share * share * (3 - 2 * share)))


@dataclass(frozen=True)
class Sparse:
    """Few and small weights in every frame of a take: those of a slider are about `usual`, or as the take shows."""

    strength: float = 1.0
    usual: float = 0.3  # weight
    known: float = 2.0  # poses: as much as these tell is `usual` believed
    shared: float = 3.0  # markers that have the same misfit

    def price(self, noise: float, misfit: float, unseen: Floats, usual: Floats | None = None) -> Floats:
        """Of a unit of each slider (n,), for markers with the standard deviations `noise` and `misfit`, scene units.

        What the sliders leave beyond the noise is shared by neighbouring markers, so that it counts more than noise.
        Sliders that the markers hardly see, such as those of the gaze, must not follow it: their `unseen` (n,) is high.
        """
        beyond = max(misfit**2 - _NOISE_WITHIN * noise**2, 0.0)
        of_misfit = self.shared * beyond * (1 + unseen**2) / 2 / self.usual
        return np.asarray(self.strength * (noise**2 / (self.usual if usual is None else usual) + of_misfit))

    def usual_of(self, weights: Floats, poses: float, spread: Floats) -> Floats:
        """How large the weights of each slider (n,) are in a take (frames, n) that shows so many independent poses.

        The mean of an exponential distribution, estimated (Figueiredo 2003, "Adaptive sparseness for supervised
        learning"). A weight of 0 that is known within a standard deviation, `spread` (n,), may as well be the mean of
        that half of a normal distribution: what the markers hardly see is not taken for unused.
        """
        seen = np.abs(weights).mean(axis=0) + np.sqrt(2 / np.pi) * spread
        return np.asarray(np.minimum((self.known * self.usual + poses * seen) / (self.known + poses), self.usual))


@dataclass(frozen=True)
class Steady:
    """Poses of a take that change little from frame to frame: each is likely by itself, and they move with inertia."""

    strength: float = 1.0

    def pace(self, pace: float, rate: float) -> float:
        """How fast poses change from one frame to the next, for a pace per second and frames a second."""
        return pace / (self.strength * rate)
