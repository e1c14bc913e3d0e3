"""Cameras for the views that a document keeps, as the studio's viewport has them."""

from __future__ import annotations

import numpy as np

from facewright.document import Document
from facewright.errors import UnknownName
from facewright.reference.bookmark import CameraBookmark
from facewright.render.camera import Camera, look_at
from facewright.rig.rig import Rig


def bookmark_camera(bookmark: CameraBookmark, rig: Rig) -> Camera:
    """The camera of a view on a rig. Its lengths are in sizes of the face: the diagonal of the box of the neutral."""
    low, high = rig.neutral.min(axis=0), rig.neutral.max(axis=0)
    middle, size = (low + high) / 2, float(np.linalg.norm(high - low)) or 1.0
    yaw, pitch = bookmark.yaw, bookmark.pitch
    back = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
    target = middle + size * np.array(bookmark.target)
    half = np.tan(np.radians(bookmark.field_of_view) / 2)
    return look_at(
        target + size * bookmark.distance * back,
        target,
        half_height=size * bookmark.distance * float(half),
        perspective=not bookmark.orthographic,
    )


def kept_camera(document: Document, name: str) -> Camera:
    """The camera of the view that a document keeps under a name; an unknown one raises `UnknownName`."""
    for bookmark in document.bookmarks:
        if bookmark.name == name:
            return bookmark_camera(bookmark, document.rig)
    raise UnknownName("view that is kept", name, (bookmark.name for bookmark in document.bookmarks))
