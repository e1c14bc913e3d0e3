"""What the bounded method minimises, written down once more, without a line of the solver's."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import Bounds, LinearConstraint, NonlinearConstraint, lsq_linear, minimize

import facewright as fw
from tests.some import some

STIFFNESS, SHARE, PRICE_OF_MOTION, KNEE, STILL, HOLD = 1e-5, 0.1, 0.02, 0.05, 1e-2, 1e3


@dataclass(frozen=True)
class Objective:
    """1/2 |W (B x - m)|^2 + 1/2 ridge'x^2 + price'|x| in the change x of the sliders from a start.

    First with full prices; then, `relieved`, with prices that are lower for sliders in use.
    """

    rig: fw.Rig
    pins: list[fw.Pin]
    start: np.ndarray  # (n,)
    factors: np.ndarray | float = 1.0  # (n,) of the prices

    def relieved(self, weights: np.ndarray) -> "Objective":
        """The second pass, after a first that found weights (n,)."""
        most, length = self._brings
        return replace(self, factors=KNEE / (np.abs(weights - self.start) * most / length + KNEE))

    @property
    def _brings(self) -> tuple[np.ndarray, float]:
        """How far each slider (n,) moves the pins, and how far they are to go."""
        _, columns, lengths = self._asked
        return columns, float(np.linalg.norm(lengths))

    @cached_property
    def evaluate(self) -> fw.Evaluator:
        return fw.Evaluator(self.rig)

    def places(self, weights: np.ndarray) -> np.ndarray:
        """The pins (k, 3)."""
        positions = self.evaluate(weights)
        return np.array(
            [
                positions[pin.vertex]
                if pin.vertex is not None
                else some(pin.barycentric) @ positions[self.rig.triangles[pin.triangle]]
                for pin in self.pins
            ]
        )

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """B (q, n), m (q,) and the weight W (q,) of every coordinate that counts."""
        slopes = fw.jacobian(self.rig, self.start)  # (v, 3, n)
        B, m, W = [], [], []
        for pin, place in zip(self.pins, self.places(self.start), strict=True):
            own = slopes[pin.vertex] if pin.vertex is not None else self._mixed(pin, slopes)
            for axis in pin.axes:
                B.append(own["xyz".index(axis)])
                m.append(0.0 if pin.hold else (some(pin.target) - place)["xyz".index(axis)])
                W.append(pin.strength * (np.sqrt(HOLD) if pin.hold else 1.0))
        return np.array(B), np.array(m), np.array(W)

    def _mixed(self, pin: fw.Pin, slopes: np.ndarray) -> np.ndarray:
        return np.tensordot(some(pin.barycentric), slopes[self.rig.triangles[pin.triangle]], axes=1)

    @cached_property
    def preferences(self) -> tuple[np.ndarray, np.ndarray]:
        """Ridge (n,) and price (n,)."""
        rows, columns, lengths = self._asked
        typical = (lengths**2).sum() / lengths.sum()
        amount = np.linalg.norm(fw.jacobian(self.rig, self.start), axis=(0, 1))
        amount = np.maximum(amount / amount.max(), STILL)
        ridge = STIFFNESS * np.linalg.norm(rows, 2) ** 2 * amount**2
        return ridge, self.factors * typical * (SHARE * columns + PRICE_OF_MOTION * columns.max() * amount)

    @cached_property
    def _asked(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows (q, n) of pins that do not hold, their columns' lengths (n,), and how far each pin (k,) is to go."""
        B, m, W = self.rows()
        asked = np.repeat([not pin.hold for pin in self.pins], [len(pin.axes) for pin in self.pins])
        rows = (W[:, None] * B)[asked]
        low, high = self.rig.bounds.T
        most = np.abs(B) @ np.maximum(high - self.start, self.start - low)  # no more than this could be done
        wanted = W * np.minimum(np.abs(m), most) * asked
        ends = np.cumsum([len(pin.axes) for pin in self.pins])
        lengths = np.array([np.linalg.norm(each) for each in np.split(wanted, ends[:-1])])
        return rows, np.linalg.norm(rows, axis=0), lengths

    @cached_property
    def before(self) -> np.ndarray:
        return self.places(self.start)

    def cost(self, change: np.ndarray) -> float:
        """At a change (n,), by evaluating the face."""
        ridge, price = self.preferences
        before, after = self.before, self.places(self.start + change)
        miss = 0.0
        for pin, was, now in zip(self.pins, before, after, strict=True):
            chosen = ["xyz".index(axis) for axis in pin.axes]
            off = (now - (was if pin.hold else some(pin.target)))[chosen]
            miss += pin.strength**2 * (HOLD if pin.hold else 1.0) * float(off @ off)
        return miss / 2 + float(ridge @ change**2) / 2 + float(price @ np.abs(change))

    def by_least_squares(self) -> np.ndarray:
        """The answer (n,) on a linear rig: the best weights of the second pass after those of the first."""
        return self.relieved(self.one_pass()).one_pass()

    def linear_pass(self) -> np.ndarray:
        """The best weights (n,) of one pass on a rig whose sliders go straight from end to end."""
        return self._one_pass(self.chords(), self.counted()[1])

    def chords(self) -> np.ndarray:
        """How each coordinate that counts (q, n) moves from one end of a slider to the other, those above 0."""
        found = []
        for slider, (low, high) in enumerate(self.rig.bounds):
            ends = np.tile(self.start, (2, 1))
            ends[:, slider] = max(low, 0.0), high
            here, there = (self.places(end) for end in ends)
            found.append((there - here) / (ends[1, slider] - ends[0, slider]))
        places = np.moveaxis(np.array(found), 0, 2)  # (k, 3, n)
        chosen = [["xyz".index(axis) for axis in pin.axes] for pin in self.pins]
        return np.concatenate([one[axes] for one, axes in zip(places, chosen, strict=True)])

    def one_pass(self) -> np.ndarray:
        """The best weights (n,) of one pass."""
        return self._one_pass(*self.counted())

    def _one_pass(self, counted: np.ndarray, goals: np.ndarray) -> np.ndarray:
        """The same for rows (r, n) and goals (r,): every slider split into its way up and its way down."""
        ridge, price = (np.tile(each, 2) for each in self.preferences)
        A = np.vstack([np.hstack([counted, -counted]), np.diag(np.sqrt(ridge))])
        b = np.concatenate([goals, -price / np.sqrt(ridge)])
        low, high = self.rig.bounds.T
        ends = np.concatenate([high - self.start, self.start - low])
        open = ends > 0
        halves = np.zeros(len(ends))
        halves[open] = lsq_linear(A[:, open], b, (0.0, ends[open]), method="bvls", tol=1e-15).x
        up, down = np.split(halves, 2)
        return self.start + up - down

    def by_minimize(self, *constraints: LinearConstraint | NonlinearConstraint, method: str = "SLSQP") -> np.ndarray:
        """The best weights (n,) within constraints on (weights,), by a general method, for sliders that start at 0."""
        found = minimize(  # type: ignore[call-overload]
            lambda weights: self.cost(weights - self.start) / self._unit,
            self.start,
            bounds=Bounds(*self.rig.bounds.T),
            constraints=list(constraints),
            method=method,
            options={"maxiter": 500} | ({"ftol": 1e-14} if method == "SLSQP" else {}),
        )
        return np.asarray(np.clip(found.x, *self.rig.bounds.T))

    def counted(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (r, n) and goals (r,) whose distance counts."""
        B, m, W = self.rows()
        return W[:, None] * B, W * m

    @cached_property
    def _unit(self) -> float:
        return self.cost(np.zeros(len(self.start)))


ACROSS, LEAST, PRICE_OF_WAYS, BEYOND, FAINT = 0.3, 0.2, 0.06, 1.5, 0.02


@dataclass(frozen=True)
class HandObjective(Objective):
    """The same where one or two points are dragged: what is missing across counts less, and ways about cost more.

    No pin is asked to go much further than one slider could bring it along its way. Sliders pay for each pin that they
    move; and more where they move another point further than the pin.
    """

    @property
    def _brings(self) -> tuple[np.ndarray, float]:
        lengths = self._asked[2]
        return np.max([each for each, _ in self._pins()], axis=0), float((lengths**2).sum() / lengths.sum())

    def _pins(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each pin that is dragged: how far sliders (n,) move it, and how far along its way, within their bounds."""
        B, m, W = self.rows()
        ends = np.cumsum([len(pin.axes) for pin in self.pins])[:-1]
        low, high = self.rig.bounds.T
        found = []
        for pin, own, way in zip(self.pins, np.split(W[:, None] * B, ends), np.split(m, ends), strict=True):
            if not pin.hold:
                gain = way @ own / np.linalg.norm(way)
                useful = np.where(gain > 0, high > self.start, low < self.start) * np.abs(gain)
                found.append((np.linalg.norm(own, axis=0), useful))
        return found

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        B, m, W = super().rows()
        low, high = self.rig.bounds.T
        ends = np.cumsum([len(pin.axes) for pin in self.pins])[:-1]
        for own, way in zip(np.split(B, ends), np.split(m, ends), strict=True):  # views
            if way.any():
                gain = way @ own / np.linalg.norm(way)
                reach = np.maximum(gain * (high - self.start), gain * (low - self.start)).max()
                way *= min(1.0, BEYOND * reach / np.linalg.norm(way))
        return B, m, W

    def counted(self) -> tuple[np.ndarray, np.ndarray]:
        rows, goals = super().counted()
        ends = np.cumsum([len(pin.axes) for pin in self.pins])[:-1]
        parts = zip(self.pins, np.split(rows, ends), np.split(goals, ends), strict=True)
        counted: list[np.ndarray] = []
        wanted: list[np.ndarray] = []
        for pin, own, goal in parts:
            if pin.hold:
                counted, wanted = [*counted, own], [*wanted, goal]
            else:
                way = goal / np.linalg.norm(goal)
                counted += [np.sqrt(ACROSS) * own, np.sqrt(1 - ACROSS) * (way @ own)[None]]
                wanted += [np.sqrt(ACROSS) * goal, np.sqrt(1 - ACROSS) * (way @ goal)[None]]
        return np.concatenate(counted), np.concatenate(wanted)

    @cached_property
    def preferences(self) -> tuple[np.ndarray, np.ndarray]:
        rows, _, lengths = self._asked
        typical = (lengths**2).sum() / lengths.sum()
        amount = np.linalg.norm(fw.jacobian(self.rig, self.start), axis=(0, 1))
        amount = np.maximum(amount / amount.max(), STILL)
        ridge = STIFFNESS * np.linalg.norm(rows, 2) ** 2 * amount**2
        most, price = self._brings[0], np.zeros(len(amount))
        peaks = np.linalg.norm(fw.jacobian(self.rig, self.start), axis=1).max(axis=0)
        dragged = [pin.strength for pin in self.pins if not pin.hold]
        for strength, (speed, useful) in zip(dragged, self._pins(), strict=True):
            about = amount / np.clip(speed / strength / peaks, FAINT, 1.0)
            # a slider that moves this pin less than another pin pays a share of what this pin costs
            served = np.divide(speed, most, out=np.full(len(most), 1 / len(self._pins())), where=most > 0)
            few = SHARE * np.maximum(most, LEAST * speed.max())
            price += served * (few + PRICE_OF_WAYS * (useful / about).max() * about)
        return ridge, self.factors * typical * price


def within(rig: fw.Rig, vertices: ArrayLike, distance: float) -> NonlinearConstraint:
    """Vertices stay within a distance of their rest."""

    def room(weights: np.ndarray) -> np.ndarray:
        offsets = (fw.evaluate(rig, weights) - rig.neutral)[np.asarray(vertices)]
        return np.asarray(distance**2 - np.sum(offsets**2, axis=1))

    return NonlinearConstraint(room, 0.0, np.inf)
