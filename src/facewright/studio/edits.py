"""What each edit message does: a label for the history, and a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from facewright.document import Document, PlacedPin
from facewright.session.commands import clips, held, keys, pins, weights
from facewright.session.session import Command, Session
from facewright.studio import protocol as p
from facewright.studio.look_edits import look_edit
from facewright.studio.region_edits import region_edit
from facewright.studio.take_edits import take_edit
from facewright.workflow.drag.drag import DragResult, PinDrag, drag_pins

Maker = Callable[[Any, Session], tuple[str, Command]]


class DragCommand:
    """A drag, which besides the document gives what became of each pin."""

    def __init__(self, message: p.DragPins, session: Session) -> None:
        options = session.remembered
        self._solvers = session.solvers
        self._drag = PinDrag(
            {each.pin: each.target for each in message.targets},
            message.plane,
            message.axes,
            message.symmetric,
            options.method,
            options.damped,
            message.region,
        )
        self.dragged: DragResult | None = None

    def __call__(self, document: Document) -> Document:
        document, self.dragged = drag_pins(document, self._drag, self._solvers)
        return document


def edit(message: p.Edit, session: Session) -> tuple[str, Command]:
    """The label and the command of an edit message."""
    if isinstance(message, p.RegionEdit):
        return region_edit(message, session.solvers)
    if isinstance(message, p.TakeEdit):
        return take_edit(message)
    if isinstance(message, p.LookEdit):
        return look_edit(message)
    return _MAKERS[type(message)](message, session)


def _set_weights(message: p.SetWeights, session: Session) -> tuple[str, Command]:
    label = f"move {_some(list(message.weights))}{_in(message.region)}"
    return label, lambda d: weights.set_weights(d, message.weights, session.solvers, message.region)


def _reset(message: p.ResetWeights, session: Session) -> tuple[str, Command]:
    what = "all sliders" if message.sliders is None else _some(message.sliders)
    label = f"reset {what}{_in(message.region)}"
    return label, lambda d: weights.reset_weights(d, message.sliders, session.solvers, message.region)


def _lock(message: p.LockSliders, session: Session) -> tuple[str, Command]:
    label = f"{'lock' if message.locked else 'unlock'} {_some(message.sliders)}"
    return label, lambda d: weights.lock_sliders(d, message.sliders, message.locked)


def _add_pin(message: p.AddPin, session: Session) -> tuple[str, Command]:
    return "set a pin", lambda d: pins.add_pin(d, PlacedPin(id=message.pin, hold=message.hold, **_where(message)))


def _move_pin(message: p.MovePin, session: Session) -> tuple[str, Command]:
    return "set a pin elsewhere", lambda d: pins.change_pins(d, [message.pin], **_where(message))


def _change_pins(message: p.ChangePins, session: Session) -> tuple[str, Command]:
    given = {name: getattr(message, name) for name in ("hold", "axes", "strength")}
    fields = {name: value for name, value in given.items() if value is not None}
    label = {None: "change", True: "hold", False: "let go of"}[message.hold]
    return f"{label} {_pins(message.pins)}", lambda d: pins.change_pins(d, message.pins, **fields)


def _delete_pins(message: p.DeletePins, session: Session) -> tuple[str, Command]:
    return f"delete {_pins(message.pins)}", lambda d: pins.delete_pins(d, message.pins)


def _mirror_pins(message: p.MirrorPins, session: Session) -> tuple[str, Command]:
    return f"mirror {_pins(message.pins)}", lambda d: pins.mirror_pins(d, message.pins, session.solvers)


def _drag(message: p.DragPins, session: Session) -> tuple[str, Command]:
    label = f"drag {_pins([each.pin for each in message.targets])}{_in(message.region)}"
    return label, DragCommand(message, session)


def _hold(message: p.HoldVertices, session: Session) -> tuple[str, Command]:
    label = "let points move" if message.mode == "remove" else "hold points"
    return label, lambda d: held.hold_vertices(d, message.vertices, message.axes, message.mode)


def _hold_axes(message: p.SetHoldAxes, session: Session) -> tuple[str, Command]:
    return f"hold along {message.axes}", lambda d: held.set_hold_axes(d, message.axes)


def _holding(message: p.SetHolding, session: Session) -> tuple[str, Command]:
    label = "hold points still" if message.on else "let held points move"
    return label, lambda d: held.set_holding(d, message.on, message.alpha)


def _set_keys(message: p.SetKeys, session: Session) -> tuple[str, Command]:
    what = "the pose" if message.sliders is None else _some(message.sliders)
    return f"key {what}", lambda d: keys.set_keys(d, message.time, message.sliders)


def _move_keys(message: p.MoveKeys, session: Session) -> tuple[str, Command]:
    return "move keys", lambda d: keys.move_keys(d, _chosen(message.keys), message.by, message.lift)


def _copy_keys(message: p.CopyKeys, session: Session) -> tuple[str, Command]:
    return "copy keys", lambda d: keys.copy_keys(d, _chosen(message.keys), message.by)


def _delete_keys(message: p.DeleteKeys, session: Session) -> tuple[str, Command]:
    return "delete keys", lambda d: keys.delete_keys(d, _chosen(message.keys))


def _interpolation(message: p.SetInterpolation, session: Session) -> tuple[str, Command]:
    label = {"cubic": "ease in and out", "linear": "straight curves", "step": "steps"}[message.interpolation]
    return label, lambda d: keys.set_interpolation(d, message.interpolation, message.sliders)


def _create_clip(message: p.CreateClip, session: Session) -> tuple[str, Command]:
    return f"new clip {message.name}", lambda d: clips.create_clip(d, message.name, message.rate, message.copy_of)


def _rename_clip(message: p.RenameClip, session: Session) -> tuple[str, Command]:
    return f"rename clip to {message.name}", lambda d: clips.rename_clip(d, message.clip, message.name)


def _delete_clip(message: p.DeleteClip, session: Session) -> tuple[str, Command]:
    return f"delete clip {message.clip}", lambda d: clips.delete_clip(d, message.clip)


def _rate(message: p.SetRate, session: Session) -> tuple[str, Command]:
    return f"{message.rate:g} frames a second", lambda d: clips.set_rate(d, message.clip, message.rate)


_MAKERS: dict[type[p.Edit], Maker] = {
    p.SetWeights: _set_weights,
    p.ResetWeights: _reset,
    p.LockSliders: _lock,
    p.AddPin: _add_pin,
    p.MovePin: _move_pin,
    p.ChangePins: _change_pins,
    p.DeletePins: _delete_pins,
    p.MirrorPins: _mirror_pins,
    p.DragPins: _drag,
    p.HoldVertices: _hold,
    p.SetHoldAxes: _hold_axes,
    p.SetHolding: _holding,
    p.SetKeys: _set_keys,
    p.MoveKeys: _move_keys,
    p.CopyKeys: _copy_keys,
    p.DeleteKeys: _delete_keys,
    p.SetInterpolation: _interpolation,
    p.CreateClip: _create_clip,
    p.RenameClip: _rename_clip,
    p.DeleteClip: _delete_clip,
    p.SetRate: _rate,
}


def _where(message: p.AddPin | p.MovePin) -> dict[str, Any]:
    return {name: getattr(message, name) for name in p.PLACE}


def _chosen(choices: Sequence[p.KeyChoice]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for choice in choices:
        found.setdefault(choice.slider, []).extend(choice.times)
    return found


def _some(names: Sequence[str]) -> str:
    shown = names[0] if names else "nothing"
    return shown if len(names) < 2 else f"{shown} and {len(names) - 1} more"


def _in(region: str) -> str:
    return f" in {region}" if region else ""


def _pins(ids: Sequence[int]) -> str:
    return "a pin" if len(ids) == 1 else f"{len(ids)} pins"
