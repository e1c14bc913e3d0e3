"""The character of a document: what its file carries besides the face."""

from __future__ import annotations

import warnings
from functools import lru_cache

from facewright.arrays import Floats
from facewright.document import Document
from facewright.errors import FacewrightError, FacewrightWarning
from facewright.rig.character import Character

_KEPT = 2  # files whose meshes stay in memory
NOTHING = Character()


def character_of(document: Document) -> Character:
    """The meshes besides the face, placed as a viewer would, and the shares of the face's vertices in head and neck.

    What cannot be read is left out with a warning.
    """
    from facewright.formats.file_joints import file_of  # loads msgspec, which pictures of a rig alone do not need

    data = file_of(document)
    if data is None:
        return NOTHING
    joints = None if document.head is None else document.head.joints
    chosen = None if joints is None else (joints.get("head", ""), joints.get("neck", ""))
    found = _read(data, chosen)
    shares = found.face
    if shares is not None and (document.head is None or len(shares) != document.rig.vertex_count):
        shares = None  # the head turns about the origin as one piece, or the rig has other vertices than the file
    return Character(found.meshes, found.materials, shares)


def head_shares(document: Document) -> Floats | None:
    """Shares (v, 2) of the file's joints of head and neck in the face's vertices, wherever its head turns about; None:
    all of them belong to the head.
    """
    from facewright.formats.file_joints import file_of  # see above

    data = file_of(document)
    joints = None if document.head is None else document.head.joints
    found = None if data is None else _read(data, joints and (joints.get("head", ""), joints.get("neck", ""))).face
    return found if found is not None and len(found) == document.rig.vertex_count else None


@lru_cache(maxsize=_KEPT)
def _read(data: bytes, chosen: tuple[str, str] | None) -> Character:
    from facewright.formats.file_joints import FileJoints
    from facewright.formats.gltf.character import read_character
    from facewright.formats.gltf.container.asset import parse_glb
    from facewright.formats.gltf.unpack import unpack

    try:
        if chosen is None:
            roles = FileJoints(data).roles
            chosen = roles.get("head", ""), roles.get("neck", "")
        return read_character(unpack(parse_glb(data)), data, *chosen)
    except FacewrightError as problem:
        warnings.warn(f"meshes besides the face are not drawn: {problem}", FacewrightWarning, stacklevel=2)
        return NOTHING
