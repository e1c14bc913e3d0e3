"""The expressions of a VRM file. Binds name targets by number; here they have the names of shapes and parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard, cast, get_args

from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.parts import SourcePart
from facewright.formats.gltf.vrm.versions import ONE, PRESETS_OF_ZERO, extension_of, groups_of, version_of
from facewright.formats.unique_names import unique
from facewright.rig.expression import PRESETS, Expression, ExpressionBind, Override

# What is a field of `Expression`; all else of an entry is kept in `more`.
FIELDS_OF_ZERO = ("name", "presetName", "binds", "isBinary")
FIELDS_OF_ONE = ("morphTargetBinds", "isBinary", "overrideBlink", "overrideLookAt", "overrideMouth")
PERCENT = 100.0
_MOST = 1e9  # a larger weight is damage: it drives nothing


def read_expressions(asset: Asset, parts: Sequence[SourcePart]) -> tuple[Expression, ...]:
    """The expressions of a file; none where it is no VRM. Binds of all parts that have a shape are one."""
    count = Counter(name for part in parts for name in part.geometry.names)
    return tuple(replace(one, binds=_joined(one.binds, count)) for one in expressions_by_part(asset, parts))


def expressions_by_part(asset: Asset, parts: Sequence[SourcePart]) -> tuple[Expression, ...]:
    """The same with a bind for each part, as the file has them."""
    version = version_of(asset.json)
    if not version:
        return ()
    return tuple(_of_one(asset.json, parts) if version == ONE else _of_zero(asset.json, parts))


def _joined(binds: Sequence[ExpressionBind], count: Mapping[str, int]) -> tuple[ExpressionBind, ...]:
    """Binds in which those of one shape on all of its parts, to one value, are one bind."""
    parts: dict[tuple[str, float], set[str]] = {}
    for bind in binds:
        parts.setdefault((bind.shape, bind.value), set()).add(bind.part)
    found: list[ExpressionBind] = []
    joined: set[tuple[str, float]] = set()
    for bind in binds:
        key = bind.shape, bind.value
        if not bind.part or len(parts[key]) < count[bind.shape]:
            found.append(bind)
        elif key not in joined:
            joined.add(key)
            found.append(replace(bind, part=""))
    return tuple(found)


def _of_zero(json: Json, parts: Sequence[SourcePart]) -> Iterator[Expression]:
    groups = groups_of(json)
    names = unique(_text(one.get("name")) or _text(one.get("presetName")) or "expression" for one in groups)
    of_mesh: dict[int, list[SourcePart]] = {}
    for part in parts:
        of_mesh.setdefault(part.mesh, []).append(part)
    for name, one in zip(names, groups, strict=True):
        binds = [
            bind
            for entry in _entries(one, "binds")
            for part in of_mesh.get(_whole(entry.get("mesh")), ())
            for bind in _bind(part, entry, parts, 1 / PERCENT)
        ]
        preset = PRESETS_OF_ZERO.get(_text(one.get("presetName")).lower(), "")
        more = {key: value for key, value in one.items() if key not in FIELDS_OF_ZERO}
        yield Expression(name, tuple(binds), preset, one.get("isBinary") is True, more=more)


def _of_one(json: Json, parts: Sequence[SourcePart]) -> Iterator[Expression]:
    of_node = {part.node: part for part in parts}
    for kind in ("preset", "custom"):
        for name, one in entries_of(json, kind).items():
            if not name or not isinstance(one, dict):
                continue
            binds = [
                bind
                for entry in _entries(one, "morphTargetBinds")
                if (part := of_node.get(_whole(entry.get("node")))) is not None
                for bind in _bind(part, entry, parts, 1.0)
            ]
            more = {key: value for key, value in one.items() if key not in FIELDS_OF_ONE}
            yield Expression(
                name,
                tuple(binds),
                name if kind == "preset" and name in PRESETS else "",
                one.get("isBinary") is True,
                _override(one, "overrideBlink"),
                _override(one, "overrideLookAt"),
                _override(one, "overrideMouth"),
                more,
            )


def entries_of(json: Json, kind: str) -> Json:
    """The presets or the custom expressions of VRM 1.0."""
    expressions = extension_of(json).get("expressions")
    found = expressions.get(kind) if isinstance(expressions, dict) else None
    return found if isinstance(found, dict) else {}


def _bind(part: SourcePart, entry: Json, parts: Sequence[SourcePart], factor: float) -> Iterator[ExpressionBind]:
    names, index, weight = part.geometry.names, _whole(entry.get("index")), entry.get("weight")
    if 0 <= index < len(names) and _is_weight(weight):
        others = sum(names[index] in one.geometry.names for one in parts) > 1
        yield ExpressionBind(names[index], float(weight) * factor, part.name if others else "")


def _is_weight(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST


def _override(one: Json, key: str) -> Override:
    found = one.get(key)
    return cast(Override, found) if found in get_args(Override) else "none"


def _entries(one: Mapping[str, Any], key: str) -> list[Json]:
    listed = one.get(key)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
