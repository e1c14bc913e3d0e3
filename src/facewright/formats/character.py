"""The character of a document: what its file carries besides the face."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache

from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.rig.character import Character
from facewright.rig.gaze import EYE_LIMITS, Gaze
from facewright.rig.head_rig import JointRole

_KEPT = 2  # files whose meshes stay in memory
NOTHING = Character()


def character_of(document: Document) -> Character:
    """The meshes besides the face, placed as a viewer would, and the shares of joints in the face's vertices.

    Without a head rig all of it turns about the origin as one piece, as exports have it. What cannot be read is left
    out with a warning.
    """
    from facewright.formats.file_joints import file_of  # loads msgspec, which pictures of a rig alone do not need

    data = file_of(document)
    if data is None:
        return NOTHING
    found = _read(data, () if document.head is None else tuple(document.head.joints.items()))
    if found.face is not None and len(found.face) != document.rig.vertex_count:
        return replace(found, face=None)  # the rig has other vertices than the file
    return found


def gaze_of(document: Document) -> Gaze:
    """The eyes of a document: joints of its file rotate those that are skinned to them."""
    limits = EYE_LIMITS if document.head is None else document.head.eye_limits
    return Gaze(document.rig, limits, character_of(document).eye_joints(document.rig.vertex_count))


@lru_cache(maxsize=_KEPT)
def _read(data: bytes, joints: tuple[tuple[JointRole, str], ...]) -> Character:
    from facewright.formats.gltf.character import read_character
    from facewright.formats.gltf.container.asset import parse_glb
    from facewright.formats.gltf.unpack import unpack

    try:
        return read_character(unpack(parse_glb(data)), data, dict(joints))
    except FacewrightError as problem:
        warnings.warn(f"meshes besides the face are not drawn: {problem}", FacewrightWarning, stacklevel=2)
        return NOTHING
