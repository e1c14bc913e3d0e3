"""What sliders are for, by their names: the skin, or something that a point on the skin does not ask for."""

from __future__ import annotations

from typing import Literal

from facewright.rig.name_tables import OCULUS
from facewright.rig.names import canonical_name, group_of
from facewright.rig.spelling import camel, spelling

Role = Literal["skin", "gaze", "pupil", "viseme", "tongue", "preset"]

_VISEMES = frozenset((*OCULUS, "aa", "ih", "ou", "ee", "oh"))
_PRESETS = frozenset(("happy", "angry", "sad", "relaxed", "surprised", "neutral"))
_WHOLE_FACE = "fclall"  # VRoid: Fcl_ALL_Joy moves the whole face
_WORDS: dict[str, Role] = {
    "look": "gaze",
    "gaze": "gaze",
    "pupil": "pupil",
    "iris": "pupil",
    "viseme": "viseme",
    "phoneme": "viseme",
}


def role_of(name: str) -> Role:
    """What a slider of this name is for. A preset is a whole expression of the face."""
    spelled = spelling(name)
    meaning = camel(spelling(canonical_name(name)).words)
    if canonical_name(name) in _VISEMES:
        return "viseme"
    if meaning in _PRESETS or spelled.key.startswith(_WHOLE_FACE):
        return "preset"
    words = (*spelling(meaning).words, *spelled.words)
    found = next((_WORDS[word] for word in words if word in _WORDS), None)
    if found is not None:
        return found
    return "tongue" if group_of(name) == "tongue" else "skin"
