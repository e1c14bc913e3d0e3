"""The joints of the file that a document was opened from, which may stand for head, neck and eyes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document
from facewright.formats.gltf.character import face_shares
from facewright.formats.gltf.container.asset import parse_glb
from facewright.formats.gltf.geometry.joints import joint_nodes, joint_places, joint_roles
from facewright.formats.gltf.read import SOURCE
from facewright.formats.gltf.unpack import unpack
from facewright.rig.head_rig import JointRole


class FileJoints:
    """Joints by their names."""

    def __init__(self, data: bytes) -> None:
        self._asset = unpack(parse_glb(data))

    @property
    def names(self) -> list[str]:
        return list(joint_nodes(self._asset))

    @property
    def roles(self) -> dict[JointRole, str]:
        """Those of head, neck and eyes, as far as they are found."""
        return joint_roles(self._asset)

    def places(self, names: Sequence[str]) -> dict[str, Floats]:
        """Where joints of skins are (3,); plain nodes may be anywhere, and are left out."""
        return joint_places(self._asset, names)

    def shares(self, *roles: JointRole) -> Floats | None:
        """Shares (v,) of joints, and of those below them, in the vertices of the file's face; None: it has no such."""
        names = [self.roles[role] for role in roles if role in self.roles]
        if not names:
            return None
        with np.errstate(all="ignore"):
            return np.asarray(sum(face_shares(self._asset, name) for name in names))


def file_of(document: Document) -> bytes | None:
    """The file that a document was opened from and that may have joints; None: it has none."""
    return document.attachments.get(SOURCE)


def file_joints(document: Document) -> FileJoints | None:
    """The joints of that file."""
    data = file_of(document)
    return None if data is None else FileJoints(data)
