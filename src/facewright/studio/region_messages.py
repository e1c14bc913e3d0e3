"""Messages about regions: found, changed by hand, shown."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from facewright.studio.message import Edit, Index, Name

Region = Annotated[str, Meta(max_length=1000)]  # a name; "": the whole face


class FindRegions(Edit, kw_only=True):
    """Divide the face into regions, in place of those that there are: from 0, few large ones, to 1, many small ones."""

    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.75


class RemoveRegions(Edit, kw_only=True):
    """A face without regions, in the pose of the whole."""


class RenameRegion(Edit, kw_only=True):
    """Give a region, of any level, another name."""

    region: Region
    name: Name


class MergeRegion(Edit, kw_only=True):
    """Make two regions one of the finest, with the name and the pose of the first."""

    region: Region
    other: Region


class SplitRegion(Edit, kw_only=True):
    """Cut one of the finest regions in two, across its longest side."""

    region: Region


class PaintRegion(Edit, kw_only=True):
    """Give vertices to one of the finest regions, or take them away from it, which gives them to its neighbours."""

    region: Region
    vertices: list[Index]
    mode: Literal["add", "remove"] = "add"


RegionEdit = FindRegions | RemoveRegions | RenameRegion | MergeRegion | SplitRegion | PaintRegion


class RegionInfo(Struct):
    """A region. The finest come first, each further one is made of earlier ones, the last is the whole face."""

    name: str
    parent: int  # -1 for the whole
    level: int  # the first that has it; it is there until its parent is
    color: str  # such as #e0a040
    beside: list[int]  # of the finest ones: those that it touches
