"""Writing shapes and slider values onto the shape keys of an object."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from facewright.arrays import Floats
from facewright.errors import BadValue, OtherTopology
from facewright.rig.rig import Rig

from .drivers import drive, drivers_of, read_factors
from .expression import NotOurs
from .face import some
from .key_plan import PlannedKey, key_plan
from .mesh import coordinates, polygons, set_coordinates
from .space import Space

_CHANGED = 1e-6  # of a key's value, which has single precision


@dataclass(frozen=True)
class WrittenKeys:
    """What became of the keys, for a person."""

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def words(self) -> str:
        parts = [
            f"{len(names)} shape keys {what}" for what, names in (("added", self.added), ("replaced", self.replaced))
        ]
        return "; ".join([part for part in parts if not part.startswith("0 ")] + list(self.notes))


def check_topology(thing: Any, rig: Rig, what: str) -> None:
    """Raise unless a rig has the vertices and polygons of an object."""
    if rig.vertex_count != len(thing.data.vertices) or not polygons(thing.data).same_as(rig.polygons):
        raise OtherTopology(
            f"{what} has {rig.vertex_count:,} vertices and {len(rig.polygons):,} polygons,"
            f" {thing.name} has {len(thing.data.vertices):,} and {len(thing.data.polygons):,}, or in another order"
        )


def write_keys(thing: Any, rig: Rig, space: Space, *, only: Collection[str] | None = None) -> WrittenKeys:
    """Put the shapes of a rig onto an object of its topology; keys of other names, and values, stay as they are.

    A key of the same name gets the shape, and keeps its value, its range and its driver. only: write these keys alone.
    """
    check_topology(thing, rig, "the rig")
    return write_plan(thing, [key for key in key_plan(rig) if only is None or key.name in only], space)


def write_plan(thing: Any, plan: Sequence[PlannedKey], space: Space) -> WrittenKeys:
    """Put keys onto an object that has the vertices of their shapes."""
    if thing.data.shape_keys is None:
        thing.shape_key_add(name="Basis", from_mix=False)
    keys = thing.data.shape_keys
    if not keys.use_relative:
        raise BadValue(f"the shape keys of {thing.name} are absolute; switch Relative on")
    _check_names(keys, plan)
    known = {block.name for block in keys.key_blocks}
    for key in plan:
        _write(thing, keys, key, space)
    foreign = [key.name for key in plan if key.factors and not _drive(keys, key)]
    notes = [f"{some(foreign)} kept another driver, which is not that of the rig"] if foreign else []
    thing.data.update()
    added = tuple(key.name for key in plan if key.name not in known)
    return WrittenKeys(added, tuple(key.name for key in plan if key.name in known), tuple(notes))


def _check_names(keys: Any, plan: Sequence[PlannedKey]) -> None:
    if any(key.name == keys.reference_key.name for key in plan):
        raise BadValue(f"a shape of the rig is named {keys.reference_key.name!r}, as the face at rest is; rename one")


def _write(thing: Any, keys: Any, key: PlannedKey, space: Space) -> None:
    block = keys.key_blocks.get(key.name)
    if block is None:
        block = thing.shape_key_add(name=key.name, from_mix=False)
        block.relative_key = keys.reference_key
        block.slider_min, block.slider_max, block.value = key.low, key.high, 0.0
    elif key.factors:
        block.slider_min, block.slider_max = min(key.low, block.slider_min), max(key.high, block.slider_max)
    block.vertex_group = ""
    offsets = space.own(key.shape.dense(len(thing.data.vertices)))
    set_coordinates(block.data, coordinates(block.relative_key.data) + offsets)


def _drive(keys: Any, key: PlannedKey) -> bool:
    """Drive a corrective; False where the key has another driver, which stays."""
    there = drivers_of(keys).get(key.name)
    if there is not None:
        try:
            read_factors(keys, there)
        except NotOurs:
            return False
    drive(keys, key.name, key.factors)
    return True


def write_values(keys: Any, values: Mapping[str, float]) -> tuple[str, ...]:
    """Set values of keys; returns the names of those that changed. Blender keeps each within its range."""
    changed = []
    for name, value in values.items():
        block = keys.key_blocks[name]
        before = block.value
        if abs(before - value) > _CHANGED:
            block.value = value
            if block.value != before:
                changed.append(name)
    return tuple(changed)


def pose_values(rig: Rig, pose: Floats, driven: Mapping[str, str]) -> dict[str, float]:
    """The slider values of a pose that are ours to set."""
    return {name: float(value) for name, value in zip(rig.sliders, pose, strict=True) if name not in driven}
