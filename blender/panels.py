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
        for words, icon in zip(about(thing), ("MESH_DATA", "BLANK1"), strict=False):
            column.label(text=words, icon=icon)
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
        column.operator("facewright.add_landmarks", icon="EMPTY_AXIS")
        column.operator("facewright.transfer", icon="MOD_DATA_TRANSFER")
        column.separator()
        column.prop(chosen, "examples")
        if chosen.examples == "KEYS":
            column.prop(chosen, "example_keys")
        column.prop(chosen, "trust", slider=True)
        column.prop(chosen, "align")
        column.prop(chosen, "add_missing")
        column.operator("facewright.build", icon="SCULPTMODE_HLT")
        column.operator("facewright.add_head", icon="USER")
        column.separator()
        column.operator("facewright.attach_parts", icon="LINKED")
        column.operator("facewright.detach_parts", icon="UNLINKED")


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
        column.operator("facewright.send", icon="EXPORT")
        column.operator("facewright.receive", icon="IMPORT")


def about(thing: Any) -> tuple[str, ...]:
    """The active object in a few words, in lines that fit a narrow sidebar."""
    if thing is None or thing.type != "MESH":
        return ("Select the mesh of a face",)
    keys = thing.data.shape_keys
    count = 0 if keys is None else len(keys.key_blocks) - 1
    pins = len(thing.facewright_pins)
    kept = f"{count} keys, {pins} {'pin' if pins == 1 else 'pins'}"
    return f"{thing.name}: {len(thing.data.vertices):,} vertices", kept


CLASSES = (FacePanel, BuildPanel, CorrectivesPanel, TakesPanel, ExaminePanel, StudioPanel)
