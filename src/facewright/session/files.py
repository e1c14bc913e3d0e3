"""What files become: each role that a file can have is a function from what was read to an edit or an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from facewright.document import Document
from facewright.image.encoded import Encoded
from facewright.reference.plane import ReferencePlane
from facewright.reference.sound import ReferenceSound
from facewright.session.context import Context

if TYPE_CHECKING:
    from facewright.session.edits.edit import Edit
    from facewright.session.tasks.action import Action

Reads = Literal["face", "picture", "sound", "plane"]


@dataclass(frozen=True, eq=False)
class Arrival:
    """Something that was read, and what the page said about it."""

    name: str
    content: Document | Encoded | ReferenceSound | ReferencePlane
    options: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Role:
    """What a file can be for. `make` runs in any thread: it reads the values and changes nothing."""

    name: str
    reads: Reads
    make: Callable[[Context, Arrival], Edit | Action]


ROLES: dict[str, Role] = {}
Maker = TypeVar("Maker", bound="Callable[[Context, Arrival], Edit | Action]")


def role(name: str, reads: Reads) -> Callable[[Maker], Maker]:
    """Declare a function to make an edit, or an action, of a file in a role."""

    def declare(make: Maker) -> Maker:
        ROLES[name] = Role(name, reads, make)
        return make

    return declare
