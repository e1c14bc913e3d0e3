"""Facewright builds, poses and animates blendshape faces."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from facewright.build.builder import Built, RigBuilder, build_rig
    from facewright.build.register import Registration, register
    from facewright.build.schedule import Schedule
    from facewright.build.transfer import transfer
    from facewright.capture.bind import bind
    from facewright.capture.calibrate import Calibration, calibrate
    from facewright.capture.finish import finish_clip
    from facewright.capture.followers import following_rig
    from facewright.capture.head import HeadMotion
    from facewright.capture.playback import Playback
    from facewright.capture.residual_shapes import with_residual_shapes
    from facewright.capture.solution import FrameStatus, TakeSolution
    from facewright.capture.solver import PreparedTake, TakeSolver, solve_take
    from facewright.capture.statistics import TakeStatistics, take_statistics
    from facewright.document import Document
    from facewright.errors import FacewrightError
    from facewright.formats.clips import load_clip, save_clip
    from facewright.formats.registry import load, load_document, save
    from facewright.formats.takes import load_take, save_take
    from facewright.mesh.polygons import Polygons, Uvs
    from facewright.motion.clip import Clip
    from facewright.motion.curve import Curve
    from facewright.motion.take import Take
    from facewright.pose.attenuation import Attenuated, Attenuation
    from facewright.pose.drag import Drag
    from facewright.pose.mirror import mirror_pins
    from facewright.pose.solution import PoseSolution
    from facewright.pose.solver import PoseSolver, solve_pose
    from facewright.regions.segment import segment
    from facewright.rig.binding import Binding, SurfacePoint, on_vertices
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
    from facewright.solve.solution import Status
    from facewright.terms.pin import Pin
    from facewright.terms.preferences import Few, Quiet, StayNear
    from facewright.terms.selection import Hold, Selection
    from facewright.terms.term import PointRows, Preference, SliderCost, Term, TermContext, Wish
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
        "facewright.capture.calibrate": ("Calibration", "calibrate"),
        "facewright.capture.finish": ("finish_clip",),
        "facewright.capture.followers": ("following_rig",),
        "facewright.capture.head": ("HeadMotion",),
        "facewright.capture.playback": ("Playback",),
        "facewright.capture.residual_shapes": ("with_residual_shapes",),
        "facewright.capture.solution": ("FrameStatus", "TakeSolution"),
        "facewright.capture.solver": ("PreparedTake", "TakeSolver", "solve_take"),
        "facewright.capture.statistics": ("TakeStatistics", "take_statistics"),
        "facewright.document": ("Document",),
        "facewright.errors": ("FacewrightError",),
        "facewright.formats.clips": ("load_clip", "save_clip"),
        "facewright.formats.registry": ("load", "load_document", "save"),
        "facewright.formats.takes": ("load_take", "save_take"),
        "facewright.mesh.polygons": ("Polygons", "Uvs"),
        "facewright.motion.clip": ("Clip",),
        "facewright.motion.curve": ("Curve",),
        "facewright.motion.take": ("Take",),
        "facewright.pose.attenuation": ("Attenuated", "Attenuation"),
        "facewright.pose.drag": ("Drag",),
        "facewright.pose.mirror": ("mirror_pins",),
        "facewright.pose.solution": ("PoseSolution",),
        "facewright.pose.solver": ("PoseSolver", "solve_pose"),
        "facewright.regions.segment": ("segment",),
        "facewright.rig.binding": ("Binding", "SurfacePoint", "on_vertices"),
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
        "facewright.solve.solution": ("Status",),
        "facewright.terms.pin": ("Pin",),
        "facewright.terms.preferences": ("Few", "Quiet", "StayNear"),
        "facewright.terms.selection": ("Hold", "Selection"),
        "facewright.terms.term": ("PointRows", "Preference", "SliderCost", "Term", "TermContext", "Wish"),
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
    "Attenuated",
    "Attenuation",
    "Binding",
    "Built",
    "Calibration",
    "Clip",
    "Curve",
    "Document",
    "Drag",
    "Evaluator",
    "FaceTexture",
    "FacewrightError",
    "Few",
    "FrameStatus",
    "HeadMotion",
    "Hold",
    "OnlyMovedBy",
    "Part",
    "Pin",
    "Playback",
    "PointRows",
    "Polygons",
    "PoseSolution",
    "PoseSolver",
    "Preference",
    "PreparedTake",
    "Quiet",
    "Regions",
    "Registration",
    "Rig",
    "RigBuilder",
    "Schedule",
    "Selection",
    "Shape",
    "ShapeTexture",
    "SliderCost",
    "Status",
    "StayNear",
    "StaysWithin",
    "SurfacePoint",
    "Take",
    "TakeSolution",
    "TakeSolver",
    "TakeStatistics",
    "Term",
    "TermContext",
    "TextureBlend",
    "Textures",
    "Uvs",
    "Wish",
    "bind",
    "blend_textures",
    "build_rig",
    "calibrate",
    "evaluate",
    "finish_clip",
    "following_rig",
    "jacobian",
    "load",
    "load_clip",
    "load_document",
    "load_take",
    "match_names",
    "mirror_pins",
    "on_vertices",
    "register",
    "retarget",
    "sample",
    "save",
    "save_clip",
    "save_take",
    "segment",
    "solve_pose",
    "solve_take",
    "take_statistics",
    "textured_sample",
    "transfer",
    "with_residual_shapes",
]
