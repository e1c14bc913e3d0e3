"""Regions of the face: found, named, joined, cut, painted, taken away. What they add to the pose is carried over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from facewright.document import Document
from facewright.errors import BadValue
from facewright.regions.edit import erase_region, merge_regions, paint_region, split_region
from facewright.regions.halves import halves_of
from facewright.regions.replace import renamed_regions, with_regions
from facewright.regions.segment import SegmentMethod, segment
from facewright.session.context import Context
from facewright.session.edits.edit import DocumentEdit
from facewright.session.fields import Index, Name, Region
from facewright.texture.vertex_colors import skin_colors
from facewright.workflow.drag.region_values import regions_of
from facewright.workflow.solver_cache import SolverCache

Brush = Literal["add", "remove"]
RegionCue = Literal["motion", "motion and texture", "threshold"]


def find_regions(document: Document, threshold: float, by: RegionCue = "motion") -> Document:
    """Regions found from the shapes, in place of those that there are."""
    method: SegmentMethod = "threshold" if by == "threshold" else "likeness"
    colors = skin_colors(document) if by == "motion and texture" else None
    found = segment(document.rig, threshold=threshold, method=method, colors=colors)
    return with_regions(document, found, by_name=False)


def remove_regions(document: Document) -> Document:
    """A face without regions, in the pose of the whole."""
    return document if document.regions is None else with_regions(document, None)


def rename_region(document: Document, region: str, name: str) -> Document:
    regions = regions_of(document)
    regions.node(region)
    if name == region:
        return document
    if name in regions.names:
        raise BadValue(f"there is a region {name!r} already; choose another name")
    return renamed_regions(document, {region: name})


def merge_region(document: Document, region: str, other: str) -> Document:
    """Two regions, of any level, made one of the finest, which has the name and the pose of the first."""
    return with_regions(document, merge_regions(regions_of(document), [region, other], region))


def split_in_two(document: Document, region: str, solvers: SolverCache) -> Document:
    """One of the finest regions cut across its longest side; at the next level it is still whole."""
    regions, rig = regions_of(document), document.rig
    halves = halves_of(rig, regions, region, solvers.symmetry(rig).plane)
    return with_regions(document, split_region(regions, rig, region, halves.second, halves.names))


def paint(document: Document, region: str, vertices: Sequence[int], mode: Brush = "add") -> Document:
    """More vertices for one of the finest regions, or fewer: those go to its neighbours."""
    change = paint_region if mode == "add" else erase_region
    return with_regions(document, change(regions_of(document), document.rig, region, vertices))


class FindRegions(DocumentEdit, frozen=True, kw_only=True):
    """Divide the face into regions, in place of those that there are: from 0, few large ones, to 1, many small ones.

    by: likeness of motion, the same with the colours of the texture, or the threshold alone, as in Joshi 2003.
    """

    slow: ClassVar[str] = "finding regions"

    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.75
    by: RegionCue = "motion"

    def apply(self, document: Document, context: Context) -> Document:
        return find_regions(document, self.threshold, self.by)


class RemoveRegions(DocumentEdit, frozen=True, kw_only=True):
    """A face without regions, in the pose of the whole."""

    def apply(self, document: Document, context: Context) -> Document:
        return remove_regions(document)


class RenameRegion(DocumentEdit, frozen=True, kw_only=True):
    """Give a region, of any level, another name."""

    region: Region
    name: Name

    @property
    def label(self) -> str:
        return f"Rename region to {self.name}"

    def apply(self, document: Document, context: Context) -> Document:
        return rename_region(document, self.region, self.name)


class MergeRegion(DocumentEdit, frozen=True, kw_only=True):
    """Make two regions one of the finest, with the name and the pose of the first."""

    region: Region
    other: Region

    @property
    def label(self) -> str:
        return f"Merge {self.region} with {self.other}"

    def apply(self, document: Document, context: Context) -> Document:
        return merge_region(document, self.region, self.other)


class SplitRegion(DocumentEdit, frozen=True, kw_only=True):
    """Cut one of the finest regions in two, across its longest side."""

    region: Region

    @property
    def label(self) -> str:
        return f"Split {self.region}"

    def apply(self, document: Document, context: Context) -> Document:
        return split_in_two(document, self.region, context.solvers)


class PaintRegion(DocumentEdit, frozen=True, kw_only=True):
    """Give vertices to one of the finest regions, or remove them from it, which gives them to its neighbours."""

    region: Region
    vertices: list[Index]
    mode: Brush = "add"

    @property
    def label(self) -> str:
        return f"{'Paint' if self.mode == 'add' else 'Erase'} {self.region}"

    def apply(self, document: Document, context: Context) -> Document:
        return paint(document, self.region, self.vertices, self.mode)
