"""Run by a Python that has Blender's `bpy`: what Blender's own importer makes of a GLB with a clip and a skin.

    python played.py FILE.glb RATE FRAMES

Prints one line of JSON: how tall the scene is in metres, the images that materials show as base colour by object, the
number of keys of each animated shape key, and its values at all frames.
"""

import json
import sys
from typing import Any

import bpy
import numpy as np


def tall() -> float:
    """The height of all meshes together; Blender's z is up."""
    heights = []
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH":
            points = np.array([thing.matrix_world @ vertex.co for vertex in thing.data.vertices])
            heights += [points[:, 2].min(), points[:, 2].max()]
    return float(max(heights) - min(heights))


def skins() -> dict[str, list[int]]:
    """The size of the image behind the base colour of each object that shows one."""
    found = {}
    for thing in bpy.context.scene.objects:
        for slot in thing.material_slots if thing.type == "MESH" else []:
            for node in slot.material.node_tree.nodes if slot.material and slot.material.use_nodes else []:
                if node.type == "BSDF_PRINCIPLED" and node.inputs["Base Color"].links:
                    image = node.inputs["Base Color"].links[0].from_node.image
                    found[thing.name] = list(image.size)
    return found


def curves(frames: int) -> dict[str, Any]:
    """Of each animated shape key of each mesh the number of keys, and the values at all frames."""
    found: dict[str, Any] = {}
    for action in bpy.data.actions:
        for layer in action.layers:
            for strip in layer.strips:
                for bag in strip.channelbags:
                    for curve in bag.fcurves:
                        if curve.data_path.startswith("key_blocks"):
                            name = curve.data_path.split('"')[1]
                            values = [curve.evaluate(frame) for frame in range(frames)]
                            found.setdefault(name, []).append([len(curve.keyframe_points), values])
    return found


def main() -> None:
    path, rate, frames = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = rate
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.context.view_layer.update()
    print(json.dumps({"tall": tall(), "skins": skins(), "curves": curves(frames)}))


if __name__ == "__main__":
    main()
