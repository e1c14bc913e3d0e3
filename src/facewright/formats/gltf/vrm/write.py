"""Writing expressions into a VRM file: binds by the numbers that targets have now, all else as it was."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.vrm.read import PERCENT
from facewright.formats.gltf.vrm.versions import ONE, PRESETS_OF_ZERO, extension_of, version_of
from facewright.rig.expression import Expression

Targets = Mapping[int, Sequence[str]]  # the names of the targets of each node's mesh, in their order


def write_expressions(json: Json, document: Document, targets: Targets, names: Mapping[int, str]) -> None:
    """Replace the expressions of a VRM. names: of the parts, by node."""
    version = version_of(json)
    expressions = document.expressions
    if not version:
        return
    _warn_of_lost(expressions, targets)
    if version == ONE:
        _write_one(json, expressions, targets, names)
    else:
        master = extension_of(json).setdefault("blendShapeMaster", {})
        master["blendShapeGroups"] = [_group(json, one, targets, names) for one in expressions]


def _warn_of_lost(expressions: Sequence[Expression], targets: Targets) -> None:
    known = {name for listed in targets.values() for name in listed}
    lost = sorted({bind.shape for one in expressions for bind in one.binds if bind.shape not in known})
    if lost:
        warnings.warn(
            f"expressions drive {', '.join(lost[:6])}, which the rig does not have: these binds are left out",
            FacewrightWarning,
            stacklevel=2,
        )


def _write_one(json: Json, expressions: Sequence[Expression], targets: Targets, names: Mapping[int, str]) -> None:
    kinds: Json = {}
    for one in expressions:
        entry: Json = {
            "morphTargetBinds": [
                {"node": node, "index": index, "weight": value} for node, index, value in _binds(one, targets, names)
            ],
            "isBinary": one.is_binary,
            "overrideBlink": one.blink,
            "overrideLookAt": one.look,
            "overrideMouth": one.mouth,
            **one.more,
        }
        kinds.setdefault("preset" if one.preset else "custom", {})[one.preset or one.name] = entry
    before = extension_of(json).get("expressions")
    others = before if isinstance(before, dict) else {}  # a damaged file may have anything there
    kept = {key: value for key, value in others.items() if key not in ("preset", "custom")}
    extension_of(json)["expressions"] = kept | kinds


def _group(json: Json, one: Expression, targets: Targets, names: Mapping[int, str]) -> Json:
    old = {new: name for name, new in PRESETS_OF_ZERO.items()}
    return {
        "name": one.name,
        "presetName": old.get(one.preset, "unknown"),
        "binds": [
            {"mesh": json["nodes"][node]["mesh"], "index": index, "weight": PERCENT * value}
            for node, index, value in _binds(one, targets, names)
        ],
        "isBinary": one.is_binary,
        **one.more,
    }


def _binds(one: Expression, targets: Targets, names: Mapping[int, str]) -> list[tuple[int, int, float]]:
    """Node, number of the target, and value."""
    return [
        (node, list(listed).index(bind.shape), bind.value)
        for bind in one.binds
        for node, listed in targets.items()
        if bind.shape in listed and bind.part in ("", names[node])
    ]
