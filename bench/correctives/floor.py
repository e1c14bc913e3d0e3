"""What the noise of markers leaves of weights whose active sliders are told.

The rig is linearised about the truth. In every frame by itself, the sliders that are on there are changed by the least
squares of the noise of the markers that are seen, and stay within their bounds. Among estimates without bias none has
less variance (Cramer and Rao), and no solver is told which sliders are on. What knows more, such as how poses follow
each other, may come below it. The head is taken as known.
"""

import numpy as np
from tools.experiments.takes import Known

from facewright.arrays import Floats
from facewright.rig.combine import Combine


def weights_told_which_are_on(known: Known) -> Floats:
    """Weights (frames, n) for the noise and the gaps of a take."""
    binding, combine = known.binding, Combine(known.rig)
    by_shape = np.moveaxis(binding.rows(known.rig), 0, 2).reshape(3 * len(binding.markers), -1)  # (3k, s)
    held = (known.take.positions - known.offsets[:, None]) @ known.rotations - binding.rest
    noise = (held - known.clean).reshape(len(held), -1)
    weights = np.array(known.weights)
    for frame, off in enumerate(noise):
        on, seen = np.flatnonzero(weights[frame]), np.isfinite(off)
        by_slider = by_shape[seen] @ combine.jacobian(weights[frame])[:, on]
        weights[frame, on] += np.linalg.lstsq(by_slider, off[seen], rcond=None)[0]
    return np.clip(weights, *known.rig.bounds.T)
