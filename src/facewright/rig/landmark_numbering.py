"""Landmarks of a face by name, and the numbers that detectors give them.

Left and right are the face's own. Points that have no definite place on a rig (the outline of the face, the sides of
the nose, brows) are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from facewright.arrays import Floats
from facewright.errors import BadValue, UnknownName

# Name -> the points, of which the mean is taken.
IBUG_68: Mapping[str, tuple[int, ...]] = {
    "right eye outer": (36,), "right eye upper": (37, 38), "right eye inner": (39,), "right eye lower": (40, 41),
    "left eye inner": (42,), "left eye upper": (43, 44), "left eye outer": (45,), "left eye lower": (46, 47),
    "nose bridge": (27,), "nose tip": (30,), "mouth right": (48,), "mouth left": (54,),
    "upper lip": (51, 62), "lower lip": (57, 66), "chin": (8,),
}  # fmt: skip
MEDIAPIPE: Mapping[str, tuple[int, ...]] = {
    "right eye outer": (33,), "right eye upper": (159,), "right eye inner": (133,), "right eye lower": (145,),
    "left eye inner": (362,), "left eye upper": (386,), "left eye outer": (263,), "left eye lower": (374,),
    "nose bridge": (168,), "nose tip": (1,), "mouth right": (61,), "mouth left": (291,),
    "upper lip": (0, 13), "lower lip": (17, 14), "chin": (152,),
}  # fmt: skip
LANDMARKS = tuple(IBUG_68)
_NUMBERINGS = {"ibug68": (IBUG_68, (68,)), "mediapipe": (MEDIAPIPE, (468, 478))}
NUMBERINGS = tuple(_NUMBERINGS)


def named_landmarks(points: Floats, numbering: str = "") -> dict[str, Floats]:
    """Name -> (2,) or (3,), of points (68, ...), (468, ...) or (478, ...); those that are not finite are left out.

    numbering: `ibug68` or `mediapipe`; by default as there are points.
    """
    if numbering and numbering not in _NUMBERINGS:
        raise UnknownName("numbering of landmarks", numbering, _NUMBERINGS)
    fitting = [name for name, (_, counts) in _NUMBERINGS.items() if len(points) in counts]
    if not fitting or (numbering and numbering not in fitting):
        raise BadValue(
            f"there are {len(points)} landmarks; iBUG's numbering has 68, MediaPipe's 468 or 478, and others are given"
            ' by name: {"nose tip": [160, 120], ...}'
        )
    places = {name: points[list(which)].mean(axis=0) for name, which in _NUMBERINGS[fitting[0]][0].items()}
    return {name: at for name, at in places.items() if np.isfinite(at).all()}


def other_side(name: str) -> str:
    """The name of the landmark's mirror image."""
    return " ".join({"left": "right", "right": "left"}.get(word, word) for word in name.split())


def check_names(names: Sequence[str]) -> None:
    """Raise an error for a name that is none of ours."""
    for name in names:
        if name not in LANDMARKS:
            raise UnknownName("landmark", name, LANDMARKS)


def sides_exchanged(landmarks: Mapping[str, Floats]) -> bool | None:
    """Whether left and right are those of a mirror image; None where too few landmarks are known to tell.

    landmarks: (2,) columns and rows of a picture, or (3,) places in space.
    """
    left, right, below = (_middle(landmarks, words) for words in (("left eye",), ("right eye",), ("mouth", "lip")))
    if left is None or right is None or below is None:
        return None
    across, down = left - right, below - (left + right) / 2
    if len(across) == 2:
        return bool(across[0] * down[1] - across[1] * down[0] < 0)
    nose = landmarks.get("nose tip")
    if nose is None:
        return None
    return bool(np.cross(across, down) @ (nose - (left + right + below) / 3) > 0)


def _middle(landmarks: Mapping[str, Floats], words: Sequence[str]) -> Floats | None:
    known = [np.asarray(at) for name, at in landmarks.items() if any(word in name for word in words)]
    known = [at for at in known if np.isfinite(at).all()]
    return np.asarray(np.mean(known, axis=0)) if known else None
