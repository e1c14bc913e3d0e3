"""Reading and setting slider values of the whole face or of one region."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.document import Document
from facewright.errors import BadValue
from facewright.regions.local_pose import node_weights
from facewright.rig.regions import Regions

WHOLE = ""  # the region name that means the whole face
_ROUNDED = 1e-12
_HALF = 0.5  # a vertex belongs to a region that has at least this share of it


def regions_of(document: Document) -> Regions:
    """The regions of a document; an error if it has none."""
    if document.regions is None:
        raise BadValue("this face has no regions yet; find them first")
    return document.regions


def region_named(document: Document, name: str) -> str:
    """A region by its name; the root of the regions is the whole face, WHOLE."""
    if name == WHOLE:
        return WHOLE
    regions = regions_of(document)
    return WHOLE if regions.node(name) == len(regions.names) - 1 else name


def region_vertices(document: Document, region: str) -> Ints:
    """The vertices (k,) that belong to a region for the greater part."""
    regions = regions_of(document)
    shares = regions.weights[regions.members(region)].sum(axis=0)
    return np.flatnonzero(np.asarray(shares).ravel() >= _HALF)


def values_in(document: Document, region: str) -> Floats:
    """Slider values (n,) of a region."""
    return document.pose if region == WHOLE else node_weights(document)[regions_of(document).node(region)]


def with_values(document: Document, region: str, values: Floats) -> Document:
    """The document with a region at slider values (n,); regions inside keep their offsets from it."""
    before = values_in(document, region)
    changed = values != before
    if not changed.any():
        return document
    if region == WHOLE:
        return replace(document, pose=values)
    regions = regions_of(document)
    node, local = regions.node(region), local_of(document)
    around = document.pose + regions.inherited(local)[regions.parents[node]]
    local[node, changed] = (values - around)[changed]
    return with_local(document, local)


def local_of(document: Document) -> Floats:
    """A copy of the offsets (m, n) that regions add to the pose."""
    shape = (len(regions_of(document).names), len(document.pose))
    return np.zeros(shape) if document.local is None else document.local.copy()


def with_local(document: Document, local: Floats) -> Document:
    """The document with these offsets of regions (m, n)."""
    local = np.where(np.abs(local) < _ROUNDED, 0.0, local)
    return replace(document, local=local if local.any() else None)
