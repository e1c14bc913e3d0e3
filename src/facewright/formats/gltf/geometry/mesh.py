"""One mesh in its own space: render vertices welded to points, their polygons, texture coordinates and targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.errors import BadFile
from facewright.formats import limits
from facewright.formats.gltf.accessors import decode
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.accessors.rows import Rows
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json, entries, member
from facewright.formats.gltf.geometry.primitives import corner_count, polygons
from facewright.formats.gltf.geometry.uvs import coordinates
from facewright.formats.gltf.geometry.weld import Weld, stated_copies, weld
from facewright.formats.unique_names import unique
from facewright.mesh.polygons import Polygons

# What each costs beside its vertices and corners, in vertices
_TARGET, _PRIMITIVE = 128, 256


@dataclass(frozen=True)
class Block:
    """A range of render vertices: those of one primitive, or of several with the same attributes."""

    primitives: tuple[int, ...]
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class MeshGeometry:
    """A mesh: r render vertices, as the file has them, and p points, in which copies are welded."""

    blocks: tuple[Block, ...]
    weld: Weld
    positions: Floats  # (r, 3)
    names: tuple[str, ...]  # t of them, unique
    targets: tuple[Rows, ...]  # (t,) offsets of points
    polygons: Polygons  # over render vertices
    uvs: Floats  # (r, 2) v up, NaN where there are none

    @property
    def points(self) -> Floats:  # (p, 3)
        return self.positions[self.weld.first]


def read_mesh(asset: Asset, index: int, budget: Budget) -> MeshGeometry:
    mesh, where = asset.json["meshes"][index], f"mesh {index}"
    blocks = _blocks(asset, mesh, where)
    budget.spend(blocks[-1].stop, where)
    positions = np.concatenate([_positions(asset, mesh, block) for block in blocks])
    names = target_names(mesh)
    if len(names) > limits.SHAPES:
        raise BadFile(f"{where} has {len(names)} targets; at most {limits.SHAPES} are read")
    moved = tuple(_target(asset, mesh, blocks, target, budget) for target in range(len(names)))
    welded = stated_copies(mesh, positions) or weld(positions, moved)
    return MeshGeometry(
        blocks, welded, positions, names,
        tuple(_of_points(rows, welded) for rows in moved),
        _polygons(asset, mesh, blocks, budget),
        np.concatenate([coordinates(asset, mesh["primitives"][block.primitives[0]], size(block)) for block in blocks]),
    )  # fmt: skip


def size(block: Block) -> int:
    return block.stop - block.start


def target_names(mesh: Json) -> tuple[str, ...]:
    """Names of a mesh's targets, all different; those without one are numbered."""
    count = len(entries(mesh["primitives"][0], "targets"))
    listed = next((names for names in _listed_names(mesh) if names), [])
    given = (listed[i] if i < len(listed) else None for i in range(count))
    return unique(name if isinstance(name, str) and name else f"target {i}" for i, name in enumerate(given))


def _listed_names(mesh: Json) -> Iterator[list[Any]]:
    """`targetNames` of the mesh, or of a primitive as some programs write it."""
    for holder in (mesh, *mesh["primitives"]):
        extras = holder.get("extras")
        if isinstance(extras, dict) and isinstance(extras.get("targetNames"), list):
            yield extras["targetNames"]


def _blocks(asset: Asset, mesh: Json, where: str) -> tuple[Block, ...]:
    sharing: dict[Any, list[int]] = {}
    count = len(entries(mesh["primitives"][0], "targets"))
    for number, primitive in enumerate(mesh["primitives"]):
        targets = entries(primitive, "targets")
        if len(targets) != count:
            raise BadFile(f"{where}: its primitives have {count} and {len(targets)} targets; they need the same ones")
        key = (_key(primitive["attributes"]), *map(_key, targets), primitive.get("material"))
        sharing.setdefault(key, []).append(number)
    found, start = [], 0
    for numbers in sharing.values():
        attributes = member(mesh["primitives"][numbers[0]], "attributes", where)
        if "POSITION" not in attributes:
            raise BadFile(f"{where}: a primitive has no POSITION")
        stop = start + decode.count_of(asset, attributes["POSITION"])
        found.append(Block(tuple(numbers), start, stop))
        start = stop
    return tuple(found)


def _key(attributes: Json) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(attributes.items()))


def _positions(asset: Asset, mesh: Json, block: Block) -> Floats:
    return decode.numbers(asset, mesh["primitives"][block.primitives[0]]["attributes"]["POSITION"], "VEC3")


def _target(asset: Asset, mesh: Json, blocks: tuple[Block, ...], target: int, budget: Budget) -> Rows:
    """Offsets of render vertices in one target."""
    parts = []
    for block in blocks:
        index = mesh["primitives"][block.primitives[0]]["targets"][target].get("POSITION")
        if index is None:
            continue
        if decode.count_of(asset, index) != size(block):
            raise BadFile(f"target {target}: accessor {index} has another count than the {size(block)} positions")
        budget.spend(_TARGET + decode.stored_count(asset, index), f"target {target}")
        rows = decode.rows(asset, index, "VEC3")
        parts.append(Rows(rows.rows + block.start, rows.values))
    if not parts:
        return Rows(np.zeros(0, np.int64), np.zeros((0, 3)))
    return Rows(np.concatenate([rows.rows for rows in parts]), np.concatenate([rows.values for rows in parts]))


def _of_points(rows: Rows, welded: Weld) -> Rows:
    """The same offsets by point: those of its first render vertex."""
    points = welded.point[rows.rows]
    leads = welded.first[points] == rows.rows
    return Rows(points[leads], rows.values[leads])


def _polygons(asset: Asset, mesh: Json, blocks: tuple[Block, ...], budget: Budget) -> Polygons:
    """Polygons of all primitives in their order, over the render vertices of the mesh."""
    of_primitive = {number: block for block in blocks for number in block.primitives}
    corners: list[Ints] = []
    counts: list[Ints] = []
    for number, primitive in enumerate(mesh["primitives"]):
        block = of_primitive[number]
        budget.spend(_PRIMITIVE + corner_count(asset, primitive, size(block)), "a primitive")
        found = polygons(asset, mesh, primitive, size(block))
        corners.append(found.corners + block.start)
        counts.append(found.counts)
    return Polygons(np.concatenate(corners), np.concatenate(counts))
