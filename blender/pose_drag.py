"""A drag on the face: from a ray under the pointer to values of shape keys. Knows no window."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from facewright.arrays import Floats
from facewright.document import Document, HeldPoints, PlacedPin
from facewright.errors import BadValue
from facewright.workflow.drag.drag import DragResult, PinDrag, drag_pins
from facewright.workflow.solver_cache import SolverCache

from .face import Face, group_weights, read_face, shape_keys, some
from .keys import pose_values, write_values
from .space import turned
from .surface import Hit, Surface

HeldBy = Literal["NONE", "SELECTION", "GROUP"]
_NEAR = 0.015  # of the face's size: a pin so near to the pointer is the one that is meant
_HELD = 0.5  # weight in a vertex group from which a vertex is held
_ALL = 7  # axes
_BEYOND = 1e-3  # of a slider's value
_SOLVERS = SolverCache()  # what is prepared for a rig serves all drags on it


@dataclass(frozen=True)
class DragSettings:
    """What a person chose for drags."""

    method: str = "automatic"
    symmetric: bool = False
    damped: bool = False
    held_by: HeldBy = "NONE"
    group: str = ""  # vertex group of the held vertices
    pins: tuple[PlacedPin, ...] = ()


@dataclass(frozen=True, eq=False)
class Ray:
    """What is under the pointer, in the world."""

    origin: Floats  # (3,)
    direction: Floats  # (3,)
    normal: Floats  # (3,) of the view plane

    def meets(self, point: Floats) -> Floats:
        """Where the ray meets the plane of the view through a point (3,) of the world."""
        along = float(self.direction @ self.normal)
        if abs(along) < 1e-9:
            return point
        return np.asarray(self.origin + self.direction * ((point - self.origin) @ self.normal / along))


@dataclass
class PoseDrag:
    """One drag of one pin, from press to release."""

    thing: Any
    face: Face
    surface: Surface
    document: Document  # at the beginning, with the pin
    settings: DragSettings
    pin: PlacedPin
    is_new: bool  # the pin was not there before
    grabbed: Floats  # (3,) where it was taken, in the world
    result: DragResult | None = None
    changed: tuple[str, ...] = ()  # keys that have another value than at the beginning
    wanted: Floats | None = None  # (n,) slider values as they were solved
    last_offset: Floats = field(default_factory=lambda: np.zeros(3))  # how far the pin was to go, in the world
    last_plane: Floats = field(default_factory=lambda: np.zeros(3))  # in which plane that counts; 0: everywhere

    @classmethod
    def begin(cls, thing: Any, depsgraph: Any, ray: Ray, settings: DragSettings) -> "PoseDrag | None":
        """Take the pin under the pointer, or set one; None where there is no face."""
        face = read_face(thing)
        surface = Surface.of(face, thing, depsgraph)
        hit = surface.hit(face.space.from_world(ray.origin), turned(ray.direction))
        if hit is None:
            return None
        known = _pin_near(face, surface, hit, settings.pins)
        return cls.of(thing, face, surface, settings, known or _new_pin(hit, settings.pins))

    @classmethod
    def of(cls, thing: Any, face: Face, surface: Surface, settings: DragSettings, pin: PlacedPin) -> "PoseDrag":
        """A drag of a pin, which need not be one of those that are set."""
        check_movable(face)
        is_new = pin not in settings.pins
        pins = (*settings.pins, pin) if is_new else settings.pins
        document = replace(face.document, pins=pins, held=_held(thing, settings))
        return cls(thing, face, surface, document, settings, pin, is_new, face.space.to_world(_place(surface, pin)))

    def move(self, ray: Ray) -> DragResult:
        """Bring the pin under the pointer, in the plane of the view through where it was taken."""
        return self.to(ray.meets(self.grabbed), ray.normal)

    def to(self, target: Floats, normal: Floats | None = None) -> DragResult:
        """Bring the pin to a place in the world; normal: that of the plane in which it counts, if not everywhere."""
        to_rig, start = np.eye(3), self.grabbed
        if self.pin.triangle is not None:
            to_rig = self.surface.to_rig(self.pin.triangle)
        places = _SOLVERS.places(self.document).at(_SOLVERS.values(self.document))
        at = places[[pin.id for pin in self.document.pins].index(self.pin.id)]
        moved = to_rig @ turned(np.asarray(target, np.float64) - start)
        plane = None if normal is None else np.linalg.inv(to_rig).T @ turned(normal)
        x, y, z = (at + moved).tolist()
        drag = PinDrag(
            {self.pin.id: (x, y, z)},
            plane=None if plane is None else (float(plane[0]), float(plane[1]), float(plane[2])),
            symmetric=self.settings.symmetric,
            method=self.settings.method,
            damped=self.settings.damped,
        )
        document, self.result = drag_pins(self.document, drag, _SOLVERS)
        self.last_offset = np.asarray(target, np.float64) - start
        self.last_plane = np.zeros(3) if normal is None else np.asarray(normal, np.float64)
        self.wanted = document.pose
        self._write(document.pose)
        return self.result

    def cancel(self) -> None:
        """Put all keys back to where they were."""
        self._write(self.face.pose)

    def words(self) -> str:
        """Why the pin is not where the pointer is; "" where it is."""
        return "" if self.result is None else next((reason for reason in self.result.reasons if reason), "")

    def cut_words(self) -> str:
        """Which keys would have to go beyond their range, as those of methods without bounds may."""
        if self.wanted is None:
            return ""
        low, high = self.face.rig.bounds.T
        beyond = np.flatnonzero((self.wanted < low - _BEYOND) | (self.wanted > high + _BEYOND))
        names = [self.face.rig.sliders[i] for i in beyond]
        return f"{some(names)} would go beyond the range of the key, and was cut off there" if names else ""

    def _write(self, pose: Floats) -> None:
        keys = shape_keys(self.thing)
        write_values(keys, pose_values(self.face.rig, pose, self.face.driven))
        start = dict(zip(self.face.rig.sliders, self.face.pose.tolist(), strict=True))
        self.changed = tuple(name for name in self.face.rig.sliders if keys.key_blocks[name].value != start[name])


def check_movable(face: Face) -> None:
    """Raise where nothing of a face can be moved."""
    free = [name for name in face.rig.sliders if name not in face.driven]
    if not free:
        raise BadValue(
            "; ".join(filter(None, (f"every shape key of {face.name} is driven or switched off", face.driven_words())))
        )


def insert_keys(thing: Any, names: Sequence[str]) -> None:
    """Key the values of shape keys at the present frame."""
    blocks = shape_keys(thing).key_blocks
    for name in names:
        blocks[name].keyframe_insert("value")


def _held(thing: Any, settings: DragSettings) -> HeldPoints:
    """The vertices that a drag should spare."""
    if settings.held_by == "NONE":
        return HeldPoints()
    if settings.held_by == "SELECTION":
        chosen = np.empty(len(thing.data.vertices), bool)
        thing.data.vertices.foreach_get("select", chosen)
        if chosen.all():
            raise BadValue(f"all vertices of {thing.name} are selected, so that nothing could move; select a few")
    else:
        chosen = group_weights(thing, settings.group) >= _HELD
    vertices = np.flatnonzero(chosen)
    if not len(vertices):
        return HeldPoints()
    return HeldPoints(vertices, np.full(len(vertices), _ALL), on=True)


def _place(surface: Surface, pin: PlacedPin) -> Floats:
    assert pin.triangle is not None
    assert pin.barycentric is not None
    return surface.place(pin.triangle, pin.barycentric)


def _pin_near(face: Face, surface: Surface, hit: Hit, pins: Sequence[PlacedPin]) -> PlacedPin | None:
    away = [(float(np.linalg.norm(_place(surface, pin) - hit.place)), pin) for pin in pins]
    near = [(distance, pin) for distance, pin in away if distance <= _NEAR * face.rig.size]
    return min(near, key=lambda one: one[0])[1] if near else None


def _new_pin(hit: Hit, pins: Sequence[PlacedPin]) -> PlacedPin:
    number = max((pin.id for pin in pins), default=-1) + 1
    return PlacedPin(id=number, triangle=hit.triangle, barycentric=hit.barycentric)
