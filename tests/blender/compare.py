"""Run by a Python that has Blender's `bpy`: compares what Blender's own importer makes of a GLB with what is expected.

    python compare.py FILE.glb EXPECTED.npz

EXPECTED holds for each object `NAME/neutral` (n, 3) and `NAME/SHAPE` (n, 3): positions in the world of glTF, y up, of
the vertices in the file's order. Prints one line of JSON: the largest distance, and what is missing.
"""

import json
import sys
from typing import Any

import bpy
import numpy as np


def imported(path: str) -> dict[str, np.ndarray]:
    """World positions in glTF's axes of all meshes, at rest and in every shape key."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    bpy.context.view_layer.update()
    found = {}
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        found[f"{thing.name}/neutral"] = placed(thing, thing.data.vertices)
        keys = thing.data.shape_keys
        for key in keys.key_blocks[1:] if keys else []:
            found[f"{thing.name}/{key.name}"] = placed(thing, key.data)
    return found


def placed(thing: Any, points: Any) -> np.ndarray:
    local = np.empty(3 * len(points), np.float32)
    points.foreach_get("co", local)
    world = np.array(thing.matrix_world)
    x, y, z = (local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]).T
    return np.column_stack([x, z, -y])  # Blender's z is up


def main() -> None:
    found = imported(sys.argv[1])
    with np.load(sys.argv[2]) as expected:
        missing = [name for name in expected.files if name not in found]
        sizes = [name for name in expected.files if name in found and found[name].shape != expected[name].shape]
        compared = [name for name in expected.files if name not in missing and name not in sizes]
        apart = {name: float(np.abs(found[name] - expected[name]).max()) for name in compared}
    worst = max(apart, key=lambda name: apart[name], default="")
    report = {"compared": len(compared), "missing": missing, "other sizes": sizes}
    print(json.dumps(report | {"worst": worst, "apart": apart.get(worst)}))


if __name__ == "__main__":
    main()
