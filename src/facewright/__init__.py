"""Facewright builds, poses and animates blendshape faces."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import facewright.jobs as jobs
    import facewright.live as live
    import facewright.render as render
    import facewright.rig.edit as edit
    from facewright.build.builder import BuildIteration, Built, RigBuilder, build_rig
    from facewright.build.contact import closing_shapes
    from facewright.build.example_fit import ExampleFit
    from facewright.build.missing_shapes import ShapeProposal
    from facewright.build.reach import Reach
    from facewright.build.register import Registration, register
    from facewright.build.registration.landmark_pairs import LandmarkPairs
    from facewright.build.registration.nonrigid import RegistrationProgress
    from facewright.build.registration.quality import RegistrationQuality
    from facewright.build.schedule import Schedule
    from facewright.build.templates import BlendedTemplate, blend_templates
    from facewright.build.transfer import transfer
    from facewright.build.weight_guess import guess_weights
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
    from facewright.document import Document, bake_layers
    from facewright.errors import (
        BadFile,
        BadValue,
        FacewrightError,
        FacewrightWarning,
        MissingExtra,
        OtherTopology,
        OutOfPlace,
        UnknownFormat,
        UnknownName,
        UnknownOption,
    )
    from facewright.formats.clips import load_clip, save_clip
    from facewright.formats.prior_file import load_prior, save_prior
    from facewright.formats.registry import load, load_document, save
    from facewright.formats.takes import load_take, save_take
    from facewright.image.encoded import Encoded
    from facewright.mesh.align import Similarity
    from facewright.mesh.polygons import Polygons, Uvs
    from facewright.motion.clip import Clip
    from facewright.motion.curve import Curve
    from facewright.motion.depth import DepthImage, Pinhole, PointCloud, ScanSequence
    from facewright.motion.filter import one_euro, smooth_clip, zero_phase
    from facewright.motion.layer import Layer
    from facewright.motion.reduce import reduce_clip
    from facewright.motion.take import Take
    from facewright.notebook.pose import ViewPose
    from facewright.notebook.view import view
    from facewright.pose.attenuation import Attenuated, Attenuation
    from facewright.pose.attenuation_layer import attenuation_layer
    from facewright.pose.drag import Drag
    from facewright.pose.mirror import mirror_pins
    from facewright.pose.solution import PoseSolution
    from facewright.pose.solver import PoseSolver, solve_pose
    from facewright.reference.bookmark import CameraBookmark
    from facewright.reference.media_file import MediaFile
    from facewright.reference.plane import ReferencePlane
    from facewright.reference.sound import ReferenceSound
    from facewright.regions.bake import BakedRegions, bake_regions
    from facewright.regions.deformation import deformation_vectors
    from facewright.regions.edit import erase_region, merge_regions, paint_region, split_region
    from facewright.regions.region_evaluator import (
        RegionEvaluator,
        confined_rig,
        evaluate_regions,
        moved_within,
        region_weights,
        values_within,
    )
    from facewright.regions.replace import with_regions
    from facewright.regions.segment import segment
    from facewright.report.interference import Interference, interference
    from facewright.report.lint import Finding, lint
    from facewright.report.rig_difference import RigComparison, RigDifference, ShapeDifference, compare_rigs
    from facewright.report.rule_motion import RuleMotion, RuleMotions, rule_motions
    from facewright.report.summary import Summary, summarise
    from facewright.rig.binding import Binding, SurfacePoint, bind_vertices
    from facewright.rig.correctives import CorrectiveKind, corrective_corners, corrective_kinds
    from facewright.rig.evaluate import Evaluator, evaluate, jacobian
    from facewright.rig.expression import Expression, ExpressionBind, pose_of_expressions
    from facewright.rig.head_rig import HeadRig, find_head_rig
    from facewright.rig.library_pose import LibraryPose, mirrored_side
    from facewright.rig.match import NameMatch
    from facewright.rig.materials import Material, Materials
    from facewright.rig.names import canonical_name, convention_names, group_of, match_names
    from facewright.rig.prior import Prior
    from facewright.rig.regions import Regions
    from facewright.rig.retarget import MappedName, Retargeted, retarget
    from facewright.rig.rig import Part, Rig
    from facewright.rig.rules import OnlyMovedBy, StaysWithin
    from facewright.rig.shape import Factor, Shape
    from facewright.rig.textures import ShapeTexture, SurfaceTextures, Textures
    from facewright.rig.wholeface import from_whole_faces, from_whole_weights, to_whole_weights, whole_faces
    from facewright.samples.head import sample
    from facewright.samples.skin.paint import textured_sample
    from facewright.solve.solution import Status
    from facewright.terms.pin import Pin
    from facewright.terms.preferences import Few, Quiet, StayNear
    from facewright.terms.selection import Hold, Selection
    from facewright.terms.term import PointRows, Preference, SliderCost, Term, TermContext, Wish
    from facewright.texture.bands import Bands
    from facewright.texture.blend import TextureBlend, blend_textures
    from facewright.texture.detail import Detail, DetailChoice
    from facewright.texture.detail_regions import DetailRegions
    from facewright.texture.face_texture import FaceTexture
    from facewright.texture.layout import island_labels
    from facewright.texture.vertex_colors import skin_colors, vertex_colors
    from facewright.tracking.options import TrackOptions
    from facewright.tracking.refine import RefinedRig, refine_rig
    from facewright.tracking.solution import TrackSolution
    from facewright.tracking.solver import TrackedFrame, TrackSolver, TrackStatus
    from facewright.tracking.track import TrackProgress, track
    from facewright.workflow.perfect_sync import PerfectSync, perfect_sync
    from facewright.workflow.plain_targets import PlainTargets, plain_targets
    from facewright.workflow.pose_folder import PoseFolder
    from facewright.workflow.reference_files import load_plane, load_sound
else:
    # Each name is loaded when it is first used: a command that poses does not load what builds. The same list as above.
    _HOMES = {
        "facewright.build.builder": ("BuildIteration", "Built", "RigBuilder", "build_rig"),
        "facewright.build.contact": ("closing_shapes",),
        "facewright.build.missing_shapes": ("ShapeProposal",),
        "facewright.build.reach": ("Reach",),
        "facewright.build.example_fit": ("ExampleFit",),
        "facewright.build.register": ("Registration", "register"),
        "facewright.build.registration.landmark_pairs": ("LandmarkPairs",),
        "facewright.build.registration.nonrigid": ("RegistrationProgress",),
        "facewright.build.registration.quality": ("RegistrationQuality",),
        "facewright.build.schedule": ("Schedule",),
        "facewright.build.templates": ("BlendedTemplate", "blend_templates"),
        "facewright.build.transfer": ("transfer",),
        "facewright.build.weight_guess": ("guess_weights",),
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
        "facewright.document": ("Document", "bake_layers"),
        "facewright.errors": (
            "BadFile",
            "BadValue",
            "FacewrightError",
            "FacewrightWarning",
            "MissingExtra",
            "OtherTopology",
            "OutOfPlace",
            "UnknownFormat",
            "UnknownName",
            "UnknownOption",
        ),
        "facewright.formats.clips": ("load_clip", "save_clip"),
        "facewright.formats.prior_file": ("load_prior", "save_prior"),
        "facewright.formats.registry": ("load", "load_document", "save"),
        "facewright.formats.takes": ("load_take", "save_take"),
        "facewright.image.encoded": ("Encoded",),
        "facewright.mesh.align": ("Similarity",),
        "facewright.mesh.polygons": ("Polygons", "Uvs"),
        "facewright.motion.clip": ("Clip",),
        "facewright.motion.curve": ("Curve",),
        "facewright.motion.depth": ("DepthImage", "Pinhole", "PointCloud", "ScanSequence"),
        "facewright.motion.layer": ("Layer",),
        "facewright.motion.filter": ("one_euro", "smooth_clip", "zero_phase"),
        "facewright.motion.reduce": ("reduce_clip",),
        "facewright.motion.take": ("Take",),
        "facewright.notebook.pose": ("ViewPose",),
        "facewright.notebook.view": ("view",),
        "facewright.pose.attenuation": ("Attenuated", "Attenuation"),
        "facewright.pose.attenuation_layer": ("attenuation_layer",),
        "facewright.pose.drag": ("Drag",),
        "facewright.pose.mirror": ("mirror_pins",),
        "facewright.pose.solution": ("PoseSolution",),
        "facewright.pose.solver": ("PoseSolver", "solve_pose"),
        "facewright.reference.bookmark": ("CameraBookmark",),
        "facewright.reference.media_file": ("MediaFile",),
        "facewright.reference.plane": ("ReferencePlane",),
        "facewright.reference.sound": ("ReferenceSound",),
        "facewright.regions.bake": ("BakedRegions", "bake_regions"),
        "facewright.regions.deformation": ("deformation_vectors",),
        "facewright.regions.edit": ("erase_region", "merge_regions", "paint_region", "split_region"),
        "facewright.regions.region_evaluator": (
            "RegionEvaluator",
            "confined_rig",
            "evaluate_regions",
            "moved_within",
            "region_weights",
            "values_within",
        ),
        "facewright.regions.replace": ("with_regions",),
        "facewright.regions.segment": ("segment",),
        "facewright.report.interference": ("Interference", "interference"),
        "facewright.report.lint": ("Finding", "lint"),
        "facewright.report.rig_difference": ("RigComparison", "RigDifference", "ShapeDifference", "compare_rigs"),
        "facewright.report.rule_motion": ("RuleMotion", "RuleMotions", "rule_motions"),
        "facewright.report.summary": ("Summary", "summarise"),
        "facewright.rig.binding": ("Binding", "SurfacePoint", "bind_vertices"),
        "facewright.rig.correctives": ("CorrectiveKind", "corrective_corners", "corrective_kinds"),
        "facewright.rig.evaluate": ("Evaluator", "evaluate", "jacobian"),
        "facewright.rig.expression": ("Expression", "ExpressionBind", "pose_of_expressions"),
        "facewright.rig.match": ("NameMatch",),
        "facewright.rig.materials": ("Material", "Materials"),
        "facewright.rig.library_pose": ("LibraryPose", "mirrored_side"),
        "facewright.rig.names": ("canonical_name", "convention_names", "group_of", "match_names"),
        "facewright.rig.prior": ("Prior",),
        "facewright.rig.regions": ("Regions",),
        "facewright.rig.retarget": ("MappedName", "Retargeted", "retarget"),
        "facewright.rig.rig": ("Part", "Rig"),
        "facewright.rig.rules": ("OnlyMovedBy", "StaysWithin"),
        "facewright.rig.shape": ("Factor", "Shape"),
        "facewright.rig.textures": ("ShapeTexture", "SurfaceTextures", "Textures"),
        "facewright.rig.wholeface": ("from_whole_faces", "from_whole_weights", "to_whole_weights", "whole_faces"),
        "facewright.rig.head_rig": ("HeadRig", "find_head_rig"),
        "facewright.samples.head": ("sample",),
        "facewright.samples.skin.paint": ("textured_sample",),
        "facewright.solve.solution": ("Status",),
        "facewright.terms.pin": ("Pin",),
        "facewright.terms.preferences": ("Few", "Quiet", "StayNear"),
        "facewright.terms.selection": ("Hold", "Selection"),
        "facewright.terms.term": ("PointRows", "Preference", "SliderCost", "Term", "TermContext", "Wish"),
        "facewright.texture.bands": ("Bands",),
        "facewright.texture.blend": ("TextureBlend", "blend_textures"),
        "facewright.texture.detail": ("Detail", "DetailChoice"),
        "facewright.texture.detail_regions": ("DetailRegions",),
        "facewright.texture.face_texture": ("FaceTexture",),
        "facewright.texture.vertex_colors": ("skin_colors", "vertex_colors"),
        "facewright.texture.layout": ("island_labels",),
        "facewright.tracking.options": ("TrackOptions",),
        "facewright.tracking.refine": ("RefinedRig", "refine_rig"),
        "facewright.tracking.solution": ("TrackSolution",),
        "facewright.tracking.solver": ("TrackSolver", "TrackStatus", "TrackedFrame"),
        "facewright.tracking.track": ("TrackProgress", "track"),
        "facewright.workflow.pose_folder": ("PoseFolder",),
        "facewright.workflow.perfect_sync": ("PerfectSync", "perfect_sync"),
        "facewright.workflow.plain_targets": ("PlainTargets", "plain_targets"),
        "facewright.workflow.reference_files": ("load_plane", "load_sound"),
    }
    _MODULES = {
        "edit": "facewright.rig.edit",
        "jobs": "facewright.jobs",
        "live": "facewright.live",
        "render": "facewright.render",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _MODULES:
            found = import_module(_MODULES[name])
        else:
            home = next((module for module, names in _HOMES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            found = getattr(import_module(home), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__version__ = "0.2.0.dev0"

__all__ = [
    "Attenuated",
    "Attenuation",
    "BadFile",
    "BadValue",
    "BakedRegions",
    "Bands",
    "Binding",
    "BlendedTemplate",
    "BuildIteration",
    "Built",
    "Calibration",
    "CameraBookmark",
    "Clip",
    "CorrectiveKind",
    "Curve",
    "DepthImage",
    "Detail",
    "DetailChoice",
    "DetailRegions",
    "Document",
    "Drag",
    "Encoded",
    "Evaluator",
    "ExampleFit",
    "Expression",
    "ExpressionBind",
    "FaceTexture",
    "FacewrightError",
    "FacewrightWarning",
    "Factor",
    "Few",
    "Finding",
    "FrameStatus",
    "HeadMotion",
    "HeadRig",
    "Hold",
    "Interference",
    "LandmarkPairs",
    "Layer",
    "LibraryPose",
    "MappedName",
    "Material",
    "Materials",
    "MediaFile",
    "MissingExtra",
    "NameMatch",
    "OnlyMovedBy",
    "OtherTopology",
    "OutOfPlace",
    "Part",
    "PerfectSync",
    "Pin",
    "Pinhole",
    "PlainTargets",
    "Playback",
    "PointCloud",
    "PointRows",
    "Polygons",
    "PoseFolder",
    "PoseSolution",
    "PoseSolver",
    "Preference",
    "PreparedTake",
    "Prior",
    "Quiet",
    "Reach",
    "ReferencePlane",
    "ReferenceSound",
    "RefinedRig",
    "RegionEvaluator",
    "Regions",
    "Registration",
    "RegistrationProgress",
    "RegistrationQuality",
    "Retargeted",
    "Rig",
    "RigBuilder",
    "RigComparison",
    "RigDifference",
    "RuleMotion",
    "RuleMotions",
    "ScanSequence",
    "Schedule",
    "Selection",
    "Shape",
    "ShapeDifference",
    "ShapeProposal",
    "ShapeTexture",
    "Similarity",
    "SliderCost",
    "Status",
    "StayNear",
    "StaysWithin",
    "Summary",
    "SurfacePoint",
    "SurfaceTextures",
    "Take",
    "TakeSolution",
    "TakeSolver",
    "TakeStatistics",
    "Term",
    "TermContext",
    "TextureBlend",
    "Textures",
    "TrackOptions",
    "TrackProgress",
    "TrackSolution",
    "TrackSolver",
    "TrackStatus",
    "TrackedFrame",
    "UnknownFormat",
    "UnknownName",
    "UnknownOption",
    "Uvs",
    "ViewPose",
    "Wish",
    "attenuation_layer",
    "bake_layers",
    "bake_regions",
    "bind",
    "bind_vertices",
    "blend_templates",
    "blend_textures",
    "build_rig",
    "calibrate",
    "canonical_name",
    "closing_shapes",
    "compare_rigs",
    "confined_rig",
    "convention_names",
    "corrective_corners",
    "corrective_kinds",
    "deformation_vectors",
    "edit",
    "erase_region",
    "evaluate",
    "evaluate_regions",
    "find_head_rig",
    "finish_clip",
    "following_rig",
    "from_whole_faces",
    "from_whole_weights",
    "group_of",
    "guess_weights",
    "interference",
    "island_labels",
    "jacobian",
    "jobs",
    "lint",
    "live",
    "load",
    "load_clip",
    "load_document",
    "load_plane",
    "load_prior",
    "load_sound",
    "load_take",
    "match_names",
    "merge_regions",
    "mirror_pins",
    "mirrored_side",
    "moved_within",
    "one_euro",
    "paint_region",
    "perfect_sync",
    "plain_targets",
    "pose_of_expressions",
    "reduce_clip",
    "refine_rig",
    "region_weights",
    "register",
    "render",
    "retarget",
    "rule_motions",
    "sample",
    "save",
    "save_clip",
    "save_prior",
    "save_take",
    "segment",
    "skin_colors",
    "smooth_clip",
    "solve_pose",
    "solve_take",
    "split_region",
    "summarise",
    "take_statistics",
    "textured_sample",
    "to_whole_weights",
    "track",
    "transfer",
    "values_within",
    "vertex_colors",
    "view",
    "whole_faces",
    "with_regions",
    "with_residual_shapes",
    "zero_phase",
]
