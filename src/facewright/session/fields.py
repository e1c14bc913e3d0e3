"""Types of the fields that edits, tasks and queries are made of. Numbers and lengths are limited where data arrives."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=1000)]
NameOrNone = Annotated[str, Meta(max_length=1000)]  # "": none
Label = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, lt=2**53)]  # what JavaScript counts exactly
Index = Annotated[int, Meta(ge=0, lt=2**31)]
Axes = Annotated[str, Meta(pattern="^[xyz]{1,3}$")]
Number = Annotated[float, Meta(ge=-1e9, le=1e9)]  # scene units, seconds, weights: beyond any face, far from overflow
Point = tuple[Number, Number, Number]
Rate = Annotated[float, Meta(gt=0, le=1000)]  # frames a second
Region = Annotated[str, Meta(max_length=1000)]  # a name; "": the whole face
SessionName = Literal["document", "build"]  # which of the two values an edit or an undo is about
# new: a document of its own. keep: another face for the pose and clips that are there. clips: only those of the file.
How = Literal["new", "keep", "clips"]


def some(names: list[str] | tuple[str, ...]) -> str:
    """The first of several names and how many more there are, for a label."""
    shown = names[0] if names else "nothing"
    return shown if len(names) < 2 else f"{shown} and {len(names) - 1} more"


_SETS = {"": "the usual sliders", "all": "all sliders", "arkit": "ARKit sliders"}


def slider_set(chosen: str | list[str]) -> str:
    """A set of sliders, for a label: the name of one, names of sliders, or "" for the usual ones."""
    return _SETS.get(chosen, f"{chosen} sliders") if isinstance(chosen, str) else some(chosen)
