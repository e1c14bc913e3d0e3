"""Facewright builds, poses and animates blendshape faces."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facewright.build.builder import Built, RigBuilder, build_rig
    from facewright.build.register import Registration, register
    from facewright.build.schedule import Schedule
    from facewright.build.transfer import transfer
    from facewright.capture.bind import bind
    from facewright.capture.playback import Playback
    from facewright.capture.solver import TakeSolver, solve_take
    from facewright.document import Document
    from facewright.errors import FacewrightError
    from facewright.formats.clips import load_clip, save_clip
    from facewright.formats.registry import load, load_document, save
    from facewright.formats.takes import load_take, save_take
    from facewright.mesh.polygons import Polygons, Uvs
    from facewright.motion.clip import Clip
    from facewright.motion.curve import Curve
    from facewright.motion.take import Take
    from facewright.pose.attenuation import Attenuation
    from facewright.pose.mirror import mirror_pins
    from facewright.pose.solver import PoseSolver, solve_pose
    from facewright.regions.segment import segment
    from facewright.rig.binding import Binding
    from facewright.rig.evaluate import Evaluator, evaluate, jacobian
    from facewright.rig.names import match_names
    from facewright.rig.regions import Regions
    from facewright.rig.retarget import retarget
    from facewright.rig.rig import Part, Rig
    from facewright.rig.rules import OnlyMovedBy, StaysWithin
    from facewright.rig.shape import Shape
    from facewright.rig.textures import ShapeTexture, Textures
    from facewright.samples.head import sample
    from facewright.samples.skin.paint import textured_sample
    from facewright.terms.pin import Pin
    from facewright.terms.selection import Selection
    from facewright.texture.blend import TextureBlend, blend_textures
    from facewright.texture.face_texture import FaceTexture
else:
    # Loaded when first asked for: a command that poses need not wait for what builds. The same as above.
    _HOMES = {
        "facewright.build.builder": ("Built", "RigBuilder", "build_rig"),
        "facewright.build.register": ("Registration", "register"),
        "facewright.build.schedule": ("Schedule",),
        "facewright.build.transfer": ("transfer",),
        "facewright.capture.bind": ("bind",),
        "facewright.capture.playback": ("Playback",),
        "facewright.capture.solver": ("TakeSolver", "solve_take"),
        "facewright.document": ("Document",),
        "facewright.errors": ("FacewrightError",),
        "facewright.formats.registry": ("load", "load_document", "save"),
        "facewright.formats.takes": ("load_take", "save_take"),
        "facewright.formats.clips": ("load_clip", "save_clip"),
        "facewright.mesh.polygons": ("Polygons", "Uvs"),
        "facewright.motion.clip": ("Clip",),
        "facewright.motion.curve": ("Curve",),
        "facewright.motion.take": ("Take",),
        "facewright.pose.attenuation": ("Attenuation",),
        "facewright.pose.mirror": ("mirror_pins",),
        "facewright.terms.pin": ("Pin",),
        "facewright.terms.selection": ("Selection",),
        "facewright.pose.solver": ("PoseSolver", "solve_pose"),
        "facewright.regions.segment": ("segment",),
        "facewright.rig.binding": ("Binding",),
        "facewright.rig.evaluate": ("Evaluator", "evaluate", "jacobian"),
        "facewright.rig.names": ("match_names",),
        "facewright.rig.regions": ("Regions",),
        "facewright.rig.retarget": ("retarget",),
        "facewright.rig.rig": ("Part", "Rig"),
        "facewright.rig.rules": ("OnlyMovedBy", "StaysWithin"),
        "facewright.rig.shape": ("Shape",),
        "facewright.rig.textures": ("ShapeTexture", "Textures"),
        "facewright.samples.head": ("sample",),
        "facewright.samples.skin.paint": ("textured_sample",),
        "facewright.texture.blend": ("TextureBlend", "blend_textures"),
        "facewright.texture.face_texture": ("FaceTexture",),
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(home), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__version__ = "0.2.0.dev0"

__all__ = [
    "Attenuation",
    "Binding",
    "Built",
    "Clip",
    "Curve",
    "Document",
    "Evaluator",
    "FaceTexture",
    "FacewrightError",
    "OnlyMovedBy",
    "Part",
    "Pin",
    "Playback",
    "Polygons",
    "PoseSolver",
    "Regions",
    "Registration",
    "Rig",
    "RigBuilder",
    "Schedule",
    "Selection",
    "Shape",
    "ShapeTexture",
    "StaysWithin",
    "Take",
    "TakeSolver",
    "TextureBlend",
    "Textures",
    "Uvs",
    "bind",
    "blend_textures",
    "build_rig",
    "evaluate",
    "jacobian",
    "load",
    "load_clip",
    "load_document",
    "load_take",
    "match_names",
    "mirror_pins",
    "register",
    "retarget",
    "sample",
    "save",
    "save_clip",
    "save_take",
    "segment",
    "solve_pose",
    "solve_take",
    "textured_sample",
    "transfer",
]
