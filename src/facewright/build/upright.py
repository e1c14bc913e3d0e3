"""How a face that arrives turned, mirrored or with another up-axis is laid upright: y up, looking along z."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from facewright.arrays import Floats, frozen
from facewright.build.likeness import angle_between, quarter_turns, turn_by_likeness
from facewright.build.registration.face_mesh import FaceMesh
from facewright.build.registration.landmarks import FaceAxes
from facewright.build.target import is_mirrored
from facewright.errors import BadValue, FacewrightError
from facewright.mesh.align import align
from facewright.rig.rig import Rig

# The axis of a file that points up. auto: as the landmarks of the face say.
UpAxis = Literal["auto", "x", "-x", "y", "-y", "z", "-z"]
_LEFT_ALONE = 30.0  # degrees: heads that are turned less are tilted, not lying
_SNAPPED = 25.0  # degrees: turns this near to whole quarters are quarters, and a tilted head keeps its tilt
_SHOWN, _ALIKE = "as its landmarks say", "as it is most like the template so"
_OPENINGS = ("left eye", "right eye", "mouth")


@dataclass(frozen=True, eq=False)
class Uprighting:
    """What lays a face upright."""

    up: UpAxis = "auto"
    turn: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3) orthogonal; a mirror image has determinant -1
    words: str = ""  # what was done, "" where nothing was

    def __post_init__(self) -> None:
        frozen(self.turn)

    def __call__(self, rig: Rig) -> Rig:
        """A face laid upright; the same object where nothing is done."""
        return turned(rig, self.turn)


def turned(rig: Rig, turn: Floats) -> Rig:
    """A rig multiplied by an orthogonal matrix (3, 3); the same object for the identity."""
    if (turn == np.eye(3)).all():
        return rig
    shapes = tuple(replace(shape, offsets=shape.offsets @ turn.T) for shape in rig.shapes)
    return replace(rig, neutral=rig.neutral @ turn.T, shapes=shapes)


def find_uprighting(template: Rig, face: Rig, up: UpAxis = "auto") -> Uprighting:
    """What lays a face upright, by its landmarks and those of the template, by its likeness to
    the template where it has none, or by the axis that is up in its file.

    Where nothing tells how a face lies, it stays as it is. Sizes stay: nothing depends on the unit.
    """
    if up not in get_args(UpAxis):
        raise BadValue(f"the axis that is up is one of {', '.join(get_args(UpAxis))}, not {up!r}")
    if up != "auto":
        words = "" if up == "y" else f"the file's {up} axis is up, as was asked for"
        return Uprighting(up, _from_axis(up), words)
    by = _SHOWN
    if _same_polygons(template, face):
        found = _by_vertices(template, face)
    else:
        found = _by_landmarks(template, face)
        if found is None:
            found, by = turn_by_likeness(template, face), _ALIKE
    if found is None or angle_between(found, np.eye(3)) <= _LEFT_ALONE:
        return Uprighting()
    quarters = min(quarter_turns(np.linalg.det(found) > 0), key=lambda one: angle_between(found, one))
    turn = quarters if angle_between(found, quarters) <= _SNAPPED else found
    return Uprighting("auto", turn, _words(turn, by))


def _by_vertices(template: Rig, face: Rig) -> Floats | None:
    """The turn of a face that has the template's vertices."""
    if not len(face.polygons):
        return None
    points, wanted = face.neutral, template.neutral
    if not is_mirrored(wanted, points):
        return align(points, wanted, scaled=True).rotation
    flip = np.diag([-1.0, 1.0, 1.0])
    return align(points @ flip, wanted, scaled=True).rotation @ flip


def _by_landmarks(template: Rig, face: Rig) -> Floats | None:
    """The turn from the openings of eyes and mouth; None where they are not found."""
    ours, theirs = _axes(template, "the template"), _axes(face, "the face")
    if theirs is None:
        return None
    upright = np.eye(3) if ours is None or angle_between(ours, np.eye(3)) > _LEFT_ALONE else ours
    return np.asarray(upright @ theirs.T)


def _axes(rig: Rig, what: str) -> Floats | None:
    """The axes (3, 3) of a face as columns: left, up, forward. Of a mesh that is inside out they are left-handed."""
    try:
        mesh = FaceMesh(rig, what)
        borders = mesh.openings
    except FacewrightError:
        return None
    if not borders:
        return None
    head = FaceAxes.of(*(rig.neutral[borders[name]].mean(axis=0) for name in _OPENINGS))
    seen = head(rig.neutral[mesh.whole.vertices])
    # A head lies behind its eyes and mouth. Where it lies before them, polygons face inwards, as in a mirror image.
    return head.axes * [1, 1, -1 if np.median(seen[:, 2]) > 0 else 1]


def _same_polygons(one: Rig, other: Rig) -> bool:
    return one.vertex_count == other.vertex_count and one.polygons.same_as(other.polygons)


def _from_axis(up: UpAxis) -> Floats:
    """The quarter turns that bring an axis up; the face looks along z, or along the file's -y where z is up."""
    along = {"x": 0, "y": 1, "z": 2}[up[-1]]
    sign = -1.0 if up.startswith("-") else 1.0
    turn = np.zeros((3, 3))
    turn[1, along] = sign
    if along == 1:
        turn[0, 0], turn[2, 2] = sign, 1.0
    elif along == 2:
        turn[0, 0], turn[2, 1] = 1.0, -sign
    else:
        turn[0, 1], turn[2, 2] = -sign, 1.0
    return turn


def _words(turn: Floats, by: str) -> str:
    mirrored = np.linalg.det(turn) < 0
    proper = turn @ np.diag([-1.0, 1.0, 1.0]) if mirrored else turn
    angle = angle_between(proper, np.eye(3))
    done = [f"turned by {angle:.0f} degrees"] if angle > 0.5 else []
    done = ["mirrored", *done] if mirrored else done
    return f"the face was {' and '.join(done)} to stand upright, {by}"
