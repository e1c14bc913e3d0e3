"""A short performance, made of curves: somebody says a sentence, raises the brows, blinks, and smiles."""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import facewright as fw
from facewright.arrays import Floats

RATE = 60.0
SECONDS = 6.0
_SYLLABLES = 4.2  # a second
_SPEECH = (0.5, 4.0)  # from, to
_MOUTHS = {  # by how much, and in how many syllables
    "mouthFunnel": (0.5, 3), "mouthPucker": (0.6, 4), "mouthStretch": (0.4, 3), "mouthUpperUp": (0.35, 2),
    "mouthLowerDown": (0.5, 2), "mouthShrugUpper": (0.3, 3), "mouthRollLower": (0.5, 5), "mouthPress": (0.4, 5),
}  # fmt: skip
_LATER = {  # slider -> (second, value), passed through smoothly
    "browInnerUp": ((0, 0), (1.2, 0), (1.6, 0.8), (2.3, 0.7), (2.8, 0), (6, 0)),
    "browOuterUp": ((0, 0), (1.3, 0), (1.7, 0.6), (2.3, 0.5), (2.8, 0), (6, 0)),
    "browDown": ((0, 0), (2.9, 0), (3.3, 0.7), (3.8, 0.6), (4.2, 0), (6, 0)),
    "mouthSmile": ((0, 0), (3.9, 0.05), (4.5, 0.85), (5.4, 0.8), (6, 0.3)),
    "cheekSquint": ((0, 0), (4.0, 0), (4.6, 0.7), (5.4, 0.6), (6, 0.2)),
    "eyeSquint": ((0, 0), (4.0, 0), (4.6, 0.4), (5.4, 0.4), (6, 0.1)),
}
_BLINKS = (0.35, 2.6, 4.1, 5.6)


def sentence(rig: fw.Rig) -> Floats:
    """Weights (frames, n), 60 a second."""
    at = np.arange(round(SECONDS * RATE)) / RATE
    rng = np.random.default_rng(4)
    speaking = _between(at, *_SPEECH)
    opening = np.clip(np.sin(2 * np.pi * _SYLLABLES * (at + 0.03 * np.sin(5 * at))) * 0.5 + 0.35, 0, 1)
    curves = {"jawOpen": 0.38 * opening * speaking}
    syllable = np.floor(_SYLLABLES * at).astype(int)
    for name, (much, every) in _MOUTHS.items():
        chosen = rng.integers(every, size=syllable.max() + 1) == 0
        curves[name] = much * _softened(chosen[syllable] * speaking, 0.06)
    for name, keys in _LATER.items():
        times, values = np.array(keys, float).T
        curves[name] = np.clip(np.interp(at, times, values), 0, 1)
    curves = {name: _softened(values, 0.04) for name, values in curves.items()}
    curves["eyeBlink"] = np.max([np.exp(-(((at - blink) / 0.055) ** 2)) for blink in _BLINKS], axis=0)
    return np.clip(_table(rig, curves), 0, 1)


def turning(frames: int, size: float) -> tuple[Floats, Floats]:
    """Rotations (frames, 3, 3) and offsets (frames, 3) of a head that is not held."""
    knots = np.random.default_rng(2).normal(size=(frames // 60 + 4, 6))
    way = CubicSpline(np.arange(len(knots)) * 60, knots)(np.arange(frames))
    angles = way[:, :3] * np.radians([6, 4, 3])
    return Rotation.from_euler("yxz", angles).as_matrix(), way[:, 3:] * 0.008 * size


def _table(rig: fw.Rig, curves: dict[str, Floats]) -> Floats:
    """Curves on the sliders of their name, or on those of both sides."""
    table = np.zeros((len(next(iter(curves.values()))), len(rig.sliders)))
    for name, values in curves.items():
        for slider in (name, f"{name}Left", f"{name}Right"):
            if slider in rig.sliders:
                table[:, rig.slider_index(slider)] = values
    return table


def _between(at: Floats, start: float, stop: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(at - start) / 0.05)) / (1 + np.exp((at - stop) / 0.05)))


def _softened(values: Floats, seconds: float) -> Floats:
    from scipy.ndimage import gaussian_filter1d

    return np.asarray(gaussian_filter1d(np.asarray(values, float), seconds * RATE, mode="nearest"))
