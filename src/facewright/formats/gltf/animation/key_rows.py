"""Which keys of an animation are those of a curve, so that our block does not repeat their times and values.

glTF has all weights of a mesh at every key. A curve with fewer keys than that is stated by the rows that are its own.
"""

from __future__ import annotations

import msgspec
import numpy as np

from facewright.arrays import Floats, Ints
from facewright.formats.gltf.animation.packed import FEW, packed_rows, rows_of
from facewright.motion.curve import Curve, Interpolation
from facewright.rig.rig import Rig
from facewright.rig.shape import Shape


class KeyRows(msgspec.Struct, omit_defaults=True):
    """A curve whose keys are keys of the animation."""

    slider: str
    interpolation: Interpolation = "linear"
    keys: str = ""  # which keys of the animation are its own, by `packed_rows`
    steps: list[int] | None = None  # in older files: from each of them to the next; the first from the beginning

    def rows(self, count: int) -> Ints:
        """The rows (k,) of its keys in those of the animation."""
        return rows_of(self.keys, count) if self.steps is None else np.cumsum(np.array(self.steps, np.int64))

    def curve(self, animated: Curve, factor: float, times: Floats | None = None) -> Curve | None:
        """The curve, given that of the slider's shape and its full value; None where it has no such keys any more.

        times: of all keys of the animation, where single precision does not have them.
        """
        rows = self.rows(len(animated.times))
        if not len(rows) or rows[0] < 0 or (np.diff(rows) <= 0).any() or rows[-1] >= len(animated.times):
            return None
        slopes = None
        if self.interpolation == "cubic":
            if animated.slopes is None:
                return None
            slopes = animated.slopes[rows] * factor
        at = animated.times if times is None or len(times) != len(animated.times) else times
        return Curve(at[rows], animated.values[rows] * factor, self.interpolation, slopes)


def telling_shapes(rig: Rig) -> dict[str, Shape]:
    """The shapes whose values tell those of their sliders: of a slider without in-betweens, the one that it drives."""
    alone: dict[str, list[Shape]] = {}
    for shape in rig.shapes:
        if len(shape.sliders) == 1:
            alone.setdefault(shape.sliders[0], []).append(shape)
    return {slider: shapes[0] for slider, shapes in alone.items() if len(shapes) == 1 and not shapes[0].additive}


def key_rows(name: str, curve: Curve, times: np.ndarray, values: np.ndarray, factor: float) -> KeyRows | None:
    """The rows of a curve's keys, where times (k,) and values (k, 1 or 3) of single precision have them all."""
    if len(curve.times) <= FEW or curve.tangents is not None or curve.outside != "hold":
        return None
    at = curve.times.astype(np.float32)
    rows: Ints = np.searchsorted(times, at)
    if rows[-1] >= len(times) or (times[rows] != at).any() or (np.diff(rows) <= 0).any():
        return None
    kept = values[rows]
    middle = kept[:, 1] if kept.shape[1] == 3 else kept[:, 0]
    if (middle != (curve.values / factor).astype(np.float32)).any():
        return None
    if curve.slopes is not None and (
        kept.shape[1] != 3 or (kept[:, ::2] != (curve.slopes / factor).astype(np.float32)).any()
    ):
        return None
    return KeyRows(name, curve.interpolation, packed_rows(rows, len(times)))
