"""Our block in an FBX file: a text among the properties of the scene, which other programs do not read."""

from __future__ import annotations

from typing import Any

from facewright.errors import BadFile
from facewright.formats.fbx.scene.objects import FbxScene, properties_of
from facewright.formats.schema.json import decode

KEY = "Original|Facewright"


def block_in(scene: FbxScene) -> dict[str, Any]:
    """Our block; empty where there is none."""
    header = scene.root.child("FBXHeaderExtension")
    info = None if header is None else header.child("SceneInfo")
    values = () if info is None else properties_of(info).get(KEY, ())
    if not values or not isinstance(values[0], str):
        return {}
    try:
        return decode(values[0].encode("utf-8", "surrogatepass"))
    except BadFile as problem:
        raise BadFile(f"{KEY}: {problem}") from problem
