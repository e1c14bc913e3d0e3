"""Every message between the page and the server. The page's types are generated from here; see web/PROTOCOL.md.

Edits, actions and queries are data of their features (session/edits, session/tasks, session/views): here they only get
an envelope. What a page is told is the State, of which each view is a field.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from facewright.session.edits import EDITS
from facewright.session.edits.edit import Edit
from facewright.session.fields import Count, How, Label, SessionName
from facewright.session.tasks import ACTIONS
from facewright.session.tasks.action import Action
from facewright.session.views import QUERIES, VIEWS
from facewright.session.views.view import Query
from facewright.studio.answers import HttpAnswer as HttpAnswer

PROTOCOL = 4  # grows when an old page would misunderstand the server

if TYPE_CHECKING:
    AnyEdit = Edit
    AnyAction = Action
    AnyQuery = Query
else:
    AnyEdit = reduce(or_, (kind for kind in EDITS if kind.from_page))
    AnyAction = reduce(or_, (kind for kind in ACTIONS if kind.from_page))
    AnyQuery = reduce(or_, QUERIES)


# From the page ------------------------------------------------------------------------------------------------------


class FromPage(Struct, tag=True, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """A message of the page. `seq` is a number of its own, growing; the answer names it."""

    seq: Count = 0


class Begin(FromPage, kw_only=True):
    """Open a gesture: edits that follow with this number are one undo entry, or none."""

    gesture: Annotated[int, Meta(ge=1, lt=2**53)]
    label: Label
    session: SessionName = "document"


class Commit(FromPage, kw_only=True):
    """Close a gesture and keep what it did."""

    gesture: Count


class Discard(FromPage, kw_only=True):
    """Close a gesture and undo what it did."""

    gesture: Count


class Do(FromPage, kw_only=True, tag="Edit"):
    """An edit: an update of an open gesture, replacing its earlier ones, or (0) a whole step."""

    edit: AnyEdit
    gesture: Count = 0


class Act(FromPage, kw_only=True):
    """An action."""

    action: AnyAction


class Ask(FromPage, kw_only=True):
    """A query, answered by a frame."""

    query: AnyQuery


class Undo(FromPage, kw_only=True):
    """Undo the last step."""

    session: SessionName = "document"


class Redo(FromPage, kw_only=True):
    """Redo the next step."""

    session: SessionName = "document"


class GoTo(FromPage, kw_only=True):
    """Undo or redo to a place in the history: 0 is before all entries."""

    at: Count
    session: SessionName = "document"


class OpenSample(FromPage, kw_only=True):
    """Open an embedded person; all but "new" are undoable edits."""

    person: str = "default"
    shapes: str = "arkit"
    how: How = "new"


class OpenPath(FromPage, kw_only=True):
    """Open a file below a folder that was named on the command line, by a path of `GET /api/files`."""

    path: Annotated[str, Meta(max_length=4096)]
    how: How = "new"


class OpenBuilt(FromPage, kw_only=True):
    """Open the rig that was built: as a document of its own, or (keep) under the open pose and clips."""

    how: How = "new"


class Save(FromPage, kw_only=True):
    """Save as .fwface: where it came from (no path), or below a named folder."""

    path: Annotated[str, Meta(max_length=4096)] | None = None
    replace: bool = False  # also a file that another program wrote there


class Ping(FromPage, kw_only=True):
    """Ask whether the server is there."""


# To the page --------------------------------------------------------------------------------------------------------


class ToPage(Struct, tag=True, tag_field="type", kw_only=True):
    """A message of the server."""


class Welcome(ToPage):
    """The first message of a connection."""

    protocol: int
    version: str
    methods: list[str]
    upload_limit: int  # bytes
    formats: list[str]  # suffixes that can be uploaded
    suffixes: dict[str, list[str]]  # of files that hold each kind of thing; see RecognisedFile
    folders: list[str]  # names of the folders below which files can be opened


if TYPE_CHECKING:

    class State(ToPage):
        """The values and all about them. Complete at first; then only what changed, the rest left out."""

        def __init__(self, **fields: Any) -> None: ...

else:
    State = msgspec.defstruct(
        "State",
        [("revision", int), *((one.name, one.kind | UnsetType, UNSET) for one in VIEWS.values())],
        bases=(ToPage,),
        kw_only=True,
        module=__name__,
        namespace={
            "__doc__": "The values and all about them. Complete at first; then only what changed, the rest left out."
        },
    )


class Done(ToPage):
    """A message was carried out, and is kept even if the server dies now."""

    seq: int


class Refused(ToPage):
    """A message was not carried out; everything is as it was. `message` is for the person."""

    seq: int
    message: str
    can_replace: bool = False  # whether Save with `replace` would be carried out


class Notice(ToPage):
    """Something the person should know."""

    message: str


class Trouble(ToPage):
    """Something that is wrong for as long as it is not said to be over: autosave does not work, say. "": it is over."""

    message: str


class Busy(ToPage):
    """What the server is doing for longer than a moment; "" when it is done."""

    doing: str


class Pong(ToPage):
    """The server is there."""

    seq: int


PageMessage = (
    Begin | Commit | Discard | Do | Act | Ask | Undo | Redo | GoTo | OpenSample | OpenPath | OpenBuilt | Save | Ping
)
ServerMessage = Welcome | State | Done | Refused | Notice | Trouble | Busy | Pong

decode_page_message = msgspec.json.Decoder(PageMessage).decode
encode = msgspec.json.encode
