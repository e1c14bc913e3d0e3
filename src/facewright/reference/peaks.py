"""The lowest and the highest sample of short stretches of a sound, from which a waveform is drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facewright.reference.wav import Samples, wav_blocks, wav_layout

_A_SECOND = 200  # stretches; a frame of film has several


def sound_peaks(data: bytes) -> tuple[NDArray[np.float32], float]:
    """For each stretch of a WAV file the lowest and the highest sample of all channels (k, 2), and how many stretches
    a second there are.
    """
    layout = wav_layout(data)
    length = max(round(layout.rate / _A_SECOND), 1)  # samples of a stretch
    found, rest = [], np.zeros((0, layout.channels), np.float32)
    for block in wav_blocks(data, layout):
        rest = np.concatenate([rest, block])
        whole = len(rest) // length * length
        found.append(_of_stretches(rest[:whole], length))
        rest = rest[whole:]
    if len(rest):
        found.append(_of_stretches(rest, len(rest)))
    return np.concatenate(found), layout.rate / length


def _of_stretches(samples: Samples, length: int) -> NDArray[np.float32]:
    stretches = samples.reshape(-1, length * samples.shape[1])
    if not len(stretches):
        return np.zeros((0, 2), np.float32)
    return np.stack([stretches.min(axis=1), stretches.max(axis=1)], axis=1)
