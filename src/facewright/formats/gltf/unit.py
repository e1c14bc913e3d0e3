"""The unit of a scene in a glTF file: the file is in metres, and our block says in which unit the face is edited."""

from __future__ import annotations

import warnings

import numpy as np

from facewright.document import Document
from facewright.errors import FacewrightWarning
from facewright.formats.gltf.accessors.budget import Budget
from facewright.formats.gltf.container.asset import Asset
from facewright.formats.gltf.container.extras import block_of, set_block
from facewright.formats.gltf.container.fields import Json
from facewright.formats.gltf.geometry.mesh import read_mesh
from facewright.formats.gltf.geometry.parts import face_nodes
from facewright.formats.gltf.geometry.weld import copies_block
from facewright.formats.gltf.scale import scaled_asset, warn_of_lengths
from facewright.motion.take import METRES
from facewright.rig.rig import Rig
from facewright.rig.unit import metres_per, unit_of_metres

KEY = "unit"


def unit_block(document: Document) -> Json:
    """What our block says of the unit; empty where a reader finds the same unit without it."""
    is_scaled = metres_per(document.unit) != 1.0
    return {KEY: document.unit} if is_scaled or document.unit != unit_of_metres(document.rig) else {}


def in_scene_unit(asset: Asset) -> Asset:
    """A file as it was read, in metres, with all lengths in the unit that our block states."""
    return scaled_asset(asset, 1 / metres_per(_stated(asset.json) or ""))


def unit_of(json: Json, rig: Rig) -> str:
    """The unit of a rig from a file: that of our block, else metres where the rig may be in metres."""
    stated = _stated(json)
    return unit_of_metres(rig) if stated is None else stated


def in_metres(asset: Asset, unit: str) -> Asset:
    """A file in metres from one in the unit of the scene. One without a unit keeps its numbers."""
    factor = metres_per(unit)
    if factor == 1.0:
        return asset
    warn_of_lengths(asset.json)
    found = scaled_asset(asset, factor)
    _keep_welds(asset, found, scaled_asset(found, 1 / factor))
    return found


def _stated(json: Json) -> str | None:
    """The unit in our block; None where it says nothing."""
    unit = block_of(json).get(KEY)
    if unit is None or unit == "" or (isinstance(unit, str) and unit in METRES):
        return unit
    warnings.warn(
        f"the unit {str(unit)[:20]!r} is left out: known are {', '.join(METRES)}", FacewrightWarning, stacklevel=2
    )
    return ""


def _keep_welds(asset: Asset, found: Asset, read: Asset) -> None:
    """State which vertices are copies in meshes where rounding to single precision makes others equal, too."""
    for node in face_nodes(asset.json):
        mesh = asset.json["nodes"][node.index]["mesh"]
        before, after = (read_mesh(one, mesh, Budget(one)).weld for one in (asset, read))
        if not np.array_equal(before.point, after.point):
            holder = found.json["meshes"][mesh]
            set_block(holder, block_of(holder) | copies_block(before))
