"""The description of a stage: its meshes, animations, materials and motion."""

from __future__ import annotations

from typing import Any

from pxr import Tf, UsdGeom

from facewright.errors import BadFile
from facewright.formats.usd_stage.layers import in_words, open_stage
from facewright.formats.usd_stage.meshes import describe_mesh, shown_meshes
from facewright.formats.usd_stage.motion import describe_motion, rest_time
from facewright.formats.usd_stage.output import Arrays, check_finite, numbers
from facewright.formats.usd_stage.shading import Shading
from facewright.formats.usd_stage.skeletons import Bindings, describe_animations

KEY = "facewright"


def write_description(path: str, out: str, most: int) -> None:
    """Write what is on the stage of a file, or why it is refused; arrays have at most so many bytes."""
    arrays = Arrays(most)
    try:
        described = describe(path, arrays)
        check_finite(described)
    except BadFile as problem:
        arrays, described = Arrays(0), {"refused": str(problem)}
    except (Tf.ErrorException, UnicodeDecodeError, MemoryError) as problem:
        arrays, described = Arrays(0), {"refused": f"usd-core cannot read it: {in_words(problem, path)}"}
    arrays.write(out, described)


def describe(path: str, arrays: Arrays) -> dict[str, Any]:
    stage, layers = open_stage(path)
    meshes = shown_meshes(stage)
    if not meshes:
        raise BadFile("there is no mesh on the stage; a face needs at least one")
    bindings, shading = Bindings(stage), Shading(stage)
    time = rest_time(meshes)
    places = UsdGeom.XformCache(time)
    described = [describe_mesh(mesh, places, bindings, shading, arrays) for mesh in meshes]
    rate = numbers(stage.GetTimeCodesPerSecond(), 1, [24.0])[0]
    block = stage.GetRootLayer().customLayerData.get(KEY)
    frames = stage.GetFramesPerSecond() if stage.HasAuthoredMetadata("framesPerSecond") else rate
    return {
        "layers": layers,
        "data": {KEY: block} if isinstance(block, str) else {},
        "metres": _metres(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "rate": rate,
        "frames": numbers(frames, 1, [rate])[0],
        "meshes": described,
        "animations": describe_animations(stage, bindings, arrays),
        "materials": shading.materials,
        "motion": describe_motion(meshes, arrays),
    }


def _metres(stage: Any) -> float | None:
    """Metres in a unit; None where the file does not say it."""
    if not UsdGeom.StageHasAuthoredMetersPerUnit(stage):
        return None
    found = numbers(UsdGeom.GetStageMetersPerUnit(stage), 1, [0.0])[0]
    return found if found > 0 else None
