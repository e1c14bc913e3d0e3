"""Motion with inertia as a dense matrix, for comparison with the smoother of takes."""

import numpy as np


def process_precision(frames: int, pace: float) -> np.ndarray:
    """Precision (frames, frames) of a chain with free ends whose frames, far from the ends, have the variance 1.

    The squared operator pace^2 + second differences; its factor is found on a long ring, not by a formula.
    """
    ring = 2000
    spectrum = (pace**2 + 2 - 2 * np.cos(2 * np.pi * np.arange(ring) / ring)) ** 2
    steps = np.diff(np.eye(frames), axis=0)
    operator = pace**2 * np.eye(frames) + steps.T @ steps
    return np.asarray((1 / spectrum).mean() * operator @ operator)
