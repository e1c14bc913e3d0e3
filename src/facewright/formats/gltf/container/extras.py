"""Our own block of data in the `extras` of any object of a glTF file."""

from __future__ import annotations

from typing import Any

from facewright.formats.gltf.container.fields import Json

KEY = "facewright"
HAD_TARGETS = "hadTargets"  # in the block of a mesh that has none any more, but is still a part of the face


def block_of(holder: Json) -> Json:
    """Our own block in the extras of something, empty where there is none."""
    extras = holder.get("extras")
    block = extras.get(KEY) if isinstance(extras, dict) else None
    return block if isinstance(block, dict) else {}


def set_block(holder: Json, block: Json) -> None:
    """Put our own block into the extras of something, or take it out where it is empty."""
    set_extra(holder, KEY, block)


def set_extra(holder: Json, key: str, value: Any) -> None:
    """Put a value into the extras of something, or take it out where it is empty."""
    extras = holder.get("extras", {})
    if not isinstance(extras, dict):  # they may be anything; then they move one level down to make room
        extras = {"extras": extras} if value else extras
    if isinstance(extras, dict):
        holder["extras"] = {name: one for name, one in extras.items() if name != key} | ({key: value} if value else {})
    if holder.get("extras") == {}:
        del holder["extras"]
