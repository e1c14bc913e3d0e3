"""What the panel lets a person choose; kept with the scene."""

from typing import Any

import bpy

from facewright.pose.method import METHODS
from facewright.samples import people

_METHODS = {
    "automatic": ("Automatic", "Only what is touched where few keys make it, a likely face where that takes many"),
    "bounded": ("Only what I touch", "Few keys move, within their range"),
    "natural": ("Natural", "The face that is likely, by what the keys are called"),
    "convex": ("Whole faces", "Weights of whole faces, for comparison (Joshi 2003)"),
    "pinv": ("Pseudo-inverse", "Without bounds, for comparison"),
    "tikhonov": ("Tikhonov", "Without bounds, for comparison"),
    "transpose": ("Transpose", "Without bounds, for comparison"),
    "hybrid": ("Hybrid", "Without bounds, for comparison (Cetinaslan 2017)"),
    "landweber": ("Landweber", "Without bounds, for comparison"),
}
_ADDRESS = {"studio": ""}  # it holds a secret, which is not kept in the file of a scene


def _methods() -> list[tuple[str, str, str]]:
    return [(name, *_METHODS.get(name, (name.title(), "For comparison"))) for name in METHODS]


def _has_keys(_: Any, thing: Any) -> bool:
    return bool(thing.type == "MESH" and thing.data.shape_keys is not None)


class FaceSettings(bpy.types.PropertyGroup):
    """Settings of all tools."""

    method: bpy.props.EnumProperty(
        name="Method", description="How a drag is solved", items=_methods(), default="automatic"
    )
    symmetric: bpy.props.BoolProperty(name="Symmetric", description="The mirror image of the point moves alike")
    damped: bpy.props.BoolProperty(
        name="Damped", description="Ask less of points that the keys can hardly move along the drag"
    )
    held_by: bpy.props.EnumProperty(
        name="Hold",
        description="Vertices that move as little as possible",
        items=[
            ("NONE", "Nothing", "All vertices may move"),
            ("SELECTION", "Selection", "Those that are selected in edit mode"),
            ("GROUP", "Vertex group", "Those of a vertex group, from weight 0.5 on"),
        ],
    )
    held_group: bpy.props.StringProperty(name="Group", description="Vertex group of the held vertices")
    template: bpy.props.EnumProperty(
        name="Template",
        description="Whose shapes the active mesh gets",
        items=[
            ("SAMPLE", "Embedded head", "52 ARKit shapes"),
            ("FILE", "File", "A rig in a file"),
            ("OBJECT", "Object", "Another object with shape keys"),
        ],
    )
    person: bpy.props.EnumProperty(
        name="Person", description="Of the embedded heads", items=[(name, name, "") for name in people()]
    )
    template_file: bpy.props.StringProperty(
        name="File", description="A rig: .glb, .fbx, .usd, .fwface, a folder of .obj", subtype="FILE_PATH"
    )
    template_object: bpy.props.PointerProperty(
        name="Object", description="An object with shape keys", type=bpy.types.Object, poll=_has_keys
    )
    closed: bpy.props.BoolProperty(
        name="Close Lids and Lips", description="Let touch what touches in the template", default=True
    )
    examples: bpy.props.EnumProperty(
        name="Examples",
        description="The sculpted poses",
        items=[
            ("OBJECTS", "Selected meshes", "The other selected meshes"),
            ("KEYS", "Shape keys", "Shape keys of the active mesh"),
        ],
    )
    example_keys: bpy.props.StringProperty(
        name="Keys", description="Which shape keys are examples: * is any letters, as in sculpt*", default="*"
    )
    trust: bpy.props.FloatProperty(
        name="Trust", description="From 0, the template, to 1, the examples", default=0.5, min=0, max=1
    )
    align: bpy.props.BoolProperty(name="Align Poses", description="Turn, move and scale poses to fit the mesh")
    add_missing: bpy.props.BoolProperty(
        name="Add Missing Shapes", description="Add a shape for what the template cannot express"
    )
    smooth: bpy.props.StringProperty(
        name="Smooth", description="Of takes: empty for none, euro, or a cutoff in Hz such as 6"
    )
    key_tolerance: bpy.props.FloatProperty(
        name="Key Tolerance",
        description="Keys of takes that change less than this are left out; 0 keeps one on every frame",
        default=0.005,
        min=0,
        max=0.5,
        precision=3,
    )
    studio: bpy.props.StringProperty(
        name="Studio",
        description="Address that `facewright studio` printed; empty: the one that runs on this machine",
        subtype="PASSWORD",
        get=lambda _: _ADDRESS["studio"],
        set=lambda _, value: _ADDRESS.update(studio=value),
    )
