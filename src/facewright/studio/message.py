"""What every message between the page and the server is made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1, max_length=1000)]
Label = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, lt=2**53)]  # what JavaScript counts exactly
Index = Annotated[int, Meta(ge=0, lt=2**31)]
Axes = Annotated[str, Meta(pattern="^[xyz]{1,3}$")]
Number = Annotated[float, Meta(ge=-1e9, le=1e9)]  # scene units, seconds, weights: beyond any face, far from overflow
Point = tuple[Number, Number, Number]


class FromPage(Struct, tag=True, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """A message of the page. `seq` is a number of its own, growing; the answer names it."""

    seq: Count = 0


class Edit(FromPage, kw_only=True):
    """A change of the document: an update of an open gesture, replacing its earlier ones, or (0) a whole edit."""

    gesture: Count = 0


class ToPage(Struct, tag=True, tag_field="type", kw_only=True):
    """A message of the server."""
