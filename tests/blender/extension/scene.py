"""What tests of the extension do in Blender's scene."""

from typing import Any

import numpy as np

import facewright as fw


def add(bpy: Any, rig: fw.Rig, name: str = "face") -> Any:
    """A new object with the shape keys of a rig, in the rig's own unit; it is the active one."""
    from blender.exchange import new_face

    thing, _ = new_face(bpy.context, name, fw.Document(rig))
    return thing


def plain(bpy: Any, rig: fw.Rig, name: str = "face") -> Any:
    """The same without keys."""
    from blender.mesh import new_mesh
    from blender.space import z_up

    mesh = new_mesh(bpy.data.meshes.new, name, z_up(rig.neutral), rig.polygons, rig.uvs)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    choose(bpy, thing)
    return thing


def choose(bpy: Any, *things: Any) -> None:
    """Select objects; the last one is active."""
    for other in bpy.context.view_layer.objects:
        other.select_set(other in things)
    bpy.context.view_layer.objects.active = things[-1]


def pose(thing: Any, values: dict[str, float]) -> None:
    for name, value in values.items():
        thing.data.shape_keys.key_blocks[name].value = value


def values(thing: Any) -> dict[str, float]:
    blocks = thing.data.shape_keys.key_blocks
    return {block.name: block.value for block in blocks if block != thing.data.shape_keys.reference_key}


def shown(bpy: Any, thing: Any) -> np.ndarray:
    """The vertices (v, 3) that Blender shows, in the rig's axes, with drivers and keys evaluated."""
    from blender.mesh import coordinates
    from blender.space import Space

    bpy.context.view_layer.update()
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    found = Space.of(thing).points(coordinates(mesh.vertices))
    evaluated.to_mesh_clear()
    return found


def corner(rig: fw.Rig, slider: str) -> int:
    """A triangle at the vertex that a slider moves furthest."""
    shape = rig.shape(slider)
    vertex = shape.vertices[np.linalg.norm(shape.offsets, axis=1).argmax()]
    return int(np.flatnonzero((rig.triangles == vertex).any(axis=1))[0])


def bent(rig: fw.Rig, rng: np.random.Generator, sliders: tuple[str, str, str]) -> fw.Rig:
    """A rig with in-betweens as targets and added ones, combinations of two and three, and a slider with two ends."""
    from dataclasses import replace

    a, b, c = sliders
    some = np.sort(rng.choice(rig.vertex_count, rig.vertex_count // 4, replace=False))

    def shape(name: str, **driven: Any) -> fw.Shape:
        return fw.Shape(name, some, 0.01 * rig.size * rng.normal(size=(len(some), 3)), **driven)

    more = [
        shape(f"{a} 0.3", sliders=(a,), at=0.3),
        shape(f"{a} 0.7", sliders=(a,), at=0.7),
        shape(f"{b} added", sliders=(b,), at=0.4, additive=True),
        shape("both", sliders=(a, b)),
        shape("three", sliders=(a, b, c), at=(1, 0.6, 1)),
        shape("turned left", sliders=("turn",), at=-1.0),
        shape("turned right", sliders=("turn",), at=1.0),
    ]
    return replace(
        rig,
        shapes=(*rig.shapes, *more),
        sliders=(*rig.sliders, "turn"),
        bounds=np.vstack([rig.bounds, [-1.0, 1.0]]),
        groups=(*rig.groups, "other"),
    )


def random_pose(rig: fw.Rig, rng: np.random.Generator) -> dict[str, float]:
    drawn = rng.uniform(rig.bounds[:, 0], rig.bounds[:, 1])
    return dict(zip(rig.sliders, drawn.tolist(), strict=True))
