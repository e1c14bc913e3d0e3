"""Our own block of data in the `extras` of any object of a glTF file."""

from __future__ import annotations

from typing import Any

from facewright.formats.gltf.container.fields import Json

KEY = "facewright"
HAD_TARGETS = "hadTargets"  # marks a mesh without targets that is still a part of the face
JOINED = "joined"  # marks a mesh that was made a part of the face: its place among these, from 1


def block_of(holder: Json) -> Json:
    """Our block in the extras of an object, empty where there is none."""
    extras = holder.get("extras")
    block = extras.get(KEY) if isinstance(extras, dict) else None
    return block if isinstance(block, dict) else {}


def set_block(holder: Json, block: Json) -> None:
    """Set our block in the extras of an object; an empty block is removed."""
    set_extra(holder, KEY, block)


def set_extra(holder: Json, key: str, value: Any) -> None:
    """Set a value in the extras of an object; an empty value is removed."""
    extras = holder.get("extras", {})
    if not isinstance(extras, dict):  # any JSON is allowed there; it is moved one level down
        extras = {"extras": extras} if value else extras
    if isinstance(extras, dict):
        holder["extras"] = {name: one for name, one in extras.items() if name != key} | ({key: value} if value else {})
    if holder.get("extras") == {}:
        del holder["extras"]
