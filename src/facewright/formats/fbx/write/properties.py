"""Properties of objects and of the scene."""

from __future__ import annotations

from collections.abc import Sequence

from facewright.formats.fbx.write.encode import Element, Item, Long, element

# type -> what stands after it
_LABELS = {"int": "Integer", "double": "Number", "KTime": "Time", "Vector3D": "Vector", "ColorRGB": "Color"}
_ANIMATED = ("Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Color", "Number", "Visibility")
Property = tuple[str, str, *tuple[Item, ...]]  # name, type, values


def properties(*listed: Property) -> Element:
    """The table of an object's properties."""
    return element("Properties70", inside=[_property(*one) for one in listed], block=True)


def _property(name: str, kind: str, *values: Item) -> Element:
    flags = "A" if kind in _ANIMATED else ""
    return element("P", name, kind, _LABELS.get(kind, ""), flags, *values)


TEMPLATES: dict[str, tuple[str, Sequence[Property]]] = {
    "Model": ("FbxNode", (
        ("RotationActive", "bool", 0), ("InheritType", "enum", 0), ("RotationOrder", "enum", 0),
        ("GeometricTranslation", "Vector3D", 0.0, 0.0, 0.0), ("GeometricRotation", "Vector3D", 0.0, 0.0, 0.0),
        ("GeometricScaling", "Vector3D", 1.0, 1.0, 1.0), ("DefaultAttributeIndex", "int", -1),
        ("Lcl Translation", "Lcl Translation", 0.0, 0.0, 0.0), ("Lcl Rotation", "Lcl Rotation", 0.0, 0.0, 0.0),
        ("Lcl Scaling", "Lcl Scaling", 1.0, 1.0, 1.0), ("Visibility", "Visibility", 1.0),
    )),
    "Geometry": ("FbxMesh", (
        ("Color", "ColorRGB", 0.8, 0.8, 0.8), ("BBoxMin", "Vector3D", 0.0, 0.0, 0.0),
        ("BBoxMax", "Vector3D", 0.0, 0.0, 0.0),
    )),
    "Material": ("FbxSurfacePhong", (
        ("ShadingModel", "KString", "Phong"), ("MultiLayer", "bool", 0), ("EmissiveColor", "Color", 0.0, 0.0, 0.0),
        ("AmbientColor", "Color", 0.2, 0.2, 0.2), ("DiffuseColor", "Color", 0.8, 0.8, 0.8),
        ("DiffuseFactor", "Number", 1.0), ("TransparentColor", "Color", 0.0, 0.0, 0.0),
        ("TransparencyFactor", "Number", 0.0), ("SpecularColor", "Color", 0.2, 0.2, 0.2),
        ("SpecularFactor", "Number", 1.0), ("ShininessExponent", "Number", 20.0),
    )),
    "Texture": ("FbxFileTexture", (("UseMaterial", "bool", 0), ("UseMipMap", "bool", 0))),
    "Video": ("FbxVideo", (("Path", "KString", ""),)),
    "AnimationStack": ("FbxAnimStack", (("LocalStart", "KTime", Long(0)), ("LocalStop", "KTime", Long(0)))),
    "AnimationLayer": ("FbxAnimLayer", (("Weight", "Number", 100.0), ("Mute", "bool", 0), ("BlendMode", "enum", 0))),
    "AnimationCurveNode": ("FbxAnimCurveNode", (("d", "Compound"),)),
}  # fmt: skip


def definitions(counts: dict[str, int]) -> Element:
    """How many objects of each kind there are, and the properties that they have where they state no others."""
    kinds = [element("ObjectType", "GlobalSettings", inside=[element("Count", 1)])]
    for kind, count in counts.items():
        inside = [element("Count", count)]
        if kind in TEMPLATES:
            name, listed = TEMPLATES[kind]
            inside.append(element("PropertyTemplate", name, inside=[properties(*listed)]))
        kinds.append(element("ObjectType", kind, inside=inside))
    total = element("Count", 1 + sum(counts.values()))
    return element("Definitions", inside=[element("Version", 100), total, *kinds])
