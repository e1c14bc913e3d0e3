"""Skins: where joints place the vertices of a mesh. The rig is placed; the joints themselves are not kept."""

from __future__ import annotations

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadFile
from facewright.formats.fbx.container.node import FbxNode
from facewright.formats.fbx.scene.objects import FbxObject, FbxScene
from facewright.formats.fbx.scene.transforms import Transforms


def is_skinned(scene: FbxScene, geometry: FbxObject, model: FbxObject) -> bool:
    """Whether joints move a mesh."""
    return bool(_clusters(scene, geometry, model))


def skin_matrices(
    scene: FbxScene, geometry: FbxObject, model: FbxObject, points: int, transforms: Transforms
) -> Floats | None:
    """Matrices (p, 4, 4) from the space of a mesh to that of the scene, for each of its points; None without a skin.

    A joint places a point at joint * Transform * point, where `Transform` leads from the mesh to the joint as they were
    bound. Points without weights stay with the model.
    """
    clusters = _clusters(scene, geometry, model)
    if not clusters:
        return None
    sums, total = np.zeros((points, 4, 4)), np.zeros(points)
    for cluster, joint in clusters:
        rows, weights = cluster.node.ints("Indexes"), cluster.node.floats("Weights")
        scene.budget.rows(len(rows), f"the skin of {model.name[:60]!r}")
        if len(rows) != len(weights) or (len(rows) and not (rows.min() >= 0 and rows.max() < points)):
            raise BadFile(f"the skin of {model.name[:60]!r} has weights for vertices that the mesh does not have")
        place = transforms.world(joint) @ _matrix(cluster.node, "Transform")
        np.add.at(sums, rows, weights[:, None, None] * place)
        np.add.at(total, rows, weights)
    weighted = total > 0
    found = np.tile(transforms.world(model), (points, 1, 1))
    found[weighted] = sums[weighted] / total[weighted, None, None]
    return found @ transforms.geometric(model)


def _clusters(scene: FbxScene, geometry: FbxObject, model: FbxObject) -> list[tuple[FbxObject, FbxObject]]:
    """The clusters of a mesh's skins with their joints."""
    skins = {one.id: one for holder in (geometry, model) for one in scene.owned(holder, "Deformer", "Skin")}
    found = []
    for skin in skins.values():
        for cluster in scene.owned(skin, "Deformer", "Cluster"):
            joints = scene.owned(cluster, "Model")
            if joints:
                found.append((cluster, joints[0]))
    return found


def _matrix(node: FbxNode, name: str) -> Floats:
    numbers = node.floats(name)
    if len(numbers) != 16:
        raise BadFile(f"{name} of a cluster has {len(numbers)} numbers; a matrix has 16")
    return numbers.reshape(4, 4).T  # written column by column
