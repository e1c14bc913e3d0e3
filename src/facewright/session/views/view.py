"""What pages are told: the parts of the state, each made by a function and sent when what it is made from changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import is_
from typing import Any, ClassVar, TypeVar, get_type_hints

from msgspec import Struct

from facewright.errors import FacewrightError
from facewright.session.context import Context
from facewright.session.frames import Frame
from facewright.workflow.solver_cache import is_same

Inputs = Callable[[Context], tuple[Any, ...]]
Maker = TypeVar("Maker", bound=Callable[[Context], Any])


@dataclass(frozen=True)
class View:
    """A part of the state. With `items` it is a mapping, and only entries that are new or changed are sent."""

    name: str
    inputs: Inputs
    make: Callable[[Context], Any]
    items: bool = False

    @property
    def kind(self) -> Any:
        """The type of what is sent."""
        made = get_type_hints(self.make, include_extras=True)["return"]
        return list[made.__args__[1]] if self.items else made  # type: ignore[name-defined]  # of a mapping its values


@dataclass(frozen=True)
class Pushed:
    """A frame that is sent whenever what it is made from changed."""

    inputs: Inputs
    make: Callable[[Context], Frame]


@dataclass(frozen=True)
class PushedItems:
    """Frames of the entries of a mapping that are new or changed, sent before the state, which says what is gone."""

    inputs: Inputs
    make: Callable[[Context], Mapping[Any, Any]]
    frame: Callable[[Mapping[Any, Any]], Frame]  # of some entries

    def changed(self, before: Mapping[Any, Any], now: Mapping[Any, Any]) -> Mapping[Any, Any]:
        return {key: item for key, item in now.items() if before.get(key) is not item}


@dataclass(frozen=True)
class Resource:
    """Bytes that a page asks for by name. It runs in any thread, so it only reads the values."""

    path: str  # such as "take/{id}"
    read: Callable[..., Reply]


@dataclass(frozen=True, eq=False)
class Reply:
    """What a resource gives: bytes that never change under this name, unless `keep` is False."""

    data: bytes
    media: str = "application/octet-stream"
    keep: bool = True


class Gone(FacewrightError):
    """What was asked for is no longer there."""


class Query(Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """A question of a page that is answered by a frame."""

    aside: ClassVar[bool] = False  # True: it takes long, and is answered beside the session, with caches of its own

    def answer(self, context: Context, seq: int) -> Frame:
        raise TypeError(f"{type(self).__name__} has no `answer`")


VIEWS: dict[str, View] = {}
PUSHED: list[Pushed] = []
PUSHED_ITEMS: list[PushedItems] = []
RESOURCES: list[Resource] = []


def view(name: str, inputs: Inputs, *, items: bool = False) -> Callable[[Maker], Maker]:
    """Declare a function to be a part of the state, made anew when one of its inputs is another."""

    def declare(make: Maker) -> Maker:
        VIEWS[name] = View(name, inputs, make, items)
        return make

    return declare


def pushed(inputs: Inputs) -> Callable[[Callable[[Context], Frame]], Callable[[Context], Frame]]:
    """Declare a function to make a frame that pages get whenever one of its inputs is another."""

    def declare(make: Callable[[Context], Frame]) -> Callable[[Context], Frame]:
        PUSHED.append(Pushed(inputs, make))
        return make

    return declare


def pushed_items(
    inputs: Inputs, frame: Callable[[Mapping[Any, Any]], Frame]
) -> Callable[[Callable[[Context], Mapping[Any, Any]]], Callable[[Context], Mapping[Any, Any]]]:
    """Declare a function to make a mapping, of which pages get new and changed entries as a frame."""

    def declare(make: Callable[[Context], Mapping[Any, Any]]) -> Callable[[Context], Mapping[Any, Any]]:
        PUSHED_ITEMS.append(PushedItems(inputs, make, frame))
        return make

    return declare


def resource(path: str) -> Callable[[Callable[..., Reply]], Callable[..., Reply]]:
    """Declare a function of the context and the names in the path to answer requests for it."""

    def declare(read: Callable[..., Reply]) -> Callable[..., Reply]:
        RESOURCES.append(Resource(path, read))
        return read

    return declare


@dataclass(frozen=True, eq=False)
class Seen:
    """What pages have been told: for each view the inputs it was made from, and what came of them."""

    inputs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)


def look(context: Context, before: Seen) -> Seen:
    """All views as they are now; those whose inputs are the same are not made anew."""
    inputs, made = {}, {}
    for name, one in VIEWS.items():
        now = one.inputs(context)
        known = before.inputs.get(name)
        same = known is not None and (all(map(is_, known, now)) or all(map(is_same, known, now)))
        inputs[name] = now if known is None or not same else known
        made[name] = before.made[name] if same else one.make(context)
    return Seen(inputs, made)


def differences(before: Seen, now: Seen) -> dict[str, Any]:
    """The fields of the state that are another, of mappings only the entries that are."""
    found = {}
    for name, made in now.made.items():
        if name not in before.made:
            found[name] = list(made.values()) if VIEWS[name].items else made
        elif before.made[name] is made:
            continue
        elif VIEWS[name].items:
            known = before.made[name]
            changed = [value for key, value in made.items() if known.get(key) is not value and known.get(key) != value]
            if changed or known.keys() != made.keys():
                found[name] = changed
        elif before.made[name] != made:
            found[name] = made
    return found
