"""What each edit message about a take does: a label for the history, and a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from facewright.session.commands import takes
from facewright.session.session import Command
from facewright.studio import take_messages as t
from facewright.studio.message import Edit


def take_edit(message: t.TakeEdit) -> tuple[str, Command]:
    """The label and the command of an edit message about a take."""
    return _MAKERS[type(message)](message)


def _pair(message: t.PairMarker) -> tuple[str, Command]:
    where = message.triangle, message.barycentric
    return f"bind {message.marker}", lambda d: takes.pair_marker(d, message.marker, *where)


def _unpair(message: t.UnpairMarkers) -> tuple[str, Command]:
    what = "all pairs" if message.markers is None else f"the pair of {_some(message.markers)}"
    return f"take away {what}", lambda d: takes.unpair_markers(d, message.markers)


def _by_names(message: t.BindByNames) -> tuple[str, Command]:
    return "bind by names", takes.bind_by_names


def _unbind(message: t.Unbind) -> tuple[str, Command]:
    return "unbind the take", takes.unbind


def _ignore(message: t.IgnoreMarkers) -> tuple[str, Command]:
    label = f"{'do without' if message.ignored else 'go by'} {_some(message.markers)}"
    return label, lambda d: takes.ignore_markers(d, message.markers, message.ignored)


def _change(message: t.ChangeTake) -> tuple[str, Command]:
    told = {"unit": f"take in {message.unit}", "rate": f"take at {message.rate} frames a second"}
    label = next((told[name] for name in told if getattr(message, name) is not None), "another frame at rest")
    return label, lambda d: takes.change_take(d, unit=message.unit, rate=message.rate, neutral=message.neutral)


def _remove(message: t.RemoveTake) -> tuple[str, Command]:
    return "take the take away", takes.remove_take


_MAKERS: dict[type[Edit], Callable[[Any], tuple[str, Command]]] = {
    t.PairMarker: _pair,
    t.UnpairMarkers: _unpair,
    t.BindByNames: _by_names,
    t.Unbind: _unbind,
    t.IgnoreMarkers: _ignore,
    t.ChangeTake: _change,
    t.RemoveTake: _remove,
}


def _some(names: list[str]) -> str:
    shown = names[0] if names else "nothing"
    return shown if len(names) < 2 else f"{shown} and {len(names) - 1} more"
