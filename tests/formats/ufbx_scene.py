"""Run in a process of its own: prints what the library `ufbx` makes of an FBX file, as JSON.

    python ufbx_scene.py FILE.fbx [SECONDS ...]

`ufbx` dies when its lists become arrays, and when what it gave is forgotten: entries are read one by one, all are kept,
and it runs in no process of the tests.
Positions are those of vertices in the space of the scene: `neutral` without shapes, `posed` with the weights at rest,
and for each of the seconds with those of the first animation.
"""

import json
import os
import sys
from typing import Any

import ufbx

KEPT: list[Any] = []  # everything that was asked for


def entries(holder: Any, *names: str) -> list[Any]:
    """The entries of a list that is some members deep in something."""
    for name in names:
        KEPT.append(holder)
        holder = getattr(holder, name)
    KEPT.append(holder)
    found = [holder[i] for i in range(len(holder))]
    KEPT.extend(found)
    return found


def member(holder: Any, name: str) -> Any:
    KEPT.append(getattr(holder, name))
    return KEPT[-1]


def placed(matrix: Any, point: Any) -> list[float]:
    columns = (matrix.c0, point.x), (matrix.c1, point.y), (matrix.c2, point.z), (matrix.c3, 1.0)
    return [sum(getattr(column, axis) * value for column, value in columns) for axis in "xyz"]


def node_of(mesh: Any) -> Any:
    return entries(mesh, "instances")[0]


def all_posed(scene: Any) -> dict[str, list[list[float]]]:
    """World positions with shapes and skins."""
    found = {}
    for mesh in entries(scene, "meshes"):
        node, points = node_of(mesh), entries(mesh, "skinned_position", "values")
        world, local = node.geometry_to_world, mesh.skinned_is_local
        found[node.name] = [placed(world, one) if local else [one.x, one.y, one.z] for one in points]
    return found


def described(mesh: Any) -> dict[str, Any]:
    corners = entries(mesh, "vertex_indices")
    has_uvs = mesh.vertex_uv.exists
    coordinates = entries(mesh, "vertex_uv", "values") if has_uvs else []
    rows = entries(mesh, "vertex_uv", "indices") if has_uvs else []
    world = node_of(mesh).geometry_to_world
    faces = [range(one.index_begin, one.index_begin + one.num_indices) for one in entries(mesh, "faces")]
    return {
        "neutral": [placed(world, one) for one in entries(mesh, "vertices")],
        "faces": [[corners[i] for i in face] for face in faces],
        "uvs": [[coordinates[row].x, coordinates[row].y] for row in rows],
        "normals": [[one.x, one.y, one.z] for one in entries(mesh, "vertex_normal", "values")],
        "materials": [one.name for one in entries(mesh, "materials")],
        "of_face": entries(mesh, "face_material"),
    }


def channel(one: Any) -> dict[str, Any]:
    targets = [[key.target_weight, member(key, "shape").name] for key in entries(one, "keyframes")]
    return {"name": one.name, "weight": one.weight, "targets": targets}


def main() -> None:
    scene = ufbx.load_file(sys.argv[1], evaluate_skinning=True)
    stacks = entries(scene, "anim_stacks")
    moved = [scene.evaluate(member(stacks[0], "anim"), float(time), evaluate_skinning=True) for time in sys.argv[2:]]
    report = {
        "meshes": {node_of(mesh).name: described(mesh) for mesh in entries(scene, "meshes")},
        "posed": all_posed(scene),
        "at": [all_posed(one) for one in moved],
        "channels": [channel(one) for one in entries(scene, "blend_channels")],
        "weights": [[one.weight for one in entries(after, "blend_channels")] for after in moved],
        "stacks": [[one.name, one.time_begin, one.time_end] for one in stacks],
        "unit": scene.settings.unit_meters,
        "rate": scene.settings.frames_per_second,
        "warnings": [str(one.description) for one in entries(scene, "metadata", "warnings")],
        "images": [len(one.content) for one in entries(scene, "videos")],
    }
    print(json.dumps(report), flush=True)
    os._exit(0)  # without letting go of what was kept, where it dies as well


if __name__ == "__main__":
    main()
