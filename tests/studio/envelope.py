"""Messages as the page puts them into envelopes: edits, actions and queries are named by their own type."""

from typing import Any

from facewright.session.edits import EDITS
from facewright.session.tasks import ACTIONS
from facewright.session.views import QUERIES

OUTSIDE = ("seq", "gesture")  # fields of the envelope
KINDS = {
    **{kind.__name__: ("Edit", "edit") for kind in EDITS},
    **{kind.__name__: ("Act", "action") for kind in ACTIONS},
    **{kind.__name__: ("Ask", "query") for kind in QUERIES},
}


def enveloped(message: dict[str, Any]) -> dict[str, Any]:
    """The message as it is sent; one that needs no envelope is sent as it is."""
    if message.get("type") not in KINDS:
        return message
    envelope, field = KINDS[message["type"]]
    inside = {name: value for name, value in message.items() if name not in OUTSIDE}
    outside = {name: value for name, value in message.items() if name in OUTSIDE}
    return {"type": envelope, field: inside, **outside}
