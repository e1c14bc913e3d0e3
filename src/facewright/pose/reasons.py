"""Why a pin is not met, in words: which sliders would help, and what prevents it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facewright.arrays import Floats, Ints
from facewright.terms.limits import Limits

_MET = 0.05  # of the largest wanted motion
_USEFUL = 0.2  # cosine between what is missing and what a slider does to the pin
_RIVAL = 0.5  # share of what a pin would gain: another pin that would lose more than this is the reason
_MOVES = 1e-6  # share of the largest motion of any pin by a slider: less than this counts as none


@dataclass(frozen=True, eq=False)
class DragSetup:
    """What stays the same during a drag: k pins with q axes, n sliders."""

    sliders: tuple[str, ...]
    pin: Ints  # (q,) which pin an axis is of
    rows: Floats  # (q, n) motion per slider along each axis, at the start
    limits: Limits  # infinite where the method knows no bounds
    locked: Ints  # sliders that may not move
    unused: Ints  # sliders that the drag leaves alone


@dataclass(frozen=True, eq=False)
class DragDetails:
    """One update of a drag: what the pins were asked, and what is missing."""

    setup: DragSetup
    wanted: Floats  # (q,)
    missing: Floats  # (q,)
    change: Floats  # (n,)


def reasons(details: DragDetails) -> tuple[str, ...]:
    """One sentence for each pin, empty where it is met."""
    pin = details.setup.pin
    count = int(pin.max(initial=-1)) + 1
    missing = np.sqrt(np.bincount(pin, details.missing**2, count))
    largest = np.sqrt(np.bincount(pin, details.wanted**2, count)).max(initial=0.0)
    unmet = missing > _MET * largest
    return tuple(f"pin {i}: {_reason(details, i)}" if unmet[i] else "" for i in range(count))


def _reason(details: DragDetails, pin: int) -> str:
    setup = details.setup
    own = setup.pin == pin
    rows, missing = setup.rows[own], details.missing[own]
    speed = np.linalg.norm(rows, axis=0)  # (n,)
    fastest = np.linalg.norm(setup.rows, axis=0).max(initial=0.0)
    moves = speed > _MOVES * fastest
    if not moves.any():
        return "no slider moves this point along its axes"
    cosine = np.where(moves, missing @ rows / np.where(moves, speed, 1.0), 0.0) / np.linalg.norm(missing)
    useful = np.abs(cosine) > _USEFUL
    locked, unused = (useful & np.isin(np.arange(len(speed)), which) for which in (setup.locked, setup.unused))
    useful &= ~unused
    if not useful.any():
        if unused.any():
            return f"{_names(setup, unused, speed)} would help but {_are(unused)} not among the sliders of this drag"
        return "no slider moves this point in that direction"
    if locked.any():
        return f"{_names(setup, locked, speed)} would help but may not move"
    rival, loss = _rival(details, pin)
    if loss > _RIVAL:
        return f"pin {rival} wants something else"
    top = useful & (cosine > 0) & (details.change >= setup.limits.high)
    if top.any():
        return f"{_names(setup, top, speed)} {_are(top)} fully on already"
    bottom = useful & (cosine < 0) & (details.change <= setup.limits.low)
    if (bottom == useful).all():
        whose = "its" if bottom.sum() == 1 else "their"
        return f"only {_names(setup, bottom, speed)} below {whose} lowest value would help"
    if loss > 0:
        return f"pin {rival} wants something else"
    return "the sliders that reach this point cannot take it just there, or move too much else"


def _rival(details: DragDetails, pin: int) -> tuple[int, float]:
    """The other pin that would be off most if this one were moved to its target, and by which share of the gain."""
    of, rows = details.setup.pin, details.setup.rows
    towards = rows[of == pin].T @ details.missing[of == pin]  # (n,) how the sliders would have to move
    gains = np.bincount(of, (rows @ towards) * details.missing)
    own, gains[pin] = gains[pin], 0.0
    worst = int(gains.argmin())
    return worst, -float(gains[worst]) / float(own or 1.0)


def _are(which: NDArray[np.bool_]) -> str:
    return "is" if which.sum() == 1 else "are"


def _names(setup: DragSetup, which: NDArray[np.bool_], speed: Floats) -> str:
    order = [i for i in np.argsort(-speed) if which[i]]
    shown = ", ".join(setup.sliders[i] for i in order[:3])
    return shown if len(order) <= 3 else f"{shown} and {len(order) - 3} more"
