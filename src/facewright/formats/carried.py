"""What the file that a document was opened from has besides the face, counted: it is kept in glTF files alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from facewright.document import Document
from facewright.errors import FacewrightError

CARRIED = ("skin", "other mesh", "camera", "joint animation")
_KEPT = 4  # files whose counts stay in memory


def carried(document: Document, kind: str) -> int:
    """How many skins, other meshes, cameras or joint animations there are."""
    from facewright.formats.file_joints import file_of  # loads msgspec, which a rig alone does not need

    data = file_of(document)
    return 0 if data is None else _counts(data).get(kind, 0)


@lru_cache(maxsize=_KEPT)
def _counts(data: bytes) -> Mapping[str, int]:
    from facewright.formats.gltf.container.asset import parse_glb
    from facewright.formats.gltf.container.fields import entries
    from facewright.formats.gltf.container.structure import check_structure
    from facewright.formats.gltf.geometry.parts import carried_nodes

    try:
        json = parse_glb(data).json
        check_structure(json)
        return {
            "skin": len(entries(json, "skins")),
            "other mesh": len(carried_nodes(json)),
            "camera": len(entries(json, "cameras")),
            "joint animation": sum(_moves_nodes(animation) for animation in entries(json, "animations")),
        }
    except FacewrightError:
        return {}


def _moves_nodes(animation: dict[str, object]) -> bool:
    """Whether an animation moves nodes, and not weights alone."""
    channels = animation.get("channels")
    targets = [one.get("target") for one in channels if isinstance(one, dict)] if isinstance(channels, list) else []
    return any(isinstance(one, dict) and one.get("path") != "weights" for one in targets)
