"""Sliders as the workbench lists them: sets made by hand, and pairs that are proposed to exclude each other."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from facewright.report.opposites import missing_ties, opposites
from facewright.session.context import Context
from facewright.session.views.rig import known_rig_id
from facewright.session.views.view import Reply, resource, view


class SliderSet(Struct):
    """A set of sliders that was made by hand."""

    name: str
    sliders: list[str]


@view("slider_sets", lambda context: (context.document.value.slider_sets,))
def slider_sets(context: Context) -> list[SliderSet]:
    """The named sets of the document."""
    return [SliderSet(name, list(sliders)) for name, sliders in context.document.value.slider_sets.items()]


class ProposedPair(Struct):
    """Two sliders that are proposed to exclude each other."""

    first: str
    second: str
    reason: str


class Proposals(Struct):
    """What the names and the motions of a rig's sliders propose."""

    rig: str  # its id
    exclusive: list[ProposedPair]
    ties: list[tuple[str, str]]


@resource("proposals")
def proposals_of(context: Context) -> Reply:
    """Proposals for the document's rig as it is now, as JSON."""
    document = context.document.value
    now = document.rig
    found = [ProposedPair(each.first, each.second, each.reason) for each in opposites(now, document.clips)]
    made = Proposals(known_rig_id(context, now), found, list(missing_ties(now)))
    return Reply(msgspec.json.encode(made), "application/json", keep=False)
