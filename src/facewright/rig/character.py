"""What a file has besides the face (hair, body, clothes), and how it follows the head: data to draw, not to pose.

A joint of the file that is the head or below it turns with the head and the neck; one that is the neck or below it,
but not below the head, turns with the neck alone; others stay. A vertex is at the mean of the three places, weighted
by its shares in these joints, as in linear blend skinning. Joints of the eyes, which belong to the head, turn first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from facewright.arrays import Floats, Ints, floats, indices
from facewright.errors import BadValue
from facewright.rig.gaze import Ball, EyeJoint, side_of
from facewright.rig.head_motion import CURVES, rigid_motion
from facewright.rig.head_rig import HeadRig
from facewright.rig.materials import Materials

Rigid = tuple[Floats, Floats]  # R (3, 3) and t (3,) of x -> R x + t
_SIDES = ("Left", "Right")


@dataclass(frozen=True, eq=False)
class CarriedMesh:
    """A mesh that is drawn with the face: r vertices, copied where texture coordinates have a seam, and t triangles."""

    name: str
    positions: Floats  # (r, 3) at rest, in the rig's space
    triangles: Ints  # (t, 3)
    uvs: Floats | None  # (r, 2) v up, NaN where there are none
    material: Ints  # (t,) row of the character's materials
    shares: Floats  # (r, 4) of head and neck, and of the left and the right eye, which are the head's, too
    skin: str = ""  # name of the skin that places it; "": its node does
    joints: int = 0  # of that skin
    extensions: tuple[str, ...] = ()  # of the mesh, its node and its materials

    def __post_init__(self) -> None:
        count = len(self.positions)
        object.__setattr__(self, "positions", floats(f"positions of {self.name!r}", self.positions, (None, 3)))
        triangles = indices(f"triangles of {self.name!r}", self.triangles, (None, 3), below=max(count, 1))
        object.__setattr__(self, "triangles", triangles)
        object.__setattr__(self, "shares", floats(f"shares of {self.name!r}", self.shares, (count, 4)))
        if len(self.material) != len(triangles) or (self.uvs is not None and self.uvs.shape != (count, 2)):
            raise BadValue(f"mesh {self.name!r}: materials are for triangles, texture coordinates for vertices")


@dataclass(frozen=True, eq=False)
class Character:
    """The meshes of a file besides the face, their materials, and the shares of the face's own vertices."""

    meshes: tuple[CarriedMesh, ...] = ()
    materials: Materials | None = None  # of all triangles, mesh after mesh
    face: Floats | None = None  # (v, 4) shares of the rig's vertices; None: all of them turn with the head
    eyes: Mapping[str, Floats] = field(default_factory=dict)  # places (3,) of joints of eyes, by "Left" and "Right"

    def eye_joints(self, vertices: int) -> list[EyeJoint]:
        """The joints of the eyes, with their shares in the vertices of the rig."""
        face = np.zeros((vertices, 4)) if self.face is None else self.face
        return [EyeJoint(place, face[:, 2 + _SIDES.index(side)]) for side, place in self.eyes.items()]


_STILL: Rigid = (np.eye(3), np.zeros(3))


@dataclass(frozen=True, eq=False)
class HeadTurn:
    """Where the controls put what belongs to the head, and what belongs to the neck alone.

    eyes: of the joints of the left and the right eye on a head that is held still; None: at rest.
    """

    head: Rigid = _STILL
    neck: Rigid = _STILL
    eyes: tuple[Rigid | None, Rigid | None] = (None, None)

    @classmethod
    def of(cls, controls: Mapping[str, float], pivots: HeadRig | None) -> HeadTurn | None:
        """By values of controls; None where none of them moves the head."""
        values = np.array([[controls.get(name, 0.0) for name in CURVES]])
        return cls.at(values, pivots)[0] if values.any() else None

    @classmethod
    def at(cls, values: Floats, pivots: HeadRig | None) -> list[HeadTurn]:
        """For values (frames, 9) in the order of `head_motion.CURVES`."""
        still = values.copy()
        still[:, :6] = 0.0
        heads, necks = rigid_motion(values, pivots), rigid_motion(still, pivots)
        return [cls((heads[0][i], heads[1][i]), (necks[0][i], necks[1][i])) for i in range(len(values))]

    def looking(self, motions: Iterable[tuple[Ball, Rigid]]) -> HeadTurn:
        """The same with eyes that joints rotate."""
        by_side = {side_of(eye): motion for eye, motion in motions}
        return replace(self, eyes=(by_side.get("Left"), by_side.get("Right")))

    def carried(self, mesh: CarriedMesh) -> Floats:
        """Positions (r, 3) of a mesh besides the face."""
        positions = np.array(mesh.positions)
        for motion, share in zip(self.eyes, mesh.shares[:, 2:].T, strict=True):
            if motion is not None:
                positions += share[:, None] * (mesh.positions @ motion[0].T + motion[1] - mesh.positions)
        return self.moved(positions, mesh.shares)

    def moved(self, positions: Floats, shares: Floats | None) -> Floats:
        """Positions (n, 3) of vertices with shares (n, 2 or more), first of head and neck; None: all belong to the
        head. Eyes stay as they are.
        """
        head = positions @ self.head[0].T + self.head[1]
        if shares is None:
            return np.asarray(head)
        neck = positions @ self.neck[0].T + self.neck[1]
        return np.asarray(positions + shares[:, :1] * (head - positions) + shares[:, 1:2] * (neck - positions))
