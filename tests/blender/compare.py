"""Run by a Python that has Blender's `bpy`: compares what Blender's own importers make of a file with what is expected.

    python compare.py FILE EXPECTED.npz [IMPORTER]

FILE is a GLB, an FBX or a USD file; IMPORTER is `old` (Python) or `new` (C++) for FBX. EXPECTED holds for each object
`NAME/neutral` (n, 3) and `NAME/SHAPE` (n, 3): positions in the file's world, y up, of the vertices in the file's order;
and `NAME@SECONDS`: positions at a time of the animation. Prints one line of JSON: the largest distance, and what is
missing.
"""

import json
import sys
from typing import Any

import bpy
import numpy as np

CENTIMETRES = 100.0  # in a unit of Blender


def imported(path: str, importer: str, times: list[float]) -> dict[str, np.ndarray]:
    """World positions in the file's axes of all meshes, at rest, in every shape key, and at some times."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scale = CENTIMETRES
    if path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
        scale = 1.0
    elif ".usd" in path:
        bpy.ops.wm.usd_import(filepath=path)
        scale = 1.0
    elif importer == "old":
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)
    else:
        bpy.ops.wm.fbx_import(filepath=path, anim_offset=0.0)
    bpy.context.view_layer.update()
    found = {}
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        found[f"{thing.name}/neutral"] = placed(thing, thing.data.vertices, scale)
        keys = thing.data.shape_keys
        for key in keys.key_blocks[1:] if keys else []:
            found[f"{thing.name}/{key.name}"] = placed(thing, key.data, scale)
    for time in times:
        found |= at(time, scale)
    return found


def at(time: float, scale: float) -> dict[str, np.ndarray]:
    """Positions of all meshes at a time, in seconds, of the animation."""
    scene = bpy.context.scene
    frame = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    things = [thing.evaluated_get(graph) for thing in scene.objects if thing.type == "MESH"]
    return {f"{thing.name}@{time:g}": placed(thing, thing.data.vertices, scale) for thing in things}


def placed(thing: Any, points: Any, scale: float) -> np.ndarray:
    local = np.empty(3 * len(points), np.float32)
    points.foreach_get("co", local)
    world = np.array(thing.matrix_world)
    x, y, z = scale * (local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]).T
    return np.column_stack([x, z, -y])  # Blender's z is up


def main() -> None:
    with np.load(sys.argv[2]) as expected:
        times = sorted({float(name.rpartition("@")[2]) for name in expected.files if "@" in name})
        found = imported(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else "", times)
        missing = [name for name in expected.files if name not in found]
        sizes = [name for name in expected.files if name in found and found[name].shape != expected[name].shape]
        compared = [name for name in expected.files if name not in missing and name not in sizes]
        apart = {name: float(np.abs(found[name] - expected[name]).max()) for name in compared}
    worst = max(apart, key=lambda name: apart[name], default="")
    report = {"compared": len(compared), "missing": missing, "other sizes": sizes}
    print(json.dumps(report | {"worst": worst, "apart": apart.get(worst)}))


if __name__ == "__main__":
    main()
