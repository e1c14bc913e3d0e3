"""Landmarks of a face by name: corners of eyes and mouth, tip of the nose, chin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from facewright.arrays import Floats, Ints
from facewright.mesh.normals import vertex_normals
from facewright.rig.rig import Rig

# In distances between the eyes, measured from the point between them:
_THIN = 0.06  # half the width of the profile line
_STEP = 0.03  # height of a step along the profile line


@dataclass(frozen=True, eq=False)
class FaceAxes:
    """Coordinates of a face: axes with the origin between the eyes, in distances between the eyes."""

    middle: Floats  # (3,)
    axes: Floats  # (3, 3) columns left, up, forward
    unit: float  # distance between the eyes
    mouth: Floats  # (3,) in these axes

    @classmethod
    def of(cls, left: Floats, right: Floats, mouth: Floats) -> FaceAxes:
        """The axes of a face, from the centres (3,) of its eyes and mouth."""
        across = (left - right) / np.linalg.norm(left - right)
        middle = (left + right) / 2
        up = middle - mouth
        up = up - across * (up @ across)
        up /= np.linalg.norm(up)
        axes = np.stack([across, up, np.cross(across, up)], axis=1)
        unit = float(np.linalg.norm(left - right))
        return cls(middle, axes, unit, (mouth - middle) @ axes / unit)

    def __call__(self, points: Floats) -> Floats:
        """Points (..., 3) in these axes."""
        return np.asarray((points - self.middle) @ self.axes / self.unit)


def find_landmarks(rig: Rig, borders: Mapping[str, Ints], skin: Ints) -> dict[str, int]:
    """Vertices of landmarks by name, such as `left eye inner`, `mouth left`, `nose tip`, `chin`.

    borders: vertices of the borders of eyes and mouth; without them nothing is found. skin: visible vertices (k,).
    """
    if not borders:
        return {}
    head = FaceAxes.of(*(rig.neutral[borders[name]].mean(axis=0) for name in ("left eye", "right eye", "mouth")))
    return _on_borders(borders, head(rig.neutral)) | _on_profile(rig, head, skin)


def _on_borders(borders: Mapping[str, Ints], places: Floats) -> dict[str, int]:
    found: dict[str, int] = {}
    for side, sign in (("left", 1), ("right", -1)):
        loop = borders[f"{side} eye"]
        inner, outer = _ends(loop, sign * places)
        found |= {f"{side} eye inner": inner, f"{side} eye outer": outer}
        upper, lower = _middles(loop, places)
        found |= {f"{side} eye upper": upper, f"{side} eye lower": lower}
    right, left = _ends(borders["mouth"], places)
    return found | {"mouth left": left, "mouth right": right}


def _ends(loop: Ints, places: Floats) -> tuple[int, int]:
    """The vertices of a loop that are furthest to the right and to the left."""
    across = places[loop, 0]
    return int(loop[across.argmin()]), int(loop[across.argmax()])


def _middles(loop: Ints, places: Floats) -> tuple[int, int]:
    """The vertices of a loop that are halfway between its ends, above and below."""
    across, up = places[loop, 0], places[loop, 1]
    tilt = np.polyfit(across, up, 1)
    off = np.abs(across - (across.min() + across.max()) / 2)
    above = up > np.polyval(tilt, across)
    return tuple(int(loop[np.where(half, off, np.inf).argmin()]) for half in (above, ~above))  # type: ignore[return-value]


def _on_profile(rig: Rig, head: FaceAxes, skin: Ints) -> dict[str, int]:
    """Landmarks on the profile, the line down the middle of the face."""
    line = _Profile(head(rig.neutral[skin]), vertex_normals(rig.neutral, rig.triangles)[skin] @ head.axes[:, 2])
    mouth = float(head.mouth[1])
    seam = line.best(mouth - 0.12, mouth + 0.06, [0, 0, -1])  # the profile has a notch between the lips
    height = mouth if seam is None else float(line.places[seam, 1])
    found = {
        "nose bridge": line.best(-0.3, 0.4, [0, 0, -1]),
        "nose tip": line.best(0.85 * mouth, -0.15, [0, 0, 1]),
        "upper lip": line.best(height, height + 0.18, [0, 0, 1]),
        "lower lip": line.best(height - 0.2, height, [0, 0, 1]),
        "chin": line.best(mouth - 0.9, mouth - 0.3, [0, -1, 1]),
    }
    return {name: int(skin[at]) for name, at in found.items() if at is not None}


class _Profile:
    """The profile of a face: the foremost vertex at each height of its middle."""

    def __init__(self, places: Floats, facing: Floats) -> None:
        line = np.flatnonzero((np.abs(places[:, 0]) < _THIN) & (facing > 0))
        steps = np.floor(places[line, 1] / _STEP).astype(np.int64)
        order = line[np.lexsort((-places[line, 2], steps))]
        _, first = np.unique(np.sort(steps), return_index=True)
        self.places = places
        self._line = order[first]

    def best(self, low: float, high: float, direction: list[float]) -> int | None:
        """The vertex between two heights that is furthest in a direction; None if it is the first or last of them."""
        here = self._line[(self.places[self._line, 1] > low) & (self.places[self._line, 1] < high)]
        if len(here) < 3:
            return None
        furthest = int((self.places[here] @ direction).argmax())
        return int(here[furthest]) if 0 < furthest < len(here) - 1 else None
