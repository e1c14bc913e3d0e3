"""What is to be changed in each mesh of the file that a rig was opened from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats
from facewright.formats.gltf.accessors.rows import Rows, on_part, same_rows
from facewright.formats.gltf.geometry.parts import SourcePart
from facewright.formats.gltf.read import Opened, rig_parts
from facewright.rig.rig import Part, Rig


@dataclass(frozen=True, eq=False)
class TargetEdit:
    """A target that a mesh is to have."""

    name: str
    shape: str  # the name of its shape in the file
    old: int | None  # the target of the mesh with the same offsets
    offsets: Rows  # of points, in the mesh's own space


@dataclass(frozen=True, eq=False)
class MeshEdit:
    """What a mesh is to have."""

    source: SourcePart
    points: Floats | None  # (p, 3) in its own space; None: as they are
    uvs: Floats | None  # (r, 2) v up; None: as they are
    targets: tuple[TargetEdit, ...]

    @property
    def has_new_targets(self) -> bool:
        """Whether the list of targets differs from the file's."""
        return [target.old for target in self.targets] != list(range(len(self.source.geometry.names)))


def mesh_edits(opened: Opened, rig: Rig, uvs: Sequence[Floats | None]) -> tuple[MeshEdit, ...]:
    """The edits of the meshes in the order of the parts; `uvs` are the new texture coordinates, by `compare`."""
    old_names = _old_names(opened.document.rig, rig)
    ranges = rig_parts(opened.parts)
    chosen = [_shapes(opened, rig, number, at, old_names) for number, at in enumerate(ranges)]
    nowhere = set(rig.shape_names) - {name for names in chosen for name in names}
    most = max(range(len(chosen)), key=lambda number: len(chosen[number]))
    chosen[most] += [name for name in rig.shape_names if name in nowhere]
    return tuple(
        MeshEdit(
            part,
            _points(opened.document.rig, rig, part, at),
            uvs[number],
            _targets(opened, rig, number, at, {name: old_names.get(name, name) for name in chosen[number]}),
        )
        for number, (part, at) in enumerate(zip(opened.parts, ranges, strict=True))
    )


def _old_names(before: Rig, now: Rig) -> dict[str, str]:
    """The former names of renamed shapes: those with the offsets of a shape that is gone."""
    gone = [shape for shape in before.shapes if shape.name not in now.shape_names]
    found = {}
    for shape in now.shapes:
        if shape.name in before.shape_names:
            continue
        for other in gone:
            if np.array_equal(shape.vertices, other.vertices) and np.array_equal(shape.offsets, other.offsets):
                found[shape.name] = other.name
                gone.remove(other)
                break
    return found


def _shapes(opened: Opened, rig: Rig, number: int, at: Part, old_names: dict[str, str]) -> list[str]:
    """Names of the shapes that a mesh is to have: those that it had, and those that move it; in the rig's order.

    A mesh with another order keeps it as long as the rig has the order that was read.
    """
    listed = opened.parts[number].geometry.names
    found = [
        shape.name
        for shape in rig.shapes
        if old_names.get(shape.name, shape.name) in listed or len(on_part(shape, at).rows)
    ]
    former = [old_names.get(name, name) for name in found]
    if [name for name in opened.document.rig.shape_names if name in listed] == former:
        return [found[former.index(name)] for name in listed]
    return found


def _targets(opened: Opened, rig: Rig, number: int, at: Part, former: dict[str, str]) -> tuple[TargetEdit, ...]:
    geometry = opened.parts[number].geometry
    before = opened.document.rig
    stored = [on_part(before.shape(name), at) for name in geometry.names]
    by_content: dict[bytes, int] = {}
    for index, rows in enumerate(stored):
        by_content.setdefault(_key(rows), index)
    place = opened.parts[number].place
    found = []
    for name, old_name in former.items():
        rows = on_part(rig.shape(name), at)
        old = geometry.names.index(old_name) if old_name in geometry.names else None
        if old is None or not same_rows(rows, stored[old]):
            old = by_content.get(_key(rows))
        local = place.offsets_back(rows) if old is None else geometry.targets[old]
        found.append(TargetEdit(name, old_name, old, local))
    return tuple(found)


def _key(rows: Rows) -> bytes:
    return rows.rows.tobytes() + rows.values.tobytes()


def _points(before: Rig, now: Rig, part: SourcePart, at: Part) -> Floats | None:
    """The points in the mesh's own space; those that have not moved keep their exact numbers."""
    here = slice(at.start, at.stop)
    moved = (before.neutral[here] != now.neutral[here]).any(axis=1)
    if not moved.any():
        return None
    local = part.place.points_back(now.neutral[here])
    return np.where(moved[:, None], local, part.geometry.points)
