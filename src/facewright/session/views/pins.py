"""Pins and held points as pages see them."""

from __future__ import annotations

from facewright.formats.schema.pins import HeldEntry, PinEntry
from facewright.pose.attenuation import default_alpha
from facewright.session.context import Context
from facewright.session.views.view import view
from facewright.terms.selection import Selection


class PinInfo(PinEntry, omit_defaults=False):
    """A pin on the surface. Where it is in space is in the Pose frame."""


@view("pins", lambda context: (context.document.value.pins,))
def pins(context: Context) -> list[PinInfo]:
    """The document's pins."""
    return [PinInfo.of(pin) for pin in context.document.value.pins]


class HeldInfo(HeldEntry, omit_defaults=False):
    """Points that stay still while sliders and pins move, as long as `on`."""

    default_alpha: float = 1.0  # in force where alpha is null


@view("held", lambda context: (context.document.value.held, context.document.value.rig))
def held_points(context: Context) -> HeldInfo:
    """The points that are held; the default alpha depends on the rig."""
    document = context.document.value
    alpha = default_alpha(document.rig, Selection(document.held.coordinates))
    held = HeldInfo.of(document.held)
    held.default_alpha = alpha
    return held
