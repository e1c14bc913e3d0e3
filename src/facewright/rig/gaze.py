"""Eyes that look at a point or by given angles: eyeballs rotate about their centres, and shapes of the gaze follow.

An eye that is skinned to a joint of its file rotates about that joint, unless shapes of the gaze rotate it already. A
rig without eyeballs and joints looks by its shapes alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from facewright.arrays import Floats, Ints, floats
from facewright.mesh.align import align_many
from facewright.rig.controls import GAZE_WEIGHT, LEFT_EYE, RIGHT_EYE, TARGET
from facewright.rig.names import canonical_name
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape

_EYE = ("eye", "iris", "pupil", "cornea", "sclera")
_NOT = ("lash", "brow", "lid", "socket", "hair", "shadow", "occlusion", "tear", "lacrimal")
_FULL = np.radians(30.0)  # angle of a full slider if its shape does not rotate the eyeballs
_ROTATES = 0.05  # radians by which a shape rotates an eyeball if it does at all
EYE_LIMITS = (float(np.radians(42.0)), float(np.radians(32.0)), float(np.radians(32.0)))  # to the side, up, down
LOOKS = {"Out": (0, 1), "In": (0, -1), "Up": (1, 1), "Down": (1, -1)}  # axis and sign; In and Out for the left eye


@dataclass(frozen=True, eq=False)
class Ball:
    """An eyeball: the points it was fitted to, its centre and its radius.

    shares: those (k,) of the joint that rotates the points; None: they rotate as a ball.
    """

    points: Ints  # (k,)
    middle: Floats  # (3,)
    radius: float
    shares: Floats | None = None


@dataclass(frozen=True, eq=False)
class EyeJoint:
    """A joint that an eye is skinned to: its place at rest (3,), and its shares (v,) in the vertices of the rig, all 0
    where the eye is another mesh of the file.
    """

    place: Floats
    shares: Floats

    @property
    def side(self) -> str:
        return _side(self.place)


def is_eyeball(name: str) -> bool:
    """Whether a part belongs to an eyeball, by the words in its name."""
    return any(word in name.lower() for word in _EYE) and not any(word in name.lower() for word in _NOT)


def balls(points: Floats) -> list[Ball]:
    """The eyeballs that points (n, 3) at rest lie on: one, or two if they are far apart; z is ahead."""
    across = points[:, 0]
    two = np.ptp(across) > 2 * np.ptp(points[:, 1])
    side = two & (across > (across.min() + across.max()) / 2)
    return [_ball(points, some) for some in (np.flatnonzero(side), np.flatnonzero(~side)) if len(some)]


def _ball(points: Floats, some: Ints) -> Ball:
    low, high = points[some].min(axis=0), points[some].max(axis=0)
    # Height and width of an eyeball are complete even where its back is cut away.
    radius = float((high - low)[:2].max()) / 2 or 1.0
    return Ball(some, np.array([*(low + high)[:2] / 2, high[2] - radius]), radius)


@dataclass(frozen=True, eq=False)
class Aim:
    """What the eyes are to do. Angles (2,) are radians to the side, towards x, and up; None: as the pose has them."""

    left: Floats | None = None
    right: Floats | None = None
    target: Floats | None = None  # (3,) in the coordinates of the face at rest
    weight: float = 1.0  # of the target

    @classmethod
    def at(cls, target: ArrayLike) -> Aim:
        """Look at a point (3,)."""
        return cls(target=floats("what the eyes look at", target, (3,)))

    @classmethod
    def of(cls, controls: Mapping[str, float], head: tuple[Floats, Floats] | None = None) -> Aim | None:
        """What controls ask for, of a head that is moved by R (3, 3) and t (3,); None where they ask for nothing."""
        left, right = (_angles_of(controls, names) for names in (LEFT_EYE, RIGHT_EYE))
        target = None
        if any(name in controls for name in TARGET):
            target = np.array([controls.get(name, 0.0) for name in TARGET])
            target = target if head is None else (target - head[1]) @ head[0]
        aim = cls(left, right, target, controls.get(GAZE_WEIGHT, 1.0))
        return None if left is None and right is None and target is None else aim


def _angles_of(controls: Mapping[str, float], names: tuple[str, str]) -> Floats | None:
    if not any(name in controls for name in names):
        return None
    yaw, pitch = (controls.get(name, 0.0) for name in names)
    return np.array([yaw, -pitch])


class Gaze:
    """The eyes of a rig, prepared to look somewhere. limits: radians (3,) to the side, up, and down.

    joints: those that the file has for eyes. One that rotates no eye of the rig, or an eye that shapes rotate, is not
    used.
    """

    def __init__(self, rig: Rig, limits: ArrayLike = EYE_LIMITS, joints: Sequence[EyeJoint] = ()) -> None:
        self.rig = rig
        self._limits = floats("limits of the eyes", limits, (3,))
        self._sliders = {canonical_name(name): i for i, name in enumerate(rig.sliders)}
        self.eyes = list(_eyes(rig)) or list(_looking(rig))
        held = {joint.side: joint for joint in joints if self._is_held(joint)}
        others = [eye for eye in self.eyes if side_of(eye) not in held]
        self.eyes = [*(_held_ball(joint) for joint in held.values()), *others]

    @cached_property
    def reach(self) -> dict[str, float]:
        """The angle in radians of each gaze slider at 1, by canonical name."""
        return {name: self._angle(name) for name in self._sliders if name.startswith("eyeLook")}

    def __len__(self) -> int:
        return len(self.eyes)

    @property
    def sliders(self) -> list[int]:
        """The gaze sliders of all eyes."""
        return sorted({slider for eye in self.eyes for slider, *_ in self._looks(eye)})

    def is_turned_by_shapes(self, eye: Ball) -> bool:
        """Whether gaze sliders turn an eyeball itself, not only what is around it."""
        names = (f"eyeLook{look}{side_of(eye)}" for look in LOOKS)
        return any(self._turned(eye, name) > _ROTATES for name in names if name in self._sliders)

    def weights(self, weights: Floats, aim: Aim | ArrayLike) -> Floats:
        """Slider values (n,) in which the gaze sliders are set so that the lids follow eyes that look at a point (3,)
        or as an aim says.
        """
        aim = aim if isinstance(aim, Aim) else Aim.at(aim)
        wanted = np.array(weights)
        for eye in self.eyes:
            angles = self._wanted(eye, eye.middle, aim, weights)
            if angles is None:
                continue
            for slider, axis, sign, reach in self._looks(eye):
                low, high = self.rig.bounds[slider]
                wanted[slider] = np.clip(sign * angles[axis] / reach, max(low, 0.0), high)
        return wanted

    def turned(self, positions: Floats, aim: Aim | ArrayLike, weights: Floats | None = None) -> Floats:
        """Positions (v, 3) of a posed face with each eyeball rotated rigidly towards a point (3,) or as an aim says.

        weights: slider values (n,) of the pose, from which an aim that counts in part goes on.
        """
        aim = aim if isinstance(aim, Aim) else Aim.at(aim)
        moved = np.array(positions)
        for eye, motion in self.joint_motions(aim, weights):
            posed, shares = positions[eye.points], np.zeros(0) if eye.shares is None else eye.shares
            moved[eye.points] += shares[:, None] * (posed @ motion[0].T + motion[1] - posed)
        for eye in self.eyes:
            if not len(eye.points) or eye.shares is not None:
                continue
            rest = self.rig.neutral[eye.points]
            rotations, offsets = align_many(rest[None], positions[eye.points][None], np.ones((1, len(rest))))
            middle = rotations[0] @ eye.middle + offsets[0]
            angles = self._wanted(eye, middle, aim, np.zeros(len(self.rig.sliders)) if weights is None else weights)
            if angles is not None:
                moved[eye.points] = (rest - eye.middle) @ _turn(*angles).T + middle
        return moved

    def joint_motions(
        self, aim: Aim | ArrayLike, weights: Floats | None = None
    ) -> Iterator[tuple[Ball, tuple[Floats, Floats]]]:
        """The eyes that joints rotate, each with R (3, 3) and t (3,) of its joint, on a head that is held still."""
        found = self.angles(np.zeros(len(self.rig.sliders)) if weights is None else weights, aim)
        for eye in self.eyes:
            if eye.shares is not None:
                turn = _turn(*found[side_of(eye)])
                yield eye, (turn, eye.middle - turn @ eye.middle)

    def angles(self, weights: Floats, aim: Aim | ArrayLike) -> dict[str, Floats]:
        """Angles (2,) in radians to the side and up of the eyes "Left" and "Right" in a pose (n,)."""
        aim = aim if isinstance(aim, Aim) else Aim.at(aim)
        found = {}
        for eye in self.eyes:
            wanted = self._wanted(eye, eye.middle, aim, weights)
            found[side_of(eye)] = self._own(eye, weights) if wanted is None else wanted
        return found

    def _is_held(self, joint: EyeJoint) -> bool:
        """Whether a joint rotates an eye, and no shape of the gaze does."""
        balls = [eye for eye in self.eyes if side_of(eye) == joint.side and len(eye.points)]
        if any(self.is_turned_by_shapes(eye) or joint.shares[eye.points].mean() < 0.5 for eye in balls):
            return False
        held = np.flatnonzero(joint.shares > 0.5)
        away = np.linalg.norm(self.rig.neutral[held] - joint.place, axis=1).mean() if len(held) else 0.0
        names = {f"eyeLook{look}{joint.side}" for look in LOOKS}
        shapes = [shape for shape in self.rig.shapes if canonical_name(shape.name) in names]
        return all(_mean_offset(self.rig, shape, held) <= _ROTATES * away for shape in shapes)

    def _wanted(self, eye: Ball, middle: Floats, aim: Aim, weights: Floats) -> Floats | None:
        """Angles (2,) of an eye within its limits; None where the pose decides."""
        own = aim.left if side_of(eye) == "Left" else aim.right
        if aim.target is None or aim.weight == 0:
            return None if own is None else self._limited(own)
        x, y, z = aim.target - middle
        towards = np.array([np.arctan2(x, z), np.arctan2(y, np.hypot(x, z))])
        if aim.weight != 1:
            before = self._own(eye, weights) if own is None else own
            towards = (1 - aim.weight) * before + aim.weight * self._limited(towards)
        return self._limited(towards)

    def _own(self, eye: Ball, weights: Floats) -> Floats:
        """Angles (2,) by which the gaze sliders of a pose (n,) turn an eye."""
        angles = np.zeros(2)
        for slider, axis, sign, reach in self._looks(eye):
            angles[axis] += sign * reach * weights[slider]
        return angles

    def _limited(self, angles: Floats) -> Floats:
        side, up, down = self._limits
        return np.asarray(np.clip(angles, (-side, -down), (side, up)))

    def _looks(self, eye: Ball) -> Iterator[tuple[int, int, int, float]]:
        """The gaze sliders of an eye: slider, axis (0 to the side, 1 up), sign, and angle at 1."""
        side = side_of(eye)
        for look, (axis, sense) in LOOKS.items():
            name = f"eyeLook{look}{side}"
            if name in self._sliders:
                yield self._sliders[name], axis, sense * (-1 if axis == 0 and side == "Right" else 1), self.reach[name]

    def _angle(self, name: str) -> float:
        """The angle in radians by which a gaze slider rotates the eyes at 1."""
        found = max((self._turned(eye, name) for eye in self.eyes), default=0.0)
        return found if found > _ROTATES else float(_FULL)

    def _turned(self, eye: Ball, name: str) -> float:
        """The angle in radians by which a gaze slider rotates an eyeball at 1; 0 where it does not."""
        shape = next((shape for shape in self.rig.shapes if canonical_name(shape.name) == name), None)
        if shape is None or not len(eye.points):
            return 0.0
        rest = self.rig.neutral[eye.points]
        posed = rest + shape.dense(self.rig.vertex_count)[eye.points] / shape.at[0]
        rotations, _ = align_many(rest[None], posed[None], np.ones((1, len(rest))))
        return float(np.arccos(np.clip((np.trace(rotations[0]) - 1) / 2, -1, 1)))


def _eyes(rig: Rig) -> Iterator[Ball]:
    """The eyeballs of a rig; parts of one eyeball, such as its cornea, are joined."""
    parts = [np.arange(part.start, part.stop) for part in rig.parts if is_eyeball(part.name) and part.stop > part.start]
    if not parts:
        return
    vertices = np.concatenate(parts)
    for ball in balls(rig.neutral[vertices]):
        yield Ball(vertices[ball.points], ball.middle, ball.radius)


def _held_ball(joint: EyeJoint) -> Ball:
    points = np.flatnonzero(joint.shares)
    return Ball(points, joint.place, 1.0, joint.shares[points])


def _mean_offset(rig: Rig, shape: Shape, vertices: Ints) -> float:
    """How far a shape at 1 moves some vertices, on average."""
    offsets = shape.dense(rig.vertex_count)[vertices] / shape.at[0]
    return float(np.linalg.norm(offsets, axis=1).mean()) if len(vertices) else 0.0


def side_of(eye: Ball) -> str:
    """The side of the face that an eye is on, Left or Right; x goes to the face's left."""
    return _side(eye.middle)


