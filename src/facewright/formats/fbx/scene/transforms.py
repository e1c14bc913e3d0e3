"""Where models are: the matrices of a scene, at rest and in animation.

A model's matrix is T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1; how the scale of its parent counts is said by
`InheritType`. Both as in the FBX SDK's documentation, "Computing transformation matrices".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene, Id

_ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyz")  # about which axis a point is rotated first; 6 is spheric
_DEEPEST = 1000  # models below models
_ZERO, _ONE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
Values = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Global:
    """A matrix of a model in the scene, and the part of it that rotates."""

    matrix: Floats  # (4, 4)
    rotation: Floats  # (3, 3)
    scale: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3) of the model itself


class Transforms:
    """The matrices of a scene's models. `moved` are animated values: model -> property -> three numbers."""

    def __init__(self, scene: FbxScene, moved: Mapping[Id, Mapping[str, Values]] | None = None) -> None:
        self._scene, self._moved = scene, moved or {}
        self._known: dict[Id, _Global] = {}

    def world(self, model: FbxObject) -> Floats:
        """The matrix (4, 4) from a model's space to that of the scene."""
        return self._global(model).matrix

    def geometric(self, model: FbxObject) -> Floats:
        """The matrix (4, 4) that is applied to the mesh of a model alone."""
        return _translation(model.numbers("GeometricTranslation", _ZERO)) @ _linear(
            _rotation(model.numbers("GeometricRotation", _ZERO)) @ np.diag(model.numbers("GeometricScaling", _ONE))
        )

    def _global(self, model: FbxObject) -> _Global:
        chain: list[FbxObject] = []
        above: FbxObject | None = model
        while above is not None and above.id not in self._known:
            chain.append(above)
            if len(chain) > _DEEPEST:
                raise BadFile(f"models are parts of themselves, or more than {_DEEPEST} deep in each other")
            above = parent_of(self._scene, above)
        found = _Global(np.eye(4), np.eye(3)) if above is None else self._known[above.id]
        for one in reversed(chain):
            found = self._known[one.id] = self._below(found, one)
        return found

    def _below(self, parent: _Global, model: FbxObject) -> _Global:
        values = self._moved.get(model.id, {})
        local, rotation, scale = _local(model, values)
        linear = parent.matrix[:3, :3]
        parent_scale = parent.rotation.T @ linear
        inherit = int(model.number("InheritType", 0.0))
        if inherit == 0:
            whole = parent.rotation @ rotation @ parent_scale @ scale
        elif inherit == 2:
            own = np.where(np.diag(parent.scale) == 0, 1.0, np.diag(parent.scale))
            whole = parent.rotation @ rotation @ (parent_scale / own) @ scale
        else:
            whole = linear @ rotation @ scale
        matrix = _linear(whole)
        matrix[:3, 3] = linear @ local[:3, 3] + parent.matrix[:3, 3]
        return _Global(matrix, parent.rotation @ rotation, scale)


def parent_of(scene: FbxScene, model: FbxObject) -> FbxObject | None:
    """The model that a model is part of."""
    above = [link.other for link in scene.owners(model, "Model") if not link.property]
    return above[0] if above else None


def to_our_axes(settings: FbxObject) -> Floats:
    """The matrix (3, 3) from the axes of a file to x to the right, y up, z to the front."""
    rows = np.zeros((3, 3))
    for row, (name, usual) in enumerate((("CoordAxis", 0), ("UpAxis", 1), ("FrontAxis", 2))):
        axis = int(settings.number(name, usual))
        if not 0 <= axis <= 2:
            raise BadFile(f"{name} is {axis}; axes are 0, 1 and 2")
        rows[row, axis] = -1.0 if settings.number(f"{name}Sign", 1.0) < 0 else 1.0
    if abs(np.linalg.det(rows)) < 0.5:
        raise BadFile("two directions of the file's space have the same axis")
    return rows


def _local(model: FbxObject, moved: Mapping[str, Values]) -> tuple[Floats, Floats, Floats]:
    """A model's matrix (4, 4) within its parent, its rotation and its scale (3, 3)."""

    def value(name: str, default: Values = _ZERO) -> Values:
        return moved[name] if name in moved else model.numbers(name, default)

    order, pre, post = "xyz", np.eye(3), np.eye(3)
    if model.number("RotationActive", 0.0):
        stated = int(model.number("RotationOrder", 0.0))
        order = _ORDERS[stated] if 0 <= stated < len(_ORDERS) else "xyz"
        pre, post = _rotation(value("PreRotation")), _rotation(value("PostRotation"))
    rotation = pre @ _rotation(value("Lcl Rotation"), order) @ post.T
    scale = np.diag(value("Lcl Scaling", _ONE))
    pivot, about = np.array(value("RotationPivot")), np.array(value("ScalingPivot"))
    # The same product, with the pivots as offsets
    place = np.array(value("Lcl Translation")) + value("RotationOffset") + pivot
    place = place + rotation @ (np.array(value("ScalingOffset")) - pivot + about - scale @ about)
    local = _linear(rotation @ scale)
    local[:3, 3] = place
    return local, rotation, scale


def _rotation(degrees: Values, order: str = "xyz") -> Floats:
    found = np.eye(3)
    for axis in order:
        found = _about("xyz".index(axis), np.radians(degrees["xyz".index(axis)])) @ found
    return found


def _about(axis: int, angle: float) -> Floats:
    found = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    found[a, a] = found[b, b] = np.cos(angle)
    found[b, a] = np.sin(angle)
    found[a, b] = -found[b, a]
    return found


def _translation(offset: Values) -> Floats:
    found = np.eye(4)
    found[:3, 3] = offset
    return found


def _linear(matrix: Floats) -> Floats:
    found = np.eye(4)
    found[:3, :3] = matrix
    return found
