"""The two versions of VRM: which one a file is of, how its expressions are spelled, and where the face looks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from facewright.arrays import Floats
from facewright.formats.gltf.container.fields import Json, member

ZERO, ONE = "VRM", "VRMC_vrm"  # names of the extensions
# Presets of VRM 0 by those of 1.0; `surprised` is new there.
PRESETS_OF_ZERO: Mapping[str, str] = {
    "joy": "happy", "angry": "angry", "sorrow": "sad", "fun": "relaxed", "a": "aa", "i": "ih", "u": "ou", "e": "ee",
    "o": "oh", "blink": "blink", "blink_l": "blinkLeft", "blink_r": "blinkRight", "lookup": "lookUp",
    "lookdown": "lookDown", "lookleft": "lookLeft", "lookright": "lookRight", "neutral": "neutral",
}  # fmt: skip


def version_of(json: Json) -> str:
    """The name of the extension that makes a file a VRM; "" where it is none. 1.0 counts where a file has both."""
    extensions = json.get("extensions")
    found = extensions if isinstance(extensions, dict) else {}
    return next((name for name in (ONE, ZERO) if isinstance(found.get(name), dict)), "")


def extension_of(json: Json) -> Json:
    """The extension of a VRM."""
    found: Json = json["extensions"][version_of(json)]
    return found


def groups_of(json: Json) -> list[Json]:
    """The expressions of VRM 0, which are groups of a list."""
    listed = member(extension_of(json), "blendShapeMaster", ZERO).get("blendShapeGroups", [])
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def facing(json: Json) -> Floats:
    """What turns a character to us (4, 4): those of VRM 0 look along -z, where all others look along +z."""
    return np.diag([-1.0, 1.0, -1.0, 1.0]) if version_of(json) == ZERO else np.eye(4)
