"""Facewright in Blender: the shape keys of a mesh are the rig, and the library does the work."""


def register() -> None:
    """Called by Blender when the extension is switched on."""
    import bpy

    from . import tool
    from .pins import FacePin
    from .settings import FaceSettings

    for one in _classes():
        bpy.utils.register_class(one)
    bpy.types.Scene.facewright = bpy.props.PointerProperty(type=FaceSettings)
    bpy.types.Object.facewright_pins = bpy.props.CollectionProperty(type=FacePin)
    tool.register()


def unregister() -> None:
    """Called by Blender when the extension is switched off."""
    import bpy

    from . import tool

    tool.unregister()
    del bpy.types.Object.facewright_pins
    del bpy.types.Scene.facewright
    for one in reversed(_classes()):
        bpy.utils.unregister_class(one)


def _classes() -> list[type]:
    from . import panels, tool
    from .operators import build, correctives, parts, pose, regions, report, studio, takes
    from .pins import FacePin
    from .settings import FaceSettings

    modules = (tool, pose, build, parts, correctives, takes, regions, report, studio, panels)
    return [FacePin, FaceSettings, *(one for module in modules for one in module.CLASSES)]