def _side(place: Floats) -> str:
    return "Left" if place[0] > 0 else "Right"


def _looking(rig: Rig) -> Iterator[Ball]:
    """The eyes of a rig without eyeballs, where its shapes for gaze and blinks move the face."""
    for side in ("Left", "Right"):
        shapes = [shape for shape in rig.shapes if canonical_name(shape.name) in _of_eyes(side) and len(shape.vertices)]
        if not any(canonical_name(shape.name).startswith("eyeLook") for shape in shapes):
            continue
        places = np.concatenate([rig.neutral[shape.vertices] for shape in shapes])
        by = np.concatenate([np.linalg.norm(shape.offsets, axis=1) for shape in shapes])
        if by.sum() > 0:
            yield Ball(np.zeros(0, np.int64), np.average(places, axis=0, weights=by), 1.0)


def _of_eyes(side: str) -> set[str]:
    return {f"eyeBlink{side}", *(f"eyeLook{look}{side}" for look in LOOKS)}


def _turn(side: float, up: float) -> Floats:
    """The rotation (3, 3) of an eye that looks along z to the side (towards x) and up, without a roll."""
    a, b, c, d = np.cos(side), np.sin(side), np.cos(up), np.sin(up)
    about_y, about_x = np.array([[a, 0, b], [0, 1, 0], [-b, 0, a]]), np.array([[1, 0, 0], [0, c, d], [0, -d, c]])
    return np.asarray(about_y @ about_x)
