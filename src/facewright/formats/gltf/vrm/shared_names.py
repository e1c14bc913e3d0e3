"""Targets of one name in several meshes of an avatar whose expressions drive them differently: each gets a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.geometry.parts import SourcePart
from facewright.formats.gltf.vrm.read import expressions_by_part
from facewright.formats.gltf.vrm.versions import version_of


def parted_names(asset: Asset, parts: Sequence[SourcePart]) -> tuple[SourcePart, ...]:
    """The parts, in which such targets are named after their part but in the first that has them.

    Targets of one name are one slider otherwise, which could not show what an expression does to one of the meshes.
    """
    listed = [name for part in parts for name in part.geometry.names]
    counts = Counter(listed) if version_of(asset.json) else Counter()
    shared = {name for name, count in counts.items() if count > 1}
    if not shared:
        return tuple(parts)
    driven: dict[tuple[str, str], dict[str, float]] = {}
    for one in expressions_by_part(asset, parts):
        for bind in one.binds:
            driven.setdefault((bind.shape, bind.part), {})[one.name] = bind.value
    taken, found = set(listed), []
    first: dict[str, str] = {}  # the part that has a name first
    for part in parts:
        names = []
        for name in part.geometry.names:
            same = first.setdefault(name, part.name)
            if name in shared and driven.get((name, part.name)) != driven.get((name, same)):
                name = _free(f"{name} ({part.name})", taken)
            names.append(name)
        found.append(replace(part, geometry=replace(part.geometry, names=tuple(names))))
    return tuple(found)


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name} {number}"
    taken.add(free)
    return free
