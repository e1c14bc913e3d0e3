"""The sidebar of the 3D viewport."""

from typing import Any

import bpy


class _Side:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Facewright"


class FacePanel(_Side, bpy.types.Panel):
    """What is active, and its pose."""

    bl_idname = "FACEWRIGHT_PT_pose"
    bl_label = "Pose"

    def draw(self, context: Any) -> None:
        chosen, thing = context.scene.facewright, context.active_object
        column = self.layout.column()
        column.label(text=about(thing), icon="MESH_DATA")
        column.operator("facewright.choose_tool", icon="RESTRICT_SELECT_OFF")
        column.prop(chosen, "method")
        row = column.row(align=True)
        row.prop(chosen, "symmetric", toggle=True)
        row.prop(chosen, "damped", toggle=True)
        column.prop(chosen, "held_by")
        if chosen.held_by == "GROUP" and thing is not None and thing.type == "MESH":
            column.prop_search(chosen, "held_group", thing, "vertex_groups")
        row = column.row(align=True)
        row.operator("facewright.clear_pins", icon="UNPINNED")
        row.operator("facewright.rest", icon="LOOP_BACK")


class BuildPanel(_Side, bpy.types.Panel):
    """Shapes for the active mesh."""

    bl_idname = "FACEWRIGHT_PT_build"
    bl_label = "Build"

    def draw(self, context: Any) -> None:
        chosen = context.scene.facewright
        column = self.layout.column()
        column.prop(chosen, "template")
        column.prop(chosen, {"SAMPLE": "person", "FILE": "template_file", "OBJECT": "template_object"}[chosen.template])
        column.prop(chosen, "closed")
        row = column.row(align=True)
        row.operator("facewright.add_landmarks", icon="EMPTY_AXIS")
        row.operator("facewright.transfer", icon="MOD_DATA_TRANSFER")
        column.separator()
        column.prop(chosen, "examples")
        if chosen.examples == "KEYS":
            column.prop(chosen, "example_keys")
        column.prop(chosen, "trust", slider=True)
        row = column.row(align=True)
        row.prop(chosen, "align", toggle=True)
        row.prop(chosen, "add_missing", toggle=True)
        column.operator("facewright.build", icon="SCULPTMODE_HLT")
        column.operator("facewright.add_head", icon="USER")
        column.separator()
        row = column.row(align=True)
        row.operator("facewright.attach_parts", icon="LINKED")
        row.operator("facewright.detach_parts", icon="UNLINKED")


class CorrectivesPanel(_Side, bpy.types.Panel):
    """In-betweens and combinations."""

    bl_idname = "FACEWRIGHT_PT_correctives"
    bl_label = "Correctives"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        column = self.layout.column()
        column.operator("facewright.corrective", icon="DRIVER")
        column.operator("facewright.list_correctives", icon="INFO")


class TakesPanel(_Side, bpy.types.Panel):
    """Recordings."""

    bl_idname = "FACEWRIGHT_PT_takes"
    bl_label = "Takes"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        chosen = context.scene.facewright
        column = self.layout.column()
        column.prop(chosen, "smooth")
        column.prop(chosen, "key_tolerance")
        column.operator("facewright.import_take", icon="ACTION")


class ExaminePanel(_Side, bpy.types.Panel):
    """Regions and the report."""

    bl_idname = "FACEWRIGHT_PT_examine"
    bl_label = "Examine"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        column = self.layout.column()
        column.operator("facewright.regions", icon="GROUP_VERTEX")
        column.operator("facewright.report", icon="URL")


class StudioPanel(_Side, bpy.types.Panel):
    """Exchange with a studio."""

    bl_idname = "FACEWRIGHT_PT_studio"
    bl_label = "Studio"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        chosen = context.scene.facewright
        column = self.layout.column()
        column.prop(chosen, "studio", text="Address")
        row = column.row(align=True)
        row.operator("facewright.send", icon="EXPORT")
        row.operator("facewright.receive", icon="IMPORT")


def about(thing: Any) -> str:
    """The active object in a few words."""
    if thing is None or thing.type != "MESH":
        return "Select the mesh of a face"
    keys = thing.data.shape_keys
    count = 0 if keys is None else len(keys.key_blocks) - 1
    return f"{thing.name}: {len(thing.data.vertices):,} vertices, {count} keys, {len(thing.facewright_pins)} pins"


CLASSES = (FacePanel, BuildPanel, CorrectivesPanel, TakesPanel, ExaminePanel, StudioPanel)
