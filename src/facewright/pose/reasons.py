"""Why a pin is not met, in words: what would have helped, and what kept it from helping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.pose.limits import Limits

_MET = 0.02  # of the largest wanted motion
_USEFUL = 0.2  # cosine between what is missing and what a slider does to the pin
_MOVES = 1e-6  # of the fastest slider at any pin: less than this is standing still


@dataclass(frozen=True, eq=False)
class Outcome:
    """A solve as the pins see it: k pins with q axes, n sliders."""

    sliders: tuple[str, ...]
    pin: Ints  # (q,) which pin an axis is of
    rows: Floats  # (q, n) motion per slider along each axis
    wanted: Floats  # (q,)
    missing: Floats  # (q,)
    change: Floats  # (n,)
    limits: Limits
    locked: Ints


def reasons(outcome: Outcome) -> tuple[str, ...]:
    """One sentence for each pin, empty where it is met."""
    count = int(outcome.pin.max(initial=-1)) + 1
    missing = np.sqrt(np.bincount(outcome.pin, outcome.missing**2, count))
    largest = np.sqrt(np.bincount(outcome.pin, outcome.wanted**2, count)).max(initial=0.0)
    return tuple("" if missing[i] <= _MET * largest else _reason(outcome, i) for i in range(count))


def _reason(outcome: Outcome, pin: int) -> str:
    own = outcome.pin == pin
    rows, missing = outcome.rows[own], outcome.missing[own]
    speed = np.linalg.norm(rows, axis=0)  # (n,)
    fastest = np.sqrt((outcome.rows**2).sum(axis=0)).max(initial=0.0)
    moves = speed > _MOVES * fastest
    if not moves.any():
        return f"pin {pin}: no slider moves this point along its axes"
    cosine = np.where(moves, missing @ rows / np.where(moves, speed, 1.0), 0.0) / np.linalg.norm(missing)
    useful = np.abs(cosine) > _USEFUL
    if not useful.any():
        return f"pin {pin}: no slider moves this point in that direction"
    locked = useful & np.isin(np.arange(len(speed)), outcome.locked)
    at_end = np.where(cosine > 0, outcome.change >= outcome.limits.high, outcome.change <= outcome.limits.low)
    stopped = useful & at_end & ~locked
    if locked.any():
        return f"pin {pin}: {_names(outcome, locked, speed)} would help but is locked"
    if stopped.any():
        return f"pin {pin}: {_names(outcome, stopped, speed)} would help but is at its bound"
    if pin_count(outcome) > 1:
        return f"pin {pin}: the other pins want something else"
    return f"pin {pin}: the sliders that reach this point cannot take it just there"


def pin_count(outcome: Outcome) -> int:
    """How many pins have an axis."""
    return len(np.unique(outcome.pin))


def _names(outcome: Outcome, which: NDArray[np.bool_], speed: Floats) -> str:
    order = [i for i in np.argsort(-speed) if which[i]]
    shown = ", ".join(outcome.sliders[i] for i in order[:3])
    return shown if len(order) <= 3 else f"{shown} and {len(order) - 3} more"
