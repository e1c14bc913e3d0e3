"""Objects that belong to a face, such as eyes and teeth: their shape keys follow those of the face by drivers."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facewright.errors import BadValue
from facewright.rig.edit.parts import extract_parts, merge
from facewright.rig.rig import Rig

from .drivers import drivers_of, follow_key, followed_keys
from .face import neutral_face
from .key_plan import key_plan
from .keys import write_plan
from .mesh import face_object
from .space import Space

_MOVED = 1e-4  # of the whole face's size: a shape that moves a part less is not written onto it


def chosen_parts(context: Any, thing: Any) -> list[Any]:
    """The other selected meshes."""
    parts = [one for one in context.selected_objects if one != thing and one.type == "MESH"]
    if not parts:
        raise BadValue(f"select eyes, teeth and whatever else belongs to the face as well, and {thing.name} last")
    return [face_object(part) for part in parts]


def bare_parts(thing: Any, parts: Sequence[Any]) -> list[Any]:
    """Those that have no key by the name of one of the face's. Their mesh must be theirs alone."""
    bare = [part for part in parts if not _common(thing, part)]
    for part in bare:
        if part.data.users > 1:
            raise BadValue(
                f"{part.name} shares its mesh {part.data.name} with other objects, which would get its shapes, too;"
                " make it a single user first (Object, Relations, Make Single User)"
            )
    return bare


def whole_face(thing: Any, parts: Sequence[Any]) -> Rig:
    """A face and its parts at rest as one rig without shapes, with the axes and the origin of the face's own."""
    found, space = neutral_face(thing)
    for part in parts:
        own, its = neutral_face(part)
        found = merge(found, replace(own, neutral=own.neutral + space.from_world(its.origin)))
    return found


def write_part(part: Any, whole: Rig, names: Collection[str]) -> None:
    """Put those shapes of a whole face onto one of its parts that move it, and have one of these names."""
    own = extract_parts(whole, [part.name])
    least = _MOVED * whole.size
    plan = [
        replace(key, factors=())  # it follows the face's key, which has the driver
        for key in key_plan(own)
        if key.name in names and np.linalg.norm(key.shape.offsets, axis=1).max(initial=0.0) > least
    ]
    if plan:
        write_plan(part, plan, Space.of(part))


def attach(thing: Any, part: Any) -> str:
    """Let keys of a part follow those of the face that have their names. Returns what a person should know."""
    keys, leader = part.data.shape_keys, thing.data.shape_keys
    common = _common(thing, part)
    if not common:
        return f"{part.name} stays where it is: no shape moves it"
    free = set(common) - (set(drivers_of(keys)) - set(followed_keys(keys, leader)))
    for name in common:
        if name in free:
            follow_key(keys, name, leader)
    kept = len(common) - len(free)
    return f"{part.name}: {len(free)} keys follow" + (f", {kept} keep a driver of their own" if kept else "")


def detach(thing: Any, part: Any) -> int:
    """Let keys of a part no longer follow the face, and keep their values. Returns how many did."""
    keys = part.data.shape_keys
    followed = () if keys is None else followed_keys(keys, thing.data.shape_keys)
    for name in followed:
        keys.key_blocks[name].driver_remove("value")
    return len(followed)


def _common(thing: Any, part: Any) -> list[str]:
    """Keys of a part that the face has, too."""
    keys, leader = part.data.shape_keys, thing.data.shape_keys
    if keys is None:
        return []
    rest = {keys.reference_key.name, leader.reference_key.name}
    return [block.name for block in keys.key_blocks if block.name in leader.key_blocks and block.name not in rest]
