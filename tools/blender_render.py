"""Run by `.venv-blender`'s Python: faces as Blender's Cycles draws them, and what the extension's panels draw.

python -m tools.blender_render FOLDER
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from blender.exchange import new_face
from blender.landmarks import landmarks_of
from blender.space import Space, z_up
from tools.blender_layout import Recorder

import blender
import facewright as fw
from blender import panels, tool
from facewright.build.registration.face_mesh import FaceMesh
from facewright.render.png import write_png

SIZE = (460, 560)
SAMPLES = 48
COLORS = {
    "skin": (0.55, 0.31, 0.22),
    "eye": (0.75, 0.74, 0.7),
    "teeth": (0.8, 0.76, 0.66),
    "mouth": (0.5, 0.16, 0.15),
    "iris": (0.12, 0.06, 0.03),
    "pupil": (0.005, 0.005, 0.005),
}
IRIS, PUPIL = 27.0, 12.0  # degrees from an eye's axis
PIN = (1.0, 0.35, 0.02)


def main() -> None:
    folder = Path(sys.argv[1])
    blender.register()
    write_png(folder / "blender-pose.png", posed(folder))
    write_png(folder / "blender-build.png", built(folder))
    (folder / "panels.json").write_text(json.dumps(drawn_panels()))
    sys.stdout.flush()
    os._exit(0)  # Blender as a module may hang when it ends


def posed(folder: Path) -> np.ndarray:
    """A corner of the mouth dragged, with a pin at the chin: at rest, by only what is touched, and natural."""
    pictures = []
    for method in ("", "bounded", "natural"):
        head = stage(fw.Document(fw.sample(), unit="cm"))
        rig = fw.sample()
        settings = bpy.context.scene.facewright
        settings.method = method or "bounded"
        known = FaceMesh(rig, "the head").landmarks
        bpy.ops.facewright.drag(triangle=triangle_at(rig, known["chin"]))
        offset = (0.012, -0.002, 0.010) if method else (0, 0, 0)
        bpy.ops.facewright.drag(triangle=triangle_at(rig, known["mouth left"]), offset=offset)
        bpy.context.view_layer.update()
        for place in tool.pin_places(bpy.context):
            ball(place)
        pictures.append(shot(folder, head))
    return np.concatenate(pictures, axis=1)


def built(folder: Path) -> np.ndarray:
    """Another person as triangles in another order, without shapes; then with the embedded head's, in three poses."""
    rig = fw.sample("edith")
    order = np.random.default_rng(5).permutation(rig.vertex_count)
    new = np.argsort(order)
    target = fw.Rig(0.01 * rig.neutral[order], new[rig.triangles])
    thing = stage(fw.Document(target, unit="m"), parts=[(part, new) for part in rig.parts])
    bpy.ops.facewright.add_landmarks()
    bpy.context.view_layer.update()
    known = FaceMesh(fw.sample(), "the head").landmarks
    for empty in thing.children:
        empty.location = Space.of(thing).to_world(target.neutral[new[known[empty.name]]]).tolist()
    bpy.context.view_layer.update()
    assert landmarks_of(thing, target, Space.of(thing))
    pictures = [shot(folder, thing)]
    bpy.ops.facewright.transfer()
    poses: list[dict[str, float]] = [
        {"eyeBlinkLeft": 1, "eyeBlinkRight": 1, "mouthSmileLeft": 0.8, "mouthSmileRight": 0.8},
        {"jawOpen": 0.7, "browInnerUp": 1, "eyeWideLeft": 0.8, "eyeWideRight": 0.8},
    ]
    for pose in poses:
        for block in list(thing.data.shape_keys.key_blocks)[1:]:
            block.value = pose.get(block.name, 0.0)
        pictures.append(shot(folder, thing))
    return np.concatenate(pictures, axis=1)


def triangle_at(rig: fw.Rig, vertex: int) -> int:
    return int(np.flatnonzero((rig.triangles == vertex).any(axis=1))[0])


def stage(document: fw.Document, parts: list[tuple[fw.Part, np.ndarray]] | None = None) -> Any:
    """A scene with a face, lights and a camera."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", SAMPLES, "CPU"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = "Standard"
    world = bpy.data.worlds.new("world")
    scene.world = world
    world.color = (0.16, 0.17, 0.19)
    if world.node_tree is not None:
        world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.16, 0.17, 0.19, 1)
    thing, _ = new_face(bpy.context, "face", document)
    numbers = np.arange(document.rig.vertex_count)
    paint(thing, document.rig, parts or [(part, numbers) for part in document.rig.parts])
    light((0.5, -0.7, 0.6), 11)
    light((-0.8, -0.4, 0.2), 5)
    middle = np.asarray(z_up(document.rig.neutral)).mean(axis=0) * (0.01 if document.unit == "cm" else 1.0)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.lens = 112
    camera.location, camera.rotation_euler = (middle[0] + 0.12, -0.85, middle[2] + 0.04), (np.pi / 2 - 0.02, 0, 0.13)
    scene.collection.objects.link(camera)
    scene.camera = camera
    return thing


def paint(thing: Any, rig: fw.Rig, parts: list[tuple[fw.Part, np.ndarray]]) -> None:
    """Materials by the parts of the face; a part's vertices are `start` to `stop` before a new order."""
    names = list(COLORS)
    of_vertex = np.zeros(rig.vertex_count, np.int32)
    for part, new in parts:
        kind = "eye" if "eye" in part.name else "teeth" if "teeth" in part.name else "mouth"
        own = new[part.start : part.stop]
        of_vertex[own] = 0 if part.name == "head" else names.index(kind)
        if kind == "eye" and part.name != "head":
            away = rig.neutral[own] - (rig.neutral[own].max(axis=0) + rig.neutral[own].min(axis=0)) / 2
            angle = np.degrees(np.arccos(np.clip(away[:, 2] / np.linalg.norm(away, axis=1), -1, 1)))
            of_vertex[own[angle < IRIS]] = names.index("iris")
            of_vertex[own[angle < PUPIL]] = names.index("pupil")
    for name in names:
        thing.data.materials.append(
            material(name, COLORS[name], rough=0.12 if name in ("eye", "iris", "pupil") else 0.5)
        )
    lowest = np.minimum.reduceat(of_vertex[rig.polygons.corners], rig.polygons.starts[:-1])
    thing.data.polygons.foreach_set("material_index", lowest)


def material(name: str, color: tuple[float, float, float], rough: float) -> Any:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = next(node for node in made.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = rough
    return made


def light(place: tuple[float, float, float], watts: float) -> None:
    made = bpy.data.objects.new("light", bpy.data.lights.new("light", "AREA"))
    made.data.energy, made.data.size, made.location = watts, 0.5, place
    aim = made.constraints.new("TRACK_TO")
    aim.target, aim.track_axis, aim.up_axis = bpy.data.objects["face"], "TRACK_NEGATIVE_Z", "UP_Y"
    bpy.context.scene.collection.objects.link(made)


def ball(place: np.ndarray) -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.0028, location=place.tolist())
    made = bpy.context.active_object
    made.data.materials.append(material("pin", PIN, 0.4))
    made.data.shade_smooth()
    bpy.context.view_layer.objects.active = bpy.data.objects["face"]


def shot(folder: Path, thing: Any) -> np.ndarray:
    """The scene as Cycles draws it (h, w, 3), 8 bits."""
    path = folder / "shot.png"
    bpy.context.scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    flat = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(flat)
    bpy.data.images.remove(image)
    path.unlink()
    return np.asarray(np.round(255 * flat.reshape(SIZE[1], SIZE[0], 4)[::-1, :, :3]).astype(np.uint8))


def drawn_panels() -> list[dict[str, Any]]:
    """What each panel draws with the embedded head active, in order."""
    stage(fw.Document(fw.sample(), unit="cm"))
    settings = bpy.context.scene.facewright
    settings.symmetric, settings.held_by, settings.held_group = True, "GROUP", "upper lip"
    found = []
    drawn: tuple[Any, ...] = panels.CLASSES
    for panel in drawn:
        layout = Recorder()
        panel.draw(SimpleNamespace(layout=layout), bpy.context)
        found.append({"label": panel.bl_label, "items": [asdict(item) for item in layout.items]})
    return found


if __name__ == "__main__":
    main()
